"""Which metrics a server offers, what they lack, and which of their options it takes from strangers."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from string import ascii_lowercase
from typing import Any

from metaphrase.errors import OptionError
from metaphrase.languages import find_language
from metaphrase.metrics import Metric, available, create, find, obstacle
from metaphrase.options import options

#: All languages of ISO 639-1. Metrics refuse at once what they do not know, so that no list is needed.
_CODES = tuple(
    code
    for code in map("".join, product(ascii_lowercase, repeat=2))
    if (found := find_language(code)) is not None and found.code == code
)
#: Stands for any language that nobody has thought of.
_UNKNOWN_LANGUAGE = "und"
_LONGEST = 300


def check_metric(specification: str) -> None:
    """Refuse a metric that does not exist, and an option that could name a file of this machine."""
    if len(specification) > _LONGEST:
        raise OptionError("MP836", "the specification of a metric is too long.")
    name, *parts = specification.split(":")
    kind = find(name)
    known = options(kind)
    if _is_for_files(kind):
        raise OptionError(
            "MP836",
            f"{name}: the server runs no guests, whose {' and '.join(kind.needs_options)} name files.",
            hint="Use `metaphrase score` for it.",
        )
    for part in parts:
        option, equals, value = part.partition("=")
        if not equals:
            continue  # a variant, or the rest of a value; no value that may hold a colon is taken
        may_name_a_file = option in known and known[option].may_name_a_file
        if may_name_a_file or any(sign in value for sign in "/\\"):
            raise OptionError(
                "MP836",
                f"{name}: the server takes no {option!r}, which may name a file.",
                hint="Use `metaphrase score` for it.",
            )


def offered_metrics() -> list[dict[str, Any]]:
    """Every metric, for the page to choose from; it loads what metrics need to find out what they know."""
    return [_record(kind) for kind in available().values() if not _is_for_files(kind)]


def _is_for_files(kind: type[Metric]) -> bool:
    """Whether it is nothing without an option that a server does not take."""
    known = options(kind)
    return any(known[name].may_name_a_file for name in kind.needs_options)


def _record(kind: type[Metric]) -> dict[str, Any]:
    languages = _languages(kind.name)
    return {
        "name": kind.name,
        "description": kind.summary,
        "citation": kind.citation,
        "languages": languages,
        "obstacles": _obstacles(kind.name, _CODES if languages is None else languages),
        "variants": list(kind.variants),
        "explains": kind.explains(),
        "higher_is_better": kind.higher_is_better,
    }


def _languages(name: str) -> list[str] | None:
    """The languages it knows; None: any."""
    if _knows(name, _UNKNOWN_LANGUAGE):
        return None
    return [code for code in _CODES if _knows(name, code)]


def _knows(name: str, lang: str) -> bool:
    try:
        create(name, lang=lang)
    except Exception:  # a plug-in may refuse a language in its own way
        return False
    return True


def _obstacles(name: str, languages: Iterable[str]) -> list[dict[str, Any]]:
    """What it lacks to run here, if anything, and in which of the languages that it knows."""
    lacking: dict[str, list[str]] = {}
    for code in languages:
        found = obstacle(name, lang=code)
        if found is not None:
            lacking.setdefault(str(found), []).append(code)
    return [{"message": message, "languages": codes} for message, codes in lacking.items()]
