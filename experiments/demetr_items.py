"""DEMETR: translations into English, and the same translations with one error put in.

Marzena Karpinska, Nishant Raj, Katherine Thai, Yixiao Song, Ankita Gupta and Mohit Iyyer: DEMETR: Diagnosing
Evaluation Metrics for Translation. EMNLP 2022. A file is a kind of error, named by its severity; it holds a
list of items in JSON.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from metaphrase.corpus.judgements import JudgedText, Judgements

#: Here the other text is the reference itself, so that the translation is the worse of the two.
REFERENCE = "base_id35_reference"
LANGUAGES = "any-en"


@dataclass(frozen=True, slots=True)
class Item:
    """Two texts of which a metric should prefer ``better``; unless ``checked``, the error was not put in."""

    number: int
    source: str
    reference: str
    better: str
    worse: str
    checked: bool


@dataclass(frozen=True, slots=True)
class Kind:
    """All items with one kind of error."""

    name: str
    severity: str
    items: tuple[Item, ...]

    @property
    def title(self) -> str:
        """critical_id10_numbers_replaced: numbers replaced"""
        return self.name.split("_", 2)[2].replace("_", " ")

    @property
    def size(self) -> int:
        """How many items count."""
        return sum(item.checked for item in self.items)


def demetr_files(folder: Path) -> list[Path]:
    """The files by severity and number."""

    def order(path: Path) -> tuple[str, int, str]:
        severity, number, name = path.name.split("_", 2)
        return severity, int(number.removeprefix("id")), name

    return sorted(folder.glob("*_id*.json.gz"), key=order)


def read_kind(path: Path) -> Kind:
    """One file of DEMETR."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        rows = json.load(stream)
    name, severity = rows[0]["pert_name"], rows[0]["severity"]
    items = []
    for row in rows:
        better, worse = row["mt_sent"], row["pert_sent"]
        if name == REFERENCE:
            better, worse = worse, better
        texts = row["src_sent"], row["eng_sent"], better, worse
        items.append(Item(row["id"], *texts, checked=row["pert_check"]))
    return Kind(name, severity, tuple(items))


def numbers(kinds: Sequence[Kind]) -> list[int]:
    """The numbers of all items: the same number is the same source sentence in every kind."""
    return sorted({item.number for kind in kinds for item in kind.items})


def checked(kinds: Sequence[Kind]) -> NDArray[np.bool_]:
    """Which items count; kinds × numbers."""
    place = {number: column for column, number in enumerate(numbers(kinds))}
    mask = np.zeros((len(kinds), len(place)), dtype=bool)
    for row, kind in enumerate(kinds):
        for item in kind.items:
            mask[row, place[item.number]] = item.checked
    return mask


def as_judgements(kinds: Sequence[Kind]) -> Judgements:
    """Every kind as two systems, its better texts before its worse ones; segments are the numbers.

    Items that do not count are there as well, for metrics that look at all references.
    """
    segments = numbers(kinds)
    place = {number: column for column, number in enumerate(segments)}
    texts: dict[JudgedText, int] = {}
    text_of = np.full((2 * len(kinds), len(segments)), -1, dtype=np.int32)
    for row, kind in enumerate(kinds):
        for item in kind.items:
            for system, said in ((2 * row, item.better), (2 * row + 1, item.worse)):
                text = JudgedText(said, (item.reference,), item.source)
                text_of[system, place[item.number]] = texts.setdefault(text, len(texts))
    human = np.where(text_of < 0, np.nan, np.tile([[1.0], [0.0]], (len(kinds), 1)))
    return Judgements(
        "demetr",
        LANGUAGES,
        tuple(f"{kind.name} {side}" for kind in kinds for side in ("better", "worse")),
        tuple(map(str, segments)),
        None,
        tuple(texts),
        text_of,
        human,
    )
