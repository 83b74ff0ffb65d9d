"""Formats in which paraphrases come: pairs in columns, PPDB's own lines, METEOR's three lines a pair."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from metaphrase.corpus.lines import LineReader
from metaphrase.errors import InputError

#: Phrase, paraphrase and p(paraphrase | phrase); NaN where the file has no probability.
Pair = tuple[str, str, float]
#: What a compiled table can hold.
MOST_BYTES = 255

_NONTERMINAL = re.compile(r"\[\S+,\d+\]")
_PPDB_SEPARATOR = " ||| "
#: The feature of PPDB's that is -log p(paraphrase | phrase).
_PPDB_FEATURE = "p(e|f)="


def phrase_key(text: str) -> str:
    """In lower case, single spaces between words: how phrases are kept and looked up.

    Only U+0020 separates words: files have every other space, and control characters, inside them.
    """
    key = text.lower()
    # Nearly all keys are single words, and this runs for millions of them.
    return " ".join(filter(None, key.split(" "))) if " " in key else key


def tab_pairs(path: Path) -> Iterator[Pair]:
    """``phrase TAB paraphrase``, optionally ``TAB probability``; a pair holds in both directions."""
    with LineReader(path) as reader:
        for number, line in reader:
            cells = line.split("\t")
            if len(cells) not in (2, 3):
                raise _not_a_pair(
                    path,
                    number,
                    f"{len(cells)} columns",
                    "phrase, paraphrase and perhaps a probability",
                )
            probability = math.nan
            if len(cells) == 3:
                probability = _probability(cells[2], path, number)
            first, second = _phrase(cells[0], path, number), _phrase(cells[1], path, number)
            yield first, second, probability
            yield second, first, probability


def ppdb_pairs(path: Path) -> Iterator[Pair]:
    """PPDB's lines ``LHS ||| phrase ||| paraphrase ||| features ||| …``; or pairs in columns.

    Entries with nonterminals (``[NP,1]``) are rules, not phrases, and are left out.
    """
    with LineReader(path) as reader:
        if _PPDB_SEPARATOR not in "".join(reader.take(1)):
            yield from tab_pairs(path)
            return
    with LineReader(path) as reader:
        for number, line in reader:
            fields = line.split(_PPDB_SEPARATOR)
            if len(fields) < 4:
                raise _not_a_pair(
                    path,
                    number,
                    f"{len(fields)} fields",
                    "LHS ||| phrase ||| paraphrase ||| features",
                )
            if _NONTERMINAL.search(fields[1]):
                continue
            first, second = _phrase(fields[1], path, number), _phrase(fields[2], path, number)
            yield first, second, _ppdb_probability(fields[3], path, number)


def meteor_pairs(path: Path) -> Iterator[Pair]:
    """Three lines a pair: ``p(paraphrase | phrase)``, phrase, paraphrase.

    METEOR's own table has sums over pivots that exceed 1, which are taken for 1.
    """
    with LineReader(path) as reader:
        while lines := reader.take(3):
            number = reader.taken - len(lines) + 1
            if len(lines) < 3:
                raise _not_a_pair(
                    path, number, f"{len(lines)} lines", "probability, phrase and paraphrase"
                )
            probability = min(1.0, _probability(lines[0], path, number, most=math.inf))
            first = _phrase(lines[1], path, number + 1)
            yield first, _phrase(lines[2], path, number + 2), probability


READERS: dict[str, Callable[[Path], Iterator[Pair]]] = {
    "file": tab_pairs,
    "ppdb": ppdb_pairs,
    "meteor": meteor_pairs,
}


def _phrase(text: str, path: Path, line: int) -> str:
    phrase = phrase_key(text)
    size = len(phrase.encode())
    if not 0 < size <= MOST_BYTES:
        fault = f"has {size} bytes" if size else "is empty"
        raise InputError(
            "MP347",
            f"A phrase {fault}.",
            path=path,
            line=line,
            hint=f"A phrase has from 1 to {MOST_BYTES} bytes; leave others out.",
        )
    return phrase


def _probability(text: str, path: Path, line: int, *, most: float = 1.0) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= most:
        raise InputError(
            "MP346",
            f"{text[:40]!r} is not a probability.",
            path=path,
            line=line,
            hint="Give a number from 0 to 1.",
        )
    return value


def _ppdb_probability(features: str, path: Path, line: int) -> float:
    for feature in features.split():
        if feature.startswith(_PPDB_FEATURE):
            try:
                # Rounding in the file takes some below zero.
                return math.exp(-max(0.0, float(feature.removeprefix(_PPDB_FEATURE))))
            except ValueError:
                raise InputError(
                    "MP346",
                    f"{feature[:40]!r} is not a feature's value.",
                    path=path,
                    line=line,
                    hint="It must be a number, the negative logarithm of the probability.",
                ) from None
    return math.nan


def _not_a_pair(path: Path, line: int, found: str, wanted: str) -> InputError:
    return InputError(
        "MP345", f"There are {found} here.", path=path, line=line, hint=f"The format is: {wanted}."
    )
