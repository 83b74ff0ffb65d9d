"""Campaigns as other tools take them: Appraise, Pearmut, and tables for spreadsheets."""

from __future__ import annotations

import csv
import io
import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby

from metaphrase.corpus.formats.judged.appraise import COPY_MARKS, ITEM_TYPES, written_system
from metaphrase.corpus.formats.judged.marked_spans import shown_characters
from metaphrase.corpus.formats.judged.rating_sheet import COLUMNS
from metaphrase.corpus.formats.judged.sample_key import key_text
from metaphrase.corpus.marked_translation import MarkedTranslation, worst
from metaphrase.corpus.opening.ratings import segment_numbers
from metaphrase.corpus.ratings import Item
from metaphrase.sampling.campaign import Campaign

KEY = "key.json"
_TYPES = {kind: name for name, kind in ITEM_TYPES.items()}
#: Appraise names languages by three letters (ISO 639-3).
_THREE_LETTERS = {
    "ar": "ara", "bg": "bul", "bn": "ben", "cs": "ces", "da": "dan", "de": "deu", "el": "ell", "en": "eng",
    "es": "spa", "et": "est", "fi": "fin", "fr": "fra", "gu": "guj", "he": "heb", "hi": "hin", "hr": "hrv",
    "hu": "hun", "is": "isl", "it": "ita", "ja": "jpn", "ko": "kor", "lt": "lit", "lv": "lav", "nl": "nld",
    "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus", "sk": "slk", "sl": "slv", "sr": "srp", "sv": "swe",
    "tr": "tur", "uk": "ukr", "ur": "urd", "vi": "vie", "zh": "zho",
}  # fmt: skip
#: Wide enough to read, in characters; of the columns in their order.
_WIDTHS = (8, 16, 60, 60, 8, 40, 24, 12)


def campaign_files(campaign: Campaign, form: str) -> dict[str, bytes]:
    """The files of a campaign by name, the key among them, in one of :data:`FORMS`."""
    files = {KEY: key_text(campaign.key).encode()}
    return files | FORMS[form](campaign)


def _appraise(campaign: Campaign) -> dict[str, bytes]:
    """Batches and the manifest of a campaign of Appraise, one task for each judge.

    After ``Examples/MQM+ESA`` and ``Examples/Direct`` of AppraiseDev/Appraise (16c32ed4, 4a52ca1c) and what
    ``import_from_json`` reads (054e27cb).
    """
    key = campaign.key
    numbers = segment_numbers(key.items)
    source, target = _appraise_languages(key.language_pair)
    batches = [
        {
            "items": [
                _appraise_item(item, place, numbers[item.document, item.segment], key.language_pair)
                for place, item in enumerate(items)
            ],
            "task": {
                "batchNo": number,
                "randomSeed": 0,
                "requiredAnnotations": 1,
                "sourceLanguage": source,
                "targetLanguage": target,
            },
        }
        for number, items in enumerate(campaign.tasks.values(), 1)
    ]
    tasks = len(campaign.tasks)
    manifest = {
        "CAMPAIGN_URL": "http://127.0.0.1:8000/dashboard/sso/",
        "CAMPAIGN_NAME": key.name,
        "CAMPAIGN_KEY": key.name,
        "CAMPAIGN_NO": 1,
        "REDUNDANCY": 1,
        "TASKS_TO_ANNOTATORS": [[source, target, "uniform", tasks, tasks]],
        "TASK_TYPE": "Direct" if key.protocol == "da" else "Document",
        "TASK_OPTIONS": "" if key.protocol == "da" else key.protocol.upper(),
    }
    return {"batches.json": _json(batches), "manifest.json": _json(manifest)}


def _appraise_item(item: Item, place: int, number: int, pair: str) -> dict[str, object]:
    # What has another document stands on a page of its own, so that nobody sees a copy beside the original.
    suffix = COPY_MARKS.get(item.kind, "")
    return {
        "mqm": [],
        "documentID": (item.document or f"segment-{number}") + suffix,
        "sourceID": pair,
        "sourceText": item.source,
        "targetID": written_system(item.system),
        "targetText": item.hypothesis,
        "itemID": number,
        "itemType": _TYPES[item.kind],
        "_item": place,
        "isCompleteDocument": False,
    }


def _appraise_languages(pair: str) -> tuple[str, str]:
    source, _, target = pair.partition("-")
    return _THREE_LETTERS.get(source, source), _THREE_LETTERS.get(target, target)


def _pearmut(campaign: Campaign) -> dict[str, bytes]:
    """The campaign as ``pearmut add`` takes it (Pearmut 1.1.6): task-based, a task for each judge."""
    key = campaign.key
    return {
        "campaign.json": _json(
            {
                "info": {
                    "assignment": "task-based",
                    "protocol": key.protocol.upper(),
                    "users": list(campaign.tasks),
                },
                "campaign_id": key.name,
                "data": [
                    [[_pearmut_item(item) for item in page] for page in _pages(items)]
                    for items in campaign.tasks.values()
                ],
            }
        )
    }


