"""Whether two scores were made alike, and where not."""

from __future__ import annotations

import re
from collections.abc import Mapping

from metaphrase.errors import InputError
from metaphrase.gate.snapshot import Snapshot
from metaphrase.languages import language_code

#: How many segments a metric refused, at the end of a signature.
_SKIPPED = re.compile(r"\|skipped:\d+$")
_LANGUAGE = re.compile(r"(?<=\|lang:)[^|]+")


def check_signatures(before: Snapshot, wanted: Mapping[str, str]) -> None:
    """Refuse to compare scores that were made otherwise; ``wanted`` are today's signatures by metric."""
    for name, signature in wanted.items():
        if name not in before.metrics:
            raise InputError(
                "MP904",
                f"The baseline has no scores of {name}.",
                hint=f"It has those of {', '.join(before.metrics) or 'no metric'}. "
                "Choose among them, or write it again with --write-baseline.",
            )
        old = before.metrics[name].signature
        if not same_signature(old, signature):
            raise InputError(
                "MP903",
                f"The baseline was made with another signature of {name}: "
                f"{'; '.join(signature_difference(old, signature))}.",
                hint="Scores of different signatures cannot be compared. --rescore makes those of the "
                "baseline anew from its texts, and --write-baseline writes another one.",
            )


def same_signature(before: str, after: str) -> bool:
    """Whether scores were made alike; segments that a metric refused are no other way to make them.

    Nor is another code of the same language.

    >>> same_signature("chrf|nrefs:1", "chrf|nrefs:1|skipped:2")
    True
    >>> same_signature("tesla-m|nrefs:1|lang:de-DE", "tesla-m|nrefs:1|lang:de")
    True
    """
    return _comparable(before) == _comparable(after)


def _comparable(signature: str) -> str:
    return _LANGUAGE.sub(lambda found: language_code(found[0]), _SKIPPED.sub("", signature))


def check_check_signatures(before: Snapshot, after: Snapshot) -> None:
    """Refuse to call findings new that were only looked for otherwise."""
    old, new = before.checks, after.checks
    if old is not None and new is not None and old != new:
        raise InputError(
            "MP903",
            f"The checks of the baseline were made otherwise: {'; '.join(signature_difference(old, new))}.",
            hint="Write it again with --write-baseline, or leave them out with --no-checks.",
        )


def signature_difference(before: str, after: str) -> list[str]:
    """What changed from one signature to another, field by field.

    >>> signature_difference("chrf|nrefs:1|version:0.1", "chrf|nrefs:2|case:lc|version:0.1")
    ['nrefs was 1 and is 2', 'case was not there and is lc']
    """
    old, new = (_fields(_comparable(signature)) for signature in (before, after))
    return [
        f"{key} was {old.get(key, 'not there')} and is {new.get(key, 'not there')}"
        for key in dict.fromkeys([*old, *new])
        if old.get(key) != new.get(key)
    ] or [f"it was {before} and is {after}"]


def _fields(signature: str) -> dict[str, str]:
    name, *items = signature.split("|")
    return {"the name": name} | {
        key: value for key, _, value in (item.partition(":") for item in items)
    }
