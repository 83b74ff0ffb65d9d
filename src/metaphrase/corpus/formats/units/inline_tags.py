"""Texts with markup inside: what is text, what is a tag, and which tags belong together.

Of an element that holds native code (``<ph>&lt;br/&gt;</ph>``) nothing is text. Annotations (``mrk``), which
say something about a text and leave no trace in the translated document, are neither tag nor text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from sys import intern

from metaphrase.corpus.formats.units.xml_events import END, START, TEXT, Event, XmlEvents
from metaphrase.corpus.units import InlineTag, TaggedText, TagKind

#: No text that somebody translates in one piece is longer.
_LONGEST = 1 << 24


class Role(Enum):
    """What an inline element is."""

    PAIR = "its content is text between two tags"
    CODE = "its content is native code"
    ANNOTATION = "its content is text, and there is no tag"


@dataclass(frozen=True, slots=True)
class Inline:
    """An inline element: its role, its kind of tag if it is one, and the attributes that may be its id."""

    role: Role
    kind: TagKind = "standalone"
    ids: tuple[str, ...] = ("id",)


_ANNOTATION = Inline(Role.ANNOTATION)
XLIFF_1: Mapping[str, Inline] = {
    "g": Inline(Role.PAIR),
    "x": Inline(Role.CODE),
    "bx": Inline(Role.CODE, "open", ("rid", "id")),
    "ex": Inline(Role.CODE, "close", ("rid", "id")),
    "bpt": Inline(Role.CODE, "open", ("rid", "id")),
    "ept": Inline(Role.CODE, "close", ("rid", "id")),
    "ph": Inline(Role.CODE),
    "it": Inline(Role.CODE),
    "mrk": _ANNOTATION,
}
XLIFF_2: Mapping[str, Inline] = {
    "pc": Inline(Role.PAIR),
    "ph": Inline(Role.CODE),
    "sc": Inline(Role.CODE, "open"),
    "ec": Inline(Role.CODE, "close", ("startRef", "id")),
    "cp": Inline(Role.CODE, "standalone", ("hex",)),
    "mrk": _ANNOTATION,
    "sm": _ANNOTATION,
    "em": _ANNOTATION,
}
TMX: Mapping[str, Inline] = {
    "hi": Inline(Role.PAIR, "standalone", ("x", "type")),
    "bpt": Inline(Role.CODE, "open", ("x", "i")),
    "ept": Inline(Role.CODE, "close", ("i",)),
    "ph": Inline(Role.CODE, "standalone", ("x",)),
    "it": Inline(Role.CODE, "standalone", ("x",)),
    "ut": Inline(Role.CODE, "standalone", ("x",)),
}
#: Elements that no format names are tags about what they enclose.
_UNKNOWN = Inline(Role.PAIR)
#: What an isolated tag says it is half of, in XLIFF 1.2 and TMX.
_POSITIONS: Mapping[str, TagKind] = {
    "open": "open", "begin": "open", "close": "close", "end": "close",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Marked:
    """A text, where its content and its element end in the file, and its parts that are segments."""

    text: TaggedText
    start: int
    end: int
    after: int
    segments: Mapping[str, TaggedText]


class _Collector:
    """Puts a text together, and beside it the segment that is open."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0
        self.tags: list[InlineTag] = []

    def add(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def tag(self, kind: TagKind, name: str, markup: str) -> None:
        # The same tags come again in every unit.
        self.tags.append(InlineTag(kind, intern(name), intern(markup), self.length))

    def close(self, name: str, markup: str) -> None:
        """The second half of a pair; ``<g id="1"/>`` has none and is one tag."""
        if markup:
            self.tag("close", name, markup)
        else:
            self.tags[-1] = InlineTag("standalone", name, self.tags[-1].markup, self.length)

    def done(self) -> TaggedText:
        return TaggedText("".join(self.parts), tuple(self.tags))


def read_marked(events: XmlEvents, element: Event, inlines: Mapping[str, Inline]) -> Marked:
    """The content of ``element``, whose start tag came last, read to its end."""
    level = events.depth
    whole = _Collector()
    segments: dict[str, TaggedText] = {}
    segment: tuple[str, int, _Collector] | None = None  # its id and depth
    pairs: list[tuple[int, str]] = []  # depth and id of open elements with text inside
    joined: dict[str, str] = {}  # ids that the second halves of pairs do not have
    begin = element.end
    for event in events:
        if event.kind == TEXT:
            for one in (whole, segment[2]) if segment else (whole,):
                one.add(event.value)
            if whole.length > _LONGEST:
                raise events.error(
                    "MP863", "A text has more than 16 million characters", event.line
                )
            continue
        if event.kind == END:
            if events.depth < level:
                return Marked(whole.done(), begin, event.start, event.end, segments)
            if segment and events.depth < segment[1]:
                segments[segment[0]] = segment[2].done()
                segment = None
            elif pairs and events.depth < pairs[-1][0]:
                _, name = pairs.pop()
                markup = events.raw(event.start, event.end)
                for one in (whole, segment[2]) if segment else (whole,):
                    one.close(name, markup)
            continue
        if event.kind != START:
            continue
        inline = inlines.get(event.local, _UNKNOWN)
        if inline.role is Role.ANNOTATION:
            if event.attributes.get("mtype") == "seg" and segment is None:
                segment = event.attributes.get("mid", ""), events.depth, _Collector()
            continue
        name = next((event.attributes[one] for one in inline.ids if one in event.attributes), "")
        collectors = (whole, segment[2]) if segment else (whole,)
        if inline.role is Role.CODE:
            if event.local == "bpt" and "i" in event.attributes:
                joined[event.attributes["i"]] = name
            kind = inline.kind
            if event.local == "it":
                kind = _POSITIONS.get(event.attributes.get("pos", ""), "standalone")
            markup = events.raw(event.start, _end_of(events))
            for one in collectors:
                one.tag(kind, joined.get(name, name) if kind == "close" else name, markup)
            continue
        pairs.append((events.depth, name))
        for one in collectors:
            one.tag("open", name, events.raw(event.start, event.end))
    raise events.error("MP860", "The file ends inside a text", element.line)  # expat says so before


def _end_of(events: XmlEvents) -> int:
    """Where the element ends whose start tag came last; nothing in it is text."""
    level = events.depth
    for event in events:
        if event.kind == END and events.depth < level:
            return event.end
    return len(events.data)
