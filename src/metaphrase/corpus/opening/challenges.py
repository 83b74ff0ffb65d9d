"""From files and folders as somebody names them to the items of challenge sets."""

from __future__ import annotations

import os
import re
from pathlib import Path

from metaphrase.corpus.challenges import Challenge
from metaphrase.corpus.formats.registry import recognise
from metaphrase.corpus.lines import FilePath
from metaphrase.errors import InputError

_FORMS = (
    "A challenge set is a .tsv or .jsonl file with kind, reference, good and bad, a file of DEMETR, or a "
    "folder of such files."
)


def read_challenges(*paths: FilePath) -> list[Challenge]:
    """The items of all files, and of all files of the folders, in their order.

    Of a folder the files that are challenge sets are read, by their names; what else it has is left alone.

    >>> metaphrase.probing.read_challenges("probe.tsv")[0].kind
    'numbers'
    """
    return [item for path in paths for item in _items(os.fspath(path))]


def _items(path: str) -> list[Challenge]:
    if os.path.isdir(path):
        items = [item for file in files_in_order(path) for item in _of_file(file, strict=False)]
        if not items:
            raise InputError("MP759", "The folder has no challenge set.", path=path, hint=_FORMS)
        return items
    return _of_file(path, strict=True)


def files_in_order(folder: str) -> list[str]:
    """The files of a folder by their names, 9 before 10."""
    try:
        files = [each for each in Path(folder).iterdir() if each.is_file()]
    except OSError as error:
        raise InputError(
            "MP112", f"The folder cannot be read: {error.strerror}.", path=folder
        ) from None
    return [str(each) for each in sorted(files, key=_in_order)]


def _in_order(path: Path) -> list[tuple[int, str]]:
    return [
        (int(part), "") if part.isdecimal() else (-1, part)
        for part in re.split(r"(\d+)", path.name)
    ]


def _of_file(path: str, *, strict: bool) -> list[Challenge]:
    if path != "-" and not os.path.exists(path):
        raise InputError("MP110", "There is no such file.", path=path, hint="Check the path.")
    try:
        file = recognise(path)
    except InputError:
        if strict:
            raise
        return []  # a picture, say
    found = file.format
    if found is None or found.holds != "challenges" or found.read is None:
        if not strict:
            return []
        raise InputError(
            "MP759",
            f"The file is {file.description}, not a challenge set.",
            path=path,
            hint=_FORMS,
        )
    items: list[Challenge] = found.read(path)
    return items
