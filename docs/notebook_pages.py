"""Notebooks as pages of the site, with what their cells show when it is built."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parent / "notebooks"))

import run

#: Longer than any row of backticks in a cell.
FENCE = "`" * 8
#: The way of showing a value that a browser knows best comes first.
SHOWN = ("text/html", "image/svg+xml")


class NotebookParser(MystParser):  # type: ignore[misc]
    """A notebook is MyST: its texts as they are, its code and outputs in blocks."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Run the notebook, and parse what it is then."""
        path = Path(document["source"])
        found = (markdown(cell) for cell in run.executed(path)["cells"])
        super().parse("\n\n".join(found), document)


def markdown(cell: dict[str, Any]) -> str:
    """One cell."""
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return source
    blocks = [fenced("python", [source]), *map(shown, cell["outputs"])]
    return "\n\n".join(blocks)


def shown(output: dict[str, Any]) -> str:
    """What a cell printed, or what its last line evaluates to."""
    if output["output_type"] == "stream":
        return fenced("text", output["text"])
    data = output["data"]
    for kind in SHOWN:
        if kind in data:
            return fenced("{raw} html", wrapped(data[kind]))
    return fenced("text", data["text/plain"])


def wrapped(lines: Sequence[str]) -> Iterator[str]:
    """With a class that the style sheet knows."""
    yield '<div class="notebook-output">'
    yield from lines
    yield "</div>"


def fenced(kind: str, lines: Sequence[str] | Iterator[str]) -> str:
    """A block of Markdown."""
    return "\n".join([FENCE + kind, *(line.rstrip("\n") for line in lines), FENCE])


def setup(app: Sphinx) -> dict[str, bool]:
    """Register it."""
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    return {"parallel_read_safe": True}
