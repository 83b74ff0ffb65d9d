"""URLs and e-mail addresses: what must reach the reader unchanged, or in the reader's language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

#: Top-level domains with which a name without a scheme is an address: others are mostly missing spaces.
_DOMAINS = (
    "com|org|net|edu|gov|mil|int|info|io|eu|de|fr|es|cz|uk|ch|at|it|nl|pl|ru|cn|jp|br|ca|au|us"
)
#: Characters of an address; those of Chinese and Japanese text end it, as no blank does there.
_URL = re.compile(
    r"(?:(?:https?|ftps?|file|ssh|git|tel)://|mailto:|www\.)"
    r"[^\s<>\"'“”„‘’«»`\u200b-\u200f\u3000-\u303f\u4e00-\u9fff\u3040-\u30ff\uff00-\uffef\ufffc{}|\\^]+"
    rf"|(?<![\w@.-])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:{_DOMAINS})/[\w./?=&%#~+:@,-]*",
    re.IGNORECASE,
)
_DOMAIN = re.compile(
    rf"(?<![\w@.-])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:{_DOMAINS})(?![\w-])", re.IGNORECASE
)
_EMAIL = re.compile(
    r"(?<![\w.+%-])[A-Za-z0-9][A-Za-z0-9._%+-]*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,24}"
)
#: What ends a sentence, not an address.
_TRAILING = ".,;:!?'\"”’»)]}>*_…"
#: A part of an address that names a language or country, which a translation may change.
_LOCALE = re.compile(
    r"(?<=[/.=])[a-z]{2}(?:[-_][a-z]{2})?(?=[/.&?#]|$)|(?<=//)[a-z]{2}(?=\.)", re.I
)


@dataclass(frozen=True, slots=True)
class Address:
    """An address and its place in the text."""

    kind: Literal["url", "email"]
    text: str
    start: int
    end: int

    @property
    def key(self) -> str:
        """What two spellings of one address have in common, whatever language it leads to."""
        if self.kind == "email":
            return self.text.lower()
        plain = re.sub(r"^https?://", "", self.text, flags=re.I).rstrip("/")
        host, slash, path = plain.partition("/")
        return _LOCALE.sub("*", host.lower() + slash + path)


def addresses_in(text: str) -> list[Address]:
    """All of them, in the order of the text; an e-mail address inside a URL belongs to the URL."""
    if not any(sign in text for sign in ("/", "@", "www.", "WWW.", "mailto:")):
        return []
    found = []
    for match in _URL.finditer(text):
        end = _end(text, match.start(), match.end())
        # A scheme alone is spoken of, not followed.
        if re.search(
            r"[^\W_]", text[match.start() : end].rpartition("://")[2].removeprefix("www.")
        ):
            found.append(Address("url", text[match.start() : end], match.start(), end))
    if "@" in text:
        urls = [(address.start, address.end) for address in found]
        for match in _EMAIL.finditer(text):
            if not any(start <= match.start() < end for start, end in urls):
                found.append(Address("email", match[0], match.start(), match.end()))
    return sorted(found, key=lambda address: address.start)


def _end(text: str, start: int, end: int) -> int:
    """Where the address ends: a bracket that it did not open belongs to the sentence."""
    while end > start and text[end - 1] in _TRAILING:
        if text[end - 1] == ")" and text.count("(", start, end) >= text.count(")", start, end):
            break
        end -= 1
    return end


def domains_in(text: str) -> list[tuple[int, int]]:
    """The places of names such as example.com, which are no words of a language."""
    return [match.span() for match in _DOMAIN.finditer(text)] if "." in text else []


def missing_and_added(
    source: Sequence[Address], target: Sequence[Address]
) -> tuple[list[Address], list[Address]]:
    """The addresses of either side that the other side lacks."""
    return list(_without(source, target)), list(_without(target, source))


def _without(addresses: Sequence[Address], others: Sequence[Address]) -> Iterator[Address]:
    left = Counter(address.key for address in others)
    for address in addresses:
        if left[address.key]:
            left[address.key] -= 1
        else:
            yield address
