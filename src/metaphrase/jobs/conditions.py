"""Conditions on rows, as people write them: ``accord > 60 and not (chrf < 30 or length >= 200)``.

A condition is comparisons of names and numbers, joined by ``and``, ``or``, ``not`` and parentheses. It is
parsed here and nowhere evaluated as Python, so that a condition from a stranger can do no harm.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from metaphrase.arrays import FloatArray
from metaphrase.errors import OptionError

#: Deep enough for anybody, and far from the interpreter's limit.
_DEEPEST = 100
_TOKEN = re.compile(
    r"""\s*(?:
    (?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))
  | (?P<sign><=|>=|==|!=|<|>|\(|\))
  | (?P<name>[^\W\d][\w.+-]*(?::[\w.+-]+(?:=[\w.+-]+)?)*)
  | "(?P<quoted>[^"]+)"
    )""",
    re.VERBOSE,
)
_COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": lambda left, right: (left < right) | (left > right),  # false of NaN, as the others
}

Truth = NDArray[np.bool_]
_Values = Callable[[Mapping[str, FloatArray]], Any]


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition: what it was written as, the names in it by first use, and its value for rows."""

    text: str
    names: tuple[str, ...]
    _value: _Values

    def holds(self, columns: Mapping[str, FloatArray]) -> Truth:
        """For each row if the condition holds; a value that is not there (NaN) compares as false.

        >>> parse("accord > 60 and chrf >= 30").holds(
        ...     {"accord": np.array([70.0, 70.0, 50.0]), "chrf": np.array([30.0, 20.0, 90.0])}
        ... )
        array([ True, False, False])
        """
        found: Truth = self._value(columns)
        return found


def parse(text: str) -> Condition:
    """Parse a condition; what cannot be understood is an error that shows where.

    Names are those of metrics and columns. One with spaces or other signs stands in double quotes.
    """
    parser = _Parser(text)
    value = parser.either(0)
    if parser.kind != "end":
        parser.refuse("“and”, “or” or the end")
    return Condition(text, tuple(parser.names), value)


class _Parser:
    """One function for each rule of the grammar, and one token to look at."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._end = 0
        self.names: dict[str, None] = {}
        self._advance()

    def either(self, depth: int) -> _Values:
        """``all {or all}``"""
        parts = [self._all(depth)]
        while self._takes("or"):
            parts.append(self._all(depth))
        return _folded(np.logical_or, parts)

    def _all(self, depth: int) -> _Values:
        """``negation {and negation}``"""
        parts = [self._negation(depth)]
        while self._takes("and"):
            parts.append(self._negation(depth))
        return _folded(np.logical_and, parts)

    def _negation(self, depth: int) -> _Values:
        """``not negation``, a condition in parentheses, or a comparison"""
        if depth > _DEEPEST:
            self.refuse("fewer parentheses")
        if self._takes("not"):
            value = self._negation(depth + 1)
            return lambda columns: np.logical_not(value(columns))
        if self._takes("("):
            value = self.either(depth + 1)
            if not self._takes(")"):
                self.refuse("“)”")
            return value
        return self._comparison()

    def _comparison(self) -> _Values:
        """``operand sign operand {sign operand}``, which may be a chain as in ``30 <= chrf < 60``"""
        left, pairs = self._operand(), []
        while self.kind == "sign" and self.token in _COMPARISONS:
            compare = _COMPARISONS[self.token]
            self._advance()
            right = self._operand()
            pairs.append(_compared(compare, left, right))
            left = right
        if not pairs:
            self.refuse("a comparison (< <= > >= == !=)")
        return _folded(np.logical_and, pairs)

    def _operand(self) -> _Values:
        token, kind = self.token, self.kind
        if kind == "number":
            number = float(token)
            self._advance()
            return lambda columns: number
        if kind not in ("quoted", "name") or (kind == "name" and token in ("and", "or", "not")):
            self.refuse("a metric, a column or a number")
        self.names[token] = None
        self._advance()
        return lambda columns: columns[token]

    def _takes(self, token: str) -> bool:
        if self.kind in ("name", "sign") and self.token == token:
            self._advance()
            return True
        return False

    def _advance(self) -> None:
        match = _TOKEN.match(self._text, self._end)
        if match is not None and match.lastgroup is not None:
            self.kind, self.token = match.lastgroup, match[match.lastgroup]
            self._start, self._end = match.start(match.lastgroup), match.end()
            return
        rest = self._text[self._end :]
        self._start = self._end + len(rest) - len(rest.lstrip())
        self.kind, self.token = ("unknown" if rest.strip() else "end"), rest.strip()

    def refuse(self, wanted: str) -> NoReturn:
        """Say what was wanted here, and what there is."""
        found = f"“{self._text[self._start :][:20]}”" if self.kind != "end" else "the end"
        hint = "Write comparisons such as accord > 60, joined by and, or, not and parentheses."
        if self.token.startswith("="):
            hint = "Equality is written ==."
        raise OptionError(
            "MP950",
            f"the condition cannot be read: at character {self._start + 1} there is {found}, "
            f"and {wanted} is wanted.",
            hint=hint,
        )


def _folded(join: Callable[[Any, Any], Any], parts: list[_Values]) -> _Values:
    """All parts joined, one after the other."""
    if len(parts) == 1:
        return parts[0]

    def value(columns: Mapping[str, FloatArray]) -> Any:
        found = parts[0](columns)
        for part in parts[1:]:
            found = join(found, part(columns))
        return found

    return value


def _compared(compare: Callable[[Any, Any], Any], left: _Values, right: _Values) -> _Values:
    return lambda columns: np.asarray(compare(left(columns), right(columns)))
