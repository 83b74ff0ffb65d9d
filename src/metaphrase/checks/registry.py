"""All checks, by name, in the order of documentation and output."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from types import MappingProxyType

from metaphrase.checks.check import Check
from metaphrase.checks.doubled_words import DOUBLED_WORDS
from metaphrase.checks.finding import Kind
from metaphrase.checks.inline_tags import TAGS
from metaphrase.checks.language import LANGUAGE
from metaphrase.checks.length import LENGTH
from metaphrase.checks.links import EMAILS, URLS
from metaphrase.checks.numbers.comparison import DATES, NUMBERS
from metaphrase.checks.placeholders.comparison import PLACEHOLDERS
from metaphrase.checks.presence import EMPTY, REPEATED
from metaphrase.checks.punctuation import PUNCTUATION
from metaphrase.checks.spaces import SPACES
from metaphrase.checks.terms.comparison import TERMS
from metaphrase.errors import OptionError

CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        check.name: check
        for check in (
            EMPTY,
            REPEATED,
            LANGUAGE,
            PLACEHOLDERS,
            TAGS,
            NUMBERS,
            DATES,
            URLS,
            EMAILS,
            TERMS,
            LENGTH,
            DOUBLED_WORDS,
            PUNCTUATION,
            SPACES,
        )
    }
)
KINDS: Mapping[str, Kind] = MappingProxyType(
    {kind.code: kind for check in CHECKS.values() for kind in check.kinds}
)


def codes_of(name: str) -> frozenset[str]:
    """The codes that a name stands for: that of a check for all its kinds, a code for itself."""
    if name in CHECKS:
        return frozenset(kind.code for kind in CHECKS[name].kinds)
    if name in KINDS:
        return frozenset({name})
    close = difflib.get_close_matches(name, [*CHECKS, *KINDS], n=1, cutoff=0.5)
    hint = f"Did you mean {close[0]!r}? " if close else ""
    raise OptionError(
        "MP890",
        f"no check is called {name!r}.",
        hint=f"{hint}The checks are {', '.join(CHECKS)}.",
    )
