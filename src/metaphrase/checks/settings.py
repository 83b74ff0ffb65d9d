"""What is checked, how bad it is, and what the checks have to know."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import get_args

from metaphrase.checks.finding import Severity
from metaphrase.checks.registry import KINDS, codes_of
from metaphrase.checks.terms.glossary import Glossary
from metaphrase.errors import OptionError


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Checks and codes to leave ``off``, or the ``only`` ones to make; other severities by check or code.

    Of a code and its check, the code has the last word. ``max_characters`` is a limit for every target, and
    ``max_ratio`` one in characters of the target for each of the source.

    >>> settings = Settings(off=["punctuation"], severities={"numbers": "critical"})
    >>> settings.severity_of("numbers/missing")
    'critical'
    """

    off: Collection[str] = ()
    only: Collection[str] = ()
    severities: Mapping[str, Severity] = field(default_factory=dict)
    glossary: Glossary | None = None
    max_characters: int | None = None
    max_ratio: float | None = None

    def __post_init__(self) -> None:
        for name, names in (("off", self.off), ("only", self.only)):
            if isinstance(names, str):
                raise OptionError(
                    "MP890", f"{name} is one string.", hint=f"Give a list: [{names!r}]."
                )
        for severity in self.severities.values():
            if severity not in get_args(Severity):
                raise OptionError(
                    "MP891",
                    f"there is no severity {severity!r}.",
                    hint=f"Choose {', '.join(get_args(Severity))}.",
                )
        for value, name in ((self.max_characters, "max_characters"), (self.max_ratio, "max_ratio")):
            if value is not None and not value > 0:
                raise OptionError("MP892", f"{name} is {value}.", hint="Give a number above 0.")
        _ = self.codes, self._severities

    @property
    def codes(self) -> frozenset[str]:
        """The codes that are looked for."""
        wanted = frozenset(KINDS)
        if self.only:
            wanted = frozenset().union(*map(codes_of, self.only))
        return wanted.difference(*map(codes_of, self.off))

    def severity_of(self, code: str) -> Severity:
        """How bad a finding of this code is."""
        return self._severities.get(code, KINDS[code].severity)

    @property
    def _severities(self) -> dict[str, Severity]:
        # Checks first: what is said of a code holds against what is said of its check.
        ordered = sorted(self.severities.items(), key=lambda given: given[0] in KINDS)
        return {code: severity for name, severity in ordered for code in codes_of(name)}
