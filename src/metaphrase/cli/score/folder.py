"""A folder of score files that others read: submissions to WMT's metrics task, or mt-metrics-eval's."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from time import time
from typing import TYPE_CHECKING

from metaphrase.cli.arguments import described_files
from metaphrase.cli.output import print_aside
from metaphrase.cli.score.folder_options import layout_names
from metaphrase.corpus.formats.mtme.same_texts import check_size, check_texts
from metaphrase.corpus.formats.mtme.scores import check_name, level_of, score_lines
from metaphrase.corpus.formats.mtme.test_set import MtmeSet, read_mtme
from metaphrase.corpus.formats.mtme.tree import ALL_REFERENCES, NEEDED, used_references
from metaphrase.corpus.formats.submissions.files import submission_lines
from metaphrase.corpus.formats.submissions.layouts import LAYOUTS
from metaphrase.corpus.writing import atomic_writer, encoded_lines
from metaphrase.errors import InputError, OptionError

if TYPE_CHECKING:
    from metaphrase.corpus import Corpus
    from metaphrase.scoring import Scores


class ScoreFolder:
    """Watches texts go by to be scored, and writes the files when the scores are there."""

    def __init__(self, options: argparse.Namespace, metrics: Sequence[str]) -> None:
        self._options = options
        self._metrics = metrics
        self._documents: list[str] = []
        self._domains: list[str] = []
        self._begin = int(time())
        self._checked = False
        self._tree: MtmeSet | None = None
        self._segments = 0

    def watched(self, pieces: Iterable[Corpus]) -> Iterator[Corpus]:
        """The pieces, whose documents and domains are remembered."""
        for piece in pieces:
            if not self._checked:
                self._check(piece)
                self._checked = True
            if self._tree is not None:
                check_texts(self._tree, piece, self._segments, self._options.output)
            self._segments += len(piece)
            self._documents.extend(piece.documents or ())
            self._domains.extend(piece.domains or ())
            yield piece
        if self._tree is not None:
            check_size(self._tree, self._segments, self._options.output)

    def _check(self, piece: Corpus) -> None:
        """Refuse what cannot be written before hours of work are lost."""
        options = self._options
        self._check_inputs()
        if options.format == "mtme":
            self._check_tree(piece)
            return
        columns = {
            column
            for level in layout_names(options)
            for column in LAYOUTS[level].columns
            if "seg" in level
        }
        for column, there in (("document", piece.documents), ("domain", piece.domains)):
            if column in columns and there is None:
                raise OptionError(
                    "MP174",
                    f"{options.format} needs the {column} of each segment.",
                    hint=f"Give them with --{column}s.",
                )

    def _check_inputs(self) -> None:
        """Refuse to write over a text that is about to be scored."""
        from metaphrase.report.submitted_scores import file_stem

        options = self._options
        folder = Path(options.output)
        ends = "."
        if options.format == "mtme":
            folder = folder / "metric-scores" / options.pair
            ends = f"-{options.reference_name}."
        written = tuple(f"{file_stem(metric)}{ends}" for metric in self._metrics)
        for given in described_files(options).paths:
            path = Path(os.path.realpath(given))
            inside = path.parent == Path(os.path.realpath(folder))
            if inside and path.name.startswith(written) and level_of(path.name):
                raise OptionError(
                    "MP607",
                    "a file of scores would replace an input.",
                    path=given,
                    hint="Choose another folder.",
                )

    def _check_tree(self, piece: Corpus) -> None:
        """Refuse scores that would make a tree unreadable, if there is one."""
        options = self._options
        named = options.reference_name.split(".")
        if options.reference_name != ALL_REFERENCES and len(named) != len(piece.references):
            raise OptionError(
                "MP174",
                f"--reference-name names {len(named)}, but metrics use {len(piece.references)} of them.",
                hint="Name every reference, with dots between, or write all.",
            )
        if all(os.path.isdir(Path(options.output) / part) for part in NEEDED):
            used = sorted(used_references(options.reference_name, ()))
            self._tree = read_mtme(
                options.output,
                language_pair=options.pair,
                references=None if options.reference_name == ALL_REFERENCES else used,
                metric_scores=False,
            )
        for system in piece.systems:
            check_name(system, options.output)
            if self._tree is not None and system not in self._tree.outputs:
                raise InputError(
                    "MP165",
                    f"The tree has no system {system!r}.",
                    path=options.output,
                    hint="Name systems as in system-outputs: -i NAME=FILE",
                )

    def write(self, scores: Scores) -> None:
        """Write all files, or none if one of them cannot be."""
        from metaphrase.report.submitted_scores import Provenance, score_files, submissions

        options = self._options
        root = Path(options.output)
        provenance = Provenance(
            language_pair=options.pair,
            test_set=options.test_set or "",
            reference=options.reference_name or "",
            documents=self._documents or None,
            domains=self._domains or None,
            begin=self._begin,
            end=int(time()),
            ensemble=bool(options.ensemble),
            available=options.available or "no",
            specifications=self._metrics,
        )
        contents: dict[Path, list[bytes]] = {}
        if options.format == "mtme":
            for name, file in score_files(scores, provenance).items():
                path = root / name
                extent = None if self._tree is None else self._tree.extent
                lines = score_lines(file, path, extent=extent)
                contents[path] = list(encoded_lines(lines, path))
        else:
            for name, submission in submissions(scores, options.format, provenance).items():
                contents[root / name] = list(submission_lines(submission, root / name))
        for folder in {path.parent for path in contents}:
            _make(folder)
        with ExitStack() as stack:
            for path, data in contents.items():
                stack.enter_context(atomic_writer(path)).writelines(data)
        for metric in scores.metrics:
            if not metric.higher_is_better:
                print_aside(
                    f"metaphrase: lower scores of {metric.name} are better: their signs were turned"
                )


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            "MP173",
            f"The folder cannot be made: {error.strerror or error}.",
            path=folder,
            hint="Check that the folder above it may be written to.",
        ) from error
