"""Checks of whatever two texts, of files and of lines, and the glossaries that they read."""

from __future__ import annotations

from functools import cache
from typing import Any

from fuzz.files import drained, joined, reading, reading_several, written
from fuzz.seeds import TEXT_WORDS, TEXTS, XML_WORDS
from fuzz.target import Target
from fuzz.units import XLIFF_WORDS, localisation_examples, xliff_seeds
from metaphrase.checks.opening import open_file, open_with_source
from metaphrase.checks.pair import Pair
from metaphrase.checks.running import check_pairs
from metaphrase.checks.settings import Settings
from metaphrase.checks.terms.reading import read_glossary

_TBX_WORDS = (
    *XML_WORDS,
    *"<tbx <martif <conceptEntry <termEntry <langSec <langSet <termSec> <tig> <ntig> <term>".split(),
    "administrativeStatus", "deprecatedTerm-admn-sts", "forbidden", "source\ttarget", "status", "case",
)  # fmt: skip


def _checked_file(path: str) -> object:
    for translation in open_file(path, source_language="en", language="de"):
        drained(check_pairs(translation.pairs))
    return None


def _checked_lines(source: str, target: str) -> object:
    for translation in open_with_source(source, [target], source_language="en", language="fr"):
        drained(check_pairs(translation.pairs))
    return None


#: In this order, so that a byte of the input can choose two.
_LANGUAGES = ("", "en", "de", "fr", "es", "cs", "zh", "ja", "ar", "pl", "ru", "pt-BR")


def _checked_pair(data: bytes) -> object:
    """The first byte chooses the languages; the rest is two texts."""
    languages = data[:1] or b"\0"
    source, _, target = data[1:].decode("utf-8", "replace").partition("\n")
    first, second = (_LANGUAGES[n % len(_LANGUAGES)] for n in divmod(languages[0], len(_LANGUAGES)))
    glossary = _glossary()
    pair = Pair(source, target, first, second, max_length=40)
    settings = Settings(glossary=glossary, max_characters=100, max_ratio=2.0)
    for checked, findings in check_pairs([pair], settings):
        for finding in findings:
            text = checked.source if finding.side == "source" else checked.target
            assert 0 <= finding.start <= finding.end <= len(text), finding
    return None


@cache
def _glossary() -> Any:
    path = written(
        "terms.tsv",
        b"source\ttarget\nfile\tDatei\nSave\tSpeichern\nopen\tau\xc3\x9fen\tforbidden\n",
    )
    return read_glossary(str(path), source_language="en", target_language="de")


def _check_seeds() -> list[bytes]:
    texts = [f"{a}\n{b}" for a, b in zip(TEXTS, (*TEXTS[1:], TEXTS[0]), strict=True)]
    return [bytes([number * 7 % 144]) + text.encode() for number, text in enumerate(texts)]


def targets() -> list[Target]:
    """Those of this room."""

    def check(name: str, run: Any, seeds: Any, words: Any = (), **options: Any) -> Target:
        return Target(name=f"checks.{name}", run=run, seeds=seeds, words=words, **options)

    return [
        check(
            "glossary",
            reading(
                lambda path: read_glossary(path, source_language="en", target_language="de"),
                "a.tbx",
            ),
            lambda: [
                *localisation_examples("terms.tsv"),
                b'<?xml version="1.0"?><tbx><text><body><conceptEntry id="1"><langSec xml:lang="en"><termSec>'
                b'<term>file</term></termSec></langSec><langSec xml:lang="de"><termSec><term>Datei</term>'
                b'<termNote type="administrativeStatus">deprecatedTerm-admn-sts</termNote>'
                b"</termSec></langSec>"
                b"</conceptEntry></body></text></tbx>",
            ],
            _TBX_WORDS,
        ),
        check(
            "glossary-languages",
            reading(lambda path: read_glossary(path, target_language="de"), "a.tbx"),
            lambda: [b"en\tde\nfile\tDatei\n", *localisation_examples("terms.tsv")],
            _TBX_WORDS,
        ),
        check("file", reading(_checked_file, "a.xlf"), xliff_seeds, XLIFF_WORDS),
        check(
            "lines",
            reading_several(_checked_lines, "source.txt", "target.txt"),
            lambda: [joined(*2 * ["\n".join(text for text in TEXTS if "\0" not in text)])],
            ("\n=====\n", *TEXT_WORDS),
        ),
        check(
            "pair",
            _checked_pair,
            _check_seeds,
            ("\n", *TEXT_WORDS),
            seconds=1.0,
            seconds_per_kilobyte=0.5,
        ),
    ]
