"""The key of a sample: which item of a campaign is whose translation of what, and which control quality.

Judges must not see it. It is JSON with all texts, so that a file of results and its key are enough to make
judgements of.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any

from metaphrase.corpus.formats.score_text import is_language_pair
from metaphrase.corpus.formats.units.file_bytes import file_bytes
from metaphrase.corpus.lines import FilePath, shown_name
from metaphrase.corpus.ratings import KINDS, PROTOCOLS, Item, Protocol
from metaphrase.errors import InputError

_FORMAT = "metaphrase sample key"
_VERSION = 1


@dataclass(frozen=True)
class SampleKey:
    """The items of a campaign; ``segment`` of an item counts from 1 where the corpus has no ids."""

    name: str
    language_pair: str
    protocol: Protocol
    items: tuple[Item, ...]

    @cached_property
    def by_id(self) -> Mapping[str, Item]:
        """Each item by its id."""
        return {item.id: item for item in self.items}


def key_text(key: SampleKey) -> str:
    """The key as it is written: one item in a line."""
    head = {
        "format": _FORMAT,
        "version": _VERSION,
        "name": key.name,
        "language_pair": key.language_pair,
        "protocol": key.protocol,
    }
    lines = [f" {json.dumps(name)}: {_json(value)}," for name, value in head.items()]
    items = ",\n".join(f"  {_json(asdict(item))}" for item in key.items)
    return "\n".join(["{", *lines, ' "items": [', items, " ]", "}"]) + "\n"


def read_key(path: FilePath) -> SampleKey:
    """The key in a file, all of it checked."""
    name = shown_name(path)
    try:
        found = json.loads(file_bytes(path).decode())
        if not isinstance(found, dict) or found.get("format") != _FORMAT:
            raise ValueError("it is something else")
        if found.get("version") != _VERSION:
            raise ValueError(f"it is of version {str(found.get('version'))[:20]}, not {_VERSION}")
        key = SampleKey(
            _text(found, "name"),
            _text(found, "language_pair"),
            _text(found, "protocol"),  # type: ignore[arg-type]  # checked below
            tuple(_item(one) for one in _list(found.get("items"))),
        )
        _check(key)
    except RecursionError:
        raise _no_key(name, "it is nested too deeply") from None
    except ValueError as error:  # of JSON and of UTF-8, too
        raise _no_key(name, str(error)[:200]) from None
    return key


def _check(key: SampleKey) -> None:
    if key.protocol not in PROTOCOLS:
        raise ValueError(f"there is no protocol {key.protocol[:20]!r}")
    if not is_language_pair(key.language_pair):
        raise ValueError(f"{key.language_pair[:20]!r} is no language pair")
    if not key.items or len(key.by_id) < len(key.items):
        raise ValueError("it has no items, or one of them twice")
    for item in key.items:
        if item.kind not in KINDS or not item.id:
            raise ValueError(f"the item {item.id[:20]!r} is of no kind that there is")
        if (item.kind == "target") != (item.of is None):
            raise ValueError(f"the item {item.id[:20]!r} is a copy of nothing, or need not be one")
        if item.of is not None and (
            item.of not in key.by_id or key.by_id[item.of].kind != "target"
        ):
            raise ValueError(f"the item {item.id[:20]!r} is a copy of an item that is not there")


def _item(value: object) -> Item:
    if not isinstance(value, dict) or set(value) != {one.name for one in fields(Item)}:
        raise ValueError("an item lacks a field, or has another one")
    references = tuple(_string(one, "a reference") for one in _list(value["references"]))
    of = value["of"]
    texts = {name: _text(value, name) for name in value if name not in ("references", "of")}
    return Item(**texts, of=None if of is None else _string(of, "of"), references=references)  # type: ignore[arg-type]


def _text(values: Mapping[str, Any], name: str) -> str:
    return _string(values.get(name), name)


def _string(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{name} is no text")
    value.encode()  # half a surrogate pair is a ValueError, too
    return value


def _list(value: object) -> Sequence[object]:
    if not isinstance(value, list):
        raise ValueError("there is no list where one belongs")
    return value


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _no_key(path: str, reason: str) -> InputError:
    return InputError(
        "MP789",
        f"This is no key of a sample: {reason}.",
        path=path,
        hint="Give the key.json that `metaphrase sample --export` wrote with the items.",
    )
