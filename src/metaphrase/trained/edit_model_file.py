"""The JSON of edit models, read with suspicion: a file may be cut off, of another version or hostile."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from metaphrase.corpus.lines import FilePath
from metaphrase.errors import ResourceError
from metaphrase.languages import language_code
from metaphrase.trained.checked_json import DamagedJsonError, parse_object, read_limited

FORMAT = "metaphrase edit model"
#: Goes up whenever a model means something else than before, or has other entries.
VERSION = 1
#: A model has a hundred-odd weights; what is larger is something else.
_MOST_BYTES = 1 << 22
_TYPES: dict[str, type] = {
    "name": str,
    "licence": str,
    "lang": str,
    "analyser": str,
    "synonyms": str,
    "paraphrases": str,
    "substitutions": dict,
    "machine": dict,
    "jump_labels": int,
    "start_features": bool,
    "references": str,
    "slope": float,
    "alpha": float,
    "weights": dict,
    "training": dict,
}
_WORDS = {
    str: "text",
    dict: "an object",
    int: "a whole number",
    bool: "true or false",
    float: "a finite number",
}


def file_content(entries: Mapping[str, Any]) -> str:
    """What the file of a model with these entries says."""
    whole = {"format": FORMAT, "version": VERSION, **entries}
    return json.dumps(whole, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def read_content(path: FilePath) -> bytes:
    """The bytes of a model file."""
    try:
        return read_limited(path, _MOST_BYTES)
    except OSError as error:
        raise ResourceError(
            "MP620",
            f"The edit model cannot be opened: {error.strerror}.",
            path=path,
            hint="Check the path.",
        ) from None
    except DamagedJsonError as error:
        raise _damaged(str(error), path) from None


def model_entries(content: str | bytes, path: FilePath | None) -> dict[str, Any]:
    """The entries of a model, each of its type; those of its objects are still to be checked."""
    entries = _parsed(content, path)
    found = entries.pop("format", None), entries.pop("version", None)
    if found[0] != FORMAT or type(found[1]) is not int:
        raise ResourceError("MP622", "This is not an edit model.", path=path)
    if found[1] != VERSION:
        raise ResourceError(
            "MP622",
            f"The edit model is of version {found[1]}, and this program reads version {VERSION}.",
            path=path,
            hint="Train it again, or use the version of the program that it was made with.",
        )
    _check_names(entries, list(_TYPES), "the model", path)
    checked = {
        name: _typed(entries[name], kind, f"{name!r}", path) for name, kind in _TYPES.items()
    }
    checked["lang"] = language_code(checked["lang"])
    weights = checked["weights"]
    checked["weights"] = {
        name: _typed(weight, float, f"the weight of {name!r}", path, code="MP624")
        for name, weight in weights.items()
    }
    return checked


def options_entries(
    found: Mapping[str, Any], options: type[Any], name: str, path: FilePath | None
) -> dict[str, Any]:
    """The entries of an object that has an entry of the same type for each field of ``options``."""
    kinds = {one.name: type(one.default) for one in fields(options)}
    _check_names(found, list(kinds), f"{name!r}", path)
    return {
        option: _typed(found[option], kind, f"{option!r} of {name!r}", path)
        for option, kind in kinds.items()
    }


def _parsed(content: str | bytes, path: FilePath | None) -> dict[str, Any]:
    if len(content) > _MOST_BYTES:
        raise _damaged(f"it has more than {_MOST_BYTES:,} bytes", path)
    try:
        return parse_object(content)
    except DamagedJsonError as error:
        raise _damaged(str(error), path) from None


def _check_names(
    found: Mapping[str, Any], wanted: list[str], where: str, path: FilePath | None
) -> None:
    unknown = [name for name in found if name not in wanted]
    missing = [name for name in wanted if name not in found]
    if unknown or missing:
        fault = f"has an unknown {unknown[0]!r}" if unknown else f"lacks {missing[0]!r}"
        raise ResourceError(
            "MP623",
            f"The edit model is damaged: {where} {fault}.",
            path=path,
            hint="Train it again, or fetch it again.",
        )


def _typed(value: Any, kind: type, what: str, path: FilePath | None, *, code: str = "MP623") -> Any:
    """``value`` if it is of the type; a whole number will do for a number."""
    if kind is float and type(value) is int and abs(value) < 1 << 53:
        value = float(value)
    if type(value) is not kind or (isinstance(value, float) and not math.isfinite(value)):
        excerpt = repr(value)[:40]
        raise ResourceError(
            code,
            f"The edit model is damaged: {what} is {excerpt}, not {_WORDS[kind]}.",
            path=path,
        )
    return value


def _damaged(reason: str, path: FilePath | None) -> ResourceError:
    return ResourceError(
        "MP621",
        f"The edit model is damaged: {reason}.",
        path=path,
        hint="Train it again, or fetch it again.",
    )
