"""Tags that stand in a text itself, as HTML does in many string tables."""

from __future__ import annotations

import re
from dataclasses import dataclass

from metaphrase.corpus.units import InlineTag, TagKind

#: A name in ASCII and attributes; ``x < y`` and ``<3`` are no tags.
_TAG = re.compile(
    r"<(?P<close>/)?(?P<name>[A-Za-z][\w:.-]*)"
    r"(?P<attributes>(?:\s+[A-Za-z_:@][\w:.-]*(?:\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'|[^\s\"'<>=`]+))?)*)"
    r"\s*(?P<empty>/)?>"
    r"|<(?P<number>/?\d+/?)>"
    r"|&(?:[A-Za-z][A-Za-z0-9]{1,30}|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});"
)
#: Elements of HTML that stand in texts; other names in angle brackets, such as <empty>, may be words.
_ELEMENTS = frozenset(
    "a abbr acronym address article aside b bdi bdo big blockquote body button caption center cite code dd "
    "del details dfn div dl dt em fieldset figure font footer form h1 h2 h3 h4 h5 h6 head header html i "
    "iframe ins kbd label legend li main mark nav ol option p pre q s samp script section select small "
    "span strike strong style sub summary sup svg table tbody td textarea tfoot th thead time title tr tt "
    "u ul var video".split()
)
#: Elements of HTML that have no end.
_VOID = frozenset({"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr"})


@dataclass(frozen=True, slots=True)
class MarkupTag:
    """A tag or character reference and its place."""

    kind: TagKind | None  #: None for a character reference
    name: str
    text: str
    start: int
    end: int

    @property
    def as_inline(self) -> InlineTag:
        """The same as tags that a file keeps apart from its text."""
        assert self.kind is not None
        return InlineTag(self.kind, self.name, self.text, self.start)


def tags_in(text: str) -> list[MarkupTag]:
    """Tags and character references of a text."""
    if "<" not in text and "&" not in text:
        return []
    found = [_tag(match) for match in _TAG.finditer(text)]
    closed = {tag.name for tag in found if tag.kind == "close"}
    return [tag for tag in found if tag.kind != "open" or _is_markup(tag, closed)]


def _is_markup(tag: MarkupTag, closed: set[str]) -> bool:
    return tag.name in _ELEMENTS or tag.name in closed or tag.name.isdigit() or "=" in tag.text


def _tag(match: re.Match[str]) -> MarkupTag:
    kind: TagKind | None = None
    name = ""
    if match["name"] is not None:
        name = match["name"].lower()
        kind = "close" if match["close"] else "open"
        if match["empty"] or name in _VOID:
            kind = "standalone"
    elif match["number"] is not None:
        number = match["number"]
        name = number.strip("/")
        kind = "close" if number[0] == "/" else "standalone" if number[-1] == "/" else "open"
    return MarkupTag(kind, name, match[0], match.start(), match.end())
