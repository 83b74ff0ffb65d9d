"""Reads the English treebanks: which sentences train, which judge, and why.

Training: EWT train, and GUM without its genres fiction and whow (their texts are non-commercial)
and without the documents in ``held_out.txt``. Judging: EWT dev (tuning) and EWT test (reported
once a released model); of the held-out GUM documents, every other one is a second dev set.
"""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HELD_OUT = Path(__file__).with_name("held_out.txt")
EXCLUDED_GENRES = frozenset({"fiction", "whow"})


@dataclass(frozen=True)
class TaggedSentence:
    """One sentence with its gold columns."""

    document: str
    text: str
    forms: list[str]
    lemmas: list[str]
    tags: list[str]
    upos: list[str]


def data_path() -> Path:
    """The folder that METAPHRASE_DATA names."""
    if "METAPHRASE_DATA" not in os.environ:
        raise SystemExit("Set METAPHRASE_DATA to the folder with treebanks/ and parallel/.")
    return Path(os.environ["METAPHRASE_DATA"])


def read(name: str) -> Iterator[TaggedSentence]:
    """Sentences of ``treebanks/NAME.conllu.gz``; multiword ranges and empty nodes are left out."""
    document, text, rows = "", "", []
    with gzip.open(data_path() / "treebanks" / f"{name}.conllu.gz", "rt", encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            if line.startswith("# newdoc id = "):
                document = line.removeprefix("# newdoc id = ")
            elif line.startswith("# text = "):
                text = line.removeprefix("# text = ")
            elif not line:
                columns = list(zip(*rows, strict=True))
                forms, lemmas, upos, tags = (list(columns[i]) for i in (1, 2, 3, 4))
                yield TaggedSentence(document, text, forms, lemmas, tags, upos)
                rows = []
            elif line[0] != "#":
                row = line.split("\t")
                if row[0].isdigit():
                    rows.append(row)


def genre(document: str) -> str:
    """``GUM_academic_art`` is of the genre ``academic``."""
    return document.split("_")[1]


def choose_held_out() -> list[str]:
    """Of every genre that trains a tenth, at least one: the smallest SHA-256 of the name."""
    by_genre: dict[str, set[str]] = {}
    for sentence in read("en_gum-all"):
        by_genre.setdefault(genre(sentence.document), set()).add(sentence.document)
    chosen = []
    for name, documents in by_genre.items():
        if name not in EXCLUDED_GENRES:
            ranked = sorted(documents, key=lambda d: hashlib.sha256(d.encode()).hexdigest())
            chosen += ranked[: max(1, round(len(ranked) / 10))]
    return sorted(chosen)


def held_out() -> list[str]:
    """The committed list."""
    return HELD_OUT.read_text(encoding="utf-8").split()


def training_sentences() -> list[TaggedSentence]:
    """EWT train and what GUM may give."""
    left_out = set(held_out())
    return list(read("en_ewt-train")) + [
        sentence
        for sentence in read("en_gum-all")
        if genre(sentence.document) not in EXCLUDED_GENRES and sentence.document not in left_out
    ]


def judging_sentences(test: bool = False) -> dict[str, list[TaggedSentence]]:
    """The dev sets, or with ``test`` those that are looked at once."""
    documents = held_out()
    half = set(documents[1::2] if test else documents[::2])
    gum = [sentence for sentence in read("en_gum-all") if sentence.document in half]
    name = "test" if test else "dev"
    return {f"EWT {name}": list(read(f"en_ewt-{name}")), f"GUM held-out {name}": gum}


if __name__ == "__main__":
    HELD_OUT.write_text("\n".join(choose_held_out()) + "\n", encoding="utf-8")
