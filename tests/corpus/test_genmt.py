"""WMT 2025's judgements with all texts, one segment per line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaphrase.cli import main
from metaphrase.corpus.formats.judged.genmt import read_genmt
from metaphrase.corpus.formats.judged.judgement_files import read_judgements
from metaphrase.corpus.formats.registry import format_of
from metaphrase.errors import InputError, OptionError


def segment(place: str, scores: dict[str, Any], **targets: str | None) -> dict[str, Any]:
    """A line as the README of wmt-conference/wmt25-general-mt shows it."""
    return {"scores": scores, "src_text": f"source {place}", "tgt_text": targets, "doc_id": place}


def esa(*given: tuple[str, float]) -> dict[str, Any]:
    """A system's scores, of one judge after another."""
    row: dict[str, Any] = {}
    for number, (judge, score) in enumerate(given, 1):
        row |= {f"human{number}": score, f"annotator{number}": judge, f"errors{number}": []}
    return row


SEGMENTS = [
    segment(
        "cs-de_DE_#_news_#_d.1_#_0",
        {"A": esa(("j1", 90), ("j2", 70)), "B": esa(("j1", 50)), "refA": esa(("j1", 100))},
        refA="r0", A="a0", B="b0", C="c0",
    ),
    segment("cs-de_DE_#_news_#_d.1_#_1", {}, refA="r1", A="a1", B="b1"),  # nobody judged it
    segment(
        "cs-de_DE_#_social_#_e_#_0", {"A": esa(("j2", 0)), "B": esa(("j2", 40))},
        refA="r2", A="a\n\n2", B="b2", C=None,
    ),
    segment("en-it_IT_#_speech_#_f_#_0", {"A": esa(("j3", 30))}, A="no reference"),
]  # fmt: skip


def written(folder: Path, *rows: Any, name: str = "wmt25-genmt-humeval.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows or SEGMENTS))
    return path


def test_texts_scores_and_places_come_from_the_file(tmp_path: Path) -> None:
    path = written(tmp_path)
    found = format_of(path)
    assert found is not None
    assert found.name == "genmt-jsonl"
    judged = read_genmt(path)
    assert list(judged) == ["cs-de_DE"]  # en-it has no reference
    one = judged["cs-de_DE"]
    assert one.systems == ("A", "B")  # refA is no system, and nobody judged C
    assert one.segments == ("d.1:0", "e:0")
    assert one.domains == ("news", "social")
    np.testing.assert_array_equal(one.human, [[80, 0], [50, 40]])
    text = one.texts[one.text_of[0, 1]]
    assert (text.hypothesis, text.references) == ("a 2", ("r2",))
    assert text.source == "source cs-de_DE_#_social_#_e_#_0"
    assert one.target == "de"


def test_several_references_and_judges(tmp_path: Path) -> None:
    row = segment(
        "en-cs_CZ_#_news_#_d_#_0",
        {"A": esa(("j1", 90), ("j2", 70)), "B": esa(("j1", 60))},
        refA="r", refB="s", refC=None, A="a", B="b",
    )  # fmt: skip
    path = written(tmp_path, row)
    one = read_genmt(path)["en-cs_CZ"]
    assert one.texts[0].references == ("r", "s")
    twice = read_genmt(path, min_judgements=2)["en-cs_CZ"]
    assert twice.systems == ("A",)
    # j1 gave 90 and 60 (mean 75, deviation 21.2), j2 one score only, which counts as the judge's average.
    z = read_genmt(path, human="z")["en-cs_CZ"]
    np.testing.assert_allclose(z.human[:, 0], [(15 / 450**0.5 + 0) / 2, -15 / 450**0.5])


def test_control_items_have_lists_of_judgements(tmp_path: Path) -> None:
    said = [{"human": 90, "annotator": "j1", "errors": []}, {"human": 80, "annotator": "j2"}]
    row = segment("en-cs_CZ_#_news_#_d_#_0", {"A": said}, refA="r", A="a")
    path = written(tmp_path, row, name="wmt25-genmt-humeval_control.jsonl")
    assert read_genmt(path)["en-cs_CZ"].human.tolist() == [[85]]


def test_it_becomes_judgements_of_ours(tmp_path: Path) -> None:
    path, output = written(tmp_path), tmp_path / "judgements.tsv"
    assert main(["convert", str(path), "--to", "judgements", "-o", str(output)]) == 0
    (own,) = read_judgements(output).values()
    (there,) = read_genmt(path).values()
    assert own.systems == there.systems
    np.testing.assert_array_equal(own.human, there.human)
    assert own.domains == there.domains


def test_meta_measures_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["meta", str(written(tmp_path)), "-m", "chrf", "--resamples", "0"]
    assert main(command) == 0
    assert "cs-de" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"doc_id": "news_#_d_#_0"}, "doc_id"),
        ({"doc_id": 7}, "doc_id"),
        ({"src_text": None}, "src_text"),
        ({"tgt_text": ["a"]}, "tgt_text"),
        ({"scores": None}, "scores"),
        ({"scores": {"A": {"human1": 101}}}, "from 0 to 100"),
        ({"scores": {"A": {"human1": "good"}}}, "from 0 to 100"),
        ({"scores": {"Z": {"human1": 10}}}, "has no text"),
    ],
)
def test_faults_name_the_line(change: dict[str, Any], said: str, tmp_path: Path) -> None:
    path = written(tmp_path, SEGMENTS[0], SEGMENTS[0] | change)
    with pytest.raises(InputError, match=f"MP776.*{said}") as caught:
        read_genmt(path)
    assert caught.value.line == 2


def test_what_leaves_nothing_is_refused(tmp_path: Path) -> None:
    for options in ({"pairs": ["de-en"]}, {"min_judgements": 3}):
        with pytest.raises(InputError, match="MP"):
            read_genmt(written(tmp_path), **options)
    with pytest.raises(InputError):
        read_genmt(written(tmp_path, SEGMENTS[3]))
    with pytest.raises(OptionError, match="MP187"):
        read_genmt(written(tmp_path), human="best")  # type: ignore[arg-type]
