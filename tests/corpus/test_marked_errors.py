"""Marked errors of every format that has them, with the texts that they are marked in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corpus.malformed_judgements import MAROT, MQM, error, logged
from metaphrase.corpus.opening import read_marked_errors
from metaphrase.corpus.ratings import MarkedError
from metaphrase.errors import InputError


def written(path: Path, *lines: str) -> str:
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return str(path)


def esa(end: str = "2", **more: object) -> str:
    usual = {
        "langs": "en-cs", "line_id": 0, "src": "the cat", "tgt": "pes", "doc_id": "d", "domain": "news",
        "esa_spans": [{"start_i": 0, "end_i": 3, "severity": "major"}], "esa_score": 50,
        "times": ["1", end], "system": "A", "annotator": "ann",
    }  # fmt: skip
    return json.dumps(usual | more)


def test_esa_has_texts_and_spans(tmp_path: Path) -> None:
    missing = [{"start_i": "missing", "end_i": "missing", "severity": "minor"}]
    path = written(
        tmp_path / "esa.jsonl",
        esa(),
        esa("9", esa_spans=[]),
        esa("5", annotator="bob", esa_spans=missing),
    )
    (found,) = read_marked_errors([path])
    (item,) = found.items.values()
    assert (found.name, found.language_pair) == ("esa", "en-cs")
    assert (item.system, item.document, item.segment) == ("A", "d", "0")
    assert (item.source, item.hypothesis) == ("the cat", "pes")
    # The last word of a rater counts.
    assert [(r.judge, r.errors, r.line) for r in found.ratings] == [
        ("ann", (), 2),
        ("bob", (MarkedError("minor"),), 3),
    ]


def test_esa_finds_references_by_documents(tmp_path: Path) -> None:
    rows = [
        {"reference": "canary", "A": "c", "document": "canary"},
        {"reference": "kočka", "A": "pes", "document": "d"},
    ]
    texts = written(tmp_path / "texts.jsonl", *map(json.dumps, rows))
    path = written(tmp_path / "esa.jsonl", esa())
    (found,) = read_marked_errors([path], texts=texts)
    assert [item.references for item in found.items.values()] == [("kočka",)]


@pytest.mark.parametrize(
    "change",
    [{"tgt": 5}, {"esa_spans": None}, {"esa_spans": [{"start_i": -1, "end_i": 2}]}],
)
def test_esa_without_texts_or_spans(change: dict[str, object], tmp_path: Path) -> None:
    path = written(tmp_path / "esa.jsonl", esa(), esa(system="B", **change))
    with pytest.raises(InputError, match=r"MP776.*line 2"):
        read_marked_errors([path])


def test_esa_with_two_texts_of_one_translation(tmp_path: Path) -> None:
    path = written(tmp_path / "esa.jsonl", esa(), esa(annotator="bob", tgt="kočka"))
    with pytest.raises(InputError, match=r"MP776.*line 2"):
        read_marked_errors([path])


@pytest.mark.parametrize("form", ["mqm", "marot"])
def test_mqm_is_given_references_and_a_pair(form: str, tmp_path: Path) -> None:
    lines = [MQM, error(seg="2", target="a <v>b</v>")]
    if form == "marot":
        lines = [
            MAROT.format("{}").replace("\ta\t", "\ta <v>b</v>\t").replace("\t1\t1\t", "\t1\t2\t")
        ]
    path = written(tmp_path / "errors.tsv", *lines)
    (found,) = read_marked_errors([path], language_pair="de-en", references=[["x", "y"]])
    (item,) = found.items.values()
    (rating,) = found.ratings
    assert found.language_pair == "de-en"
    assert (item.hypothesis, item.references) == ("a b", ("y",))
    assert [error.span for error in rating.errors or ()] == [(2, 3)]
    with pytest.raises(InputError, match="MP181"):
        read_marked_errors([path], references=[["x"]])
    with pytest.raises(InputError, match="MP102"):
        read_marked_errors([path], references=[["x", "y"], ["x"]])


def test_pearmut_needs_no_weights(tmp_path: Path) -> None:
    span = {"start_i": 0, "end_i": 0, "severity": "undecided"}
    path = written(tmp_path / "log.jsonl", logged(annotation=[{"A": {"error_spans": [span]}}]))
    (found,) = read_marked_errors([path], language_pair="de-en")
    assert found.ratings[0].errors == (MarkedError("undecided", "", (0, 1)),)
