"""Options of metrics: fields of a dataclass, checked by the types they are declared with."""

from __future__ import annotations

import math
from dataclasses import Field, fields
from typing import TYPE_CHECKING, Any

from metaphrase.errors import OptionError

if TYPE_CHECKING:
    from metaphrase.metrics.base import Metric

_TRUTH = {"yes": True, "true": True, "no": False, "false": False}


def check_types(metric: Metric) -> None:
    """Refuse a value that is not of its option's type, before anything compares or computes with it."""
    for field in fields(metric):
        value = getattr(metric, field.name)
        if not _fits(value, _kind(field)):
            raise OptionError(
                "MP506", f"{metric.name}: {field.name}={value!r} is not {_article(_kind(field))}."
            )


def check_choice(metric: Metric, option: str, choices: tuple[str, ...]) -> None:
    """Refuse a value that is not among ``choices``."""
    value = getattr(metric, option)
    if value not in choices:
        raise OptionError(
            "MP507",
            f"{metric.name}: {option}={value!r} is not one of its choices.",
            hint=f"Choose {' or '.join(choices)}.",
        )


def check_range(metric: Metric, option: str, low: float, high: float = math.inf) -> None:
    """Refuse a number outside ``low`` to ``high``."""
    value = getattr(metric, option)
    if not low <= value <= high:
        limits = f"at least {low}" if high == math.inf else f"from {low} to {high}"
        raise OptionError("MP508", f"{metric.name}: {option}={value} must be {limits}.")


def check_analyser(metric: Metric, name: str | None) -> None:
    """Refuse a built-in analyser of another language than the metric's."""
    kind, _, language = (name or "").partition(":")
    if kind == "builtin" and language.partition("+")[0] != metric.lang:
        raise OptionError(
            "MP520",
            f"{metric.name}: lang={metric.lang!r} does not go with the analyser {name!r}.",
            hint="Name the same language twice, or leave the analyser out.",
        )


def parse(field: Field[Any], text: str) -> object:
    """The value that ``text`` spells for the option, as the command line gives it."""
    kind = _kind(field)
    try:
        if text == "default" and "None" in kind:
            return None
        if kind.startswith("bool"):
            return _TRUTH[text.lower()]
        if kind.startswith("int"):
            return int(text)
        if kind.startswith("float"):
            return float(text)
    except (KeyError, ValueError):
        raise OptionError("MP506", f"{field.name}={text!r} is not {_article(kind)}.") from None
    return tuple(text.split(",")) if kind.startswith("tuple") else text


def _kind(field: Field[Any]) -> str:
    """The declared type as text, whether or not the module postpones its annotations."""
    if isinstance(field.type, str):
        return field.type
    return getattr(field.type, "__name__", str(field.type))


def _fits(value: object, kind: str) -> bool:
    if value is None:
        return "None" in kind
    if kind.startswith("bool") or isinstance(value, bool):
        return kind.startswith("bool") and isinstance(value, bool)
    if kind.startswith("int"):
        return isinstance(value, int)
    if kind.startswith("float"):
        return isinstance(value, int | float) and math.isfinite(value)
    if kind.startswith("tuple"):
        return isinstance(value, tuple) and all(isinstance(item, str) for item in value)
    return isinstance(value, str)


def _article(kind: str) -> str:
    names = {
        "bool": "yes or no",
        "int": "a whole number",
        "float": "a number",
        "tuple": "a tuple of strings",
    }
    return next((name for key, name in names.items() if kind.startswith(key)), "a string")
