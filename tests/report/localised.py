"""A small user interface in German: units with tags, two versions of it, and what checks say of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from metaphrase.corpus import Corpus
from metaphrase.corpus.units import InlineTag, TaggedText
from metaphrase.report.dataset import Findings, UnitTexts

BEFORE, AFTER = "before", "after"

#: Id, source, reference, before, after.
UNITS = (
    ("menu.save", "Save", "Speichern", "Sichern", "Speichern"),
    ("menu.open", "Open …", "Öffnen …", "Öffnen …", "Öffnen …"),
    (
        "sync.left",
        "{count} files left",
        "Noch {count} Dateien",
        "Noch {count} Dateien",
        "Noch Dateien",
    ),
    (
        "sync.done",
        "Synchronised at %s.",
        "Um %s synchronisiert.",
        "Um %s synchronisiert",
        "Um %s synchronisiert.",
    ),
    (
        "trial.end",
        "Your trial ends in 14 days.",
        "Ihr Test endet in 14 Tagen.",
        "Ihr Test endet in 14 Tagen.",
        "Ihr Test endet in 41 Tagen.",
    ),
    (
        "help.more",
        "Read our guide for more.",
        "Mehr in unserer Anleitung.",
        "Lesen Sie unsere Anleitung.",
        "Mehr steht in unserer Anleitung.",
    ),
    (
        "emoji.ok",
        "All done 🎉 in 3 steps!",
        "Fertig 🎉 in 3 Schritten!",
        "Alles fertig 🎉 in 2 Schritten!",
        "Fertig 🎉 in 2 Schritten!",
    ),
    (
        "error.disk",
        "The disk is full. Delete some files.",
        "Der Datenträger ist voll. Löschen Sie Dateien.",
        "Die Disk ist voll. Löschen Sie Dateien.",
        "Der Datenträger ist voll. Löschen sie  Dateien.",
    ),
    (
        "about.lead",
        "Press Save to keep your changes.",
        "Drücken Sie Speichern, um Ihre Änderungen zu behalten.",
        "Drücken Sie Speichern um Ihre Änderungen zu behalten.",
        "Drücken Sie Speichern, um Ihre Änderungen zu behalten.",
    ),
    ("quit", "Quit", "Beenden", "", "Beenden"),
)


def corpus() -> Corpus:
    """Documents are the parts of the program."""
    ids, sources, references, before, after = zip(*UNITS, strict=True)
    return Corpus(
        {BEFORE: before, AFTER: after},
        [references],
        sources=sources,
        documents=[name.partition(".")[0] for name in ids],
        empty_references="keep",
    )


def _pair(text: str, word: str, number: str) -> tuple[InlineTag, InlineTag]:
    """A word of the text between two tags."""
    start = text.index(word)
    opening = InlineTag("open", number, f'<g id="{number}" ctype="bold">', start)
    return opening, InlineTag("close", number, "</g>", start + len(word))


def units() -> UnitTexts:
    """Two units have tags, of which a translation has lost some."""
    ids, sources, references, before, after = zip(*UNITS, strict=True)

    def column(texts: tuple[str, ...], words: dict[int, str]) -> list[tuple[InlineTag, ...]]:
        return [
            _pair(text, words[row], "1") if row in words else () for row, text in enumerate(texts)
        ]

    lead, more = "Speichern", "Anleitung"
    return UnitTexts(
        ids=ids,
        sources=column(sources, {8: "Save", 5: "guide"}),
        references=[column(references, {8: lead, 5: more})],
        systems={
            BEFORE: column(before, {8: lead}),
            AFTER: column(after, {8: lead, 5: more}),
        },
    )


def _finding(
    row: int, code: str, severity: str, side: str, part: str, message: str, **said: Any
) -> dict[str, Any]:
    text = {"source": UNITS[row][1], BEFORE: UNITS[row][3], AFTER: UNITS[row][4]}[side]
    start = text.index(part) if part else len(text)
    return {
        "segment": row + 1,
        "unit": UNITS[row][0],
        "check": code.partition("/")[0],
        "code": code,
        "severity": severity,
        "side": "source" if side == "source" else "target",
        "start": start,
        "end": start + len(part),
        "message": message,
        **said,
    }


def findings() -> Findings:
    """Of every severity, in both texts, new, gone and staying."""
    three = {"expected": "3", "found": "2"}
    lost = '<g id="1" ctype="bold">'
    return Findings(
        {
            BEFORE: [
                _finding(
                    3,
                    "punctuation/end",
                    "minor",
                    BEFORE,
                    "",
                    "The source ends with “.”.",
                    expected=".",
                ),
                _finding(
                    5,
                    "tags/missing",
                    "critical",
                    "source",
                    "",
                    f"{lost} is missing.",
                    expected=lost,
                )
                | {"start": 9, "end": 9},
                _finding(6, "numbers/other", "major", BEFORE, "2", "3 became 2.", **three),
                _finding(
                    9, "untranslated/empty", "critical", BEFORE, "", "There is no translation."
                ),
            ],
            AFTER: [
                _finding(
                    2,
                    "placeholders/missing",
                    "critical",
                    "source",
                    "{count}",
                    "{count} is missing.",
                    expected="{count}",
                ),
                _finding(
                    4,
                    "numbers/other",
                    "major",
                    AFTER,
                    "41",
                    "14 became 41.",
                    expected="14",
                    found="41",
                    suggestion="14",
                ),
                _finding(6, "numbers/other", "major", AFTER, "2", "3 became 2.", **three),
                _finding(
                    7,
                    "spaces/double",
                    "minor",
                    AFTER,
                    "  ",
                    "Two spaces where the source has one.",
                    found="  ",
                    suggestion=" ",
                ),
            ],
        },
        checks=["numbers", "placeholders", "tags", "untranslated", "punctuation", "spaces"],
        descriptions={
            "numbers/other": "a number that the source does not have",
            "placeholders/missing": "a placeholder of the source is missing",
            "tags/missing": "a tag of the source is missing",
        },
    )


def write_xliff(path: Path, version: str) -> None:
    """The ``reference`` or a version as XLIFF 1.2; what is empty has no target."""
    tags = units()
    place, column = {
        "reference": (2, tags.references[0]),
        BEFORE: (3, tags.systems[BEFORE]),
        AFTER: (4, tags.systems[AFTER]),
    }[version]
    assert tags.sources is not None
    rows = []
    for row, unit in enumerate(UNITS):
        target = _written(unit[place], column[row])
        rows.append(
            f'<trans-unit id="{unit[0]}"><source>{_written(unit[1], tags.sources[row])}</source>'
            + (f"<target>{target}</target>" if target else "")
            + "</trans-unit>"
        )
    path.write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n'
        '<file original="app.ui" source-language="en" target-language="de" datatype="plaintext">'
        + "\n".join(["<body>", *rows, "</body></file></xliff>", ""]),
        encoding="utf-8",
    )


def _written(text: str, tags: Sequence[InlineTag]) -> str:
    return TaggedText(text, tuple(tags)).with_tags()
