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
    """Puts a text and its tags together."""

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
    reader = _ContentReader(events, inlines)
    for event in events:
        if event.kind == TEXT:
            reader.text(event)
        elif event.kind == START:
            reader.start(event)
        elif event.kind == END:
            if events.depth < level:
                text = reader.whole.done()
                return Marked(text, element.end, event.start, event.end, reader.segments)
            reader.end(event)
    raise events.error("MP860", "The file ends inside a text", element.line)  # expat says so before


class _ContentReader:
    """Collects the text of an element, and beside it that of the segment which is open."""

    def __init__(self, events: XmlEvents, inlines: Mapping[str, Inline]) -> None:
        self.whole = _Collector()
        self.segments: dict[str, TaggedText] = {}
        self._events = events
        self._inlines = inlines
        self._open: tuple[_Collector, ...] = (self.whole,)
        self._segment = "", 0  # its id and depth
        self._pairs: list[tuple[int, str]] = []  # depth and id of elements with text inside
        self._joined: dict[str, str] = {}  # ids that the second halves of TMX's pairs do not have

    def text(self, event: Event) -> None:
        for one in self._open:
            one.add(event.value)
        if self.whole.length > _LONGEST:
            message = "A text has more than 16 million characters"
            raise self._events.error("MP863", message, event.line)

    def start(self, event: Event) -> None:
        inline = self._inlines.get(event.local, _UNKNOWN)
        if inline.role is Role.ANNOTATION:
            if event.attributes.get("mtype") == "seg" and len(self._open) == 1:
                self._segment = event.attributes.get("mid", ""), self._events.depth
                self._open = self.whole, _Collector()
            return
        name = next((event.attributes[one] for one in inline.ids if one in event.attributes), "")
        if inline.role is Role.CODE:
            self._code(event, inline, name)
            return
        self._pairs.append((self._events.depth, name))
        self._tag("open", name, self._events.raw(event.start, event.end))

    def end(self, event: Event) -> None:
        depth = self._events.depth
        if len(self._open) > 1 and depth < self._segment[1]:
            self.segments[self._segment[0]] = self._open[1].done()
            self._open = (self.whole,)
        elif self._pairs and depth < self._pairs[-1][0]:
            _, name = self._pairs.pop()
            markup = self._events.raw(event.start, event.end)
            for one in self._open:
                one.close(name, markup)

    def _code(self, event: Event, inline: Inline, name: str) -> None:
        """A tag whose content is native code."""
        kind = inline.kind
        if event.local == "bpt" and "i" in event.attributes:
            self._joined[event.attributes["i"]] = name
        elif event.local == "it":
            kind = _POSITIONS.get(event.attributes.get("pos", ""), "standalone")
        markup = self._events.raw(event.start, _end_of(self._events))
        self._tag(kind, self._joined.get(name, name) if kind == "close" else name, markup)

    def _tag(self, kind: TagKind, name: str, markup: str) -> None:
        for one in self._open:
            one.tag(kind, name, markup)


def _end_of(events: XmlEvents) -> int:
    """Where the element ends whose start tag came last; nothing in it is text."""
    level = events.depth
    for event in events:
        if event.kind == END and events.depth < level:
            return event.end
    return len(events.data)
