"""Errors as a metric marks them: places, severities, and what happens where places meet."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metaphrase
from metaphrase.corpus.ratings import MarkedError
from metaphrase.corpus.span_places import apart
from metaphrase.errors import InputError, OptionError
from metaphrase.metrics.explanation import Repair, Span
from metaphrase.metrics.repairs import SEVERITIES, UNMATCHED, RepairedSegment, Severities
from metaphrase.metrics.repairs.error_spans import marked_errors
from small_metrics import NAMES, small

TEXTS = st.lists(
    st.sampled_from("a The cat cats sat on mat , . - ( 3 3.5 can't 猫 い x/y é".split()),
    max_size=10,
)


def marked(
    hypothesis: str, *references: str, metric: metaphrase.Metric | None = None
) -> list[tuple[str, str, str | None]]:
    """Severity, kind and words of each error."""
    columns = [[reference] for reference in references]
    (errors,) = (metric or metaphrase.Chrf()).error_spans([hypothesis], columns)
    return [
        (one.severity, one.category, None if one.span is None else hypothesis[slice(*one.span)])
        for one in errors
    ]


class TestPlaces:
    def test_a_wrong_word_is_marked(self) -> None:
        assert marked("The big cat sat.", "The small cat sat.") == [("major", "wrong word", "big")]

    def test_missing_words_have_no_place(self) -> None:
        assert marked("He saw men.", "He saw men with hats.") == [("major", "missing words", None)]

    def test_what_moved_is_marked_where_it_stands(self) -> None:
        found = marked("On Monday he came home.", "He came home on Monday.")
        assert [kind for _, kind, _ in found] == ["word order"]
        assert found[0][2] == "On Monday he"
        found = marked("Mary loves John.", "John loves Mary.")
        assert found == [("major", "word order", "Mary"), ("major", "word order", "John")]

    def test_neighbours_are_one_error_with_the_points_of_both(self) -> None:
        hypothesis, reference = "He saw 3 small cat today.", "He saw 4 small dogs today."
        apart = marked(hypothesis, reference)
        assert [words for _, _, words in apart] == ["3", "cat"]
        (found,) = metaphrase.Chrf().repairs([hypothesis], ["He saw 4 tiny dogs today."])
        (errors,) = metaphrase.Chrf().error_spans([hypothesis], [["He saw 4 tiny dogs today."]])
        assert [hypothesis[slice(*one.span)] for one in errors if one.span] == ["3 small cat"]
        assert errors[0].points == pytest.approx(sum(one.points for one in found.repairs))
        assert errors[0].category == found.repairs[0].kind

    @pytest.mark.parametrize(
        ("hypothesis", "reference", "corrections"),
        [
            ("The big cat sat.", "The small cat sat.", ["small"]),
            ("He saw men.", "He saw men with hats.", ["with hats"]),
            ("He saw the the cat.", "He saw the cat.", [""]),
            ("Mary loves Jo.", "Jo loves Mary.", ["Jo … Mary"] * 2),
            ("He saw 3 small cat today.", "He saw 4 tiny dogs today.", ["4 … tiny … dogs"]),
            ("", "A cat sat.", ["A cat sat."]),
            ("Nothing here", "Une phrase", [None]),
        ],
    )
    def test_what_the_reference_has_there_is_the_correction(
        self, hypothesis: str, reference: str, corrections: list[str | None]
    ) -> None:
        (errors,) = metaphrase.Chrf().error_spans([hypothesis], [[reference]])
        assert [one.correction for one in errors] == corrections

    def test_stretches_of_a_repair_share_its_points_by_their_lengths(self) -> None:
        hypothesis, reference = "Mary loves Jo.", "Jo loves Mary."
        (found,) = metaphrase.Chrf().repairs([hypothesis], [reference])
        (errors,) = metaphrase.Chrf().error_spans([hypothesis], [[reference]])
        (repair,) = found.repairs
        assert [one.points for one in errors] == pytest.approx(
            [repair.points * 4 / 6, repair.points * 2 / 6]
        )

    def test_columns_of_another_length_are_refused(self) -> None:
        with pytest.raises(InputError, match="MP102"):
            metaphrase.Chrf().error_spans(["a b", "c d"], [["a b"], ["c d"]])
        with pytest.raises(InputError, match="MP10"):
            metaphrase.Chrf().error_spans(["a b"], [])

    def test_no_error_where_the_metric_sees_none(self) -> None:
        assert marked("A cat sat.", "A cat sat.") == []

    def test_the_best_reference_counts(self) -> None:
        references = ("Something else entirely happened.", "The small cat sat.")
        assert marked("The big cat sat.", *references) == [("major", "wrong word", "big")]
        assert marked("The small cat sat.", *references) == []

    def test_an_empty_hypothesis_lacks_everything(self) -> None:
        assert marked("", "A cat sat.") == [("major", "missing words", None)]
        assert marked(" ", "A cat sat.") == [("major", "missing words", None)]

    def test_where_too_little_matches_the_whole_is_one_error(self) -> None:
        assert marked(" Nothing here is alike. ", "Une phrase en français suit") == [
            ("major", UNMATCHED, "Nothing here is alike.")
        ]

    @settings(max_examples=80, deadline=None)
    @given(hypothesis=TEXTS, reference=TEXTS, glue=st.sampled_from(["", " ", "\u3000"]))
    def test_places_are_sorted_apart_and_not_empty(
        self, hypothesis: list[str], reference: list[str], glue: str
    ) -> None:
        text = glue.join(hypothesis)
        metric = metaphrase.Chrf(lang="de")
        (errors,) = metric.error_spans(
            [text], [[" ".join(["on", *reference])]], severities=Severities(0.0, 1.0)
        )
        check_places(text, errors)
        assert all(one.points is not None and one.points > 0 for one in errors)


def check_places(text: str, errors: tuple[MarkedError, ...]) -> None:
    """In the order of the text, apart, with something to see, and those without a place last."""
    end = 0
    without = False
    for one in errors:
        if one.span is None:
            without = True
            continue
        assert not without
        assert end <= one.span[0] < one.span[1] <= len(text)
        assert text[slice(*one.span)] == text[slice(*one.span)].strip() != ""
        end = one.span[1]


class TestSeverity:
    def segment(self, *points: float, matched: float = 1.0) -> RepairedSegment:
        places = [(Span(at, at + 1, "x"), Span(at, at + 1, "y")) for at in range(len(points))]
        repairs = tuple(
            Repair("wrong word", one, other, "x", "y", lost, (one,), (other,))
            for (one, other), lost in zip(places, points, strict=True)
        )
        return RepairedSegment(100.0 - sum(points), 100.0, repairs, matched, True)

    @pytest.mark.parametrize(
        ("points", "severity"),
        [(3.99, None), (4.0, "minor"), (7.99, "minor"), (8.0, "major"), (90.0, "major")],
    )
    def test_it_goes_by_points_in_percent_of_the_scale(
        self, points: float, severity: str | None
    ) -> None:
        assert Severities(4.0, 8.0).of(points) == severity
        found = marked_errors(
            metaphrase.Bleu(), "xx", self.segment(points), Severities(minor=4.0, major=8.0)
        )
        assert [one.severity for one in found] == ([severity] if severity else [])

    def test_a_scale_from_0_to_1_is_one_of_100_percent(self) -> None:
        segment = RepairedSegment(0.95, 1.0, self.segment(0.05).repairs, 1.0, True)
        (found,) = marked_errors(metaphrase.Cobalt(), "xx", segment, Severities(4.0, 8.0))
        assert (found.severity, found.points) == ("minor", 0.05)

    def test_what_gains_nothing_is_no_error_even_from_0(self) -> None:
        assert (
            marked_errors(metaphrase.Bleu(), "xx", self.segment(0.0, -3.0), Severities(0, 0)) == ()
        )

    def test_where_less_is_better_points_are_what_it_costs(self) -> None:
        (errors,) = metaphrase.Ter().error_spans(["a b c d x"], [["a b c d e"]])
        assert [(one.severity, one.points) for one in errors] == [("major", 20.0)]

    def test_without_a_bound_the_scale_is_what_edits_or_points_can_come_to(self) -> None:
        # One of 20 words is 5 points of TER, which are 5% of an edit for each word.
        words = " ".join("abcdefghijklmnopqrst")
        (errors,) = metaphrase.Ter().error_spans([words.replace("t", "x")], [[words]])
        assert [one.severity for one in errors] == ["minor"]
        assert metaphrase.create("accord:mqm").worst == 25.0
        assert (metaphrase.Bleu().worst, metaphrase.Accord().worst) == (0.0, 0.0)

    @pytest.mark.parametrize("name", [name for name in NAMES if not small(name).needs_whole_corpus])
    def test_every_metric_that_has_repairs_marks_errors(self, name: str) -> None:
        text = "The big cat sat at a mat on Tuesday, I think."
        found = small(name).marked_segments([text], [["A big dog sits on the mat."]])
        check_places(text, found[0].errors)
        assert 0 <= found[0].percent <= 100
        (right,) = small(name).marked_segments([text], [[text]])
        assert (right.errors, right.percent) == ((), 100.0)

    def test_a_whole_that_costs_little_is_no_error(self) -> None:
        assert marked_errors(metaphrase.Bleu(), "xx", self.segment(1.0, matched=0.0)) == ()
        (found,) = marked_errors(
            metaphrase.Bleu(), "xx", self.segment(5.0, matched=0.0), SEVERITIES
        )
        assert (found.severity, found.span, found.points) == ("minor", (0, 2), 5.0)

    @pytest.mark.parametrize("chosen", [(8.0, 4.0), (-1.0, 4.0), (1.0, float("nan"))])
    def test_severities_are_two_numbers_in_order(self, chosen: tuple[float, float]) -> None:
        with pytest.raises(OptionError, match="MP536"):
            Severities(*chosen)

    def test_references_are_a_list_of_lists(self) -> None:
        with pytest.raises(OptionError, match=r"MP107.*for each column: \[references\]"):
            metaphrase.Chrf().error_spans(["a"], ["a"])  # type: ignore[list-item]
        with pytest.raises(OptionError, match=r"MP107.*list of hypotheses"):
            metaphrase.Chrf().error_spans("a", [["a"]])

    def test_a_metric_that_looks_beyond_the_segment_marks_none(self) -> None:
        with pytest.raises(OptionError, match="MP502"):
            metaphrase.Nist().error_spans(["a"], [["b"]])


class TestOverlaps:
    def error(self, start: int, end: int, points: float | None) -> MarkedError:
        return MarkedError("minor", f"{points}", (start, end), points)

    def test_shared_characters_belong_to_the_one_with_most_points(self) -> None:
        found = apart("abcdefgh", [self.error(0, 4, 2.0), self.error(2, 6, 3.0)])
        assert [(one.span, one.points) for one in found] == [((0, 2), 2.0), ((2, 6), 3.0)]

    def test_one_inside_another_parts_it_or_vanishes(self) -> None:
        found = apart("abcdefgh", [self.error(0, 8, 2.0), self.error(2, 4, 3.0)])
        assert [one.span for one in found] == [(0, 2), (2, 4), (4, 8)]
        found = apart("abcdefgh", [self.error(0, 8, 3.0), self.error(2, 4, 2.0)])
        assert [one.span for one in found] == [(0, 8)]

    def test_of_equal_ones_the_first_stays(self) -> None:
        found = apart("abcdefgh", [self.error(1, 3, 2.0), self.error(0, 8, 2.0)])
        assert [one.span for one in found] == [(0, 1), (1, 3), (3, 8)]

    def test_neighbours_stay_two(self) -> None:
        found = apart("abcd", [self.error(0, 2, 2.0), self.error(2, 4, 2.0)])
        assert [one.span for one in found] == [(0, 2), (2, 4)]

    @settings(max_examples=100, deadline=None)
    @given(
        text=st.text(alphabet="ab \n\u3000", max_size=12),
        spans=st.lists(
            st.tuples(
                st.integers(0, 12), st.integers(0, 12), st.none() | st.sampled_from([1.0, 2.0, 3.0])
            ),
            max_size=6,
        ),
    )
    def test_whatever_overlaps_they_end_apart(
        self, text: str, spans: list[tuple[int, int, float | None]]
    ) -> None:
        given_errors = [
            self.error(min(one, other, len(text)), min(max(one, other), len(text)), points)
            for one, other, points in spans
        ]
        found = apart(text, [*given_errors, MarkedError("major")])
        check_places(text, found)
        assert found[-1] == MarkedError("major")
        covered = {at for one in given_errors if one.span for at in range(*one.span)}
        kept = {at for one in found if one.span for at in range(*one.span)}
        assert kept <= covered
        assert all(text[at].isspace() for at in covered - kept)
