"""``metaphrase demo``: every family of metrics on the bundled example, what each sees, and a report."""

from __future__ import annotations

import argparse
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from shlex import join
from tempfile import mkdtemp

from metaphrase.cli.command import command
from metaphrase.cli.output import print_lines, print_view

_TEXTS = ("reference.txt", "-i", "system-a.txt", "system-b.txt")
_CLUMSY = ("reference.txt", "-i", "system-b.txt")
_FAMILIES = (
    *("accord", "cobalt", "ppda+f", "pbe", "tesla", "tesla-m"),
    *("meteor:paraphrases=none", "bleu", "chrf"),
)
_PAGE = "report.html"


@dataclass(frozen=True, slots=True)
class Step:
    """One command; of a long output, the lines from one that begins with ``first`` to one with ``last``."""

    title: str
    command: tuple[str, ...]
    first: str = ""
    last: str = ""

    @property
    def metrics(self) -> tuple[str, ...]:
        """Those that the command names, which come before the next option."""
        if "-m" not in self.command:
            return ()
        named = self.command[self.command.index("-m") + 1 :]
        end = next((at for at, word in enumerate(named) if word.startswith("-")), len(named))
        return named[:end]


STEPS = (
    Step("Two systems, scored by accord beside BLEU and chrF", ("score", *_TEXTS)),
    Step(
        "accord says what each repair of a translation would gain",
        ("explain", *_CLUMSY, "-m", "accord", "--segment", "8"),
    ),
    Step("A metric of every family", ("score", *_TEXTS, "-m", *_FAMILIES)),
    Step(
        "UPF-Cobalt aligns words, and says which contexts they do not share",
        ("explain", *_CLUMSY, "-m", "cobalt", "--segment", "8", "--details"),
    ),
    Step(
        "pPDA+f turns the reference into the translation, edit by edit",
        ("explain", *_CLUMSY, "-m", "ppda+f", "--segment", "12", "--details"),
    ),
    Step(
        "PBE maps noun and verb phrases",
        ("explain", *_CLUMSY, "-m", "pbe", "--segment", "12", "--details"),
    ),
    Step(
        "METEOR matches words, stems and synonyms in as few chunks as it can",
        ("explain", *_CLUMSY, "-m", "meteor:paraphrases=none", "--segment", "12", "--details"),
    ),
    Step(
        "TESLA also reads both sides through four pivot languages (the end of a long explanation)",
        ("explain", *_CLUMSY, "-m", "tesla", "--segment", "12", "--details"),
        first="feature",
        last="score",
    ),
    Step(
        "TESLA-CELAB compares Chinese without cutting it into words; 雨伞 and 伞 are synonyms",
        (
            *("explain", "--details", "zh/reference.txt", "-i", "zh/system-a.txt", "-l", "zh"),
            *("-m", "celab:dictionary=file:zh/synonyms.tsv", "--segment", "1"),
        ),
    ),
    Step(
        "Is the difference significant?",
        (
            *("score", "reference.txt", "-i", "system-b.txt", "system-a.txt"),
            *("-m", "accord", "bleu", "--paired-bs"),
        ),
    ),
    Step(
        "Everything on one page",
        (
            *("report", *_TEXTS, "-m", *_FAMILIES, "--documents", "documents.txt"),
            *("--title", "The bundled example", "-o", _PAGE),
        ),
    ),
)


@command(
    place=190,
    help="show what there is, on the bundled example",
    description="Copy the bundled example into a new folder, score and explain it there, and write a "
    "report. Each command is shown, to be tried again in that folder. A metric that needs more than is "
    "installed is left out.",
)
def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare its arguments."""
    parser.add_argument(
        "folder", nargs="?", metavar="FOLDER", help="a new folder; default: a temporary one"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run every step; the exit code is that of the first one that fails."""
    from metaphrase.metrics import obstacle

    folder = _copied(options.folder)
    obstacles = {name: found for name in _FAMILIES if (found := obstacle(name)) is not None}
    with _inside(folder):
        for step in STEPS:
            if step.metrics and obstacles.keys() >= set(step.metrics):
                continue
            code = _show(step, [word for word in step.command if word not in obstacles])
            if code != 0:
                return code
    left_out = [f"Left out: {obstacle}" for obstacle in obstacles.values()]
    page = f"Open it in a browser: {(folder / _PAGE).as_uri()}"
    print_lines(["", *left_out, page, f"The files are in {folder}: the commands above work there."])
    return 0


def _show(step: Step, command: list[str]) -> int:
    from rich.text import Text

    from metaphrase.cli import main

    title, line = Text(f"\n── {step.title}", "bold"), Text(f"$ metaphrase {join(command)}\n", "dim")
    print_view([title, line])
    if not step.first:
        return main(command)
    with redirect_stdout(StringIO()) as printed:
        code = main(command)
    print_lines(_excerpt(printed.getvalue(), step.first, step.last))
    return code


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _copied(folder: str | None) -> Path:
    """The bundled files in a folder of the user's, or in a new one that nobody else can write to."""
    from metaphrase.corpus.writing import atomic_folder

    if folder is None:
        copy = Path(mkdtemp(prefix="metaphrase-demo-"))
        shutil.copytree(_examples(), copy, dirs_exist_ok=True)
        return copy
    with atomic_folder(folder) as copy:
        shutil.copytree(_examples(), copy, dirs_exist_ok=True)
    return Path(os.path.realpath(folder))


def _examples() -> Path:
    """In the installed package; a clone has them once, beside its sources."""
    package = Path(__file__).parents[1]
    installed = package / "examples"
    return installed if installed.is_dir() else package.parents[1] / "examples"


def _excerpt(text: str, first: str, last: str) -> Iterator[str]:
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith(first):
            yield line
            break
    for line in lines:
        yield line
        if line.startswith(last):
            return
