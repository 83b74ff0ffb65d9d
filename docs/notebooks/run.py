"""Runs the notebooks of the gallery, from top to bottom, each in a process and a folder of its own.

``python docs/notebooks/run.py`` writes their outputs anew; with ``--check`` it only says what changed.
No Jupyter is needed: a cell's output is what it prints and what its last line evaluates to.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stdout
from difflib import unified_diff
from pathlib import Path
from types import ModuleType
from typing import Any

from metaphrase.corpus.writing import atomic_writer

FOLDER = Path(__file__).parent
#: Pages of explanations come with their own program and style, and are drawn when the site is built.
LONGEST = 20_000
#: What depends on installed versions and not on us.
VERSIONS = re.compile(r"\b(sacrebleu|version):[\w.]+")
#: Where an object lies in memory is nobody's concern.
ADDRESS = re.compile(r" at 0x[0-9a-f]+")
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}

Notebook = dict[str, Any]


def notebooks() -> list[Path]:
    """All of the gallery."""
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> Notebook:
    """A notebook as it was written."""
    found: Notebook = json.loads(path.read_text("utf-8"))
    return found


def executed(path: Path) -> Notebook:
    """The notebook with the outputs that it has now; a cell that fails is an error, as is a warning."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-W", "error", __file__, "--outputs", str(path.resolve())],
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
        )
    if done.returncode != 0:
        raise RuntimeError(f"{path.name} cannot be run.\n{done.stderr}")
    outputs = iter(json.loads(done.stdout))
    cells = [
        {**cell, **next(outputs)} if cell["cell_type"] == "code" else cell
        for cell in read(path)["cells"]
    ]
    return {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}


def kept(notebook: Notebook) -> Notebook:
    """The notebook as it is committed: without pages, and with nothing about who ran it when."""
    cells = []
    for cell in notebook["cells"]:
        made = {**cell, "metadata": {}}
        if cell["cell_type"] == "code":
            made["outputs"] = [_short(output) for output in cell["outputs"]]
        cells.append(made)
    return {**notebook, "cells": cells, "metadata": METADATA}


def _short(output: dict[str, Any]) -> dict[str, Any]:
    if "data" not in output:
        return output
    data = {
        kind: lines
        for kind, lines in output["data"].items()
        if sum(map(len, lines)) <= LONGEST or kind == "text/plain"
    }
    return {**output, "data": data}


def written(notebook: Notebook) -> str:
    """As Jupyter writes it."""
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def changes(path: Path) -> str:
    """What the notebook shows beside what was committed, line by line; nothing if it is the same."""
    before, now = (
        VERSIONS.sub(r"\1:…", written(notebook)).splitlines(keepends=True)
        for notebook in (read(path), kept(executed(path)))
    )
    return "".join(unified_diff(before, now, "committed", "now"))


def outputs(path: Path) -> Iterator[dict[str, Any]]:
    """What each cell of code prints and evaluates to, in the namespace of the cells before it."""
    module = ModuleType("__main__")
    sys.modules[module.__name__] = module  # dataclasses look it up there
    cells = (cell for cell in read(path)["cells"] if cell["cell_type"] == "code")
    for number, cell in enumerate(cells, 1):
        printed = io.StringIO()
        with redirect_stdout(printed):
            value = _run("".join(cell["source"]), f"{path.name}, cell {number}", vars(module))
        found: list[dict[str, Any]] = []
        if printed.getvalue():
            text = printed.getvalue().splitlines(keepends=True)
            found.append({"output_type": "stream", "name": "stdout", "text": text})
        if value is not None:
            result = {"output_type": "execute_result", "execution_count": number, "metadata": {}}
            found.append({**result, "data": _shown(value)})
        yield {"execution_count": number, "outputs": found}


def _run(source: str, name: str, namespace: dict[str, Any]) -> object:
    *body, last = ast.parse(source).body
    value = None
    if isinstance(last, ast.Expr) and not source.rstrip().endswith(";"):
        exec(compile(ast.Module(body, []), name, "exec"), namespace)
        value = eval(compile(ast.Expression(last.value), name, "eval"), namespace)
    else:
        exec(compile(ast.Module([*body, last], []), name, "exec"), namespace)
    return value


def _shown(value: object) -> dict[str, list[str]]:
    ways = {"text/html": "_repr_html_", "image/svg+xml": "_repr_svg_"}
    found = {kind: getattr(value, way)() for kind, way in ways.items() if hasattr(value, way)}
    found["text/plain"] = ADDRESS.sub("", repr(value))
    return {kind: text.splitlines(keepends=True) for kind, text in found.items()}


def main() -> int:
    """Write outputs anew, or say which differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--outputs", type=Path, metavar="NOTEBOOK", help=argparse.SUPPRESS)
    parser.add_argument("notebooks", type=Path, nargs="*", help="which ones (default: all)")
    options = parser.parse_args()
    if options.outputs is not None:
        sys.stdout.buffer.write(json.dumps(list(outputs(options.outputs))).encode())
        return 0
    code = 0
    for path in options.notebooks or notebooks():
        if options.check:
            if found := changes(path):
                print(f"{path.name} shows something else now.", found, sep="\n")
                code = 1
        else:
            text = written(kept(executed(path)))
            with atomic_writer(path) as file:
                file.write(text.encode())
            print(path.name)
    return code


if __name__ == "__main__":
    sys.exit(main())
