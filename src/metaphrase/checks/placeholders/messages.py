"""ICU MessageFormat, read into its parts: arguments, plurals, selections, and the text between them.

The grammar is that of ICU's MessageFormat with the default apostrophe mode: an apostrophe begins quoted text
only before ``{`` or ``}``, or before ``#`` and ``|`` inside a plural; two of them are one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NAME = re.compile(r"[\w.-]+")
_BLANKS = re.compile(r"\s*")
_SELECTOR = re.compile(r"=\d+|[^\s{}=#',]+")
_OFFSET = re.compile(r"offset:\s*(\d+)\s*")
_CHOOSING = ("plural", "selectordinal", "select")
_FORMATTING = ("number", "date", "time", "spellout", "ordinal", "duration", "list")
#: Deeper messages are nobody's, and would only exhaust the stack.
_DEEPEST = 20


class MessageError(ValueError):
    """What is wrong with a message, and where."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.message, self.position = message, position


@dataclass(frozen=True, slots=True)
class Branch:
    """``one {# file}``: the selector, and the message with its place in the text."""

    selector: str
    message: Message


@dataclass(frozen=True, slots=True)
class Argument:
    """``{name}``, ``{name, type, style}`` or one that chooses among branches."""

    name: str
    kind: str
    style: str
    branches: tuple[Branch, ...]
    start: int
    end: int

    @property
    def chooses(self) -> bool:
        """Whether the text depends on it."""
        return self.kind in _CHOOSING


@dataclass(frozen=True, slots=True)
class Message:
    """Its arguments, and the stretches of the text that are written for people."""

    arguments: tuple[Argument, ...]
    texts: tuple[tuple[int, int], ...]

    def walk(self) -> Iterator[Argument]:
        """All arguments, those of branches, too, in the order of the text."""
        for argument in self.arguments:
            yield argument
            for branch in argument.branches:
                yield from branch.message.walk()

    def readable(self) -> Iterator[tuple[int, int]]:
        """All stretches of text, those of branches, too."""
        yield from self.texts
        for argument in self.arguments:
            for branch in argument.branches:
                yield from branch.message.readable()


def parse_message(text: str) -> Message:
    """The message that ``text`` is; ``MessageError`` says what is wrong with it and where."""
    message, end = _message(text, 0, depth=0, in_plural=False)
    if end < len(text):
        raise MessageError("this brace closes nothing", end)
    return message


def _message(text: str, start: int, *, depth: int, in_plural: bool) -> tuple[Message, int]:
    """What stands up to the closing brace of this level, or to the end of the text."""
    if depth > _DEEPEST:
        raise MessageError("the message is nested too deeply", start)
    arguments: list[Argument] = []
    texts: list[tuple[int, int]] = []
    position = begun = start
    while position < len(text):
        character = text[position]
        if character == "'":
            position = _after_apostrophe(text, position, in_plural)
        elif character == "}":
            break
        elif character == "{" or (character == "#" and in_plural):
            if position > begun:
                texts.append((begun, position))
            if character == "{":
                argument = _argument(text, position, depth)
                arguments.append(argument)
                position = argument.end
            else:
                position += 1
            begun = position
        else:
            position += 1
    if position > begun:
        texts.append((begun, position))
    return Message(tuple(arguments), tuple(texts)), position


def _after_apostrophe(text: str, position: int, in_plural: bool) -> int:
    following = text[position + 1 : position + 2]
    if following == "'":
        return position + 2
    if following and following in ("{}#|" if in_plural else "{}"):
        end = position + 1
        while end < len(text):
            if text[end] == "'":
                if text[end + 1 : end + 2] != "'":
                    return end + 1
                end += 1
            end += 1
        return len(text)  # a quotation may end with the text
    return position + 1


def _argument(text: str, start: int, depth: int) -> Argument:
    position = _blank(text, start + 1)
    name = _NAME.match(text, position)
    if name is None:
        raise MessageError("this brace opens no argument", start)
    position = _blank(text, name.end())
    if text[position : position + 1] == "}":
        return Argument(name[0], "", "", (), start, position + 1)
    if text[position : position + 1] != ",":
        raise MessageError(f"the argument {name[0]!r} is not closed", start)
    position = _blank(text, position + 1)
    kind = _NAME.match(text, position)
    if kind is None:
        raise MessageError(f"the argument {name[0]!r} has no type", position)
    if kind[0] not in (*_CHOOSING, *_FORMATTING):
        raise MessageError(f"{kind[0]!r} is no type of an argument", position)
    position = _blank(text, kind.end())
    if text[position : position + 1] == "}" and kind[0] not in _CHOOSING:
        return Argument(name[0], kind[0], "", (), start, position + 1)
    if text[position : position + 1] != ",":
        raise MessageError(f"after {kind[0]!r} a comma is missing", position)
    if kind[0] in _CHOOSING:
        branches, end = _branches(text, position + 1, kind[0], depth)
        return Argument(name[0], kind[0], "", branches, start, end)
    end = _style_end(text, position + 1)
    if end == len(text):
        raise MessageError(f"the argument {name[0]!r} is not closed", start)
    return Argument(name[0], kind[0], text[position + 1 : end].strip(), (), start, end + 1)


def _style_end(text: str, position: int) -> int:
    depth = 0
    while position < len(text):
        if text[position] == "{":
            depth += 1
        elif text[position] == "}":
            if depth == 0:
                return position
            depth -= 1
        position += 1
    return position


def _branches(text: str, start: int, kind: str, depth: int) -> tuple[tuple[Branch, ...], int]:
    position = _blank(text, start)
    if kind != "select" and (offset := _OFFSET.match(text, position)):
        position = offset.end()
    branches: list[Branch] = []
    while text[position : position + 1] != "}":
        selector = _SELECTOR.match(text, position)
        if selector is None:
            raise MessageError(f"the {kind} is not closed", start)
        if any(branch.selector == selector[0] for branch in branches):
            raise MessageError(f"the {kind} has {selector[0]!r} twice", position)
        position = _blank(text, selector.end())
        if text[position : position + 1] != "{":
            raise MessageError(f"after {selector[0]!r} a brace is missing", position)
        message, end = _message(text, position + 1, depth=depth + 1, in_plural=kind != "select")
        if end == len(text):
            raise MessageError(f"the text of {selector[0]!r} is not closed", position)
        branches.append(Branch(selector[0], message))
        position = _blank(text, end + 1)
    if not any(branch.selector == "other" for branch in branches):
        raise MessageError(f"the {kind} has no 'other'", start)
    return tuple(branches), position + 1


def _blank(text: str, position: int) -> int:
    match = _BLANKS.match(text, position)
    return position if match is None else match.end()
