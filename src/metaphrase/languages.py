"""Languages by any of their names: ``zh``, ``ZH``, ``zho``, ``zh-CN``, ``zho_Hans`` and ``Chinese`` are one.

The canonical code is the shortest of BCP 47, with a script only where most write the language in another one:
``zh-Hant``, ``sr-Latn``. A region says which script is meant and nothing else: ``zh-TW`` is ``zh-Hant``, and
``en-US`` is ``en``. The table is ``models/languages.tsv.gz``; its card says where it comes from.
"""

from __future__ import annotations

import gzip
import re
import unicodedata
import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache

from metaphrase.errors import OptionError, ResourceError
from metaphrase.shipped import shipped_file

_TABLE = "languages.tsv.gz"
#: A code as POSIX systems write it: ``de_DE.UTF-8``, ``sr_RS@latin``.
_CODE = re.compile(r"([a-z0-9]+(?:[-_][a-z0-9]+)*)(?:\.[a-z0-9-]+)?(?:@([a-z0-9]+))?", re.ASCII)
_MODIFIERS = {"latin": "Latn", "cyrillic": "Cyrl", "devanagari": "Deva"}
#: What BCP 47 leaves to its users: ``qaa``, ``x-anything``.
_PRIVATE = re.compile(r"q[a-t][a-z]|x(?:-[a-z0-9]{1,8})+", re.ASCII)
_REGION = re.compile(r"[a-z]{2}|[0-9]{3}", re.ASCII)
#: Regions where English is spoken, which the table leaves out, whose code is that of a language, too.
_OF_ENGLISH = frozenset("BM BS CA FJ GD GU IE IO KI KN KY MH MS NG NR SG SH SL TT VI ZA".split())
_VARIANT = re.compile(r"[a-z0-9]{5,8}|[0-9][a-z0-9]{3}", re.ASCII)
_BRACKETS = re.compile(r"([^()]+)\(([^()]+)\)")
_BETWEEN_WORDS = str.maketrans(dict.fromkeys(",;()/_-", " "))
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Language:
    """A language: its canonical code, and the script and the region that were named, if any.

    ``script`` is also there if it follows from the region.
    """

    code: str
    script: str = ""
    region: str = ""

    @property
    def base(self) -> str:
        """The code without a script."""
        return self.code.partition("-")[0]

    @property
    def tag(self) -> str:
        """The code with its region, for what differs between regions: ``fr-CA``."""
        return f"{self.code}-{self.region}" if self.region else self.code

    @property
    def name(self) -> str:
        """In English: ``Chinese``."""
        return _names().shown.get(self.base, self.code)


def find_language(text: str) -> Language | None:
    """The language with a code or a name, if there is one.

    >>> find_language("zh_TW"), find_language("Deutsch").code, find_language("gibberish")
    (Language(code='zh-Hant', script='Hant', region='TW'), 'de', None)
    """
    return _find(text)


def known_language(text: str) -> Language:
    """The language with a code or a name; an error if there is none, or if two are named."""
    found = _find(text)
    if (two := _pair(text)) is not None:
        first, second = (f"{one.code} ({one.name})" for one in two)
        capitals = "-".join((two[0].base, re.split("[-_]", text.strip())[1].upper()))
        region = "" if found is None else f" A region is written in capitals: {capitals}."
        raise OptionError(
            "MP528",
            f"{text.strip()!r} names two languages, {first} and {second}.",
            hint=f"Give one of them, for a metric that of the translations: {two[1].code}.{region}",
        )
    if found is None:
        raise OptionError(
            "MP528", f"no language is called {text[:_LONGEST]!r}.", hint=_suggestion(text)
        )
    return found


def canonical_language(text: str) -> str:
    """The one code of a language.

    >>> [canonical_language(text) for text in ("EN", "eng_Latn", "zh-CN", "zho_Hant", "Serbian")]
    ['en', 'en', 'zh', 'zh-Hant', 'sr']
    """
    return known_language(text).code


def language_code(text: str) -> str:
    """The canonical code; what no language is called stays as it is, for files that say what they like."""
    found = _find(text)
    return text if found is None else found.code


