"""Doubts about texts and scores: each is raised where it should be, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal, localcontext
from math import factorial

import numpy as np
import pytest

from metaphrase import Corpus, create, score
from metaphrase.scoring.doubts.doubt import Doubt
from metaphrase.scoring.doubts.reference_copies import poisson_tail
from metaphrase.scoring.doubts.score_doubts import score_doubts
from metaphrase.scoring.doubts.text_doubts import TextDoubts
from metaphrase.scoring.ranking import rank_scores
from metaphrase.scoring.system_difference import system_difference

WORDS = (
    "the old house by river was sold to young family from north who wanted more light and garden "
    "where children could play when summer comes again with long warm evenings near water"
).split()


def sentence(generator: np.random.Generator) -> str:
    return " ".join(generator.choice(WORDS, 12).tolist()) + "."


def garbled(text: str, share: float, generator: np.random.Generator) -> str:
    """So many of its words replaced by others."""
    return " ".join(
        str(generator.choice(WORDS)) if generator.random() < share else word
        for word in text.split()
    )


def usual(systems: int = 10, segments: int = 120) -> dict[str, list[str]]:
    """A reference and systems that are more or less far from it, none like another."""
    generator = np.random.default_rng(11)
    original = [sentence(generator) for _ in range(segments)]
    columns = {"reference": [garbled(text, 0.15, generator) for text in original]}
    for number in range(systems):
        share = 0.15 + 0.05 * number
        columns[f"s{number}"] = [garbled(text, share, generator) for text in original]
    return columns


def found(columns: dict[str, list[str]], **optional: Sequence[str]) -> list[Doubt]:
    systems = {name: texts for name, texts in columns.items() if name != "reference"}
    corpus = Corpus(systems, [columns["reference"]], **optional)
    doubts = TextDoubts(["en"])
    for _ in doubts.watched(corpus.pieces(50)):
        pass
    return list(doubts.found())


def kinds(doubts: Sequence[Doubt]) -> list[str]:
    return [doubt.kind for doubt in doubts]


def test_usual_systems_raise_none() -> None:
    assert found(usual()) == []


def test_two_versions_of_a_system_may_be_alike() -> None:
    columns = usual(1)
    columns["new"] = [*columns["s0"][:-1], "something else for once in the last segment"]
    assert found(columns) == []


class TestReferenceCopies:
    def copied(self, counts: Sequence[int], systems: int = 12) -> list[Doubt]:
        columns = usual(systems)
        for number, count in enumerate(counts):
            # Not the same segments of all, or they would be segments that are easy to translate.
            places = range(number * 7, number * 7 + count)
            for place in places:
                columns[f"s{number}"][place] = columns["reference"][place]
        return found(columns)

    def test_many_are_told_with_their_numbers(self) -> None:
        (doubt,) = self.copied([38, 34, 31])
        assert doubt.kind == "reference-copies"
        assert doubt.systems == ("s0", "s1", "s2")
        # By chance two more of s1 and one of s2 are equal.
        assert "s0, s1 and s2 equal the reference in 38, 36 and 32 of 120 segments" in doubt.text
        assert "the others in 0 to 1 (Poisson test" in doubt.text

    def test_a_few_are_not(self) -> None:
        assert self.copied([2, 1, 1, 2, 1, 3, 2, 1, 2, 1, 1, 2]) == []

    def test_what_most_systems_copy_is_easy(self) -> None:
        columns = usual()
        for number in range(9):
            columns[f"s{number}"][:30] = columns["reference"][:30]
        assert "reference-copies" not in kinds(found(columns))

    def test_the_reference_itself_is_no_system(self) -> None:
        columns = usual(3)
        columns["mine"] = columns["reference"]
        (doubt,) = found(columns)
        assert doubt.kind == "reference-as-system"
        assert "mine equals the reference in all 120 segments" in doubt.text

    @pytest.mark.parametrize(("count", "mean"), [(1, "0.5"), (2, "4"), (10, "4"), (31, "6.5")])
    def test_the_tail_is_that_of_poissons_distribution(self, count: int, mean: str) -> None:
        # One minus what is below, by its definition, with digits enough to subtract.
        with localcontext() as context:
            context.prec = 60
            rate = Decimal(mean)
            below = sum(rate**i / factorial(i) for i in range(count)) * (-rate).exp()
            expected = float(1 - below)
        assert poisson_tail(count, float(mean)) == pytest.approx(expected, rel=1e-9, abs=0)


class TestEqualSystems:
    def test_near_copies_are_told(self) -> None:
        columns = usual()
        columns["twin"] = [*(text.upper() for text in columns["s3"][:100]), *columns["s4"][100:]]
        (doubt,) = found(columns)
        assert doubt.kind == "equal-systems"
        assert doubt.text == (
            "s3 and twin are nearly each other's copy: equal in 100 of 120 segments of 20 characters "
            "and more (two systems usually in 0%)."
        )

    def test_the_same_file_twice_is_told(self) -> None:
        columns = usual(1)
        columns["again"] = columns["s0"]
        (doubt,) = found(columns)
        assert doubt.text == "s0 and again are equal in all 120 segments."

    def test_so_are_systems_that_are_all_equal(self) -> None:
        columns = usual(1)
        columns |= {"b": columns["s0"], "c": columns["s0"]}
        (doubt,) = found(columns)
        assert doubt.text == "s0, b and c are equal in all 120 segments."


class TestReferenceOrigin:
    def test_a_reference_made_from_a_system_is_told(self) -> None:
        columns = usual()
        generator = np.random.default_rng(3)
        columns["reference"] = [garbled(text, 0.1, generator) for text in columns["s4"]]
        (doubt,) = (doubt for doubt in found(columns) if doubt.kind == "reference-origin")
        assert doubt.systems == ("s4",)
        assert doubt.numbers["p_value"] < 0.001  # type: ignore[operator]

    @pytest.mark.parametrize("text", ["", "the", "nothing here is like anything of them at all"])
    def test_a_bad_system_says_nothing_of_the_reference(self, text: str) -> None:
        columns = usual()
        columns["bad"] = [text or " ".join(line.split()[::2]) for line in columns["s9"]]
        assert "reference-origin" not in kinds(found(columns))

    def test_few_systems_say_nothing(self) -> None:
        columns = usual(4)
        columns["reference"] = [f"{text} indeed" for text in columns["s1"]]
        assert found(columns) == []


class TestBrokenLines:
    @pytest.mark.parametrize(
        ("kind", "hypothesis"),
        [
            ("empty", " "),
            ("loop", "the old house " + "and more and more " * 10),
            ("too-long", " ".join(str(np.random.default_rng(n).integers(9**9)) for n in range(60))),
        ],
    )
    def test_each_is_counted_with_its_lines(self, kind: str, hypothesis: str) -> None:
        columns = usual(2)
        columns["s1"][60] = columns["s1"][7] = hypothesis
        (doubt,) = found(columns)
        assert doubt.kind == f"hypotheses-{kind}"
        assert "2 of s1 (lines 8, 61)" in doubt.text

    def test_copies_of_the_source(self) -> None:
        columns = usual(2)
        sources = [f"Quelle Nummer {row} hat viele Worte" for row in range(120)]
        columns["s1"][3] = sources[3]
        doubts = found(columns, sources=sources)
        assert kinds(doubts) == ["hypotheses-source"]
        assert doubts[0].text == "1 hypothesis is a copy of the source: 1 of s1 (line 4)."

    def test_another_language(self) -> None:
        columns = usual(2)
        german = "Die Kinder spielten den ganzen Sommer im Garten hinter dem alten Haus am Fluss."
        for row in (5, 6, 7):
            columns["s0"][row] = german
        (doubt,) = found(columns)
        assert doubt.kind == "hypotheses-other-language"
        assert "3 of s0 (lines 6, 7, 8)" in doubt.text

    def test_what_the_reference_does_is_no_loop(self) -> None:
        columns = usual(2)
        columns["reference"][0] = columns["s1"][0] = "ha ha ha ha ha ha ha ha ha ha"
        assert found(columns) == []


class TestFileNames:
    def test_files_that_are_no_systems(self) -> None:
        columns = usual(2)
        columns["out/documents.txt"] = [f"d{row}" for row in range(120)]
        columns["ids.txt"] = [f"g{row}" for row in range(120)]
        doubts = found(columns, documents=[f"g{row}" for row in range(120)])
        texts = [doubt.text for doubt in doubts if doubt.kind == "not-a-system"]
        assert texts == [
            "ids.txt is the file of documents, and no system.",
            "out/documents.txt is called like a file that is no system's.",
        ]


def of_scores(
    columns: dict[str, list[str]], metrics: Sequence[str], *, ranked: bool = True
) -> list[Doubt]:
    systems = {name: texts for name, texts in columns.items() if name != "reference"}
    scores = score(
        Corpus(systems, [columns["reference"]]), metrics, keep_statistics=True, check_language=False
    )
    chosen = {name: create(name) for name in metrics}
    if ranked:
        rankings = {name: rank_scores(metric, scores) for name, metric in chosen.items()}
        scores = replace(scores, rankings=rankings)
    else:
        differences = (system_difference(metric, scores) for metric in chosen.values())
        scores = replace(scores, differences=tuple(differences))
    return list(score_doubts(scores, chosen))


class TestScores:
    def test_few_segments_may_make_most_of_a_difference(self) -> None:
        columns = usual(1, 400)
        # A little is better everywhere, and everything in eight segments.
        columns["new"] = [
            text if row % 20 else columns["reference"][row]
            for row, text in enumerate(columns["s0"])
        ]
        columns["old"] = list(columns["s0"])
        for row in range(8):
            columns["old"][row * 20 + 1] = "zzz"
        del columns["s0"]
        (doubt,) = of_scores(columns, ["ter"], ranked=False)
        assert doubt.kind == "few-segments"
        assert doubt.numbers["of"] == 400
        assert doubt.text.startswith("8 of 400 segments make ")
        assert "ter between new and old" in doubt.text

    def test_a_difference_of_all_segments_is_none(self) -> None:
        assert of_scores(usual(2), ["chrf", "ter"], ranked=False) == []
        assert of_scores(usual(5), ["chrf", "ter"]) == []

    def test_metrics_may_disagree_about_the_first_place(self) -> None:
        reference = usual(1)["reference"]
        columns = {
            "reference": reference,
            # Words torn apart cost TER all of them and chrF next to nothing.
            "torn": [text.replace("e", "e ") for text in reference],
            "short": [" ".join(text.split()[:9]) for text in reference],
            "bad": ["nothing of it"] * len(reference),
        }
        (doubt,) = of_scores(columns, ["chrf", "ter"])
        assert doubt.kind == "first-place"
        assert doubt.text == (
            "Metrics disagree about the first place (randomisation test of both systems): chrf puts torn "
            "there, ter short (torn has rank 2 there)."
        )


@pytest.mark.parametrize("make", [lambda: usual(1), lambda: usual(3)])
def test_doubts_are_json(make: Callable[[], dict[str, list[str]]]) -> None:
    columns = make()
    columns["again"] = columns["s0"]
    (doubt,) = found(columns)
    assert doubt.as_dict()["systems"] == ["s0", "again"]
    assert set(doubt.as_dict()) == {"kind", "text", "systems", "numbers"}
