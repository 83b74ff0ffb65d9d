"""How the folder of a test set and its files of scores are recognised."""

from __future__ import annotations

from os import fspath

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.mtme.scores import (
    NO_SCORE,
    ScoreFile,
    level_of,
    read_score_file,
    write_score_file,
)
from metaphrase.corpus.formats.mtme.test_set import read_mtme
from metaphrase.corpus.formats.mtme.tree import NEEDED
from metaphrase.corpus.formats.score_text import is_score
from metaphrase.corpus.lines import FilePath
from metaphrase.errors import InputError


def _recognises_tree(head: Head) -> bool:
    return head.entries is not None and set(NEEDED) <= {name.rstrip("/") for name in head.entries}


def _recognises_scores(head: Head) -> bool:
    level = level_of(head.name)
    if head.is_folder or level is None or not head.lines:
        return False
    rows = [line.split() for line in head.lines]
    rows = rows[:-1] if len(rows) > 1 else rows  # the last line may have been cut
    width = 3 if level == "domain" else 2
    fitting = [len(row) == width and (is_score(row[-1]) or row[-1] == NO_SCORE) for row in rows]
    return 2 * sum(fitting) > len(fitting)  # the name says it, too: a few may have faults


def _write_named(scores: ScoreFile, path: FilePath) -> None:
    """Write a file whose name says the level, without which it could not be read."""
    if level_of(fspath(path)) != scores.level:
        raise InputError(
            "MP168",
            f"The name does not say that these are scores at level {scores.level}.",
            path=path,
            hint=f"Call it NAME.{scores.level}.score.",
        )
    write_score_file(scores, path)


def _read_corpus(folder: FilePath) -> Corpus:
    return read_mtme(folder, metric_scores=False).corpus


FORMATS = (
    Format(
        name="mtme",
        holds="texts",
        description="a test set with one language pair in an mt-metrics-eval folder tree",
        recognises=_recognises_tree,
        read=_read_corpus,
    ),
    Format(
        name="mtme-scores",
        holds="scores",
        description="scores of systems, a file of an mt-metrics-eval tree",
        recognises=_recognises_scores,
        read=read_score_file,
        write=_write_named,
    ),
)
