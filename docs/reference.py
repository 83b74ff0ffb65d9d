"""What autodoc lacks: our docstrings' lists of options, the names a package exports, and compiled modules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from inspect import getdoc
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

#: The packages with a page of their own; what one of them exports is described there.
ROOMS = (
    *("corpus", "analysis", "checks", "lexicon", "matching", "metrics", "learning", "meta"),
    *("scoring", "selection", "sampling", "gate", "jobs", "report", "errors"),
)
#: "alpha: weight of recall", "beta, gamma: of the penalty"
OPTION = re.compile(r"(\w+(?:, \w+)*): +(\S.*)")


class Exports(SphinxDirective):
    """``{exports}``: the names that ``metaphrase`` exports, with a line about each."""

    def run(self) -> list[nodes.Node]:
        """Make a table of them."""
        package = import_module("metaphrase")
        lines = [".. list-table::", "   :widths: auto", ""]
        for name in package.__all__:
            summary = (getdoc(getattr(package, name)) or "").partition("\n")[0]
            lines += [
                f"   * - :py:obj:`{name} <{home(name)}.{name}>`",
                f"     - {escaped(summary)}",
            ]
        return parsed(self, [*lines, ""], "metaphrase")


class Stubs(SphinxDirective):
    """``{stubs} FOLDER``: a section for each stub of the folder, which is a package of compiled modules."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Parse all stubs into sections."""
        folder = (Path(self.get_source_info()[0]).parent / self.arguments[0]).resolve()
        stubs = sorted(path for path in folder.glob("*.pyi") if path.stem != "__init__")
        if not stubs:
            raise self.error(f"{folder} has no stubs.")
        return [self._section(path, f"metaphrase.{folder.name}.{path.stem}") for path in stubs]

    def _section(self, path: Path, module: str) -> nodes.section:
        self.env.note_dependency(path)
        tree = ast.parse(path.read_text("utf-8"))
        section = nodes.section(ids=[nodes.make_id(module)])
        section += nodes.title(text=path.stem)
        lines = [f".. py:module:: {module}", "", *described(tree), *members(tree.body)]
        section += parsed(self, lines, str(path))
        return section


def home(name: str) -> str:
    """The package on whose page something is described that ``metaphrase`` exports."""
    for room in ROOMS:
        if name in getattr(import_module(f"metaphrase.{room}"), "__all__", ()):
            return f"metaphrase.{room}"
    return "metaphrase.errors" if name.endswith("Error") else "metaphrase"


def members(body: Sequence[ast.stmt]) -> Iterator[str]:
    """The classes and functions of a stub as directives."""
    for member in body:
        if isinstance(member, ast.ClassDef):
            yield f".. py:class:: {member.name}"
            yield from indented(["", *described(member), *members(member.body)])
        elif isinstance(member, ast.FunctionDef):
            result = ast.unparse(member.returns) if member.returns else "None"
            if any(ast.unparse(decorator) == "property" for decorator in member.decorator_list):
                yield f".. py:property:: {member.name}"
                yield f"   :type: {result}"
            else:
                yield f".. py:function:: {member.name}({ast.unparse(member.args)}) -> {result}"
            yield from indented(["", *described(member)])


def described(node: ast.Module | ast.ClassDef | ast.FunctionDef) -> list[str]:
    """The docstring, with a blank line after it."""
    text = ast.get_docstring(node)
    return [*marked_up(text.splitlines()), ""] if text else []


def indented(lines: Sequence[str]) -> list[str]:
    """The lines as the content of a directive."""
    return [f"   {line}" if line else "" for line in lines]


def marked_up(lines: Sequence[str]) -> list[str]:
    """A docstring with its lists of options (``name: meaning``) as the fields that Sphinx knows."""
    found: list[str] = []
    for paragraph in "\n".join(lines).strip("\n").split("\n\n"):
        rows = [escaped(row) for row in paragraph.splitlines()]
        if (
            rows
            and OPTION.match(rows[0])
            and all(OPTION.match(r) or r.startswith(" ") for r in rows)
        ):
            rows = [*fields(rows)]
        found += [*rows, ""]
    return found


def fields(rows: Sequence[str]) -> Iterator[str]:
    """A field for each name of a list of options."""
    for option in re.split(r"\n(?=\S)", "\n".join(rows)):
        names, meaning = option.split(":", 1)
        for name in names.split(", "):
            yield f":param {name}: {' '.join(meaning.split())}"


def escaped(line: str) -> str:
    """Bars outside of literals mean what they say: absolute values, not substitutions."""
    return "".join(
        part if part.startswith("``") else part.replace("|", r"\|")
        for part in re.split(r"(``.*?``)", line)
    )


def parsed(directive: SphinxDirective, lines: Sequence[str], source: str) -> list[nodes.Node]:
    """What reStructuredText makes of the lines."""
    container = nodes.Element()
    directive.state.nested_parse(StringList(list(lines), source=source), 0, container)
    return container.children


def mark_up(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Mark up the docstrings that autodoc finds."""
    lines[:] = marked_up(lines)


def skip_described(
    app: Sphinx, what: str, name: str, obj: Any, skip: bool, options: Any
) -> bool | None:
    """Describe everything in one place: the page of ``metaphrase`` has what no other page has."""
    at_the_top = app.env.docname == "api/metaphrase" and what == "module"
    return True if at_the_top and home(name) != "metaphrase" else None


def setup(app: Sphinx) -> dict[str, bool]:
    """Register all of it."""
    app.add_directive("exports", Exports)
    app.add_directive("stubs", Stubs)
    app.connect("autodoc-process-docstring", mark_up)
    app.connect("autodoc-skip-member", skip_described)
    return {"parallel_read_safe": True}
