"""Signatures in one line for all metrics: enough to see what was computed, not to compute it again."""

from __future__ import annotations

from collections.abc import Sequence, Set

#: Items that tell variants of a metric apart for readers.
_TOLD = ("lang", "nrefs", "tok", "case", "skipped", "weight")


def short_signatures(signatures: Sequence[str]) -> str:
    """Names and versions, and at the end what all of them share.

    >>> short_signatures(["accord|lang:en|nrefs:1|version:1.0", "bleu|nrefs:1|tok:13a|sacrebleu:2.6"])
    'accord 1.0 lang:en · bleu sacreBLEU 2.6 tok:13a · nrefs:1 (--signatures for all)'
    """
    parts = []
    for signature in signatures:
        name, *items = signature.split("|")
        given = dict(item.partition(":")[::2] for item in items)
        version = given.get("version", "")
        if "sacrebleu" in given:
            version = f"sacreBLEU {given['sacrebleu']}"
        told = {(key, value) for key, value in given.items() if key in _TOLD}
        parts.append((" ".join(filter(None, [name, version])), told))
    shared = set.intersection(*(told for _, told in parts)) if len(parts) > 1 else set()
    said = [" ".join([name, *_items(told - shared)]) for name, told in parts]
    return " · ".join(filter(None, [*said, " ".join(_items(shared))])) + " (--signatures for all)"


def _items(told: Set[tuple[str, str]]) -> list[str]:
    return [f"{key}:{value}" for key, value in sorted(told)]
