"""Write the table of languages, their codes, scripts and names.

The sources are two packages of the npm registry, Unicode's CLDR and the registry of subtags of BCP 47::

    npm pack cldr-core cldr-localenames-full language-subtag-registry    # and unpack each into a folder
    python training/build_languages.py CLDR-CORE CLDR-LOCALENAMES-FULL LANGUAGE-SUBTAG-REGISTRY \
        src/metaphrase/models/languages.tsv.gz
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from metaphrase.languages import name_key

#: What is written for a language that nobody knows, and codes that Windows had for scripts of Chinese.
EXTRA_CODES = {"unknown": "und", "xx": "und", "zh-chs": "zh", "zh-cht": "zh-Hant"}
#: CLDR keeps Bokmål apart from Norwegian; test sets use both codes for the same texts.
MERGED = {"nb": "no"}
#: Names that neither source has.
EXTRA_NAMES = {"fa": ["Farsi"], "nn": ["Nynorsk"], "no": ["Norsk"], "zh": ["Mandarin"]}
#: Scripts that say no more than the one that a language is mostly written in.
PART_OF = {"Kore": ("Hang",), "Hans": ("Hani",), "Jpan": ("Hrkt",)}


@dataclass
class Row:
    """One language; ``names`` are English ones first, ``scripts`` those that need not be said."""

    scripts: list[str] = field(default_factory=list)
    by_region: dict[str, str] = field(default_factory=dict)
    codes: set[str] = field(default_factory=set)
    names: list[str] = field(default_factory=list)


def _read(folder: Path, path: str) -> Any:
    return json.loads((folder / path).read_text("utf-8"))


class Languages:
    """The table as it grows."""

    def __init__(self, core: Path, names: Path, registry: Path) -> None:
        supplemental = core / "supplemental"
        self._aliases = _read(supplemental, "aliases.json")["supplemental"]["metadata"]["alias"]
        self._likely = _read(supplemental, "likelySubtags.json")["supplemental"]["likelySubtags"]
        self._registry = _read(registry, "data/json/registry.json")
        self._names = names / "main"
        self._replaced = dict(self._replacements())
        self._rows: dict[str, Row] = {}
        self._taken: dict[str, str] = {}

    def lines(self) -> Iterator[str]:
        """Codes, and after an empty line names, which few ask for.

        Languages of which nothing is known but the script stand together.
        """
        self._codes()
        self._scripts()
        self._all_names()
        scripts = sorted(one["Subtag"] for one in self._registry if one["Type"] == "script")
        yield "@scripts\t" + " ".join(one for one in scripts if len(one) == 4)
        yield "@regions\t" + " ".join(self._regions())
        plain: dict[str, list[str]] = defaultdict(list)
        rows = sorted(self._rows.items())
        for code, row in rows:
            if not row.codes and not row.by_region and len(row.scripts) < 2:
                plain[" ".join(row.scripts)].append(code)
            else:
                regions = (f"{region}:{script}" for region, script in sorted(row.by_region.items()))
                yield "\t".join(
                    [code, " ".join([*row.scripts, *regions]), " ".join(sorted(row.codes))]
                )
        for script, codes in sorted(plain.items()):
            yield f"@plain\t{script}\t{' '.join(codes)}"
        yield ""
        yield "@names\t" + ";".join(self._names_of_parts())
        for code, row in rows:
            yield f"{code}\t{';'.join(row.names)}"

    def _replacements(self) -> Iterator[tuple[str, str]]:
        """Codes that stand for others; those of a variety, like Dari for Persian of Afghanistan, do not."""
        for code, entry in self._aliases["languageAlias"].items():
            new = entry["_replacement"]
            if re.fullmatch(r"[a-z]{2,3}(-[A-Z][a-z]{3})?", new) and not code.startswith("und-"):
                yield code.lower(), new
        for one in self._registry:
            if one["Type"] == "extlang":
                for prefix in one.get("Prefix", ()):
                    yield f"{prefix}-{one['Subtag']}".lower(), one["Subtag"]
        yield from EXTRA_CODES.items()
        yield from MERGED.items()

    def _final(self, code: str) -> str:
        """``zh`` of ``zh-cmn``, which stands for ``cmn``, which stands for ``zh``."""
        base, _, script = code.partition("-")
        return self._final(self._replaced[base]) if base in self._replaced and not script else code

    def _codes(self) -> None:
        for one in self._registry:
            code = one.get("Subtag", "")
            if one["Type"] == "language" and ".." not in code and code not in self._replaced:
                self._rows[code] = Row()
        for code, new in self._replaced.items():
            base, _, script = self._final(new).partition("-")
            if script:
                self._rows[base].codes.add(f"{code}={base}-{script}")
            elif code != base and base in self._rows:
                self._rows[base].codes.add(code)

    def _scripts(self) -> None:
        for tag, likely in self._likely.items():
            parts = tag.split("-")
            base, script = self._final(parts[0]), likely.split("-")[1]
            if base not in self._rows or base == "und":
                continue
            row = self._rows[base]
            if len(parts) == 1 and (parts[0] == base or not row.scripts):
                row.scripts = [script, *PART_OF.get(script, ())]
            elif len(parts) == 2 and len(parts[1]) == 2 and parts[0] == base:
                row.by_region[parts[1]] = script
        for row in self._rows.values():
            row.by_region = {k: v for k, v in row.by_region.items() if v not in row.scripts}

    def _regions(self) -> Iterator[str]:
        """The language of most people in a region: somebody who writes ``jp`` means ``ja``."""
        for tag, likely in sorted(self._likely.items()):
            found = re.fullmatch("und-([A-Z]{2})", tag)
            if found:
                yield f"{found[1]}:{self._final(likely.split('-')[0])}"

    def _names_of_parts(self) -> Iterator[str]:
        """Regions and scripts as they stand in brackets: Chinese (Taiwan), Serbian (Latin)."""
        for kind, code in (("territories", "[A-Z]{2}|[0-9]{3}"), ("scripts", "[A-Z][a-z]{3}")):
            for tag, name in self._localised("en", kind).items():
                if re.fullmatch(code, tag):
                    yield f"{tag}={name}"

    def _all_names(self) -> None:
        """English names of CLDR, each language's own, and those of the registry where they are clear."""
        own = {one["Subtag"]: one["Description"] for one in self._described("language")}
        english = self._localised("en")
        plain_tags = [tag for tag in english if "-" not in tag]
        for tag in sorted(plain_tags, key=lambda tag: (tag in self._replaced, tag)):
            self._name(tag, english[tag])
        for code, names in EXTRA_NAMES.items():
            for name in names:
                self._name(code, name)
        known = {name_key(name) for code in own for name in own[code]}
        for tag, name in english.items():
            base, *others = tag.split("-")
            kind = next((part for part in others if len(part) in (2, 3, 4)), "")
            if "-alt" in tag and "menu" not in tag and len(others) == 2:
                self._name(base, name)
            elif len(kind) == 4 and kind.istitle():
                self._name("-".join([base, kind]), name)
            elif kind.isupper() and name_key(name) not in known:
                self._name(base, name)
        for path in sorted(self._names.glob("*/languages.json")):
            locale = path.parent.name
            localised = self._localised(locale)
            if locale in localised and re.fullmatch("[a-z]+(-[A-Z][a-z]{3})?", locale):
                self._name(locale, localised[locale])
        for tag in ("zh-Hans", "zh-Hant"):
            self._name(tag, self._localised("zh")[tag])
        claims: dict[str, set[str]] = defaultdict(set)
        plain = {code: [_plain(name) for name in names] for code, names in own.items()}
        for code, names in plain.items():
            for name in names:
                claims[name_key(name)].add(self._final(code))
        for code in sorted(plain, key=lambda code: (len(code), code)):
            for name in plain[code]:
                clear = len(claims[name_key(name)]) == 1 or len(code) == 2
                self._name(code, name, clear=clear)

    def _described(self, kind: str) -> Iterable[Mapping[str, Any]]:
        return (one for one in self._registry if one["Type"] == kind and ".." not in one["Subtag"])

    def _localised(self, locale: str, kind: str = "languages") -> dict[str, str]:
        found = _read(self._names, f"{locale}/{kind}.json")["main"][locale]
        names: dict[str, str] = found["localeDisplayNames"][kind]
        return names

    def _name(self, tag: str, name: str, *, clear: bool = True) -> None:
        """Give a language a name, unless another one has it.

        The first one is shown in messages; a ``?`` before it says that it may mean another language, too.
        """
        base, _, script = self._final(tag).partition("-")
        key = name_key(name)
        if base not in self._rows or not key or set(name) & set("?;=\t"):
            return
        row = self._rows[base]
        code = f"{base}-{script}" if script and script not in row.scripts else base
        if clear and key not in self._taken:
            self._taken[key] = code
            row.names.append(name if code == base else f"{name}={code}")
        elif not row.names:
            row.names.append(f"?{name}")


def _plain(name: str) -> str:
    """Without years and remarks: Modern Greek (1453-)."""
    return re.sub(r"\s*\(.*?\)", "", name).strip()


def main(core: str, names: str, registry: str, output: str) -> None:
    """Write the same bytes from the same sources."""
    text = "".join(
        f"{line}\n" for line in Languages(Path(core), Path(names), Path(registry)).lines()
    )
    Path(output).write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main(*sys.argv[1:])
