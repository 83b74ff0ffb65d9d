"""Options: fields of a frozen dataclass, each declared in one line.

    alpha: float = option(0.75, "weight of recall in the score", low=0, high=1)

What may be chosen is checked, shown by the command line, written into signatures and taken from strangers by
the server as that line says.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, TypeVar

from metaphrase.errors import OptionError

Owner = TypeVar("Owner")
Choices = Sequence[str] | Callable[[Any], Sequence[str]]

_TRUTH = {"yes": True, "true": True, "no": False, "false": False}
#: How a message calls what has a type, by how the type begins.
_KINDS = {
    "bool": "yes or no",
    "int": "a whole number",
    "float": "a number",
    "tuple": "a tuple of strings",
}


@dataclass(frozen=True, slots=True)
class Option:
    """What one option may be and what it is for; ``kind`` is its type as it was written.

    ``choices`` may be a function of the object that has the option, whose language can decide.
    ``shared_with`` is the class that declared it, if others take it over (:func:`same_as`).
    """

    meaning: str = ""
    choices: Choices = ()
    low: float = -math.inf
    high: float = math.inf
    names_files: bool = True
    signed: str | bool = True
    shared_with: type | None = None
    name: str = ""
    kind: str = "str"
    default: Any = None

    @property
    def key(self) -> str | None:
        """What signatures call it; None: they leave it out."""
        return self.signed if isinstance(self.signed, str) else self.name if self.signed else None

    @property
    def may_name_a_file(self) -> bool:
        """Whether a value can make the program read a file of its user's choice."""
        is_text = not self.kind.startswith(("bool", "int", "float"))
        return is_text and self.names_files and not self.choices

    @property
    def limits(self) -> str:
        """``from 0 to 1``, ``at least 1``, or nothing."""
        if self.low == -math.inf:
            return ""
        return (
            f"at least {self.low}" if self.high == math.inf else f"from {self.low} to {self.high}"
        )

    def parse(self, text: str) -> object:
        """The value that ``text`` spells, as the command line gives it."""
        try:
            if text == "default" and "None" in self.kind:
                return None
            if self.kind.startswith("bool"):
                return _TRUTH[text.lower()]
            if self.kind.startswith("int"):
                return int(text)
            if self.kind.startswith("float"):
                return float(text)
        except (KeyError, ValueError):
            raise OptionError("MP506", f"{self.name}={text!r} is not {self._article}.") from None
        return tuple(text.split(",")) if self.kind.startswith("tuple") else text

    def check(self, value: Any, choices: Sequence[str], *, owner: str = "", code: str = "") -> None:
        """Refuse a value of another type, a number out of range, and a word that is not a choice."""
        said = f"{owner}{self.name}"
        if not self._fits(value):
            raise OptionError(code or "MP506", f"{said}={value!r} is not {self._article}.")
        if value is None:
            return
        if isinstance(value, tuple) and choices:
            if not value or not set(value) <= set(choices):
                raise OptionError(
                    code or "MP507",
                    f"{said}={','.join(value)!r} has an unknown one, or none.",
                    hint=f"Choose from {' '.join(choices)}.",
                )
        elif choices and value not in choices:
            raise OptionError(
                code or "MP507",
                f"{said}={value!r} is not one of its choices.",
                hint=f"Choose {' or '.join(choices)}.",
            )
        elif self.limits and not self.low <= value <= self.high:
            raise OptionError(code or "MP508", f"{said}={value} must be {self.limits}.")

    @property
    def _article(self) -> str:
        return next((name for key, name in _KINDS.items() if self.kind.startswith(key)), "a string")

    def _fits(self, value: object) -> bool:
        if value is None:
            return "None" in self.kind
        if self.kind.startswith("bool") or isinstance(value, bool):
            return self.kind.startswith("bool") and isinstance(value, bool)
        if self.kind.startswith("int"):
            return isinstance(value, int)
        if self.kind.startswith("float"):
            return isinstance(value, int | float) and math.isfinite(value)
        if self.kind.startswith("tuple"):
            return isinstance(value, tuple) and all(isinstance(item, str) for item in value)
        return isinstance(value, str)


def option(
    default: Any,
    meaning: str,
    *,
    choices: Choices = (),
    low: float = -math.inf,
    high: float = math.inf,
    names_files: bool = True,
    signed: str | bool = True,
) -> Any:
    """Declare a field of a dataclass as an option.

    meaning:     one line for people who choose
    choices:     the words that it may be, or that it may be made of if it is a tuple
    low, high:   the range of a number, ends included
    names_files: False for a text without ``choices`` that cannot name a file
    signed:      what signatures call it, if not by its name; False leaves it out
    """
    declared = Option(meaning, choices, low, high, names_files, signed)
    return field(default=default, metadata={"option": declared})


def same_as(declaring: type, name: str, **changes: Any) -> Any:
    """Declare an option of another class again, to be handed on with :func:`shared`."""
    declared = replace(options(declaring)[name], shared_with=declaring, **changes)
    return field(default=declared.default, metadata={"option": declared})


def shared(declaring: type[Owner], chosen: Any, **others: Any) -> Owner:
    """An object of ``declaring`` with the options that ``chosen`` has the :func:`same_as` it."""
    names = [one.name for one in options(chosen).values() if one.shared_with is declaring]
    return declaring(**{name: getattr(chosen, name) for name in names}, **others)


def options(owner: object) -> dict[str, Option]:
    """The options of a dataclass, or of an object of one, by name and in their order.

    Plain fields are options without a meaning.
    """
    kind: Any = owner if isinstance(owner, type) else type(owner)
    return _options(kind)


@lru_cache(maxsize=256)
def _options(kind: Any) -> dict[str, Option]:
    return {
        one.name: replace(
            one.metadata.get("option", Option()),
            name=one.name,
            # The type as text, whether or not the module postpones its annotations.
            kind=one.type
            if isinstance(one.type, str)
            else getattr(one.type, "__name__", str(one.type)),
            default=None if one.default is MISSING else one.default,
        )
        for one in fields(kind)
    }


def check_options(chosen: Any, *, owner: str = "", code: str = "") -> None:
    """Refuse a value that its option does not allow.

    ``owner`` begins the message; ``code`` is that of the error, whatever is wrong.
    """
    begin = f"{owner}: " if owner else ""
    for one in options(chosen).values():
        choices = one.choices(chosen) if callable(one.choices) else one.choices
        one.check(getattr(chosen, one.name), choices, owner=begin, code=code)
