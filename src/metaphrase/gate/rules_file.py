"""The rules of a team in a small TOML file; what it misspells is told with what it may have meant."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from metaphrase.checks import Settings as CheckSettings
from metaphrase.corpus.lines import FilePath
from metaphrase.errors import InputError, OptionError, excerpt
from metaphrase.gate.checking import Checking
from metaphrase.gate.groups import LEVELS
from metaphrase.gate.rules import DEFAULTS, FindingLimits, Limits, Rules, Section, Settings
from metaphrase.languages import known_language

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

#: Where rules are looked for if nobody names a file.
USUAL_NAME = "metaphrase-gate.toml"
MOST_BYTES = 1 << 20

_LIMITS = tuple(one.name for one in fields(Limits))
_FINDINGS = tuple(one.name for one in fields(FindingLimits))
_SETTINGS = tuple(one.name for one in fields(Settings))
_CHECKING = tuple(one.name for one in fields(Checking))
_KINDS = {str: "a string", int: "a whole number"}
_SECTIONS = ("metric", "language", *LEVELS, "checks")


def load_rules(path: FilePath) -> Rules:
    """Read a file of rules.

    A limit that is ``false`` is none: that takes away what a wider section says.
    """
    return _File(path).rules(_parsed(path))


def _parsed(path: FilePath) -> dict[str, Any]:
    try:
        with Path(path).open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise InputError("MP907", f"The file has more than {MOST_BYTES:,} bytes.", path=path)
        # Editors of one system begin files with a mark that TOML does not know.
        parsed: dict[str, Any] = tomllib.loads(content.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError:
        raise InputError(
            "MP907", "The rules are not UTF-8.", path=path, hint="Save it so."
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise InputError("MP907", f"The rules are not TOML: {error}.", path=path) from None
    except RecursionError:
        raise InputError("MP907", "The rules are nested too deeply.", path=path) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            "MP907", f"The rules cannot be opened: {reason}.", path=path, hint="Check the path."
        ) from None
    return parsed


class _File:
    """Checks each key in its place; ``path`` is for messages."""

    def __init__(self, path: FilePath) -> None:
        self._path = path

    def rules(self, entries: Mapping[str, Any]) -> Rules:
        self._known(entries, ("metrics", *_SETTINGS, *_SECTIONS, *_LIMITS), "")
        limits = {name: entries[name] for name in (*_LIMITS, "metric") if name in entries}
        section = self._section(limits, "")
        languages = self._sections(entries, "language")
        for name in languages:
            self._known_language(name)
        groups = {level: self._sections(entries, level) for level in LEVELS}
        try:
            settings = Settings(**{name: entries[name] for name in _SETTINGS if name in entries})
        except OptionError as error:
            raise self._misplaced(error, "") from None
        checks = self._table(entries.get("checks", {}), "checks")
        self._known(checks, (*_FINDINGS, *_CHECKING), "checks")
        if not any([limits, languages, *groups.values()]):
            section = Section(every=DEFAULTS)
        return Rules(
            section=section,
            languages=languages,
            documents=groups["document"],
            domains=groups["domain"],
            findings=self._findings(checks),
            checking=self._checking(checks),
            metrics=self._names(entries["metrics"]) if "metrics" in entries else None,
            settings=settings,
        )

    def _known_language(self, name: str) -> None:
        try:
            known_language(name)
        except OptionError as error:
            raise self._misplaced(error, f"language.{_quoted(name)}") from None

    def _sections(self, entries: Mapping[str, Any], name: str) -> dict[str, Section]:
        found = self._table(entries.get(name, {}), name)
        return {key: self._section(value, f"{name}.{_quoted(key)}") for key, value in found.items()}

    def _section(self, value: object, where: str) -> Section:
        entries = self._table(value, where)
        self._known(entries, (*_LIMITS, "metric"), where)
        metrics = self._table(entries.get("metric", {}), _dotted(where, "metric"))
        every = {name: entries[name] for name in entries if name != "metric"}
        return Section(
            every=self._limits(every, where),
            metrics={
                metric: self._limits(value, _dotted(where, f"metric.{_quoted(metric)}"))
                for metric, value in metrics.items()
            },
        )

    def _limits(self, value: object, where: str) -> dict[str, Any]:
        entries = self._table(value, where)
        self._known(entries, _LIMITS, where)
        given = {name: None if limit is False else limit for name, limit in entries.items()}
        for name, limit in given.items():
            # What goes together may stand in two sections, so each limit is checked by itself.
            beside: dict[str, dict[str, Any]] = {
                "worse_by": {"max_worse_segments": 0},
                "tolerance": {"alpha": 0.5},
            }
            try:
                Limits(**{**beside.get(name, {}), name: limit})
            except OptionError as error:
                raise self._misplaced(error, where) from None
        return given

    def _findings(self, entries: Mapping[str, Any]) -> FindingLimits:
        given = {"new_critical": 0} | {n: entries[n] for n in _FINDINGS if n in entries}
        given = {name: None if limit is False else limit for name, limit in given.items()}
        try:
            return FindingLimits(**given)
        except OptionError as error:
            raise self._misplaced(error, "checks") from None

    def _checking(self, entries: Mapping[str, Any]) -> Checking:
        """Which checks are made; glossaries are looked for beside the rules."""
        given: dict[str, Any] = {name: entries[name] for name in _CHECKING if name in entries}
        for name in ("off", "only", "glossary"):
            if name in given:
                value = given[name]
                names = [value] if name == "glossary" and isinstance(value, str) else value
                if not isinstance(names, list) or not all(isinstance(v, str) for v in names):
                    raise self._wrong(f"checks.{name}", value, "a list of strings")
                given[name] = tuple(names)
        folder = Path(self._path).parent
        given["glossary"] = tuple(str(folder / path) for path in given.get("glossary", ()))
        severity = self._table(given.get("severity", {}), "checks.severity")
        if not all(isinstance(how, str) for how in severity.values()):
            raise self._wrong("checks.severity", severity, "a table of severities")
        for name, kind in (("source_language", str), ("max_characters", int)):
            if name in given and type(given[name]) is not kind:
                raise self._wrong(f"checks.{name}", given[name], _KINDS[kind])
        ratio = given.get("max_ratio", 1.0)
        if isinstance(ratio, bool) or not isinstance(ratio, int | float):
            raise self._wrong("checks.max_ratio", ratio, "a number")
        try:
            CheckSettings(
                **{
                    n: given[n]
                    for n in ("off", "only", "max_characters", "max_ratio")
                    if n in given
                },
                severities=severity,
            )
        except OptionError as error:
            raise self._misplaced(error, "checks") from None
        return Checking(**given)

    def _names(self, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not value or not all(isinstance(v, str) for v in value):
            raise self._wrong("metrics", value, "a list of names of metrics")
        return tuple(value)

    def _table(self, value: object, where: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self._wrong(where, value, f"a table, [{where}]")
        return value

    def _known(self, entries: Iterable[str], known: Iterable[str], where: str) -> None:
        names = list(known)
        for name in entries:
            if name in names:
                continue
            close = get_close_matches(name, names, n=1, cutoff=0.5)
            place = f"[{where}] has" if where else "the rules have"
            raise InputError(
                "MP908",
                f"{place} no {excerpt(name)}.",
                path=self._path,
                hint=f"Did you mean {close[0]}?" if close else f"There are: {', '.join(names)}.",
            )

    def _wrong(self, name: str, value: object, kind: str) -> InputError:
        return InputError(
            "MP909", f"{name} = {excerpt(repr(value))[1:-1]} is not {kind}.", path=self._path
        )

    def _misplaced(self, error: OptionError, where: str) -> InputError:
        message = f"[{where}] {error.message}" if where else error.message
        return InputError(error.code, message, path=self._path, hint=error.hint)


def _dotted(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


def _quoted(name: str) -> str:
    return name if name.replace("-", "").replace("_", "").isalnum() else f'"{name}"'
