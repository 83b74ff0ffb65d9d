"""Where a segment stands: the file and, if a line is a segment there, the line."""

from __future__ import annotations

import json
from contextlib import suppress

from metaphrase.corpus.formats.conllu import is_named_conllu
from metaphrase.corpus.formats.tables.layout import LayoutOptions, recognise
from metaphrase.corpus.lines import STDIN, LineReader
from metaphrase.corpus.names import name_systems, pair_and_file, shown_path
from metaphrase.corpus.opening.corpus_files import CorpusFiles
from metaphrase.errors import MetaphraseError


class SegmentPlaces:
    """Files and lines of the segments of a corpus that was read from ``files``."""

    def __init__(self, files: CorpusFiles) -> None:
        self._files = files
        self._systems = {} if files.corpus else name_systems(files.hypotheses or [STDIN])
        self._lines: dict[str, int | None] = {}

    @property
    def is_plain(self) -> bool:
        """Whether a line has nothing but a segment, where it has one."""
        return self._files.corpus is None

    def place(self, segment: int, system: str | None) -> tuple[str, int | None]:
        """The path as messages show it, and the line from 1, of a segment that is counted from 0.

        Without a system it is the place of the first reference.
        """
        if self._files.corpus is not None:
            path = pair_and_file(self._files.corpus)[1]
        elif system is None:
            path = self._files.references[0]
        else:
            path = self._systems[system]
        if path not in self._lines:
            self._lines[path] = self._line_of_first(path)
        first = self._lines[path]
        return shown_path(path), None if first is None else first + segment

    def _line_of_first(self, path: str) -> int | None:
        """The line of the first segment; ``None`` where segments are no lines."""
        if path == STDIN:
            return 1
        if is_named_conllu(path):
            return None
        with suppress(MetaphraseError, OSError, ValueError):
            found = self._files.look(path).format
            if self._files.corpus is None:
                return 1 if self._files.plain or found is None else None
            if found is None or found.name not in ("tsv", "jsonl"):
                return None
            with LineReader(path) as lines:
                _, line = next(iter(lines))
            names = line.split("\t") if found.name == "tsv" else list(json.loads(line))
            layout = recognise(names, LayoutOptions(columns=self._files.columns), path)
            if layout.form == "wide":
                return 2 if found.name == "tsv" else 1
        return None
