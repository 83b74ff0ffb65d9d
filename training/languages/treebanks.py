"""Reads the treebanks of the other languages as the tokeniser sees their text: one token a surface word.

Where a treebank takes a surface word apart ("du" = de + le, "im" = in + dem, "dámelo"), the word stays whole
and bears the tag and lemma of its first part; German prepositions with an article have STTS's own tag,
APPRART. Test parts are never trained on; the last tenth of every training file is the dev set, which the
released model trains on too.
"""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from training.english.treebank import TaggedSentence, data_path


@dataclass(frozen=True)
class Sources:
    """What trains and judges: names of ``treebanks/NAME.conllu.gz`` and of ``parallel/NAME.gz``."""

    treebanks: tuple[str, ...]
    tests: tuple[str, ...]
    raw: tuple[str, ...]


SOURCES = {
    "de": Sources(
        ("de_gsd-dev", "de_lit-test", "de_pud"), ("de_gsd-test",), ("news.de", "europarl.de-en.de")
    ),
    "fr": Sources(
        ("fr_sequoia-train", "fr_sequoia-dev", "fr_gsd-dev"),
        ("fr_sequoia-test", "fr_gsd-test"),
        ("news.fr", "europarl.fr-en.fr"),
    ),
    "es": Sources(
        ("es_ancora-dev", "es_gsd-dev", "es_pud"),
        ("es_ancora-test", "es_gsd-test"),
        ("news.es", "europarl.es-en.es"),
    ),
    "cs": Sources(
        ("cs_fictree-dev", "cs_pud"), ("cs_fictree-test",), ("news.cs", "extra.cs-en.cs")
    ),
}
#: Spellings of one STTS tag.
_STTS = {"PROAV": "PAV", "VVINZU": "VVIZU", "VVIN": "VVINF", "VFINF": "VVINF", "$;": "$."}
_STTS_TAGS = frozenset(
    "$( $, $. ADJA ADJD ADV APPO APPR APPRART APZR ART CARD FM ITJ KOKOM KON KOUI KOUS NE NN PAV "
    "PDAT PDS PIAT PIS PPER PPOSAT PPOSS PRELAT PRELS PRF PTKA PTKANT PTKNEG PTKVZ PTKZU PWAT PWAV "
    "PWS TRUNC VAFIN VAIMP VAINF VAPP VMFIN VMINF VMPP VVFIN VVIMP VVINF VVIZU VVPP XY".split()
)
#: What a tag of German PUD, which has none of STTS, becomes before a tagger chooses better.
UNKNOWN = ""
#: A word of a treebank: its number, the number of its head, its relation.
Row = tuple[int, int, str]


def read(name: str) -> Iterator[TaggedSentence]:
    """The sentences of a treebank; German words without a tag of STTS have ``UNKNOWN``."""
    text, rows, skip = "", [], 0
    with gzip.open(data_path() / "treebanks" / f"{name}.conllu.gz", "rt", encoding="utf-8") as file:
        for line in file:
            cells = line.rstrip("\n").split("\t")
            if line.startswith("# text = "):
                text = line.removeprefix("# text = ").rstrip("\n")
            elif len(cells) == 1 and not cells[0]:
                yield _sentence(name, text, rows)
                rows, skip = [], 0
            elif "-" in cells[0] and cells[0][0].isdigit():
                first, last = map(int, cells[0].split("-"))
                rows.append([cells[1]])
                skip = last - first + 1
            elif cells[0].isdigit():
                if skip and len(rows[-1]) == 1:
                    rows[-1] += [cells[2], cells[3], _fused_tag(name, cells)]
                elif not skip:
                    rows.append([cells[1], cells[2], cells[3], _tag(name, cells)])
                skip = max(skip - 1, 0)


def _sentence(name: str, text: str, rows: list[list[str]]) -> TaggedSentence:
    forms, lemmas, upos, tags = (list(column) for column in zip(*rows, strict=True))
    forms = [form.replace("’", "'") for form in forms]
    lemmas = [
        lemma.replace("’", "'") if lemma != "_" else form
        for lemma, form in zip(lemmas, forms, strict=True)
    ]
    return TaggedSentence(name, text.replace("’", "'"), forms, lemmas, tags, upos)


