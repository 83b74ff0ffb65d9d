"""Text and judgements as numbers, in one file that a machine without this package can train from.

METAPHRASE_DATA=... python -m training.encoder.prepare OUTPUT.npz [--languages de fr es cs en] [--pieces 8000]

Beside it, OUTPUT.losses.npz has the losses of accord for each judged row, which ``stacking`` reads. A network
of English alone learns from all judgements into it; one of several languages from rankings, and from scores
that are the mean of many judges.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import numpy as np
from training.accord.__main__ import FILES, MANY_JUDGES, PLANS
from training.encoder.relatives import MOST, mistaken, paraphrases
from training.encoder.translations import CORPORA, translated
from training.encoder.words import MARK, UNIT, Spelling, Types, learn_pieces
from training.english.treebank import data_path

from metaphrase.analysis import load
from metaphrase.corpus.judgements import Judgements
from metaphrase.corpus.lines import LineReader
from metaphrase.learning.accord import JudgedLosses, Untrained, judged_losses, validate
from metaphrase.learning.accord.data import text_losses
from metaphrase.lexicon import WordVectors
from metaphrase.meta import read_judgements
from metaphrase.metrics.accord.features import losses_of

ENGLISH = "en"
TEXT = {
    ENGLISH: ("news", "extra.cs-en", *(f"europarl.{lang}-en" for lang in ("de", "fr", "es"))),
    **CORPORA,
}
_LINES = 8192
#: A line of so many words that follow each other in a judged text is left out.
_COMMON = 8
_LENGTHS = (4, 120)
#: Of a form so many characters are kept.
LONGEST_FORM = 24


class Reader:
    """Turns texts into numbers of types; a form is another one in another language."""

    def __init__(self) -> None:
        self.numbers: dict[tuple[str, str], int] = {("", ""): 0}

    def read(self, texts: Sequence[str], lang: str) -> list[np.ndarray]:
        found = []
        analyser = load(f"builtin:{lang}")
        for start in range(0, len(texts), _LINES):
            batch = analyser.analyse(texts[start : start + _LINES], columns=frozenset({"form"}))
            forms = batch.columns["form"]
            numbers = np.array(
                [
                    self.numbers.setdefault((lang, form), len(self.numbers))
                    for form in batch.strings
                ],
                dtype=np.int32,
            )
            rows = numbers[forms]
            found += [
                rows[begin:end]
                for begin, end in zip(batch.offsets[:-1], batch.offsets[1:], strict=True)
            ]
        return found

    def forms(self, lang: str) -> tuple[list[str], np.ndarray]:
        """The forms of a language, after one that is none, and their numbers."""
        found = {form: number for (own, form), number in self.numbers.items() if own == lang}
        return ["", *found], np.array([0, *found.values()])


def runs(flat: np.ndarray, length: int) -> np.ndarray:
    """A hash of each run of words of some length."""
    hashed = np.zeros(max(len(flat) - length + 1, 0), dtype=np.uint64)
    for place in range(length):
        hashed = hashed * np.uint64(0x9E3779B97F4A7C15) + flat[place : place + len(hashed)].astype(
            np.uint64
        )
    return hashed


def plain_lines(paths: Iterable[Path]) -> list[str]:
    """Each different line once."""
    lines: dict[str, None] = {}
    for path in paths:
        with LineReader(path) as reader:
            while some := reader.take(_LINES):
                lines.update(dict.fromkeys(some))
    return list(lines)


def ppdb_pairs() -> Iterator[tuple[str, str]]:
    """Words that PPDB has as paraphrases."""
    with LineReader(data_path() / "lexicons" / "ppdb-1.0-xxxl-lexical.tsv.gz") as reader:
        while lines := reader.take(_LINES):
            for line in lines:
                left, right, *_ = line.split("\t")
                yield left, right


@dataclass(frozen=True, slots=True, eq=False)
class JudgedTexts:
    """One set and language pair: its translations, and the rows that people judged.

    ``text`` says which translation a row is of; a translation may stand for several systems.
    """

    judged: Judgements
    rows: JudgedLosses
    text: np.ndarray

    @property
    def name(self) -> str:
        return f"{self.rows.name} {self.rows.language_pair}"


def judged_texts(languages: Sequence[str], threads: int) -> Iterator[JudgedTexts]:
    """All sets into the languages, with losses that all of these have."""
    families = PLANS[languages[0]].families
    for file in FILES:
        for pair, judged in read_judgements(data_path() / "judgements" / file).items():
            if judged.target not in languages:
                continue
            if len(languages) > 1 and ".rank." not in file and judged.name not in MANY_JUDGES:
                continue
            metric = Untrained(lang=judged.target)
            columns = [metric.loss_names.index(loss) for loss in losses_of(families)]
            # The last column is the number of the text, which finds its rows again.
            known = text_losses(judged, metric, threads=threads)
            known = np.column_stack([known, np.arange(len(known))])
            rows = judged_losses(judged, metric, known=known)
            text = rows.texts[:, -1].astype(np.int32)
            yield JudgedTexts(judged, replace(rows, texts=rows.texts[:, columns]), text)
            print(f"{file} {pair}: {len(judged.texts)} texts", flush=True)


def judged_arrays(
    sets: Sequence[JudgedTexts], reader: Reader
) -> tuple[dict[str, np.ndarray], list[np.ndarray]]:
    """Pairs of numbers of sentences, what people said of them, and what accord says that has not seen it."""
    lost = {
        f"{one.name} {one.language_pair}": one.lost
        for one in validate([one.rows for one in sets]).held_out
    }
    arrays: dict[str, np.ndarray] = {}
    sentences: dict[tuple[str, str], int] = {}
    for one in sets:
        texts, rows, lang = one.judged.texts, one.rows, one.judged.target
        hypotheses = [
            sentences.setdefault((lang, text.hypothesis), len(sentences)) for text in texts
        ]
        references = [
            (row, sentences.setdefault((lang, reference), len(sentences)))
            for row, text in enumerate(texts)
            for reference in text.references
        ]
        arrays |= {
            f"{one.name}/hypothesis": np.array(hypotheses, dtype=np.int32),
            f"{one.name}/reference": np.array(references, dtype=np.int32),
            f"{one.name}/text": one.text,
            f"{one.name}/segment": rows.segment.astype(np.int32),
            f"{one.name}/better": rows.better.astype(np.int32),
            f"{one.name}/worse": rows.worse.astype(np.int32),
            f"{one.name}/base": lost[one.name].astype(np.float32),
        }
        if rows.human is not None:
            arrays[f"{one.name}/human"] = rows.human.astype(np.float32)
    arrays["sets"] = np.array([one.name for one in sets])
    read: list[np.ndarray] = []
    for lang, some in groupby(sentences, itemgetter(0)):
        read += reader.read([text for _, text in some], lang)
    return arrays, read


class Lexicon:
    """What is known of the forms of all languages: vectors for relatives, paraphrases, and mistakes."""

    def __init__(self, reader: Reader, vectors: WordVectors, counts: np.ndarray) -> None:
        self._reader, self._table, self._counts = reader, vectors, counts
        size = len(reader.numbers)
        self.vectors = np.zeros((size, vectors.dimension), dtype=np.float32)
        self.paraphrases, self.mistaken = (np.zeros((size, MOST), dtype=np.int32) for _ in range(2))

    def add(self, lang: str, threads: int) -> None:
        """Find out about one language."""
        forms, numbers = self._reader.forms(lang)
        if lang == ENGLISH:
            pairs: Iterable[tuple[str, str]] = ppdb_pairs()
            own = self._table.vectors([form.lower() for form in forms])
        else:
            known = translated(lang, self._table, threads=threads)
            pairs, own = known.pairs, known.vectors_of(forms)
        harmless = paraphrases(forms, pairs, own)
        self.vectors[numbers] = own
        self.paraphrases[numbers] = numbers[harmless]
        wrong = mistaken(forms, self._counts[numbers], own, harmless)
        self.mistaken[numbers] = numbers[wrong]

    def of_pieces(self, pieces: Sequence[str]) -> np.ndarray:
        """What a piece that is a word starts with: what it means, less the word vector that it has anyway."""
        numbers = {
            piece.removeprefix(MARK): row for row, piece in enumerate(pieces) if piece[:1] == MARK
        }
        found = np.zeros((len(pieces), self.vectors.shape[1]), dtype=np.float32)
        seen = np.zeros(len(pieces))
        for (_, form), number in self._reader.numbers.items():
            row = numbers.get(form.lower())
            if row is not None:
                found[row] += self._counts[number] * self.vectors[number]
                seen[row] += self._counts[number]
        means = found / np.maximum(seen, 1)[:, None]
        own = self._table.vectors([piece.removeprefix(MARK) for piece in pieces])
        return np.where(seen[:, None] > 0, means - own, 0.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--languages", nargs="+", choices=[*TEXT], default=[ENGLISH])
    parser.add_argument("--pieces", type=int, default=8_000)
    parser.add_argument(
        "--lines", type=int, help="of a language, at most; those of smaller texts are repeated"
    )
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    options.output.parent.mkdir(parents=True, exist_ok=True)
    sets = list(judged_texts(options.languages, options.threads))
    np.savez_compressed(
        options.output.with_suffix(".losses.npz"),
        **{one.name: one.rows.texts.astype(np.float32) for one in sets},
    )
    reader = Reader()
    arrays, judged = judged_arrays(sets, reader)
    seen = np.unique(np.concatenate([runs(one, _COMMON) for one in judged]))
    vectors = WordVectors.default()
    kept: list[np.ndarray] = []
    for lang in options.languages:
        kept += usable_lines(lang, reader, seen, vectors, options.lines)
    forms = [form for _, form in reader.numbers]
    counts = np.bincount(np.concatenate(kept), minlength=len(forms))
    lexicon = Lexicon(reader, vectors, counts)
    for lang in options.languages:
        lexicon.add(lang, options.threads)
    lower = Counter[str]()
    for form, count in zip(forms, counts.tolist(), strict=True):
        if count:
            lower[form.lower()] += count
    pieces = learn_pieces(dict(lower), options.pieces)
    types = Types.of(forms[1:], Spelling(pieces), vectors)
    flat, offsets = _packed(kept)
    judged_flat, judged_offsets = _packed(judged)
    np.savez_compressed(
        options.output,
        languages=np.array(options.languages),
        text=flat,
        text_offsets=offsets,
        judged=judged_flat,
        judged_offsets=judged_offsets,
        counts=counts,
        type_vector=types.vector,
        type_pieces=types.pieces,
        type_case=types.case,
        vectors=(types.vectors.astype(np.float32) * UNIT).round().clip(-127, 127).astype(np.int8),
        pieces=np.array(pieces),
        piece_vectors=lexicon.of_pieces(pieces).astype(np.float16),
        forms=np.array([form[:LONGEST_FORM] for form in forms]),
        paraphrases=lexicon.paraphrases,
        mistaken=lexicon.mistaken,
        **arrays,
    )
    print(f"{len(forms):,} forms, {len(pieces):,} pieces, {options.output.stat().st_size:,} bytes")


def usable_lines(
    lang: str, reader: Reader, seen: np.ndarray, vectors: WordVectors, most: int | None
) -> list[np.ndarray]:
    """Lines of text in a language, without those that share a run of words with judged texts."""
    paths = [data_path() / "parallel" / f"{corpus}.{lang}.gz" for corpus in TEXT[lang]]
    lines = reader.read(plain_lines(paths)[:most], lang)
    # Lines of English corpora that are not English; those of other languages are not known.
    known = np.ones(len(reader.numbers), dtype=bool)
    if lang == ENGLISH:
        known = np.array(vectors.ranks([form.lower() for _, form in reader.numbers]) >= 0)
    kept, left_out = [], Counter[str]()
    for one in lines:
        if not _LENGTHS[0] <= len(one) <= _LENGTHS[1]:
            left_out["length"] += 1
        elif known[one].mean() < 0.6:
            left_out["language"] += 1
        elif _has_any(seen, runs(one, _COMMON)):
            left_out["judged"] += 1
        else:
            kept.append(one)
    times = 1 if most is None else max(round(most / len(lines)), 1)
    count = sum(map(len, kept))
    print(
        f"{lang}: {len(kept):,} lines, {count:,} words, {times} times; left out: {dict(left_out)}"
    )
    return kept * times


def _has_any(ordered: np.ndarray, some: np.ndarray) -> bool:
    places = np.minimum(np.searchsorted(ordered, some), len(ordered) - 1)
    return bool((ordered[places] == some).any())


def _packed(sentences: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    lengths = np.array([len(one) for one in sentences])
    return np.concatenate(sentences), np.concatenate([[0], np.cumsum(lengths)])


if __name__ == "__main__":
    main()
