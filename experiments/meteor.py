"""METEOR 1.5 as a metric of these experiments: the Java program answers, line by line.

Importing this module makes ``meteor-1.5`` known. The program is kept running for as long as Python does:
``SCORE`` turns a reference and a hypothesis into a line of statistics, ``EVAL`` a line (or a sum of
lines) into a score. Both are METEOR's own.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from typing import IO, ClassVar, cast

import numpy as np
from benchmarks.meteor import MISSING, meteor_jar

from metaphrase.arrays import FloatArray
from metaphrase.metrics import Comparison, Metric, Signature, register


@register
@dataclass(frozen=True, kw_only=True)
class Meteor15(Metric):
    """METEOR 1.5 with its English paraphrases, ``-l en -norm``."""

    name: ClassVar[str] = "meteor-1.5"
    languages: ClassVar[frozenset[str] | None] = frozenset({"en"})

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """What METEOR counts, one row per segment."""
        columns = (comparison.hypotheses, *comparison.references)
        lines = [
            " ||| ".join(["SCORE", *map(_plain, references), _plain(hypothesis)])
            for hypothesis, *references in zip(*columns, strict=True)
        ]
        return np.array([[float(cell) for cell in answer.split()] for answer in _ask(lines, 1)])

    def score(self, statistics: FloatArray) -> FloatArray:
        """METEOR's score of each row."""
        rows = statistics.reshape(-1, statistics.shape[-1])
        lines = [f"EVAL ||| {' '.join(f'{cell:.12g}' for cell in row)}" for row in rows]
        return np.array([float(answer) for answer in _ask(lines, 2)]).reshape(statistics.shape[:-1])

    def signature(self, references: int | None = None) -> Signature:
        return Signature.of(self.name, {"nrefs": references, "options": "-l en -norm"})


def _plain(text: str) -> str:
    """METEOR's separator cannot be escaped."""
    return " ".join(text.replace("|||", " ").split())


def _ask(lines: list[str], answer_lines: int) -> list[str]:
    """The last line of each answer: ``EVAL`` says the score of the segment, then that of all segments."""
    questions, answers = _program()
    replies = []
    for line in lines:
        questions.write(f"{line}\n")
        questions.flush()
        replies += [answers.readline() for _ in range(answer_lines)][-1:]
    return replies


@cache
def _program() -> tuple[IO[str], IO[str]]:
    jar = meteor_jar()
    if jar is None:
        sys.exit(MISSING)
    running = subprocess.Popen(
        ["java", "-Xmx2G", "-jar", str(jar), "-", "-", "-stdio", "-l", "en", "-norm"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    return cast("IO[str]", running.stdin), cast("IO[str]", running.stdout)