def _tag(name: str, cells: list[str]) -> str:
    """German: STTS; Czech: part of speech and its detail, the first two places of the tag; else universal."""
    language = name[:2]
    if language == "de":
        tag = _STTS.get(cells[4], cells[4])
        return tag if tag in _STTS_TAGS and name != "de_pud" else UNKNOWN
    if language == "cs":
        return cells[4][:2]
    return cells[3]


def _fused_tag(name: str, cells: list[str]) -> str:
    if name.startswith("de") and cells[3] == "ADP":
        return "APPRART"
    return _tag(name, cells)


def arcs(name: str) -> Iterator[tuple[list[int], list[str]]]:
    """Heads and relations of the tokens that :func:`read` gives, sentence by sentence."""
    rows: list[Row] = []
    fused: list[range] = []
    with gzip.open(data_path() / "treebanks" / f"{name}.conllu.gz", "rt", encoding="utf-8") as file:
        for line in file:
            cells = line.rstrip("\n").split("\t")
            if cells[0].isdigit():
                rows.append((int(cells[0]), int(cells[6]), cells[7]))
            elif "-" in cells[0] and cells[0][0].isdigit():
                first, last = map(int, cells[0].split("-"))
                fused.append(range(first, last + 1))
            elif not line.strip():
                yield contracted(rows, fused)
                rows, fused = [], []


def contracted(rows: Sequence[Row], fused: Sequence[range]) -> tuple[list[int], list[str]]:
    """Heads and relations where the words of each range of ``fused`` are one.

    A surface word hangs where its part nearest to the root hangs, the first if there are several; what
    hangs on any part hangs on the word. Heads are thus nearer to the root than what hangs on them, and the
    result is a tree.
    """
    head_of = {word: head for word, head, _ in rows}
    first_of = {0: 0} | {part: parts[0] for parts in fused for part in parts}
    depth = {0: 0}

    def depth_of(word: int) -> int:
        if word not in depth:
            depth[word] = 1 + depth_of(head_of[word])
        return depth[word]

    top: dict[int, Row] = {}
    for row in rows:
        surface = first_of.get(row[0], row[0])
        if surface not in top or depth_of(row[0]) < depth_of(top[surface][0]):
            top[surface] = row
    number = {0: 0} | {surface: i for i, surface in enumerate(top, 1)}
    heads = [number[first_of.get(head, head)] for _, head, _ in top.values()]
    assert heads.count(0) == 1, "a tree has one root"
    return heads, [relation for _, _, relation in top.values()]


def training_sentences(language: str, *, dev: bool) -> list[TaggedSentence]:
    """All that may train, or with ``dev`` all but the last tenth of every file."""
    chosen = []
    for name in SOURCES[language].treebanks:
        sentences = list(read(name))
        chosen += sentences[: len(sentences) * 9 // 10] if dev else sentences
    return chosen


def judging_sentences(language: str, *, test: bool) -> dict[str, list[TaggedSentence]]:
    """The dev parts, or with ``test`` those that are looked at once a released model."""
    if test:
        return {name: list(read(name)) for name in SOURCES[language].tests}
    parts = {}
    for name in SOURCES[language].treebanks:
        sentences = list(read(name))
        parts[name] = sentences[len(sentences) * 9 // 10 :]
    return parts


def fill_tags(
    sentences: list[TaggedSentence], found: list[list[tuple[str, str]]]
) -> list[TaggedSentence]:
    """Give words without a tag what a tagger found, if its universal tag is right, else the usual one."""
    usual: dict[str, Counter[str]] = {}
    for sentence in sentences:
        for tag, upos in zip(sentence.tags, sentence.upos, strict=True):
            if tag != UNKNOWN:
                usual.setdefault(upos, Counter())[tag] += 1
    filled = []
    for sentence, labels in zip(sentences, found, strict=True):
        tags = [
            tag
            if tag != UNKNOWN
            else guess
            if guessed == upos
            else usual[upos].most_common(1)[0][0]
            for tag, upos, (guess, guessed) in zip(
                sentence.tags, sentence.upos, labels, strict=True
            )
        ]
        filled.append(replace(sentence, tags=tags))
    return filled
