"""``metaphrase explain --format spans`` and its like: which segments, whose lines, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cli.bundled import REFERENCE, SYSTEMS, TEXTS, Fails, Prints
from metaphrase.corpus.formats.judged.error_spans import read_error_spans
from metaphrase.metrics.repairs import SEVERITIES
from sarif_logs import check_sarif

PAIR = ["--language-pair", "de-en"]
LONG = " ".join(["word"] * 1001)


def texts(folder: Path, hypotheses: list[str], references: list[str]) -> list[str]:
    for name, lines in (("ref", references), ("mine", hypotheses)):
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    return [str(folder / "ref.txt"), "-i", str(folder / "mine.txt"), "-m", "chrf"]


def test_all_segments_of_all_systems_are_written(tmp_path: Path, prints: Prints) -> None:
    path = tmp_path / "errors.jsonl"
    prints("explain", *TEXTS, "-m", "chrf", "--all", "--format", "spans", "-o", path)
    (ratings,) = read_error_spans(path)
    assert (len(ratings.ratings), ratings.judges) == (24, ("chrf",))
    for rating in ratings.ratings:
        text = ratings.items[rating.item].hypothesis
        spans = [error.span for error in rating.errors or () if error.span]
        assert spans == sorted(spans)
        assert all(text[slice(*span)].strip() for span in spans)


def test_the_worst_are_those_that_are_explained(prints: Prints) -> None:
    command = ["explain", *TEXTS, "-m", "chrf", "--worst", "3", "--format"]
    spans = list(map(json.loads, prints(*command, "spans").splitlines()))
    explained = json.loads(prints(*command, "json"))
    assert [(one["system"], int(one["seg"])) for one in spans] == [
        (one["system"], one["segment"]) for one in explained
    ]
    for one, other in zip(spans, explained, strict=True):
        (rating,) = one["ratings"]
        assert rating["score"] == other["score"]
        points = [repair["points"] for repair in other["repairs"]]
        marked = sum(span["points"] for span in rating["spans"])
        assert marked == pytest.approx(sum(one for one in points if one >= SEVERITIES.minor))


def test_several_metrics_are_several_raters(prints: Prints) -> None:
    printed = prints("explain", *TEXTS, "-m", "chrf", "ter", "--segment", "2", "--format", "spans")
    rows = [json.loads(line) for line in printed.splitlines()]
    assert [(row["system"], row["ratings"][0]["rater"]) for row in rows] == [
        ("system-a", "chrf"), ("system-b", "chrf"), ("system-a", "ter"), ("system-b", "ter"),
    ]  # fmt: skip


def test_every_segment_can_be_explained_as_text(prints: Prints) -> None:
    printed = prints("explain", REFERENCE, "-i", SYSTEMS[1], "-m", "chrf", "--all")
    assert printed.count("segment ") == 12


def test_a_text_needs_no_file(prints: Prints) -> None:
    pair = ["--reference", "the small cat", "--hypothesis", "the big cat"]
    (row,) = prints("explain", *pair, "-m", "chrf", "--format", "spans").splitlines()
    assert json.loads(row)["ratings"][0]["spans"][0]["start"] == 4
    (result,) = check_sarif(prints("explain", *pair, "-m", "chrf", "--format", "sarif"))
    assert "physicalLocation" not in result["locations"][0]


def test_sarif_names_file_line_and_columns(tmp_path: Path, prints: Prints) -> None:
    given = texts(tmp_path, ["no", "the big cat"], ["no", "the small cat"])
    (result,) = check_sarif(prints("explain", *given, "--all", "--format", "sarif"))
    physical = result["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"]["uri"].endswith("/mine.txt")
    assert physical["region"] == {"startLine": 2, "startColumn": 5, "endColumn": 8}


def test_columns_of_a_table_are_not_those_of_the_text(tmp_path: Path, prints: Prints) -> None:
    table = tmp_path / "texts.tsv"
    table.write_text("reference\tmine\nthe small cat\tthe big cat\n")
    (result,) = check_sarif(
        prints("explain", "--corpus", table, "-m", "chrf", "--all", "--format", "sarif")
    )
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 2}


def test_xliff_has_a_file_for_each_system(prints: Prints) -> None:
    page = prints("explain", *TEXTS, "-m", "chrf", "--all", "--format", "its", *PAIR)
    files = list(ElementTree.fromstring(page))
    assert [one.get("original") for one in files] == ["system-a", "system-b"]
    assert {len(one) for one in files} == {12}


@pytest.mark.parametrize("form", ["wmt-spans", "wmt-tsv", "its"])
def test_formats_that_name_languages_need_them(form: str, fails: Fails) -> None:
    fails(2, ("MP535", "--language-pair"), "explain", *TEXTS, "--format", form)
    pair = ["--language-pair", "German"]
    fails(2, "MP162", "explain", *TEXTS, "--format", form, *pair)


@pytest.mark.parametrize("form", ["wmt-tsv", "pearmut", "its"])
def test_some_have_the_errors_of_one_metric(form: str, fails: Fails) -> None:
    metrics = ["-m", "chrf", "bleu"]
    fails(2, ("MP535", "one metric"), "explain", *TEXTS, *metrics, "--format", form, *PAIR)


@pytest.mark.parametrize("option", ["--compare", "--details"])
def test_they_have_nothing_else_to_say(option: str, fails: Fails) -> None:
    fails(2, ("MP535", option), "explain", *TEXTS, option, "--format", "spans")


def test_a_metric_without_repairs_has_no_spans(fails: Fails) -> None:
    fails(2, "MP502", "explain", *TEXTS, "-m", "nist", "--format", "spans")


class TestRejectedSegments:
    """A thousand words are too many edits for anybody (MP510)."""

    def given(self, folder: Path) -> list[str]:
        return [*texts(folder, ["the big cat", LONG, "no"], ["the small cat", LONG, "no"]), "--all"]

    def test_the_segment_is_named_with_its_line(self, tmp_path: Path, fails: Fails) -> None:
        path = tmp_path / "a.jsonl"
        command = ["explain", *self.given(tmp_path), "--format", "spans", "-o", path]
        fails(1, ("MP510", "mine.txt, line 2"), *command)
        assert not path.exists()

    def test_it_can_be_left_out(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        from metaphrase.cli import main

        command = ["explain", *self.given(tmp_path), "--format", "spans", "--on-error", "skip"]
        assert main(command) == 0
        out, err = capsys.readouterr()
        assert [json.loads(line)["seg"] for line in out.splitlines()] == ["1", "3"]
        assert "segment 2 of mine: skipped by chrf" in err
