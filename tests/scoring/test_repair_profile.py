"""What systems lose, by kind of error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import metaphrase
from metaphrase.cli import main
from metaphrase.errors import OptionError
from metaphrase.scoring.repair_losses import TOO_LONG, UNMATCHED

REFERENCES = [
    "The minister opened the new bridge on Monday.",
    "She sold 15 cars in May.",
    "The old man slept.",
    "He came home after midnight.",
    "Prices fell again.",
    "Nobody knows the answer.",
]
#: Written for this test: one system has two errors, the other more of other kinds.
BETTER = [
    "The minister opened the new bridge on Monday.",
    "She sold 16 cars in May.",
    "The old man slept.",
    "He came home midnight.",
    "Prices fell again.",
    "Nobody knows the answer.",
]
WORSE = [
    "The minister opened the bridge on Monday.",
    "She sold 17 cars in May.",
    "The young man slept.",
    "He came home.",
    "Again prices fell.",
    "xyz",
]


def corpus(**columns: list[str]) -> metaphrase.Corpus:
    return metaphrase.Corpus({"a": BETTER, "b": WORSE}, [REFERENCES], **columns)


@pytest.mark.parametrize("name", ["chrf", "ter", "accord"])
def test_kinds_add_up_to_what_is_lost(name: str) -> None:
    metric = metaphrase.create(name)
    found = metaphrase.profile(corpus(), metric)
    sign = 1 if metric.higher_is_better else -1
    for system in found.systems:
        lost = sum(one.points for one in system.kinds)
        assert lost == pytest.approx(system.lost, abs=1e-9)
        assert lost == pytest.approx(sign * (system.maximum - system.score), abs=1e-9)
        assert all(one.low is None for one in system.kinds)  # of six segments
    assert found.segments == found.of_segments == len(REFERENCES)


def test_kinds_are_counted_by_segments() -> None:
    one, other = metaphrase.profile(corpus(), metaphrase.Chrf()).systems
    assert {kind.kind: kind.segments for kind in one.kinds} == {
        "wrong number": 1,
        "missing words": 1,
    }
    kinds = {kind.kind: kind.segments for kind in other.kinds}
    assert kinds == {
        "missing words": 2,
        "wrong number": 1,
        "wrong word": 1,
        "word order": 1,
        UNMATCHED: 1,
    }


def test_the_difference_is_that_of_what_both_lose() -> None:
    found = metaphrase.profile(corpus(), metaphrase.Chrf())
    one, other = found.systems
    difference = found.difference
    assert difference is not None
    assert (difference.better, difference.worse) == ("a", "b")
    assert difference.points == pytest.approx(other.lost - one.lost)
    assert sum(kind.points for kind in difference.kinds) == pytest.approx(difference.points)
    assert (difference.low, difference.high) == (None, None)
    # Of the segments that differ, five, the least p is 1/16.
    assert difference.p_value > 0.05
    assert difference.untestable is not None
    # "xyz" alone makes 100 of 223 points.
    assert difference.half == 2


def test_equal_systems_have_no_difference_to_explain() -> None:
    same = metaphrase.Corpus({"a": WORSE, "b": WORSE}, [REFERENCES])
    found = metaphrase.profile(same, metaphrase.Chrf()).difference
    assert found is not None
    assert (found.points, found.kinds, found.half, found.p_value) == (0, (), 0, 1)


def test_of_enough_segments_there_are_intervals() -> None:
    many = metaphrase.Corpus({"a": BETTER * 4, "b": WORSE * 4}, [REFERENCES * 4])
    found = metaphrase.profile(many, metaphrase.Chrf())
    for one in [*found.systems[0].kinds, *found.systems[1].kinds]:
        assert one.low is not None
        assert one.high is not None
        assert one.low <= one.points <= one.high
    assert found.difference is not None
    assert found.difference.low is not None
    assert 0 < found.difference.low < found.difference.points
    assert found.difference.p_value < 0.05


def test_one_system_or_three_have_no_difference() -> None:
    for systems in ({"a": BETTER}, {"a": BETTER, "b": WORSE, "c": WORSE}):
        found = metaphrase.profile(metaphrase.Corpus(systems, [REFERENCES]), metaphrase.Chrf())
        assert found.difference is None


def test_repairs_that_come_again_are_listed() -> None:
    texts = [f"The {noun} was sold." for noun in ("house", "car", "boat")]
    without = [text.replace("The", "A") for text in texts]
    (system,) = metaphrase.profile(
        metaphrase.Corpus({"a": without}, [texts]), metaphrase.Chrf()
    ).systems
    (again,) = system.frequent
    assert (again.before, again.after, again.count) == ("a", "the", 3)
    assert again.points == pytest.approx(3 * system.lost)


def test_documents_domains_and_lengths_have_their_own_losses() -> None:
    documents = ["x", "x", "x", "y", "y", "y"]
    found = metaphrase.profile(corpus(documents=documents), metaphrase.Chrf())
    for system in found.systems:
        of = {(one.by, one.name): one for one in system.groups}
        assert [name for by, name in of if by == "length"] == ["short", "medium", "long"]
        words = [one.words for (by, _), one in of.items() if by == "length"]
        assert words == [(3, 4), (4, 5), (6, 8)]  # the references have 8, 6, 4, 5, 3 and 4
        assert of["document", "x"].words is None
        both = [of["document", name] for name in ("x", "y")]
        assert sum(one.points * one.segments for one in both) / 6 == pytest.approx(system.lost)
        for one in of.values():
            assert sum(one.kinds.values()) == pytest.approx(one.points)


def test_a_large_corpus_is_sampled() -> None:
    found = metaphrase.profile(corpus(), metaphrase.Chrf(), segments=3)
    assert (found.segments, found.of_segments) == (3, 6)
    everything = metaphrase.profile(corpus(), metaphrase.Chrf())
    assert [one.score_of_all for one in everything.systems] == [None, None]
    # What the sample misses the mean by can be told: that of all segments is cheap to know.
    for one, whole in zip(found.systems, everything.systems, strict=True):
        assert one.score_of_all == pytest.approx(whole.score)
        assert one.score != pytest.approx(whole.score)
    assert found == metaphrase.profile(corpus(), metaphrase.Chrf(), segments=3)
    with pytest.raises(OptionError, match="MP508"):
        metaphrase.profile(corpus(), metaphrase.Chrf(), segments=0)


def test_segments_that_the_metric_refused_are_left_out() -> None:
    texts = metaphrase.Corpus({"a": ["a b c", "x " * 30]}, [["a b d", "x " * 30]])
    metric = metaphrase.create("ter:longest=20")
    with pytest.warns(UserWarning, match="MP518"):
        scores = metaphrase.score(texts, [metric], on_error="skip", check_language=False)
    found = metaphrase.profile(texts, metric, scores=scores)
    assert (found.segments, found.of_segments) == (1, 1)
    assert [one.kind for one in found.systems[0].kinds] == ["wrong word"]


def test_what_is_too_long_to_repair_is_counted_as_such() -> None:
    long = " ".join(f"word{number}" for number in range(1500))
    texts = metaphrase.Corpus({"a": ["a cat", f"{long} more"]}, [["a dog", long]])
    (system,) = metaphrase.profile(texts, metaphrase.Chrf()).systems
    assert {one.kind: one.segments for one in system.kinds} == {"wrong word": 1, TOO_LONG: 1}
    assert sum(one.points for one in system.kinds) == pytest.approx(system.lost)


def test_the_reference_that_a_segment_scores_best_with_is_taken() -> None:
    other = ["The minister has opened a bridge.", *REFERENCES[1:]]
    both = metaphrase.Corpus({"a": [other[0], *BETTER[1:]]}, [REFERENCES, other])
    (system,) = metaphrase.profile(both, metaphrase.Accord()).systems
    assert {one.kind for one in system.kinds} == {"wrong number", "missing words"}


class TestCommand:
    @pytest.fixture
    def files(self, tmp_path: Path) -> list[str]:
        for name, texts in (("ref", REFERENCES), ("a", BETTER), ("b", WORSE)):
            (tmp_path / name).write_text("\n".join([*texts, ""]))
        return [str(tmp_path / "ref"), "-i", *(str(tmp_path / name) for name in "ab")]

    def test_the_table_says_why(self, files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["profile", *files, "-m", "chrf"]) == 0
        shown = capsys.readouterr().out
        said = " ".join(shown.split())
        assert "a scores 37.1 chrf higher than b on average over 6 segments, with too few" in said
        assert "2 segments of 6 make half of the difference." in said
        assert UNMATCHED in shown
        assert "thirds of the segments: up to 4, 5 and 8 words" in " ".join(shown.split())
        assert main(["profile", *files, "-m", "chrf", "--segments", "4"]) == 0
        shown = capsys.readouterr().out
        assert "a sample of 4 of 6 segments" in shown
        assert "score of all 6" in shown

    def test_programs_get_every_digit(
        self, files: list[str], capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["profile", *files, "-m", "chrf", "ter", "--format", "json"]) == 0
        one, other = json.loads(capsys.readouterr().out)
        assert (one["metric"], other["metric"]) == ("chrf", "ter")
        assert one["systems"][0]["kinds"]
        assert main(["profile", *files, "-m", "chrf", "ter", "--format", "tsv"]) == 0
        header, *rows = [row.split("\t") for row in capsys.readouterr().out.splitlines()]
        assert header == ["metric", "system", "kind", "points", "low", "high", "segments"]
        assert {row[0] for row in rows} == {"chrf", "ter"}
        assert float(rows[0][3]) == one["systems"][0]["kinds"][0]["points"]

    def test_metrics_that_look_beyond_the_segment_are_refused(
        self, files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        documents = tmp_path / "documents.txt"
        documents.write_text("one\n" * len(Path(files[0]).read_text("utf-8").splitlines()))
        asked = [*files, "-m", "pbe:tfidf", "--documents", str(documents)]
        assert main(["profile", *asked]) == 2
        assert "MP502" in capsys.readouterr().err

    def test_those_that_can_count_what_they_need_are_not(
        self, files: list[str], capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["profile", *files, "-m", "nist", "--format", "json"]) == 0
        (found,) = json.loads(capsys.readouterr().out)
        for system in found["systems"]:
            assert system["maximum"] - system["score"] == pytest.approx(system["lost"], abs=1e-9)


def test_a_metric_has_a_name_and_a_profile_is_printed_as_its_tables() -> None:
    corpus = metaphrase.Corpus({"a": ["a cat", "no"]}, [["a cat sat", "no"]])
    found = metaphrase.profile(corpus, "ter")
    assert found == metaphrase.profile(corpus, metaphrase.Ter())
    assert str(found).startswith("ter · 1 system · 2 segments\n")