def regional_code(text: str) -> str:
    """The canonical code with the region that was named: ``fr-CA``; what no language is called stays."""
    found = _find(text)
    return text if found is None else found.tag


def same_language(first: str, second: str) -> bool:
    """Whether one is the other, or says less: ``de`` is ``de-AT``, but ``de-DE`` is not.

    >>> same_language("deu", "DE_at"), same_language("pt-BR", "pt-PT"), same_language("zh-TW", "zh-Hans")
    (True, False, False)
    """
    one, other = (_find(text) or Language(text.lower()) for text in (first, second))
    return one.base == other.base and all(
        not a or not b or a == b
        for a, b in ((one.script, other.script), (one.region, other.region))
    )


@lru_cache(maxsize=1024)
def same_pair(first: str, second: str) -> bool:
    """Whether two language pairs are one, or one says less, like ``en-de`` of ``eng-de_AT``.

    >>> same_pair("en_US-de_DE", "eng-deu"), same_pair("en-zh", "zh-en"), same_pair("en-pt_BR", "en-pt_PT")
    (True, False, False)
    """
    languages = first.split("-"), second.split("-")
    return len(languages[0]) == len(languages[1]) and all(map(same_language, *languages))


def is_wanted(pair: str, wanted: Collection[str] | None) -> bool:
    """Whether a language pair is one of those asked for, by whatever names; all are if none is."""
    return not wanted or any(same_pair(pair, one) for one in wanted)


def name_key(name: str) -> str:
    """What names are compared by: words in any order, without case and accents.

    >>> name_key("Chinese (Traditional)") == name_key("traditional chinese")
    True
    """
    letters = name.casefold()
    if not letters.isascii():
        decomposed = unicodedata.normalize("NFKD", letters)
        letters = "".join(c for c in decomposed if not unicodedata.combining(c))
    return " ".join(sorted(letters.translate(_BETWEEN_WORDS).split()))


@lru_cache(maxsize=1024)
def _find(text: str) -> Language | None:
    text = text.strip()
    if not text or len(text) > _LONGEST:
        return None
    code = _CODE.fullmatch(text.lower())
    found = None if code is None else _of_subtags(re.split("[-_]", code[1]), code[2] or "")
    return _named(text) if found is None else found


def _pair(text: str) -> tuple[Language, Language] | None:
    """The two languages of a pair, such as ``en-de``, whose second code might be taken for a region.

    Codes in one case whose second one is a language: of that region (``en-de``), or no region's (``de-en``).
    """
    text = text.strip()
    codes = re.split("[-_]", text)
    if len(codes) != 2 or text not in (text.lower(), text.upper()) or max(map(len, codes)) > 3:
        return None
    table = _table()
    first, second = (_find(code) for code in codes)
    if first is None or second is None or "-".join(codes).lower() in table.codes:
        return None
    region = codes[1].upper()
    spoken = "en" if region in _OF_ENGLISH else table.regions.get(region)
    same = first.base == second.base
    return (first, second) if not same and spoken in (None, second.base) else None


def _named(text: str) -> Language | None:
    """The language with a name, with or without a region or a script in brackets: Chinese (Taiwan)."""
    names = _names()
    code = names.languages.get(name_key(text))
    if code is None and (parts := _BRACKETS.fullmatch(text)) is not None:
        language = names.languages.get(name_key(parts[1]))
        part = names.parts.get(name_key(parts[2]), parts[2] if len(parts[2]) == 2 else None)
        code = f"{language}-{part}" if language is not None and part is not None else None
    return None if code is None else _of_subtags(code.lower().split("-"))


