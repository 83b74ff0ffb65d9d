"""What a page holds: its elements, and the data inside them."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode
from html.parser import HTMLParser
from typing import Any


class Elements(HTMLParser):
    """All elements of a page with their attributes and the text directly inside them."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str | None], list[str]]] = []
        self.inside = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs), []))
        self.inside = True

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.found[-1][2].append(data)

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def named(self, tag: str) -> list[tuple[dict[str, str | None], str]]:
        return [(attrs, "".join(text)) for name, attrs, text in self.found if name == tag]


def overview(page: str) -> dict[str, Any]:
    (found,) = (t for attrs, t in Elements(page).named("script") if attrs.get("id") == "overview")
    content: dict[str, Any] = json.loads(found)
    return content


def blocks(page: str) -> dict[str | None, bytes]:
    return {
        attrs["data-block"]: zlib.decompress(b64decode(text, validate=True), -15)
        for attrs, text in Elements(page).named("script")
        if "data-block" in attrs
    }


def shown(page: str) -> list[tuple[list[Any], dict[str, Any]]]:
    """Of a page of explanations, in order: what each explains with its caption, and the explanation."""
    embedded = blocks(page)
    records = json.loads(embedded["explanations/0"])
    return [(cell, records["/".join(map(str, cell[:4]))]) for cell in json.loads(embedded["shown"])]


def scripts(page: str) -> list[str]:
    """Those that a browser runs."""
    data = ("application/json", "application/octet-stream")
    return [text for attrs, text in Elements(page).named("script") if attrs.get("type") not in data]


def directives(page: str) -> dict[str, str]:
    """The content security policy, part by part."""
    (policy,) = (
        attrs["content"] or ""
        for attrs, _ in Elements(page).named("meta")
        if attrs.get("http-equiv") == "Content-Security-Policy"
    )
    return dict(part.strip().split(" ", 1) for part in policy.split(";"))


def addresses(page: str) -> set[str]:
    """Attributes that make a browser fetch something."""
    names = {"src", "href", "srcset", "action", "data"}
    return {name for _, attrs, _ in Elements(page).found for name in attrs if name in names}
