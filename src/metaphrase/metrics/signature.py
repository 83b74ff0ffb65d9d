"""The line that says how a number was made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from metaphrase.entry_points import Origin

#: How many references each segment has: ``var`` if not all have the same number, as sacreBLEU says it.
ReferenceCount = int | Literal["var"]


def reference_count(counts: Iterable[int]) -> ReferenceCount:
    """What signatures say of segments with these numbers of references.

    >>> reference_count([2, 2]), reference_count([1, 2])
    (2, 'var')
    """
    found = set(counts)
    return found.pop() if len(found) == 1 else "var"


@dataclass(frozen=True, slots=True)
class Signature:
    """A metric's name and everything that influenced its number, in a fixed order.

    Written ``name|key:value|…|version:X``: the first colon of an item ends its key. A model or lexical
    resource appears as ``key:resource@hash``. A metric that is not ours ends with ``from:origin@version``.
    """

    name: str
    items: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, name: str, items: Mapping[str, object]) -> Signature:
        """Write the values as the signature spells them; ``None`` is left out."""
        return cls(name, tuple((k, spell(v)) for k, v in items.items() if v is not None))

    def coming_from(self, origin: Origin | None) -> Signature:
        """The same with the origin of a metric that is not ours."""
        return (
            self if origin is None else replace(self, items=(*self.items, ("from", spell(origin))))
        )

    def without(self, segments: int) -> Signature:
        """The same of a score without so many segments, which the metric refused."""
        return (
            replace(self, items=(*self.items, ("skipped", spell(segments)))) if segments else self
        )

    def __repr__(self) -> str:
        return f"<Signature {self}>"

    def __str__(self) -> str:
        return "|".join([self.name, *(f"{key}:{value}" for key, value in self.items)])


def spell(value: Any, *, exact: bool = False) -> str:
    """One spelling a value: yes/no for truth, the shortest decimal for numbers, name@hash for resources.

    An ``exact`` text is left as it is, for those who read it back: files may be called anything.
    """
    if value is None:
        return "default"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, str):
        if exact:
            return value
        # The bar separates items, and a signature is one line that any terminal may show.
        value = value.replace("|", "¦")
        return value if value.isprintable() else "".join(map(_visible, value))
    if (fingerprint := getattr(value, "fingerprint", None)) is not None:
        return spell(f"{value.name}@{fingerprint}", exact=exact)
    if isinstance(value, Iterable):
        return ",".join(spell(item, exact=exact) for item in value)
    return str(value)


def _visible(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode()
