"""Text and judgements as numbers, in one file that a machine without this package can train from.

METAPHRASE_DATA=... python -m training.encoder.prepare OUTPUT.npz [--pieces 8000]

Beside it, OUTPUT.losses.npz has the losses of accord for each judged row, which ``stacking`` reads.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from training.accord.__main__ import FILES, PLANS
from training.encoder.relatives import mistaken, paraphrases
from training.encoder.words import UNIT, Spelling, Types, learn_pieces
from training.english.treebank import data_path

from metaphrase.analysis import load
from metaphrase.corpus.judgements import Judgements
from metaphrase.corpus.lines import LineReader
from metaphrase.learning.accord import JudgedLosses, Untrained, judged_losses, validate
from metaphrase.learning.accord.data import text_losses
from metaphrase.lexicon import WordVectors
from metaphrase.meta import read_judgements
from metaphrase.metrics.accord.features import losses_of

TEXT = (
    *("news.en.gz", "extra.cs-en.en.gz"),
    *(f"europarl.{lang}-en.en.gz" for lang in ("de", "fr", "es")),
)
_LINES = 8192
#: A line of so many words that follow each other in a judged text is left out.
_COMMON = 8
_LENGTHS = (4, 120)
#: Of a form so many characters are kept.
LONGEST_FORM = 24


class Reader:
    """Turns texts into numbers of types."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {"": 0}
        self.counts = Counter[str]()
        self._analyser = load("builtin:en")

    def read(self, texts: Sequence[str]) -> list[np.ndarray]:
        found = []
        for start in range(0, len(texts), _LINES):
            batch = self._analyser.analyse(
                texts[start : start + _LINES], columns=frozenset({"form"})
            )
            forms = batch.columns["form"]
            numbers = np.array(
                [self.numbers.setdefault(form, len(self.numbers)) for form in batch.strings],
                dtype=np.int32,
            )
            rows = numbers[forms]
            found += [
                rows[begin:end]
                for begin, end in zip(batch.offsets[:-1], batch.offsets[1:], strict=True)
            ]
        return found


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
    """One English set and language pair: its translations, and the rows that people judged.

    ``text`` says which translation a row is of; a translation may stand for several systems.
    """

    judged: Judgements
    rows: JudgedLosses
    text: np.ndarray

    @property
    def name(self) -> str:
        return f"{self.rows.name} {self.rows.language_pair}"


def english_sets(threads: int) -> Iterator[JudgedTexts]:
    """All sets into English, with the losses of accord's English model."""
    metric = Untrained(lang="en")
    columns = [metric.loss_names.index(loss) for loss in losses_of(PLANS["en"].families)]
    for file in FILES:
        for pair, judged in read_judgements(data_path() / "judgements" / file).items():
            if not pair.endswith("-en"):
                continue
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
    sentences: dict[str, int] = {}
    for one in sets:
        texts, rows = one.judged.texts, one.rows
        hypotheses = [sentences.setdefault(text.hypothesis, len(sentences)) for text in texts]
        references = [
            (row, sentences.setdefault(reference, len(sentences)))
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
    return arrays, reader.read(list(sentences))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--pieces", type=int, default=8_000)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    options.output.parent.mkdir(parents=True, exist_ok=True)
    sets = list(english_sets(options.threads))
    np.savez_compressed(
        options.output.with_suffix(".losses.npz"),
        **{one.name: one.rows.texts.astype(np.float32) for one in sets},
    )
    reader = Reader()
    arrays, judged = judged_arrays(sets, reader)
    seen = np.unique(np.concatenate([runs(one, _COMMON) for one in judged]))
    text = reader.read(plain_lines(data_path() / "parallel" / name for name in TEXT))
    vectors = WordVectors.default()
    forms = list(reader.numbers)
    known = np.array(vectors.ranks([form.lower() for form in forms]) >= 0)
    kept, left_out = [], Counter[str]()
    for one in text:
        if not _LENGTHS[0] <= len(one) <= _LENGTHS[1]:
            left_out["length"] += 1
        elif known[one].mean() < 0.6:
            left_out["language"] += 1
        elif _has_any(seen, runs(one, _COMMON)):
            left_out["judged"] += 1
        else:
            kept.append(one)
    print(f"{len(kept):,} lines, {sum(map(len, kept)):,} words; left out: {dict(left_out)}")
    counts = np.bincount(np.concatenate(kept), minlength=len(forms))
    lower = Counter[str]()
    for form, count in zip(forms, counts.tolist(), strict=True):
        if count:
            lower[form.lower()] += count
    pieces = learn_pieces(dict(lower), options.pieces)
    types = Types.of(forms[1:], Spelling(pieces), vectors)
    of_forms = types.vectors[types.vector]
    harmless = paraphrases(forms, ppdb_pairs(), of_forms)
    flat, offsets = _packed(kept)
    judged_flat, judged_offsets = _packed(judged)
    np.savez_compressed(
        options.output,
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
        forms=np.array([form[:LONGEST_FORM] for form in forms]),
        paraphrases=harmless,
        mistaken=mistaken(forms, counts, of_forms, harmless),
        **arrays,
    )
    print(f"{len(forms):,} forms, {len(pieces):,} pieces, {options.output.stat().st_size:,} bytes")


def _has_any(ordered: np.ndarray, some: np.ndarray) -> bool:
    places = np.minimum(np.searchsorted(ordered, some), len(ordered) - 1)
    return bool((ordered[places] == some).any())


def _packed(sentences: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    lengths = np.array([len(one) for one in sentences])
    return np.concatenate(sentences), np.concatenate([[0], np.cumsum(lengths)])


if __name__ == "__main__":
    main()
