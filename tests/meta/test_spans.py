"""Error spans of metrics and files, beside those of raters: on texts small enough to count."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from metaphrase.corpus.ratings import Item, MarkedError, Rating, Ratings
from metaphrase.errors import InputError
from metaphrase.meta import file_spans, metric_spans, span_agreement
from metaphrase.meta.predicted_spans import everything, nothing, unaligned
from metaphrase.meta.span_categories import UNMARKED
from metaphrase.meta.spans import LEAST_DOUBLED, SpanRow, by_system
from metaphrase.metrics import Bleu

TEN = "abcdefghij"


def item(
    number: int, text: str = TEN, *, system: str = "A", references: Sequence[str] = ()
) -> Item:
    return Item(
        f"{system} {number}",
        system,
        "d",
        str(number),
        hypothesis=text,
        references=tuple(references),
    )


def campaign(
    items: Sequence[Item], marked: Sequence[Sequence[MarkedError]], *, judges: str = "a"
) -> Ratings:
    """Each judge has marked the same."""
    ratings = tuple(
        Rating(judge, one.id, errors=tuple(errors), line=line)
        for judge in judges
        for line, (one, errors) in enumerate(zip(items, marked, strict=True), 1)
    )
    return Ratings("set", "de-en", "mqm", {one.id: one for one in items}, ratings, "gold.jsonl")


def major(start: int, end: int, category: str = "") -> MarkedError:
    return MarkedError("major", category, (start, end))


def values(row: SpanRow) -> list[float | None]:
    return [estimate.value for estimate in row.figures.values()]


def test_figures_by_hand() -> None:
    gold = campaign([item(1), item(2)], [[major(0, 4)], []])
    marked = {"A 1": (MarkedError("minor", "", (2, 6)),), "A 2": ()}
    table = span_agreement(gold, {"mine": marked})
    mine, whole, none = table.rows
    # Characters 2–4, with another severity: 2 · ½ of 4 and of 4. MPP: 2/4 and 2/4; the other text is 1.
    assert values(mine) == [0.25, 0.25, 0.25, 0.5, 0.75]
    assert mine.marked == 4 / 20
    # Everything: 4 of 20 and of 4; MPP 4/10 of two spans, 1 of one: 2 · .2 · 1 / 1.2; texts 2 · .4 / 1.4, 0.
    assert (whole.name, whole.severity, whole.marked) == ("everything", "major", 1.0)
    assert values(whole) == pytest.approx([0.2, 1.0, 1 / 3, 1 / 3, 2 / 7])
    assert (none.name, none.severity) == ("no spans", None)
    assert values(none) == [None, 0.0, 0.0, 0.0, 0.5]
    assert dict(table.best_baseline) == {
        "character_f1": "everything",
        "micro_f1": "everything",
        "macro_f1": "no spans",
    }
    assert mine.gains["character_f1"].value == pytest.approx(0.25 - 1 / 3)
    assert mine.gains["macro_f1"].value == pytest.approx(0.25)
    assert (table.translations, table.segments, table.spans) == (2, 2, 1)


def test_few_segments_have_no_interval() -> None:
    items = [item(number) for number in range(9)]
    gold = campaign(items, [[major(0, 4)]] * 9)
    (first, *_) = span_agreement(gold, {"mine": everything(gold)}).rows
    assert all(one.low is None for one in (*first.figures.values(), *first.gains.values()))


def test_segments_are_drawn_with_all_their_systems() -> None:
    """Where all segments are alike, every resample is, however systems differ."""
    items = [item(number, system=system) for system in "AB" for number in range(12)]
    gold = campaign(items, [[major(0, 4)]] * 24)
    marked = {one.id: (major(0, 4),) if one.system == "A" else () for one in items}
    table = span_agreement(gold, {"mine": marked})
    assert table.segments == 12
    (first, *_) = table.rows
    assert first.figures["recall"].value == 0.5
    assert (first.figures["recall"].low, first.figures["recall"].high) == (0.5, 0.5)
    assert (first.gains["micro_f1"].low, first.gains["micro_f1"].high) == pytest.approx(
        (first.gains["micro_f1"].value,) * 2
    )
    assert [part.name for part in by_system(gold)] == ["set A", "set B"]
    (alone, *_) = span_agreement(by_system(gold)[0], {"mine": marked}).rows
    assert alone.figures["character_f1"].value == 1.0


def test_intervals_hold_what_varies() -> None:
    items = [item(number) for number in range(40)]
    gold = campaign(items, [[major(0, 5)]] * 40)
    marked = {one.id: (major(0, 5),) if number % 2 else () for number, one in enumerate(items)}
    (first, *_) = span_agreement(gold, {"mine": marked}).rows
    recall = first.figures["recall"]
    assert recall.low is not None
    assert recall.high is not None
    # A share of 40 halves: a deviation of √(.25/40) = .079.
    assert 0.5 - recall.low == pytest.approx(1.96 * 0.079, abs=0.05)
    assert recall.high - 0.5 == pytest.approx(1.96 * 0.079, abs=0.05)
    assert span_agreement(gold, {"mine": marked}, resamples=0).rows[0].figures["recall"].low is None


def test_neutral_errors_are_none_and_critical_ones_are_major() -> None:
    marked = [MarkedError("neutral", "", (0, 5)), MarkedError("critical", "", (5, 7))]
    gold = campaign([item(1)], [[*marked, MarkedError("minor")]])
    table = span_agreement(gold, {"mine": {"A 1": (major(5, 7),)}})
    assert values(table.rows[0]) == [1.0] * 5
    assert (table.spans, table.unplaced) == (1, 1)


def test_raters_are_a_ceiling_only_where_many_translations_have_several() -> None:
    items = [item(number) for number in range(LEAST_DOUBLED)]
    errors = [[major(0, 4)]] * len(items)
    table = span_agreement(campaign(items, errors, judges="ab"), {})
    assert table.doubled == LEAST_DOUBLED
    assert table.ceiling is not None
    assert values(table.ceiling) == [1.0] * 5
    few = span_agreement(campaign(items[1:], errors[1:], judges="ab"), {})
    assert (few.doubled, few.ceiling) == (LEAST_DOUBLED - 1, None)


def test_kinds() -> None:
    first = [major(0, 4, "Accuracy"), major(6, 8, "Grammar")]
    gold = campaign([item(1), item(2)], [first, [major(0, 2, "Accuracy")]])
    marked = {
        "A 1": (major(0, 1, "spelling"), major(2, 4, "wrong word")),
        "A 2": (),
    }
    accuracy, grammar = span_agreement(gold, {"mine": marked}).categories
    assert (accuracy.category, accuracy.errors) == ("Accuracy", 2)
    assert accuracy.covered == {"mine": (3 / 4 + 0) / 2, "everything": 1.0, "no spans": 0.0}
    assert accuracy.kinds == {"mine": {"wrong word": 1, UNMARKED: 1}}
    assert grammar.kinds == {"mine": {UNMARKED: 1}}


def test_translations_that_a_prediction_does_not_have_are_left_out() -> None:
    gold = campaign([item(1), item(2)], [[major(0, 4)]] * 2)
    table = span_agreement(gold, {"mine": {"A 1": (major(0, 4),)}})
    assert (table.translations, table.of_translations) == (1, 2)
    with pytest.raises(InputError, match="MP780"):
        span_agreement(gold, {"mine": {"A 1": ()}, "yours": {"A 2": ()}})


def test_nobody_marked_anything() -> None:
    gold = replace(campaign([], []), ratings=())
    with pytest.raises(InputError, match="MP780"):
        span_agreement(gold, {})


def test_a_table_becomes_json() -> None:
    table = span_agreement(campaign([item(1)], [[]]), {"mine": {"A 1": ()}})
    text = json.dumps(table.to_dict(), allow_nan=False)
    assert json.loads(text)["rows"][0]["figures"]["character_f1"]["value"] is None


class TestBaselines:
    def test_everything_and_nothing(self) -> None:
        gold = campaign([item(1, "ab"), item(2, "")], [[], []])
        assert [error.span for error in everything(gold)["A 1"]] == [(0, 2)]
        assert everything(gold)["A 2"] == ()
        assert nothing(gold) == {"A 1": (), "A 2": ()}

    def test_neighbours_that_are_not_aligned_are_one_span(self) -> None:
        one = item(1, "The big red cat sat.", references=["The cat sat."])
        assert spans_of(unaligned(campaign([one], [[]])), one) == ["big red"]

    def test_of_several_references_the_one_that_leaves_least(self) -> None:
        one = item(1, "Der Hund bellt laut.", references=["Die Katze schläft.", "Der Hund bellt."])
        two = item(2, "Ja.", references=["Ja."])
        gold = replace(campaign([one, two], [[], []]), language_pair="en-de")
        found = unaligned(gold)
        assert spans_of(found, one) == ["laut"]
        assert spans_of(found, two) == []

    def test_an_empty_translation(self) -> None:
        one = item(1, "", references=["Something."])
        assert unaligned(campaign([one], [[]]))["A 1"] == ()

    def test_they_are_always_there_but_need_references(self) -> None:
        with_reference = item(1, references=["other words"])
        names = [row.name for row in span_agreement(campaign([with_reference], [[]]), {}).rows]
        assert names == ["everything", "unaligned", "no spans"]
        without = [row.name for row in span_agreement(campaign([item(1)], [[]]), {}).rows]
        assert without == ["everything", "no spans"]


def spans_of(found: object, one: Item) -> list[str]:
    return [one.hypothesis[slice(*error.span)] for error in found[one.id]]  # type: ignore[index]


class Fake(Bleu):
    """Marks the first word of everything, and remembers what it was given."""

    def error_spans(self, hypotheses, references, **given):  # type: ignore[no-untyped-def]
        """The first word."""
        SEEN.append((list(hypotheses), [list(column) for column in references]))
        return [(major(0, len(text.split()[0])),) for text in hypotheses]


SEEN: list[tuple[list[str], list[list[str]]]] = []


def test_a_metric_is_given_texts_with_as_many_references() -> None:
    SEEN.clear()
    items = [
        item(1, "a b", references=["r1"]),
        item(2, "cc d", references=["s1", "s2"]),
        item(3, "e f", references=["t1"]),
    ]
    gold = campaign(items, [[]] * 3)
    told: list[int] = []
    found = metric_spans(gold, Fake(), progress=told.append)
    assert SEEN == [(["a b", "e f"], [["r1", "t1"]]), (["cc d"], [["s1"], ["s2"]])]
    assert [found[one.id][0].span for one in items] == [(0, 1), (0, 2), (0, 1)]
    assert told == [2, 3]
    with pytest.raises(InputError, match="MP780"):
        metric_spans(campaign([item(1)], [[]]), Fake())


class TestFiles:
    GOLD = campaign([item(1), item(2)], [[], []])

    def predicted(self, *items: Item, judges: str = "m", path: str = "p/mine.jsonl") -> Ratings:
        marked = campaign(items, [[major(0, 1)]] * len(items), judges=judges)
        return replace(marked, path=path)

    def test_they_are_joined_by_their_places(self) -> None:
        other = replace(item(2), id="whatever")
        found = file_spans(self.GOLD, [self.predicted(other, item(7))])
        assert found == {"m": {"A 2": (major(0, 1),)}}

    def test_without_documents_system_and_segment_do(self) -> None:
        other = replace(item(2), document="")
        assert list(file_spans(self.GOLD, [self.predicted(other)])["m"]) == ["A 2"]

    def test_another_document_is_another_segment(self) -> None:
        other = replace(item(2), document="e")
        with pytest.raises(
            InputError, match=r"MP780.*documents are 'd' among the ratings, 'e' here"
        ):
            file_spans(self.GOLD, [self.predicted(other)])

    def test_names_of_both_sides_are_told_where_nothing_fits(self) -> None:
        others = [replace(item(at), id=f"{at}", system=f"s{at}", segment="7") for at in range(1, 5)]
        with pytest.raises(
            InputError, match=r"systems are 'A' among the .*, 's1', 's2', 's3' … here"
        ):
            file_spans(self.GOLD, [self.predicted(*others)])
        french = replace(self.predicted(item(1)), language_pair="fr-en")
        with pytest.raises(InputError, match="pairs are 'de-en' among the ratings, 'fr-en' here"):
            file_spans(self.GOLD, [french])

    def test_another_pair_is_passed_over(self) -> None:
        french = replace(self.predicted(item(1)), language_pair="fr-en")
        german = replace(self.predicted(item(2)), language_pair="")
        assert list(file_spans(self.GOLD, [french, german])["m"]) == ["A 2"]

    def test_another_text_is_an_error_with_its_line(self) -> None:
        with pytest.raises(InputError, match=r"MP780.*mine\.jsonl, line 2"):
            file_spans(self.GOLD, [self.predicted(item(1), item(2, "abc"))])

    def test_raters_are_told_apart(self) -> None:
        found = file_spans(
            self.GOLD,
            [
                self.predicted(item(1), judges="mn"),
                self.predicted(item(1), judges="m", path="yours.jsonl"),
            ],
        )
        assert list(found) == ["mine: m", "n", "yours: m"]

    def test_who_does_not_say_is_called_as_the_file(self) -> None:
        one = self.predicted(item(1))
        nobody = replace(one, ratings=tuple(replace(r, judge="") for r in one.ratings))
        assert list(file_spans(self.GOLD, [nobody])) == ["mine"]

    def test_twice_is_once_too_often(self) -> None:
        one = self.predicted(item(1))
        with pytest.raises(InputError, match="MP780"):
            file_spans(self.GOLD, [one, one])
