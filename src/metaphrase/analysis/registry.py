"""Analysers by name: ``builtin:en``, ``spacy:en_core_web_sm``, ``conllu:references.conllu``.

A name is either complete (``builtin:en``) or a kind followed by what to load (``spacy:`` and the
name of a pipeline). Nothing is imported before it is asked for.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from metaphrase.analysis.analyser import Analyser
from metaphrase.analysis.cache import CachedAnalyser
from metaphrase.errors import OptionError
from metaphrase.extras import install_command
from metaphrase.shipped import is_installed

Factory = Callable[..., Analyser]

#: Languages whose words a built-in analyser lemmatises and tags; for Czech it takes an extra.
LEMMATISED = ("en", "de", "fr", "es", "cs")
#: Short names for what is asked for most.
ALIASES = {code: f"builtin:{code}" for code in (*LEMMATISED, "zh")}


@dataclass(frozen=True, slots=True)
class _Entry:
    factory: Factory
    needs: str
    extra: str
    #: What stands for the part after the colon in lists; empty if the name is complete.
    argument: str = ""


_ENTRIES: dict[str, _Entry] = {}


def register(
    name: str, factory: Factory, *, needs: str = "", extra: str = "", argument: str = ""
) -> None:
    """Make ``load(name, **options)`` call ``factory(**options)``.

    A ``name`` that ends with a colon is a kind: what follows the colon in ``load`` becomes the
    first argument of ``factory``, and ``argument`` is what lists call it. ``needs`` says in a few
    words what has to be there for it to work, besides an ``extra`` of this package.
    """
    if not name or name in _ENTRIES or name in ALIASES:
        reason = "is registered already" if name else "is no name"
        raise OptionError("MP261", f"{name!r} {reason}.", hint="Choose another name.")
    _ENTRIES[name] = _Entry(
        factory, needs, extra, argument or ("NAME" if name.endswith(":") else "")
    )


def load(name: str, **options: Any) -> Analyser:
    """The analyser called ``name``; ``options`` are those of its kind."""
    full = ALIASES.get(name, name)
    kind, colon, rest = full.partition(":")
    arguments: tuple[str, ...] = ()
    entry = _ENTRIES.get(full) if rest or not colon else None
    if entry is None and rest:
        entry, arguments = _ENTRIES.get(kind + colon), (rest,)
    if entry is None:
        raise _unknown(name)
    try:
        inspect.signature(entry.factory).bind(*arguments, **options)
    except TypeError as error:
        raise OptionError("MP262", f"analyser {name!r}: {error}.") from None
    return entry.factory(*arguments, **options)


def shared(name: str) -> Analyser:
    """The analyser called ``name``, loaded once per process and, where that pays, cached on disk.

    The built-in analyser tags faster than a cache answers, and pre-analysed sentences are read anyway;
    their files are read again when they change.
    """
    return _shared(name, _state(name))


@lru_cache(maxsize=16)
def _shared(name: str, state: tuple[int, ...]) -> Analyser:
    analyser = load(name)
    return CachedAnalyser(analyser) if name.startswith("spacy:") else analyser


def _state(name: str) -> tuple[int, ...]:
    """When the files behind ``conllu:`` were written."""
    if not name.startswith("conllu:"):
        return ()
    try:
        paths = name.removeprefix("conllu:").split("\0")
        return tuple(Path(path).stat().st_mtime_ns for path in paths)
    except (OSError, ValueError):
        return ()  # reading them will say what is wrong


def lemmatises(language: str) -> bool:
    """Whether the words of a language have lemmas and tags here: Czech has a package of its own."""
    return language in LEMMATISED and (language != "cs" or is_installed("metaphrase_czech"))


def available() -> dict[str, str]:
    """Each name, and what has to be there for it; installed spaCy pipelines by their names."""
    names = {name + entry.argument: _needs(entry) for name, entry in _ENTRIES.items()}
    for pipeline in sorted({point.name for point in entry_points(group="spacy_models")}):
        names[f"spacy:{pipeline}"] = "nothing: it is installed"
    return names


def _needs(entry: _Entry) -> str:
    command = install_command(entry.extra) if entry.extra else ""
    return " and ".join(filter(None, (command, entry.needs))) or "nothing"


def _unknown(name: str) -> OptionError:
    names = available()
    close = difflib.get_close_matches(name, [*names, *ALIASES], n=1, cutoff=0.5)
    suggestion = f"Did you mean {close[0]!r}? " if close else ""
    return OptionError(
        "MP260",
        f"no analyser is called {name!r}.",
        hint=f"{suggestion}There are: {', '.join(names)}.",
    )


def _builtin(language: str, *, compounds: bool = False) -> Factory:
    def load_builtin() -> Analyser:
        from metaphrase.analysis.builtin import BuiltinAnalyser

        return BuiltinAnalyser.shipped(language, compounds=compounds)

    return load_builtin


def _load_chinese() -> Analyser:
    from metaphrase.analysis.adapters.chinese import ChineseAnalyser

    return ChineseAnalyser.default()


def _load_spacy(pipeline: str) -> Analyser:
    from metaphrase.analysis.adapters.spacy_pipeline import SpacyAnalyser

    return SpacyAnalyser.load(pipeline)


def _load_conllu(paths: str) -> Analyser:
    from metaphrase.analysis.adapters.pre_analysed import PreAnalysed

    return PreAnalysed.read(*paths.split("\0"))  # which no file name can contain


def _load_characters(*, presegmented: bool = False, letters: bool = False) -> Analyser:
    from metaphrase.analysis.adapters.characters import CharacterAnalyser

    return CharacterAnalyser(presegmented=presegmented, letters=letters)


def _load_compound_parts() -> Analyser:
    from metaphrase.analysis.adapters.characters import CharacterAnalyser
    from metaphrase.analysis.builtin.compounds import CompoundTable

    return CharacterAnalyser(compounds=CompoundTable.default())


for _language in LEMMATISED:
    register(f"builtin:{_language}", _builtin(_language), extra="cs" if _language == "cs" else "")
register("builtin:de+compounds", _builtin("de", compounds=True))
register("builtin:zh", _load_chinese, extra="zh")
register("characters", _load_characters)
register("characters:presegmented", partial(_load_characters, presegmented=True))
register("characters:letters", partial(_load_characters, letters=True))
register("characters:de+compounds", _load_compound_parts)
register("spacy:", _load_spacy, extra="spacy", needs="a spaCy pipeline")
register("conllu:", _load_conllu, needs="CoNLL-U files with the texts", argument="PATH")
