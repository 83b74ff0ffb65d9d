"""What every check reads: a source, its translation, and what is known about them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from metaphrase.checks.addresses import addresses_in, domains_in
from metaphrase.checks.markup import tags_in
from metaphrase.checks.placeholders.scanning import Placeholders, placeholders_in
from metaphrase.corpus.units import InlineTag

#: Stands for a character of something that is not text: no letter, no digit, no punctuation, no blank.
MASK = "\N{OBJECT REPLACEMENT CHARACTER}"


@dataclass(frozen=True)
class Pair:
    """Two texts without their inline tags, which stand beside them.

    Languages are codes such as ``de`` or ``pt-BR``, ``""`` where nobody said. ``max_length`` is in
    characters. A unit of a file that nobody has translated yet has an empty target and says so.
    A plural form, one of several translations of one message, may be for a single number.
    """

    source: str
    target: str
    source_language: str = ""
    target_language: str = ""
    source_tags: tuple[InlineTag, ...] = ()
    target_tags: tuple[InlineTag, ...] = ()
    max_length: int | None = None
    is_translated: bool = True
    is_plural_form: bool = False
    segment: int | None = None
    unit: str | None = None

    @cached_property
    def source_placeholders(self) -> Placeholders:
        """What the program fills in."""
        return placeholders_in(self.source, self.source_language)

    @cached_property
    def target_placeholders(self) -> Placeholders:
        """What the program fills in."""
        return placeholders_in(self.target, self.target_language, like=self.source_placeholders)

    @cached_property
    def source_words(self) -> str:
        """The source with all that is not language masked, character by character: places stay."""
        return _masked(self.source, self.source_placeholders)

    @cached_property
    def target_words(self) -> str:
        """The target, likewise."""
        return _masked(self.target, self.target_placeholders)


def _masked(text: str, placeholders: Placeholders) -> str:
    spans = [*placeholders.syntax]
    if "@" in text or "." in text or "/" in text:
        spans += [(address.start, address.end) for address in addresses_in(text)]
        spans += domains_in(text)
    if "<" in text or "&" in text:
        spans += [(tag.start, tag.end) for tag in tags_in(text)]
    if not spans:
        return text
    characters = list(text)
    for start, end in spans:
        characters[start:end] = MASK * (end - start)
    return "".join(characters)