def _of_subtags(subtags: list[str], modifier: str = "") -> Language | None:
    table = _table()
    if _PRIVATE.fullmatch("-".join(subtags)):
        return Language("-".join(subtags))
    length = next((n for n in (3, 2, 1) if "-".join(subtags[:n]) in table.codes), 0)
    if not length:
        return None
    base, _, script = table.codes["-".join(subtags[:length])].partition("-")
    region = ""
    for subtag in subtags[length:]:
        if len(subtag) == 1:  # what follows extends the code with calendars, keyboards …
            break
        if len(subtag) == 4 and subtag.isalpha():
            script = subtag.title()
            if script not in table.scripts:
                return None
        elif _REGION.fullmatch(subtag) and not region:
            region = subtag.upper()
        elif not _VARIANT.fullmatch(subtag):
            return None
    usual, by_region = table.written[base]
    script = script or _MODIFIERS.get(modifier) or by_region.get(region, "")
    if script in usual or (not script and region):
        script = next(iter(usual), "")
    return Language(f"{base}-{script}" if script not in ("", *usual) else base, script, region)


def _suggestion(text: str) -> str:
    """What somebody can have meant who wrote the code of a country or misspelt a name."""
    table, names = _table(), _names()
    key, begun = name_key(text[:_LONGEST]), _find(re.split(r"[-_(]", text)[0])
    meant = [] if begun is None else [begun.code]
    if text.upper() in table.regions:
        meant.append(table.regions[text.upper()])
    if len(key) > 3:
        close = get_close_matches(key, names.languages, n=3, cutoff=0.8)
        meant += [names.languages[name] for name in close]
    shown = [f"{code} ({names.shown[code.partition('-')[0]]})" for code in dict.fromkeys(meant)]
    if shown:
        return f"Did you mean {' or '.join(shown[:3])}?"
    return "Give a code, such as en, eng, en-US or eng_Latn, or a name, such as English."


@dataclass(frozen=True, slots=True)
class _Table:
    """All languages: what each code stands for, and the scripts that each is written in.

    ``written`` has the scripts that need not be said, and those that a region says; ``regions`` has the
    language of most people there, ``names`` the other half of the file.
    """

    codes: Mapping[str, str]
    written: Mapping[str, tuple[tuple[str, ...], Mapping[str, str]]]
    scripts: frozenset[str]
    regions: Mapping[str, str]
    names: str


@dataclass(frozen=True, slots=True)
class _Names:
    """Codes of languages, and of regions and scripts, by their names; and the first name of each language."""

    languages: Mapping[str, str]
    parts: Mapping[str, str]
    shown: Mapping[str, str]


@cache
def _table() -> _Table:
    path = shipped_file(_TABLE)
    codes: dict[str, str] = {}
    written: dict[str, tuple[tuple[str, ...], Mapping[str, str]]] = {}
    try:
        head, names = gzip.decompress(path.read_bytes()).decode().split("\n\n")
        (_, scripts), (_, regions), *rows = (line.split("\t") for line in head.split("\n"))
        for code, scripts_of, others in rows:
            usual = [one for one in scripts_of.split() if ":" not in one]
            if code == "@plain":
                plain = others.split()
                codes.update(zip(plain, plain, strict=True))
                written.update(dict.fromkeys(plain, (tuple(usual), {})))
                continue
            codes[code] = code
            for one in others.split():
                alias, _, meant = one.partition("=")
                codes[alias] = meant or code
            by_region = dict(one.split(":") for one in scripts_of.split() if ":" in one)
            written[code] = tuple(usual), by_region
        by_country = dict(one.split(":") for one in regions.split())
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise ResourceError(
            "MP529",
            "The table of languages is missing or damaged.",
            path=path,
            hint="Install metaphrase again.",
        ) from error
    return _Table(codes, written, frozenset(scripts.split()), by_country, names)


@cache
def _names() -> _Names:
    languages: dict[str, str] = {}
    parts: dict[str, str] = {}
    shown: dict[str, str] = {}
    of_parts, *rows = _table().names.splitlines()
    for one in of_parts.split("\t")[1].split(";"):
        part, _, name = one.partition("=")
        parts[name_key(name)] = part
    for row in rows:
        code, _, called = row.partition("\t")
        for one in called.split(";"):
            name, _, meant = one.partition("=")
            if not meant:
                shown.setdefault(code, name.removeprefix("?"))
            key = name_key(name)
            # Mon, En and E are languages, too, but who writes so means a code or nothing.
            if name[:1] != "?" and (len(key) > 3 or not key.isascii()):
                languages[key] = meant or code
    return _Names(languages, parts, shown)
