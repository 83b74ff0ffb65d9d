"""TSV and JSONL, wide and long: which column is what, what is refused, and the way back."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.corpus import (
    Corpus,
    open_jsonl,
    open_tsv,
    read_jsonl,
    read_tsv,
    write_jsonl,
    write_tsv,
)

Refused = Callable[..., AbstractContextManager[None]]
Write = Callable[..., Path]

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]))
CELLS = st.text(st.characters(exclude_characters="\n\t\0", exclude_categories=["Cs"])).filter(
    lambda text: not text.endswith("\r")
)
NAMES = st.text("ABCxyz \u2028é", min_size=1).filter(lambda name: bool(name.strip()))


@pytest.fixture
def tsv(tmp_path: Path) -> Write:
    """Writes rows in which ``|`` stands for the tab."""

    def write(*rows: str) -> Path:
        path = tmp_path / "table.tsv"
        path.write_text("".join(row.replace("|", "\t") + "\n" for row in rows))
        return path

    return write


@pytest.fixture
def jsonl(tmp_path: Path) -> Write:
    def write(*rows: dict[str, object] | str) -> Path:
        path = tmp_path / "table.jsonl"
        texts = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        path.write_text("".join(text + "\n" for text in texts))
        return path

    return write


def corpora(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Corpus]:
    """Corpora with one to three systems and references, optional columns or not."""

    @st.composite
    def build(draw: st.DrawFn) -> Corpus:
        size = draw(st.integers(1, 4))
        column = st.lists(texts, min_size=size, max_size=size)
        optional = st.none() | column
        return Corpus(
            draw(st.dictionaries(NAMES, column, min_size=1, max_size=3)),
            draw(st.lists(column, min_size=1, max_size=3)),
            sources=draw(optional),
            documents=draw(optional),
            domains=draw(optional),
            empty_references="keep",
        )

    return build()


@given(corpora(CELLS), st.sampled_from(["wide", "long"]), st.sampled_from(["t.tsv", "t.gz"]))
def test_tsv_reads_back_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, corpus: Corpus, form: Any, name: str
) -> None:
    path = tmp_path_factory.mktemp("tsv") / name
    write_tsv(corpus, path, form=form)
    back = read_tsv(path, empty_references="keep")
    assert back == corpus
    assert list(back.systems) == list(corpus.systems)


@given(corpora(ANY_TEXT), st.sampled_from(["wide", "long"]), st.sampled_from(["t.jsonl", "t.gz"]))
def test_jsonl_reads_back_any_text(
    tmp_path_factory: pytest.TempPathFactory, corpus: Corpus, form: Any, name: str
) -> None:
    path = tmp_path_factory.mktemp("jsonl") / name
    write_jsonl(corpus, path, form=form)
    back = read_jsonl(path, empty_references="keep")
    assert back == corpus
    assert list(back.systems) == list(corpus.systems)


class TestWideForm:
    def test_columns_without_another_role_are_systems(self, tsv: Write) -> None:
        path = tsv("seg|doc|domain|source|reference|A|B", "1|d|n|s|r|x|y", "2|d|n|t|q|z|")
        assert read_tsv(path) == Corpus(
            {"A": ["x", "z"], "B": ["y", ""]},
            [["r", "q"]],
            sources=["s", "t"],
            documents=["d", "d"],
            domains=["n", "n"],
        )

    def test_a_hypothesis_column_without_a_system_column_is_a_system(self, tsv: Write) -> None:
        assert list(read_tsv(tsv("reference|hypothesis", "r|h")).systems) == ["hypothesis"]

    def test_references_are_ordered_by_their_number(self, tsv: Write) -> None:
        corpus = read_tsv(tsv("reference3|A|reference2|reference1", "r3|x|r2|r1"))
        assert corpus.references == (("r1",), ("r2",), ("r3",))

    def test_several_references_may_be_stated(self, tsv: Write) -> None:
        path = tsv("human|A|post-edited", "r1|x|r2")
        corpus = read_tsv(path, columns={"reference": ["post-edited", "human"]})
        assert corpus == Corpus({"A": ["x"]}, [["r2"], ["r1"]])

    def test_several_references_may_share_a_cell(self, tmp_path: Path) -> None:
        path = tmp_path / "table.tsv"
        path.write_text("references\tA\nr1 ||| r2\tx\nq1 ||| q2|||\ty\n")
        assert read_tsv(path).references == (("r1", "q1"), ("r2", "q2|||"))

    def test_quotation_marks_are_text(self, tsv: Write) -> None:
        corpus = read_tsv(tsv("reference|A", '"r|"x "" y'))
        assert corpus == Corpus({"A": ['"x "" y']}, [['"r']])

    def test_other_names_can_be_stated(self, tsv: Write) -> None:
        path = tsv("text|human|mt1|mt2|score", "s|r|x|y|0.5")
        corpus = read_tsv(
            path, columns={"source": "text", "reference": "human"}, systems=["mt2", "mt1"]
        )
        assert corpus == Corpus({"mt2": ["y"], "mt1": ["x"]}, [["r"]], sources=["s"])

    def test_the_form_can_be_stated(self, tsv: Write) -> None:
        path = tsv("reference|system|A", "r|x|y")
        assert read_tsv(path, form="wide") == Corpus({"A": ["y"]}, [["r"]])
        both = read_tsv(path, form="wide", systems=["system", "A"])
        assert both == Corpus({"system": ["x"], "A": ["y"]}, [["r"]])

    def test_a_reference_that_was_not_asked_for_is_no_system(self, tsv: Write) -> None:
        path = tsv("reference|reference2|A", "r|q|x")
        assert read_tsv(path, columns={"reference": "reference2"}) == Corpus({"A": ["x"]}, [["q"]])

    @pytest.mark.parametrize(("chunk", "sizes"), [(1, [1, 1, 1]), (2, [2, 1]), (3, [3])])
    def test_rows_come_in_chunks(
        self, tsv: Write, jsonl: Write, chunk: int, sizes: list[int]
    ) -> None:
        table = open_tsv(tsv("reference|A", "r|x", "s|y", "t|z"), chunk=chunk)
        objects = open_jsonl(
            jsonl(*({"reference": r, "A": h} for r, h in ("rx", "sy", "tz"))), chunk=chunk
        )
        parts = list(table)
        assert [len(part) for part in parts] == sizes
        assert parts == list(objects)

    def test_chunks_come_before_a_later_row_is_looked_at(self, tsv: Write) -> None:
        parts = open_tsv(tsv("reference|A", "r|x", "too few"), chunk=1)
        assert len(next(parts)) == 1

    def test_json_may_list_the_references(self, jsonl: Write) -> None:
        path = jsonl({"references": ["r1", "r2"], "A": "x\ny"})
        assert read_jsonl(path) == Corpus({"A": ["x\ny"]}, [["r1"], ["r2"]])


class TestLongForm:
    ROWS = ("system|segment|doc|reference|hyp", "A|1|d|r|x", "A|1|e|q|y", "B|1|e|q|w", "B|1|d|r|v")

    def test_rows_may_come_in_any_order(self, tsv: Write) -> None:
        # Segment numbers begin anew in each document.
        assert read_tsv(tsv(*self.ROWS)) == Corpus(
            {"A": ["x", "y"], "B": ["v", "w"]}, [["r", "q"]], documents=["d", "e"]
        )

    def test_systems_can_be_chosen(self, tsv: Write, refused: Refused) -> None:
        path = tsv(*self.ROWS)
        corpus = read_tsv(path, systems=["B"])
        assert corpus.systems == {"B": ("w", "v")}
        with refused("MP140", "no system 'C'", path=path):
            read_tsv(path, systems=["B", "C"])

    def test_without_segment_ids_rows_go_by_their_order(self, tsv: Write) -> None:
        path = tsv("system|reference|hypothesis", "A|r|x", "B|r|y", "B|q|z", "A|q|w")
        assert read_tsv(path) == Corpus({"A": ["x", "w"], "B": ["y", "z"]}, [["r", "q"]])

    def test_other_names_can_be_stated(self, jsonl: Write) -> None:
        path = jsonl({"engine": "A", "id": 7, "mt": "x", "reference": "r", "rating": 3})
        corpus = read_jsonl(path, columns={"system": "engine", "segment": "id", "hypothesis": "mt"})
        assert corpus == Corpus({"A": ["x"]}, [["r"]])

    def test_a_missing_pair_is_an_error(self, tsv: Write, refused: Refused) -> None:
        path = tsv(*self.ROWS[:-1])
        with refused("MP144", "System 'B' has no row for the segment of line 2", path=path):
            read_tsv(path)

    def test_a_repeated_pair_is_an_error(self, tsv: Write, refused: Refused) -> None:
        path = tsv(*self.ROWS, "B|1|e|q|other")
        with refused("MP144", "in line 4 already", path=path, line=6):
            read_tsv(path)

    def test_unequal_numbers_of_rows_are_an_error(self, tsv: Write, refused: Refused) -> None:
        path = tsv("system|reference|hypothesis", "A|r|x", "B|r|y", "B|q|z")
        with refused("MP102", "'A' has 1, 'B' has 2", path=path):
            read_tsv(path)

    def test_rows_of_a_segment_must_agree(self, tsv: Write, refused: Refused) -> None:
        path = tsv("system|segment|source|reference|hypothesis", "A|1|s|r|x", "B|1|t|r|y")
        with refused("MP145", "source", "line 2", path=path, line=3):
            read_tsv(path)

    def test_a_system_needs_a_name(self, tsv: Write, refused: Refused) -> None:
        path = tsv("system|reference|hypothesis", "A|r|x", " |r|y")
        with refused("MP104", path=path, line=3):
            read_tsv(path)

    def test_it_comes_in_chunks_as_well(self, tsv: Write) -> None:
        assert [len(part) for part in open_tsv(tsv(*self.ROWS), chunk=1)] == [1, 1]


class TestColumnsThatCannotBeToldApart:
    @pytest.mark.parametrize(
        ("header", "words"),
        [
            ("source|A", "lacks a column 'reference'"),
            ("reference", "lacks a column for a system"),
            ("reference|system", "lacks a column 'hypothesis'"),
            ("reference|reference3|A", "lacks reference 2 of 3"),
            ("reference|reference1|A", "could be the reference 1"),
            ("reference|references|A", "both a column 'references' and a column 'reference'"),
            ("reference|doc|document|A", "could be the document: 'document', 'doc'"),
        ],
    )
    def test_by_their_names(
        self, tsv: Write, jsonl: Write, refused: Refused, header: str, words: str
    ) -> None:
        names = header.split("|")
        path = tsv(header, "|".join("x" for _ in names))
        with refused("MP140", words, path=path):
            read_tsv(path)
        path = jsonl(dict.fromkeys(names, "x"))
        with refused("MP140", words, path=path):
            read_jsonl(path)

    @pytest.mark.parametrize(
        ("header", "words"),
        [("reference|A|A", "column 3 occurs twice"), ("|reference|A", "column 1 is empty")],
    )
    def test_in_the_header(self, tsv: Write, refused: Refused, header: str, words: str) -> None:
        path = tsv(header, "x|y|z")
        with refused("MP140", words, path=path, line=1):
            read_tsv(path)

    def test_when_a_stated_one_is_missing(self, tsv: Write, refused: Refused) -> None:
        path = tsv("reference|A", "r|x")
        with refused("MP140", "'B'", path=path):
            read_tsv(path, systems=["B"])
        with refused("MP140", "'src_text'", path=path):
            read_tsv(path, columns={"source": "src_text"})
        with refused("MP140", "'system'", path=path):
            read_tsv(path, form="long")


class TestRefusedRows:
    @pytest.mark.parametrize("row", ["r", "r|x|y", "", "r  x"])
    def test_with_missing_or_additional_cells(self, tsv: Write, refused: Refused, row: str) -> None:
        path = tsv("reference|A", "r|x", row)
        with refused("MP141", "the header has 2", path=path, line=3):
            read_tsv(path)

    def test_with_missing_or_additional_fields(self, jsonl: Write, refused: Refused) -> None:
        first = {"reference": "r", "A": "x"}
        path = jsonl(first, {"reference": "r"})
        with refused("MP141", "no 'A'", path=path, line=2):
            read_jsonl(path)
        path = jsonl(first, {**first, "B": "y"})
        with refused("MP141", "'B'", path=path, line=2):
            read_jsonl(path)
        assert len(read_jsonl(path, systems=["A"])) == 2
        path = jsonl({"references": ["r"], "A": "x"}, {"A": "x"})
        with refused("MP141", "no 'references'", path=path, line=2):
            read_jsonl(path)

    @pytest.mark.parametrize(
        "row",
        ["", "x", "{", "[]", "null", '"x"', "[" * 100_000, "1" * 5000, '{"A":"x","A":"y"}', "{}{}"],
    )
    def test_that_are_not_json_objects(self, jsonl: Write, refused: Refused, row: str) -> None:
        path = jsonl({"reference": "r", "A": "x"}, row)
        with refused("MP142", path=path, line=2):
            read_jsonl(path)

    @pytest.mark.parametrize("value", [None, 3, True, ["x"], {"x": "y"}])
    def test_with_something_else_than_text(
        self, jsonl: Write, refused: Refused, value: object
    ) -> None:
        row = {"source": "s", "reference": "r", "A": "x"}
        for name in row:
            path = jsonl(row, {**row, name: value})
            with refused("MP103", f"{name!r}", type(value).__name__, path=path, line=2):
                read_jsonl(path)

    def test_with_references_that_are_no_list_of_strings(
        self, jsonl: Write, refused: Refused
    ) -> None:
        path = jsonl({"references": "r", "A": "x"})
        with refused("MP107", "not a list", path=path, line=1):
            read_jsonl(path)
        path = jsonl({"references": [None, "r"], "A": "x"})
        with refused("MP103", "'references'", path=path, line=1):
            read_jsonl(path)

    def test_with_half_a_surrogate_pair(self, jsonl: Write, refused: Refused) -> None:
        path = jsonl({"reference": "r", "A": "x"}, {"reference": "r", "A": "\ud83d"})
        with refused("MP106", "'A'", path=path, line=2):
            read_jsonl(path)

    def test_without_a_reference(self, jsonl: Write, refused: Refused) -> None:
        path = jsonl({"references": ["r"], "A": "x"}, {"references": [], "A": "x"})
        with refused("MP143", "no reference", path=path, line=2):
            read_jsonl(path)

    @pytest.mark.parametrize("form", ["wide", "long"])
    def test_with_an_empty_reference(self, tsv: Write, refused: Refused, form: str) -> None:
        rows = {
            "wide": ("reference|reference2|A", "r|r|x", "||", "r| |x"),
            "long": ("system|reference|reference2|hypothesis", "A|r|r|x", "A|||", "A|r| |x"),
        }[form]
        path = tsv(*rows)
        with refused("MP105", "Reference 2", "system 'A'", path=path, line=4):
            read_tsv(path, empty_references="error")
        assert read_tsv(path).references[1] == ("r", "", None)
        assert read_tsv(path, empty_references="keep").references[1] == ("r", "", " ")

    def test_when_there_are_none(self, tsv: Write, refused: Refused, tmp_path: Path) -> None:
        path = tsv("reference|A")
        with refused("MP113", "no rows", path=path):
            read_tsv(path)
        path.write_bytes(b"")
        with refused("MP113", path=path):
            read_tsv(path)
        with refused("MP113", path=path):
            read_jsonl(path)


class TestOtherColumns:
    """What is no translation is no system: an id beside three systems would be ranked as a fourth."""

    def test_columns_are_left_out_by_their_names(self, tsv: Write) -> None:
        path = tsv("ID|reference|A|comment|score", "1|r|x|bad|0.5")
        with pytest.warns(
            UserWarning, match=r"systems are 'A'; left out: 'ID', 'comment', 'score'"
        ):
            assert read_tsv(path).systems == {"A": ("x",)}

    def test_stated_columns_are_systems_whatever_they_are_called(self, tsv: Write) -> None:
        path = tsv("id|reference|A|comment", "1|r|x|y")
        assert read_tsv(path, columns={"hypothesis": "comment"}).systems == {"comment": ("y",)}
        assert read_tsv(path, systems=["A", "id"]).systems == {"A": ("x",), "id": ("1",)}

    @pytest.mark.parametrize("chunk", [1, 4096])
    def test_columns_are_left_out_by_their_cells(
        self, tsv: Write, jsonl: Write, chunk: int
    ) -> None:
        cells = [(f"doc-{n}#{n}", f"text {n}", str(n / 2)) for n in range(10)]
        text = tsv("reference|where|A|x", *(f"r|{i}|{t}|{x}" for i, t, x in cells))
        objects = jsonl(
            *({"references": ["r"], "where": i, "A": t, "x": float(x)} for i, t, x in cells)
        )
        for parts in (open_tsv(text, chunk=chunk), open_jsonl(objects, chunk=chunk)):
            with pytest.warns(UserWarning, match=r"\[MP146\].*left out: 'where', 'x'"):
                corpus = Corpus.join(parts)
            assert corpus.systems == {"A": tuple(text for _, text, _ in cells)}

    def test_numbers_are_translations_of_numbers(self, tsv: Write, jsonl: Write) -> None:
        assert set(read_tsv(tsv("reference|A", *["7|8"] * 10)).systems) == {"A"}
        rows = [{"references": ["7"], "A": "8"}] * 10
        assert set(read_jsonl(jsonl(*rows)).systems) == {"A"}

    def test_few_rows_do_not_tell_numbers_from_systems(self, tsv: Write) -> None:
        assert set(read_tsv(tsv("reference|A|x", *["r|h|8"] * 9)).systems) == {"A", "x"}

    def test_a_column_with_one_word_among_its_numbers_is_a_system(self, tsv: Write) -> None:
        path = tsv("reference|A", *["r|8"] * 9, "r|eight")
        assert set(read_tsv(path).systems) == {"A"}

    def test_a_long_cell_without_an_id_takes_no_time(self, tsv: Write) -> None:
        path = tsv("reference|A", *["r|" + "1" * 100_000 + "!"] * 10)
        assert set(read_tsv(path).systems) == {"A"}

    def test_nothing_may_be_left(self, tsv: Write, refused: Refused) -> None:
        path = tsv("reference|score", "r|x")
        with refused("MP140", "for a system ('score' is not taken for one)", path=path):
            read_tsv(path)

    def test_names_that_would_not_be_read_are_not_written(
        self, tmp_path: Path, refused: Refused
    ) -> None:
        with refused("MP131", "'id'", path=tmp_path / "table.tsv"):
            write_tsv(Corpus({"id": ["x"]}, [["r"]]), tmp_path / "table.tsv")


class TestOptions:
    @pytest.mark.parametrize("opened", [open_tsv, open_jsonl])
    @pytest.mark.parametrize(
        "options",
        [
            {"form": "tall"},
            {"chunk": 0},
            {"empty_references": "drop"},
            {"columns": {"speaker": "x"}},
            {"columns": {"source": ["x", "y"]}},
            {"columns": {"hypothesis": ["x", "x"]}},
            {"columns": {"reference": "x", "references": "y"}},
            {"systems": "A"},
            {"systems": []},
            {"systems": ["A", "A"]},
        ],
    )
    def test_are_checked_before_the_file_is_opened(
        self,
        refused: Refused,
        opened: Callable[..., Iterator[Corpus]],
        options: dict[str, object],
    ) -> None:
        with refused("MP109" if {"columns", "systems"} & options.keys() else "MP108"):
            opened("none", **options)

    def test_a_wide_table_has_no_system_column(self, tsv: Write, refused: Refused) -> None:
        path = tsv("reference|mt", "r|x")
        with refused("MP109", "stating hypothesis", path=path):
            read_tsv(path, columns={"system": "mt"}, form="wide")

    def test_the_hypotheses_of_a_wide_table_are_its_systems(
        self, tsv: Write, refused: Refused
    ) -> None:
        path = tsv("human|mt|notes|pe", "r|x|n|y")
        corpus = read_tsv(path, columns={"reference": "human", "hypothesis": "mt"})
        assert (corpus.references, corpus.systems) == ((("r",),), {"mt": ("x",)})
        columns = {"reference": "human", "hypothesis": ["pe", "mt"]}
        assert list(read_tsv(path, columns=columns).systems) == ["pe", "mt"]
        with refused("MP109", "stated twice", path=path):
            read_tsv(path, columns=columns, systems=["mt"])
        with refused("MP140", "'nmt'", path=path):
            read_tsv(path, columns={"reference": "human", "hypothesis": "nmt"})

    def test_a_long_table_has_one_hypothesis_column(self, tsv: Write, refused: Refused) -> None:
        path = tsv("system|reference|mt|pe", "A|r|x|y")
        with refused("MP140", "hypothesis", path=path):
            read_tsv(path, columns={"hypothesis": ["mt", "pe"]})


class TestWriting:
    @pytest.mark.parametrize("text", ["a\tb", "a\nb", "a\0b", "a\r"])
    def test_tsv_refuses_what_it_cannot_hold(
        self, tmp_path: Path, refused: Refused, text: str
    ) -> None:
        path = tmp_path / "t.tsv"
        with refused("MP131", "JSONL", path=path, line=3):
            write_tsv(Corpus({"A": ["x", text]}, [["r", "r"]]), path)
        assert not path.exists()

    def test_tsv_refuses_system_names_that_are_no_column_names(
        self, tmp_path: Path, refused: Refused
    ) -> None:
        with refused("MP131", "tab", path=tmp_path / "t", line=1):
            write_tsv(Corpus({"A\tB": ["x"]}, [["r"]]), tmp_path / "t")

    @pytest.mark.parametrize("name", ["source", "src", "system", "reference", "ref7", "segment"])
    @pytest.mark.parametrize("write", [write_tsv, write_jsonl])
    def test_a_system_named_like_a_column_needs_long_form(
        self, tmp_path: Path, refused: Refused, name: str, write: Callable[..., None]
    ) -> None:
        corpus = Corpus({name: ["x"]}, [["r"]])
        path = tmp_path / "t"
        with refused("MP131", "long", path=path):
            write(corpus, path)
        write(corpus, path, form="long")
        assert {write_tsv: read_tsv, write_jsonl: read_jsonl}[write](path) == corpus

    @pytest.mark.parametrize("write", [write_tsv, write_jsonl])
    def test_forms_and_overwriting_are_checked(
        self, tmp_path: Path, refused: Refused, write: Callable[..., None]
    ) -> None:
        corpus = Corpus({"A": ["x"]}, [["r"]])
        with refused("MP108"):
            write(corpus, tmp_path / "t", form="tall")
        write(corpus, tmp_path / "t", overwrite=False)
        with refused("MP130", path=tmp_path / "t"):
            write(corpus, tmp_path / "t", overwrite=False)

    def test_tsv_is_the_text_one_expects(self, tmp_path: Path) -> None:
        corpus = Corpus({"A": ["x"], "B": ["y"]}, [["r"], ["q"]], documents=["d"])
        write_tsv(corpus, tmp_path / "wide")
        assert (tmp_path / "wide").read_text() == (
            "document\treference\treference2\tA\tB\nd\tr\tq\tx\ty\n"
        )
        write_tsv(corpus, tmp_path / "long.gz", form="long")
        assert gzip.decompress((tmp_path / "long.gz").read_bytes()).decode() == (
            "system\tsegment\tdocument\treference\treference2\thypothesis\n"
            "A\t1\td\tr\tq\tx\n"
            "B\t1\td\tr\tq\ty\n"
        )
