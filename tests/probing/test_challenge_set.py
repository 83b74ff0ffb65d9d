"""The challenge set of ``examples/challenge``: its form, and that nothing is trained on it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from metaphrase.probing import Challenge, read_challenges

ROOT = Path(__file__).parents[2]
DIRECTORY = ROOT / "examples" / "challenge"
#: Items per language, as docs/results/challenge.md says.
COUNTS = {"en": 212, "de": 62, "fr": 62, "es": 62, "cs": 62, "zh": 62}
SEVERITIES = {
    **dict.fromkeys(["negation", "double negation", "antonym", "converse"], "critical"),
    **dict.fromkeys(["number", "unit", "date", "name", "names swapped", "roles"], "critical"),
    **dict.fromkeys(["quantifier", "direction", "interface", "word salad"], "critical"),
    **dict.fromkeys(["other topic"], "critical"),
    **dict.fromkeys(["omission", "addition", "modality", "time"], "major"),
    **dict.fromkeys(["repetition", "truncation"], "major"),
    "equal": "minor",
}
#: Typographic variants, and what the set writes in their place.
FOLDED = str.maketrans(
    {
        **dict.fromkeys("“”„«»", '"'),
        "’": "'",
        **dict.fromkeys("–—", "-"),
        "…": "...",
        **dict.fromkeys("\u00a0\u202f", " "),
        **dict.fromkeys("\u00ad\u200b", None),
    }
)


def folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).translate(FOLDED)


@pytest.fixture(params=COUNTS)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def items(language: str) -> list[Challenge]:
    return read_challenges(DIRECTORY / f"{language}.tsv")


def test_there_is_a_file_for_each_language_and_no_other() -> None:
    assert {path.name for path in DIRECTORY.iterdir()} == {f"{name}.tsv" for name in COUNTS}


def test_the_columns_are_those_of_a_table_of_ones_own(language: str) -> None:
    lines = (DIRECTORY / f"{language}.tsv").read_bytes().decode().split("\n")
    assert lines[0].split("\t") == ["kind", "severity", "id", "reference", "good", "bad"]
    assert lines.pop() == ""
    assert all(all(cell.strip() == cell != "" for cell in line.split("\t")) for line in lines)


def test_as_many_items_as_the_page_says(language: str, items: list[Challenge]) -> None:
    assert len(items) == COUNTS[language]


def test_the_page_says_how_many_items_there_are() -> None:
    page = (ROOT / "docs" / "results" / "challenge.md").read_text("utf-8")
    others = {count for name, count in COUNTS.items() if name != "en"}
    assert f"{sum(COUNTS.values())} items in six languages: {COUNTS['en']} in English" in page
    assert [f"and {count} each" in page for count in others] == [True]


def test_every_language_has_every_kind_and_no_other(items: list[Challenge]) -> None:
    assert {item.kind: item.severity for item in items} == SEVERITIES
    assert min(Counter(item.kind for item in items).values()) >= 2


def test_ids_count_and_say_how_free_the_paraphrase_is(
    language: str, items: list[Challenge]
) -> None:
    parts = [item.id.split("-") for item in items]
    assert [(name, number) for name, _, number in parts] == [
        (language, f"{number:03}") for number in range(1, len(items) + 1)
    ]
    assert {distance for _, distance, _ in parts} == {"mild", "free"}


def test_no_text_is_there_twice() -> None:
    items = [item for name in COUNTS for item in read_challenges(DIRECTORY / f"{name}.tsv")]
    texts = Counter(text for item in items for text in (item.reference, item.good, item.bad))
    assert [text for text, count in texts.items() if count > 1] == []


def test_only_equal_is_about_typography(items: list[Challenge]) -> None:
    for item in items:
        reference, good, bad = map(folded, (item.reference, item.good, item.bad))
        assert (good == reference) == (item.kind == "equal"), item.id
        assert bad != reference, item.id


def test_all_but_typographic_variants_is_composed(items: list[Challenge]) -> None:
    for item in items:
        texts = [item.reference, item.bad]
        texts += [] if item.kind == "equal" else [item.good]
        assert all(unicodedata.is_normalized("NFC", text) for text in texts), item.id
        assert not any(character in "".join(texts) for character in "\u00ad\u200b\ufeff"), item.id


def words(text: str, language: str) -> Counter[str]:
    kept = "".join(mark for mark in text if mark.isalnum() or mark.isspace())
    return Counter(kept if language == "zh" else kept.split())


def test_a_salad_has_the_words_of_the_reference(language: str, items: list[Challenge]) -> None:
    for item in items:
        if item.kind == "word salad":
            assert words(item.bad, language) == words(item.reference, language), item.id


def test_a_truncation_is_the_beginning_of_the_reference(items: list[Challenge]) -> None:
    for item in items:
        if item.kind == "truncation":
            assert item.reference.startswith(item.bad), item.id


def test_nothing_that_trains_reads_it() -> None:
    folders = [ROOT / "training", ROOT / "src" / "metaphrase"]
    sources = [path for folder in folders for path in folder.rglob("*.py")]
    assert sources
    names = re.compile(r"examples\W+challenge\b")
    assert [path for path in sources if names.search(path.read_text("utf-8"))] == []
