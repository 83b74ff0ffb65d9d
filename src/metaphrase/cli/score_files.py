"""``metaphrase score --format wmt16|wmt17|wmt20|wmt23|mtme``: a folder of files that others read."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from time import time
from typing import TYPE_CHECKING

from metaphrase.cli.inputs import input_files
from metaphrase.cli.tree_texts import check_size, check_texts
from metaphrase.errors import InputError, OptionError

if TYPE_CHECKING:
    from metaphrase.corpus import Corpus
    from metaphrase.corpus.mtme import MtmeSet
    from metaphrase.scoring import Scores

YEARS = ("wmt16", "wmt17", "wmt20", "wmt23")
FORMATS = (*YEARS, "mtme")
#: What each format has room for.
_COLUMNS = {
    "wmt16": ("pair", "test_set"),
    "wmt17": ("pair", "test_set", "ensemble", "available"),
    "wmt20": ("pair", "test_set", "reference_name"),
    "wmt23": ("pair", "test_set", "reference_name"),
    "mtme": ("pair", "reference_name"),
}
_ONLY = ("pair", "test_set", "reference_name", "ensemble", "available")


def add_file_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments that say what the formats of the metrics task want to know."""
    group = parser.add_argument_group(
        "submissions",
        "With --format wmt16, wmt17, wmt20, wmt23 or mtme, -o is a folder that gets one file for each "
        "metric and level. Scores are written so that higher is better.",
    )
    group.add_argument("--pair", metavar="LP", help="the language pair, such as en-de")
    group.add_argument("--test-set", metavar="NAME", help="such as newstest2020; not for mtme")
    group.add_argument(
        "--reference-name", metavar="NAME", help="such as refA; for wmt20, wmt23 and mtme"
    )
    group.add_argument(
        "--ensemble",
        action="store_true",
        default=None,
        help="for wmt17: the metrics make use of other metrics",
    )
    group.add_argument(
        "--available",
        metavar="URL",
        help="for wmt17: where the metrics are available (default: no)",
    )


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
        from metaphrase.corpus.submission_layouts import LAYOUTS

        options = self._options
        self._check_inputs()
        if options.format == "mtme":
            self._check_tree(piece)
            return
        columns = {
            column
            for level in _levels(options)
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
        from metaphrase.corpus.mtme_scores import level_of
        from metaphrase.report.submitted_scores import file_stem

        options = self._options
        folder = Path(options.output)
        ends = "."
        if options.format == "mtme":
            folder = folder / "metric-scores" / options.pair
            ends = f"-{options.reference_name}."
        written = tuple(f"{file_stem(metric)}{ends}" for metric in self._metrics)
        for given in input_files(options):
            path = Path(os.path.realpath(given or ""))
            inside = path.parent == Path(os.path.realpath(folder))
            if given and inside and path.name.startswith(written) and level_of(path.name):
                raise OptionError(
                    "MP607",
                    "a file of scores would replace an input.",
                    path=given,
                    hint="Choose another folder.",
                )

    def _check_tree(self, piece: Corpus) -> None:
        """Refuse scores that would make a tree unreadable, if there is one."""
        from metaphrase.corpus.mtme import read_mtme
        from metaphrase.corpus.mtme_scores import check_name
        from metaphrase.corpus.mtme_tree import ALL_REFERENCES, NEEDED, used_references

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
        from metaphrase.corpus.mtme_scores import score_lines
        from metaphrase.corpus.submissions import submission_lines
        from metaphrase.corpus.writing import atomic_writer, encoded_lines
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
                print(
                    f"metaphrase: lower scores of {metric.name} are better: their signs were turned",
                    file=sys.stderr,
                )


def _levels(options: argparse.Namespace) -> list[str]:
    """The layouts that the levels asked for have in the format."""
    short = {"system": "sys", "document": "doc", "segment": "seg"}
    return [f"{options.format}-{short.get(name, name)}" for name in options.level or ["system"]]


def check_file_options(options: argparse.Namespace) -> None:
    """Refuse options that do not go with the format, before anything is scored."""
    from metaphrase.corpus.submission_layouts import LAYOUTS

    given = [name for name in _ONLY if getattr(options, name) is not None]
    if options.format not in FORMATS:
        if given:
            raise OptionError(
                "MP174",
                f"--{given[0].replace('_', '-')} says nothing in {options.format}.",
                hint=f"It is for --format {', '.join(FORMATS)}.",
            )
        return
    for name in given:
        if name not in _COLUMNS[options.format]:
            forms = [form for form, columns in _COLUMNS.items() if name in columns]
            raise OptionError(
                "MP174",
                f"--{name.replace('_', '-')} says nothing in {options.format}.",
                hint=f"It is for {', '.join(forms)}: leave it out.",
            )
    _check_values(options)
    for name in _levels(options):
        if options.format != "mtme" and name not in LAYOUTS:
            raise OptionError(
                "MP174", f"there is no {name}.", hint="Leave that level out of --level."
            )
    if options.paired_bs or options.paired_ar or options.confidence or options.wins:
        raise OptionError(
            "MP174",
            f"{options.format} holds scores only.",
            hint="Leave significance and --wins out, or choose another --format.",
        )
    if os.path.exists(options.output) and not os.path.isdir(options.output):
        raise InputError(
            "MP173",
            "This is not a folder.",
            path=options.output,
            hint="Name a folder for the files.",
        )
    above = Path(os.path.realpath(options.output)).parent
    if not os.path.isdir(above):
        raise InputError(
            "MP173",
            "There is no folder above it.",
            path=options.output,
            hint="Make that one first.",
        )


def _check_values(options: argparse.Namespace) -> None:
    from metaphrase.corpus.mtme_tree import ALL_REFERENCES, NO_REFERENCE, is_reference_name
    from metaphrase.corpus.score_text import is_language_pair

    needed = {"output": "-o FOLDER", "pair": "--pair LP"}
    if options.format != "mtme":
        needed["test_set"] = "--test-set NAME"
    if options.format in ("wmt20", "wmt23", "mtme"):
        needed["reference_name"] = "--reference-name NAME"
    for name, flag in needed.items():
        if not getattr(options, name):
            raise OptionError("MP174", f"{options.format} needs {flag}.", hint="Add it.")
    if not is_language_pair(options.pair):
        raise OptionError(
            "MP162", f"{options.pair!r} is not a language pair.", hint="Write it like en-de."
        )
    names = (options.reference_name or "").split(".")
    if options.format != "mtme":
        return
    if options.reference_name == NO_REFERENCE:
        raise OptionError(
            "MP174",
            "src is for metrics that use no reference: ours use them.",
            hint="Name the references.",
        )
    named = all(map(is_reference_name, names)) and len(set(names)) == len(names)
    if options.reference_name != ALL_REFERENCES and not named:
        raise OptionError(
            "MP172",
            f"{options.reference_name!r} does not name references.",
            hint="Names have no dots, dashes or blanks; several, each once, are separated by dots.",
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
