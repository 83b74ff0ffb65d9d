"""Tables of units: CSV in all its dialects, workbooks, properties and JSON."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.conftest import Refused
from corpus.malformed_units import workbook
from metaphrase.corpus.formats import format_of
from metaphrase.corpus.formats.units.csv_file import read_csv
from metaphrase.corpus.formats.units.json_strings import read_json_strings
from metaphrase.corpus.formats.units.properties import read_properties
from metaphrase.corpus.formats.units.xlsx import read_xlsx
from metaphrase.corpus.opening import CorpusFiles, open_corpus, read_units
from metaphrase.corpus.units import UnitFile

ROWS = [["1", "Save, now", 'the "file"'], ["2", "a\nb", "c"], ["3", "d", ""]]


def pairs(file: UnitFile) -> list[tuple[str, str, str]]:
    return [(u.id, u.source.text, "" if u.target is None else u.target.text) for u in file.units]


def as_csv(separator: str, header: list[str]) -> str:
    stream = io.StringIO()
    csv.writer(stream, delimiter=separator).writerows([header, *ROWS])
    return stream.getvalue()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_dialect_is_found(separator: str, encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "table.txt"
    path.write_bytes(as_csv(separator, ["ID", "Source", "Target"]).encode(encoding))
    file = read_units(str(path))
    assert file.format == "csv"
    assert pairs(file) == [(a, b, c) for a, b, c in ROWS]
    assert [unit.line for unit in file.units] == [2, 3, 5]


def test_the_line_of_excel_that_says_the_separator_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("sep=;\nid;source;target\n1;a, b;c\n")
    assert pairs(read_csv(path)) == [("1", "a, b", "c")]


def test_columns_may_be_languages_or_stated(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("id,en,de-AT\n1,a,b\n")
    file = read_csv(path)
    assert (file.source_language, file.target_language) == ("en", "de-AT")
    path.write_text("id,English,German,French\n1,a,b,c\n")
    stated = {"source": "English", "target": "French"}
    assert pairs(read_units(str(path), columns=stated)) == [("1", "a", "c")]


def test_a_column_that_is_not_there_is_refused(tmp_path: Path, refused: Refused) -> None:
    path = tmp_path / "table.csv"
    path.write_text("id,English,German\n1,a,b\n")
    with refused("MP876", "'Deutsch'", path=path, line=1):
        read_csv(path, columns={"target": "Deutsch"})


def test_without_ids_a_unit_is_called_by_its_source(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("source,target,note,max length\na,b,hm,12\n")
    (unit,) = read_csv(path).units
    assert (unit.id, unit.notes, unit.max_length) == ("a", ("hm",), 12)


@pytest.mark.parametrize("name", ["corpus.csv", "corpus.xlsx"])
def test_a_table_with_references_is_a_corpus(name: str, tmp_path: Path) -> None:
    rows = [["source", "reference", "A"], ["a, b", "c", "d"], ["e", "f", "g"]]
    path = tmp_path / name
    if name.endswith("csv"):
        stream = io.StringIO()
        csv.writer(stream).writerows(rows)
        path.write_text(stream.getvalue())
    else:
        path.write_bytes(workbook(*rows))
    (corpus,) = open_corpus(CorpusFiles(corpus=str(path)))
    assert (corpus.sources, corpus.references[0]) == (("a, b", "e"), ("c", "f"))
    assert dict(corpus.systems) == {"A": ("d", "g")}


def test_a_workbook_has_texts_numbers_and_dates(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    rows = [["Key", "Source", "Translation"], [1, "a", 2.5], [2.0, True, "b"], [None, None, None]]
    path.write_bytes(workbook(*rows))
    found = format_of(path)
    assert found is not None
    assert found.name == "xlsx"
    assert pairs(read_xlsx(path)) == [("1", "a", "2.5"), ("2", "TRUE", "b")]


def test_the_header_of_a_workbook_may_come_later(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    path.write_bytes(workbook([], ["id", "en", "de"], [1, "a", "b"]))
    assert pairs(read_xlsx(path)) == [("1", "a", "b")]


def test_properties_are_read_as_java_reads_them(tmp_path: Path) -> None:
    path = tmp_path / "file.properties"
    path.write_text(
        "# a note\n! another\na.b = Gr\\u00fc\\u00dfe \\\n   aus Wien\n"
        "c\\:d:e=f\ng h\ni\nj=\\ud83d\\ude00\\n\\q\nk\\ l = m \n"
    )
    file = read_units(str(path))
    assert {unit.id: unit.target and unit.target.text for unit in file.units} == {
        "a.b": "Grüße aus Wien",
        "c:d": "e=f",
        "g": "h",
        "i": None,
        "j": "😀\nq",
        "k l": "m ",
    }
    assert file.units[0].notes == ("a note", "another")
    assert [unit.line for unit in file.units] == [3, 5, 6, 7, 8, 9]


def test_properties_that_are_not_utf_8_are_latin_1(tmp_path: Path) -> None:
    path = tmp_path / "file.properties"
    path.write_bytes(b"a=\xe9\n")
    assert pairs(read_properties(path)) == [("a", "", "é")]


def test_json_is_read_by_the_names_on_the_way(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text(
        '{\n"a": {"b": "c", "n": 1},\n"d": {"message": "e", "description": "f"},\n'
        '"g": ["h", "i"],\n"@@locale": "de",\n"j": "k", "@j": {"description": "l"}\n}\n'
    )
    file = read_units(str(path))
    assert [(one.id, str(one.target), one.notes, one.line) for one in file.units] == [
        ("a.b", "c", (), 2),
        ("d", "e", ("f",), 3),
        ("g.0", "h", (), 4),
        ("g.1", "i", (), 4),
        ("j", "k", ("l",), 6),
    ]
    assert file.target_language == "de"


def test_json_lines_are_no_table_of_strings(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text('{"reference": "a", "A": "b"}\n')
    found = format_of(path)
    assert found is not None
    assert found.name == "jsonl"


tables = st.recursive(
    st.text(st.characters(blacklist_categories=["Cs"]), min_size=1),
    lambda inner: st.dictionaries(st.sampled_from("abc"), inner, min_size=1),
    max_leaves=12,
)


@given(
    table=st.dictionaries(st.sampled_from("abcd"), tables, min_size=1),
    indent=st.sampled_from([None, 2]),
)
def test_json_is_read_as_the_standard_library_reads_it(
    table: dict[str, object], indent: int | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    def leaves(value: object, name: str) -> list[tuple[str, object]]:
        if not isinstance(value, dict):
            return [(name, value)]
        return [leaf for key, inner in value.items() for leaf in leaves(inner, f"{name}.{key}")]

    path = tmp_path_factory.mktemp("json") / "file.json"
    path.write_text(json.dumps(table, indent=indent, ensure_ascii=bool(indent)), encoding="utf-8")
    found = [
        (f".{unit.id}", unit.target and unit.target.text) for unit in read_json_strings(path).units
    ]
    assert found == leaves(table, "")


def test_a_missing_package_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: Refused
) -> None:
    path = tmp_path / "book.xlsx"
    path.write_bytes(workbook(["id", "source", "target"], ["1", "a", "b"]))
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with refused("MP970", "[localisation]", path=path):
        read_xlsx(path)
