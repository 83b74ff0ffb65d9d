"""Marot's files of MQM: ten columns, tab-separated, with or without a header.

They are ``system doc docSegId globalSegId rater source target category severity metadata``, those of
:mod:`~metaphrase.corpus.formats.judged.mqm` by other names, and a JSON object in which Marot keeps times,
notes and scores of metrics. A row without a rater has nothing but metadata and is passed over. Read from
``marot/README.md`` of google-research/google-research at 15134e6b.
"""

from __future__ import annotations

import json

from metaphrase.corpus.formats.format import Head
from metaphrase.corpus.formats.judged.mqm import COLUMNS, MqmTable, mqm_format
from metaphrase.corpus.formats.judged.mqm_weights import GOOGLE, MqmWeights
from metaphrase.corpus.formats.judged.texts import none_counts
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.errors import InputError

_HEADER = ("system", "doc", "docSegId", "globalSegId", *COLUMNS[4:], "metadata")
#: How Marot tells that the first line is a header.
_HEADER_START = "system\tdoc\t"


def read_marot(path: FilePath, *, weights: MqmWeights = GOOGLE) -> MqmTable:
    """The errors of a file, as those of any other file of MQM."""
    rows: list[list[str]] = []
    lines: list[int] = []
    with LineReader(path) as reader:
        for line, text in reader:
            if line == 1 and text.startswith(_HEADER_START):
                continue
            cells = text.split("\t")
            if len(cells) != len(_HEADER):
                raise InputError(
                    "MP795",
                    f"The row has {len(cells)} fields.",
                    path=reader.name,
                    line=line,
                    hint=f"Marot's files have {len(_HEADER)}: {' '.join(_HEADER)}.",
                )
            if cells[4]:
                rows.append(cells[:-1])
                lines.append(line)
        name = reader.name
    if not rows:
        raise none_counts(name, "Add rows with a rater.")
    return MqmTable.of(COLUMNS, rows, weights=weights, path=name, lines=lines)


def _recognises(head: Head) -> bool:
    if not head.lines or head.is_folder:
        return False
    cells = head.lines[0].split("\t")
    if len(cells) != len(_HEADER):
        return False
    return tuple(cells) == _HEADER or (cells[3].isdecimal() and _is_object(cells[-1]))


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


FORMATS = (
    mqm_format(
        read_marot,
        name="marot",
        description=f"MQM errors as Marot has them: {' '.join(_HEADER)}",
        recognises=_recognises,
    ),
)
