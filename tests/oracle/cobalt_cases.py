"""Golden cases of UPF-Cobalt, and the oracle's sentences packed as the kernel takes them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from metaphrase.analysis import Batch, Sentence
from metaphrase.analysis.relations import RelationBatch
from metaphrase.lexicon.phrase_spans import find_phrases
from metaphrase.lexicon.word_evidence import look_up
from metaphrase.matching.word_alignment import AlignerWords, ParsedSentences, WordSpellings
from oracle.cobalt_aligner import Parsed
from oracle.cobalt_relations import Relation
from oracle.cobalt_words import Evidence, Token

GOLDEN = Path(__file__).parents[1] / "golden"


def golden(name: str) -> Any:
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


def golden_sentence(case: dict[str, Any], side: str) -> Parsed:
    tokens = (Token(t["form"], t["lemma"], t["pos"], t["ner"]) for t in case[side])
    return Parsed(tuple(tokens), tuple(Relation(*row) for row in case[f"{side}_deps"]))


def golden_evidence(case: dict[str, Any]) -> Evidence:
    lexicon = golden("cobalt_lexicon")
    vectors = None
    if "distributional" in case.get("resources", ()):
        vectors = {word: tuple(map(float, v.split())) for word, v in case["vectors"].items()}
    return Evidence(
        frozenset(map(frozenset, lexicon["synonyms"])),
        frozenset(map(frozenset, lexicon["paraphrases"])),
        vectors,
    )


def as_sentence(parsed: Parsed) -> Sentence:
    """The tokens with single spaces between them."""
    forms = [token.form for token in parsed.tokens]
    starts = [0, *accumulate(len(form) + 1 for form in forms)][: len(forms)]
    return Sentence(
        " ".join(forms),
        tuple(forms),
        tuple(starts),
        tuple(start + len(form) for start, form in zip(starts, forms, strict=True)),
        lemma=tuple(token.lemma for token in parsed.tokens),
        tag=tuple(token.tag for token in parsed.tokens),
        entity=tuple(token.entity for token in parsed.tokens),
    )


def flat_relations(sentences: Sequence[Parsed]) -> RelationBatch:
    rows = [relation for sentence in sentences for relation in sentence.relations]
    labels = sorted({relation.label for relation in rows})
    return RelationBatch(
        np.cumsum([0, *(len(sentence.relations) for sentence in sentences)], dtype=np.int64),
        np.array([labels.index(relation.label) for relation in rows], dtype=np.int32),
        np.array([relation.governor for relation in rows], dtype=np.int32),
        np.array([relation.dependent for relation in rows], dtype=np.int32),
        labels,
    )


class OracleLexicon:
    """The oracle's evidence as a source of synonyms, paraphrases and vectors."""

    name = "oracle"
    fingerprint = "0" * 12

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence

    def synonym_graph(self, words: Sequence[str], *, parts: Sequence[str] | None = None) -> Any:
        return _graph(words, self.evidence.synonyms)

    def paraphrase_graph(self, words: Sequence[str]) -> Any:
        return _graph(words, self.evidence.paraphrases)

    def vectors(self, words: Sequence[str]) -> Any:
        known = self.evidence.vectors or {}
        size = len(next(iter(known.values()), ()))
        rows = [known.get(word, (0.0,) * size) for word in words]
        return np.array(rows, dtype=np.float32).reshape(len(words), size)


def _graph(words: Sequence[str], pairs: frozenset[frozenset[str]]) -> Any:
    numbers: dict[str, list[int]] = {}
    for number, word in enumerate(words):
        numbers.setdefault(word, []).append(number)
    rows: list[set[int]] = [set() for _ in words]
    for pair in pairs:
        a, b = sorted(pair) if len(pair) == 2 else (*pair, *pair)
        for i in numbers.get(a, ()):
            for j in numbers.get(b, ()):
                rows[i].add(j)
                rows[j].add(i)
    neighbours = [sorted(row) for row in rows]
    offsets = np.cumsum([0, *map(len, neighbours)], dtype=np.int64)
    return offsets, np.array([j for row in neighbours for j in row], dtype=np.int32)


def pack(
    sentences: Sequence[Parsed],
    evidence: Evidence,
    language: AlignerWords | None = None,
    *,
    phrases: frozenset[frozenset[str]] | None = None,
) -> ParsedSentences:
    columns = ("form", "lemma", "tag", "entity")
    batch = Batch.pack([as_sentence(sentence) for sentence in sentences], columns)
    words = WordSpellings(batch.strings, language)
    lexicon = OracleLexicon(evidence)
    vectors = None if evidence.vectors is None else lexicon
    found = look_up(words, synonyms=lexicon, paraphrases=lexicon, vectors=vectors)
    spans = None
    if phrases is not None:
        numbers = words.canonical_numbers[batch.columns["form"]]
        table = OracleLexicon(Evidence(paraphrases=phrases))
        spans = find_phrases(batch.offsets, numbers, words.canonical, table)
    return ParsedSentences(batch, flat_relations(sentences), words, found, spans)