def prefilled_lines(marked: Iterable[MarkedTranslation], *, name: str, pair: str) -> Iterator[str]:
    """A campaign of Pearmut in which the errors are marked already, for somebody to go over them (ESA AI).

    Whoever judges sees neither the metric's name nor its score. All that is missing is one error, since there
    is one token for it.
    """
    by_id: dict[str, dict[str, object]] = {}
    items = []
    for one in marked:
        shown = _pearmut_item(one.item) | {"item_id": one.item.segment}
        by_id[one.item.id] = shown | {"error_spans": {one.item.system: _prefilled(one)}}
        items.append(one.item)
    by_system = sorted(items, key=lambda item: item.system)  # stable: segments stay in order
    campaign = {
        "info": {"assignment": "task-based", "protocol": "ESA", "users": ["judge-1"]},
        "campaign_id": "-".join(filter(None, [name, pair])),
        "data": [[[by_id[item.id] for item in page] for page in _pages(tuple(by_system))]],
    }
    yield _json(campaign).decode().rstrip()


def _prefilled(one: MarkedTranslation) -> list[dict[str, object]]:
    """Errors as Pearmut has them: it counts what it shows, and the last character is part of the error."""
    shown = shown_characters(one.item.hypothesis)
    spans = []
    for start, end, error in one.placed:
        first, last = bisect_left(shown, start), bisect_left(shown, end) - 1
        if first <= last:
            spans.append((first, last, error))
    if one.missing:
        spans.append((len(shown), len(shown), worst(one.missing)))
    return [
        {
            "start_i": first,
            "end_i": last,
            "severity": "major" if error.severity == "critical" else error.severity,
            "category": None,
        }
        for first, last, error in spans
    ]


def _pearmut_item(item: Item) -> dict[str, object]:
    # Pearmut ranks models by all their items; a degraded copy is none of the system's.
    model = "degraded" if item.kind == "degraded" else item.system
    shown: dict[str, object] = {"tgt": {model: item.hypothesis}, "item_id": item.id}
    if item.source:
        shown["src"] = item.source
    if item.document:
        shown["doc_id"] = item.document
    return shown


def _pages(items: tuple[Item, ...]) -> Iterator[list[Item]]:
    """Items that are shown together: those of a document by one system; control items are alone."""

    def page(item: Item) -> tuple[str, ...]:
        together = item.document and item.kind == "target"
        return (item.document, item.system) if together else ("", "", item.id)

    for _, group in groupby(items, page):
        yield list(group)


def _sheet(item: Item, judge: str) -> list[str]:
    cells = {
        "item": item.id,
        "document": item.document,
        "source": item.source,
        "translation": item.hypothesis,
        "judge": judge,
    }
    return [cells.get(name, "") for name in COLUMNS]


def _csv(campaign: Campaign) -> dict[str, bytes]:
    """A table for each judge, with the mark by which Excel knows UTF-8."""
    files = {}
    for judge, items in campaign.tasks.items():
        stream = io.StringIO()
        writer = csv.writer(stream)
        writer.writerow(COLUMNS)
        writer.writerows(_sheet(item, judge) for item in items)
        files[f"{judge}.csv"] = stream.getvalue().encode("utf-8-sig")
    return files


def _xlsx(campaign: Campaign) -> dict[str, bytes]:
    """A workbook for each judge; what looks like a formula stays text."""
    try:
        import openpyxl
        from openpyxl.styles import Alignment, Font
    except ImportError:
        from metaphrase.extras import not_installed

        raise not_installed(
            "Workbooks are written by the package openpyxl, which is not installed.", "localisation"
        ) from None
    files = {}
    for judge, items in campaign.tasks.items():
        book = openpyxl.Workbook()
        sheet = book.active
        assert sheet is not None
        sheet.title = "items"
        for row, cells in enumerate([list(COLUMNS), *(_sheet(item, judge) for item in items)], 1):
            for column, text in enumerate(cells, 1):
                cell = sheet.cell(row, column)
                if text:
                    cell.value = text
                    cell.data_type = "s"
                cell.alignment = Alignment(wrap_text=True, vertical="top")
                if row == 1:
                    cell.font = Font(bold=True)
        for column, width in enumerate(_WIDTHS, 1):
            sheet.column_dimensions[openpyxl.utils.get_column_letter(column)].width = width
        sheet.freeze_panes = "A2"
        stream = io.BytesIO()
        book.save(stream)
        files[f"{judge}.xlsx"] = stream.getvalue()
    return files


#: How a campaign can be written.
FORMS: Mapping[str, Callable[[Campaign], dict[str, bytes]]] = {
    "appraise": _appraise,
    "pearmut": _pearmut,
    "csv": _csv,
    "xlsx": _xlsx,
}


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()
