"""Submissions to WMT's metrics task: one score per line, tabs between the columns.

A file may have several metrics, language pairs and test sets; within each, every system must have the same
segments, complete and in order, for the task pairs scores by their numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from os import fspath
from typing import Any

from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.mtme.scores import level_of
from metaphrase.corpus.formats.score_text import shown
from metaphrase.corpus.formats.submissions.checks import SubmissionChecks, SubmittedScore
from metaphrase.corpus.formats.submissions.layouts import (
    LAYOUTS,
    Layout,
    SubmissionLevel,
    likely,
    recognised,
)
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.corpus.writing import atomic_writer, encoded_lines
from metaphrase.errors import InputError, OptionError

#: Lines looked at to recognise the layout.
_HEAD = 64


@dataclass(frozen=True, slots=True)
class Submission:
    """The lines of one file in their order."""

    layout: Layout
    records: tuple[SubmittedScore, ...]

    @property
    def year(self) -> int:
        """The year whose rules the file follows."""
        return self.layout.year

    @property
    def level(self) -> SubmissionLevel:
        """What a line is about: ``sys``, ``doc`` or ``seg``."""
        return self.layout.level

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, in the order of their first lines."""
        return tuple(dict.fromkeys(record.metric for record in self.records))

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order of their first lines."""
        return tuple(dict.fromkeys(record.system for record in self.records))

    def as_layout(self, name: str, given: Mapping[str, str] | None = None) -> Submission:
        """The same scores in the layout of another year; ``given`` fills columns that this one lacks.

        Columns that the other layout lacks are dropped; one that nobody can fill is refused.
        """
        layout = LAYOUTS[name]
        filled: dict[str, Any] = dict(given or {})
        if layout.level != self.level:
            raise OptionError(
                "MP172",
                f"scores of {self.layout.name} are not those of {name}: the levels differ.",
                hint="Convert a level to the same level of another year.",
            )
        new = [column for column in layout.columns if column not in self.layout.columns]
        if set(new) != filled.keys():
            missing = sorted(set(new) ^ filled.keys())
            raise OptionError(
                "MP172",
                f"{name} has {' '.join(new) or 'nothing'} besides what {self.layout.name} has; "
                f"{', '.join(missing)} is missing or too much.",
                hint="Say it: --set " + " ".join(f"{column}=…" for column in new),
            )
        changes: dict[str, Any] = {c: None for c in self.layout.columns if c not in layout.columns}
        records = (replace(record, **changes, **filled) for record in self.records)
        return Submission(layout, tuple(records))


def read_submission(
    path: FilePath,
    *,
    layout: str | None = None,
    systems: Collection[str] | None = None,
    language_pair: str | None = None,
) -> Submission:
    """Read and check a submission, gzip too.

    ``layout`` (``wmt20-doc``) is recognised unless stated, and never guessed. ``systems`` are those that
    there are, ``language_pair`` is the one expected; without, every one is accepted.
    """
    with LineReader(path) as reader:
        lines = list(enumerate(reader.take(_HEAD), 1))
        chosen = _chosen(layout, [text for _, text in lines], reader.name)
        checks = SubmissionChecks(chosen, reader.name, systems, language_pair)
        records = [checks.record(line, text.split("\t")) for line, text in lines]
        records.extend(checks.record(line, text.split("\t")) for line, text in reader)
    checks.finish()
    return Submission(chosen, tuple(records))


def write_submission(submission: Submission, path: FilePath, *, overwrite: bool = True) -> None:
    """Write the lines; what :func:`read_submission` would refuse is refused before."""
    lines = list(submission_lines(submission, path))
    with atomic_writer(path, overwrite=overwrite) as stream:
        stream.writelines(lines)


def submission_lines(submission: Submission, path: FilePath) -> Iterator[bytes]:
    """The lines of a file to be, checked as if they were read."""
    layout = submission.layout
    checks = SubmissionChecks(layout, fspath(path))

    def lines() -> Iterator[str]:
        for line, record in enumerate(submission.records, 1):
            cells = ["" if (v := getattr(record, c)) is None else str(v) for c in layout.columns]
            for cell in cells:
                if "\t" in cell or "\n" in cell:
                    raise InputError(
                        "MP172",
                        f"The name {shown(cell)} has a tab or a line end.",
                        path=path,
                        line=line,
                        hint="Columns are separated by tabs: choose another name.",
                    )
            if checks.record(line, cells) != record:
                raise InputError(
                    "MP172",
                    f"{layout.name} has no column for something that the record has.",
                    path=path,
                    line=line,
                    hint=f"The columns are {' '.join(layout.columns)}.",
                )
            yield "\t".join(cells)
        checks.finish()

    if not submission.records:
        raise InputError("MP113", "There is no score to write.", path=path, hint="Give some.")
    yield from encoded_lines(lines(), path)


def _chosen(layout: str | None, lines: list[str], path: str) -> Layout:
    if layout is not None:
        if layout not in LAYOUTS:
            raise OptionError(
                "MP166",
                f"There is no format {layout!r} of submissions.",
                hint=f"There are {', '.join(LAYOUTS)}.",
            )
        return LAYOUTS[layout]
    rows = [line.split("\t") for line in lines]
    found = likely(rows, path)
    if found is None:
        width = len(rows[0])
        names = [name for name, known in LAYOUTS.items() if len(known.columns) == width]
        raise InputError(
            "MP166",
            f"Which submissions have {width} columns like these cannot be told."
            if names
            else f"No submission has {width} columns.",
            path=path,
            line=1,
            hint=f"Say which format it is with --from NAME: {', '.join(names or LAYOUTS)}.",
        )
    return found


def _format(layout: Layout) -> Format:
    def recognises(head: Head) -> bool:
        rows = [line.split("\t") for line in head.lines]
        whole = rows[:-1] if len(rows) > 1 else rows  # the last line may have been cut
        # A file that is named so is a submission with faults, rather than a text.
        fitting = likely if level_of(head.name) else recognised
        return not head.is_folder and fitting(whole, head.name) is layout

    def read(path: FilePath) -> Submission:
        return read_submission(path, layout=layout.name)

    def write(submission: Submission, path: FilePath) -> None:
        write_submission(submission.as_layout(layout.name), path)

    level = {"sys": "system", "doc": "document", "seg": "segment"}[layout.level]
    return Format(
        name=layout.name,
        holds="scores",
        description=f"{level} scores submitted to WMT's metrics task of {layout.year}",
        recognises=recognises,
        read=read,
        write=write,
    )


FORMATS = tuple(_format(layout) for layout in LAYOUTS.values())
