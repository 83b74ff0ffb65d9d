"""Translation memories: languages, variants and duplicates."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.malformed_units import TU, tmx
from metaphrase.corpus.formats import format_of
from metaphrase.corpus.formats.units.tmx import read_tmx, translations_by_source
from metaphrase.languages import same_language


def written(tmp_path: Path, body: str) -> Path:
    path = tmp_path / "memory.tmx"
    path.write_bytes(tmx(body))
    found = format_of(path)
    assert found is not None
    assert found.name == "tmx"
    return path


def tu(source: str, target: str, *, name: str = "", language: str = "de") -> str:
    given = f' tuid="{name}"' if name else ""
    return (
        f'<tu{given}><tuv xml:lang="en"><seg>{source}</seg></tuv>'
        f'<tuv xml:lang="{language}"><seg>{target}</seg></tuv></tu>'
    )


def test_a_memory_of_two_languages_knows_which(tmp_path: Path) -> None:
    file = read_tmx(written(tmp_path, TU))
    assert (file.source_language, file.target_language) == ("en", "de")
    assert [(one.id, one.source.text, str(one.target)) for one in file.units] == [
        ("1", "Save", "Speichern")
    ]


def test_the_exact_variant_comes_before_a_similar_one(tmp_path: Path) -> None:
    variants = tu("a", "b", language="de-AT").replace(
        "</tu>", '<tuv xml:lang="DE-de"><seg>c</seg></tuv></tu>'
    )
    path = written(tmp_path, variants)
    for language, text in (("de-DE", "c"), ("de-AT", "b"), ("de", "b")):
        (unit,) = read_tmx(path, target_language=language).units
        assert str(unit.target) == text


def test_of_several_translations_a_reference_is_the_last(tmp_path: Path) -> None:
    file = read_tmx(written(tmp_path, tu("a", "old") + tu("a", "new") + tu("b", "")))
    found = translations_by_source(file)
    assert {source: str(unit.target) for source, unit in found.items()} == {"a": "new"}


def test_ids_that_come_twice_are_told_apart(tmp_path: Path) -> None:
    file = read_tmx(written(tmp_path, tu("a", "b", name="x") + tu("c", "d", name="x")))
    assert [unit.id for unit in file.units] == ["x", "x(2)"]


def test_tags_of_a_pair_have_one_id_in_both_languages(tmp_path: Path) -> None:
    pair = '<bpt i="{0}" x="5">&lt;b></bpt>a<ept i="{0}">&lt;/b></ept><ph x="6"/><hi x="7">c</hi>'
    (unit,) = read_tmx(written(tmp_path, tu(pair.format(1), pair.format(2)))).units
    assert unit.target is not None
    for text in (unit.source, unit.target):
        assert text.text == "ac"
        assert [(tag.kind, tag.id) for tag in text.tags] == [
            ("open", "5"), ("close", "5"), ("standalone", "6"), ("open", "7"), ("close", "7"),
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("de", "de-AT", True),
        ("DE_at", "de-AT", True),
        ("pt_BR.UTF-8", "pt", True),
        ("pt-BR", "pt-PT", False),
        ("zh-Hans", "zh-Hant", False),
        ("en", "de", False),
    ],
)
def test_a_code_may_say_less_than_another(first: str, second: str, same: bool) -> None:
    assert same_language(first, second) is same_language(second, first) is same
