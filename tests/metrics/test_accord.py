"""accord: losses that are 0 for equal texts, weights that turn them into points, and reasons for both."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from operator import add
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from metaphrase import Corpus, create, lexicon
from metaphrase.analysis import Batch, Sentence
from metaphrase.errors import OptionError, ResourceError
from metaphrase.matching.word_alignment import WordAlignments
from metaphrase.metrics import compare
from metaphrase.metrics.accord.features import (
    ALIGNMENT,
    GROUPS,
    LOSSES,
    SURFACE,
    SurfaceTexts,
    alignment_losses,
    surface_losses,
)
from metaphrase.metrics.accord.metric import Accord
from metaphrase.metrics.comparison import Comparison, compare_pair
from metaphrase.trained.accord_model import AccordModel
from oracle import accord as oracle

REFERENCES = [
    "The government announced a new plan on Tuesday.",
    "Heavy rain caused floods in several villages.",
    "U.S. President Barack Obama spoke.",
    "He doesn't remember who gave him the letter!",
    "Ärzte ohne Grenzen — 国境なき医師団 🙂",
    "the",
    "",
]
HYPOTHESES = [
    "On Tuesday the government has announced a plan.",
    "Strong rain has caused a flood in villages.",
    "Barack Obama spoke.",
    "",
    "Doctors without borders 🙂",
    "the",
    "",
]
PAIRS = list(zip(HYPOTHESES, REFERENCES, strict=True))
# As in test_invariances: any text a file could hold, and words that come again; and Chinese.
text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\0"), max_size=40)
vocabulary = "the cat sat on a mat . dogs running U.S. n't 12%".split()
words = st.lists(st.sampled_from(vocabulary), max_size=9)
segment = text | words.map(" ".join) | st.text("他去了北京上海。，", max_size=9)


def losses(hypothesis: str, reference: str) -> dict[str, float]:
    metric = Accord()
    row = metric.losses(compare_pair(metric, hypothesis, reference), 0)[0]
    return dict(zip(LOSSES, row.tolist(), strict=True))


def surface(hypothesis: str, reference: str) -> dict[str, float]:
    numbers: dict[str, int] = {}
    sides = [SurfaceTexts([side], numbers) for side in (hypothesis, reference)]
    return dict(zip(SURFACE, surface_losses(*sides, threads=1)[0].tolist(), strict=True))


def comparison(metric: Accord, hypotheses: list[str], *references: list[str]) -> Comparison:
    corpus = Corpus({"a": hypotheses}, list(references), empty_references="keep")
    return next(compare(corpus, metric))


def in_sequence(numbers: list[float]) -> float:
    """The sum of numbers added one after the other; Python's own is more exact from 3.12 on."""
    return reduce(add, numbers, 0.0)


MakeMetric = Callable[..., Accord]


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> MakeMetric:
    """A metric with a model of these weights."""

    def made(features: dict[str, float], *, name: str = "small") -> Accord:
        path = tmp_path_factory.mktemp("models") / "model.json"
        AccordModel(name=name, lang="en", features=features).save(path)
        return Accord(model=f"file:{path}")

    return made


@pytest.fixture(scope="module")
def all_losses(make: MakeMetric) -> Accord:
    """A metric that weighs every loss, each differently."""
    return make({name: 0.1 + number / 70 for number, name in enumerate(LOSSES)})


class TestLosses:
    @settings(max_examples=100)
    @given(same=segment)
    @example(same="")
    @example(same=" ")
    @example(same="the")
    @example(same="Google Google n't Barack Google")  # a name that comes twice
    @example(same="İ I ı")
    @example(same="国境なき医師団。")
    def test_of_equal_texts_there_are_none(self, same: str) -> None:
        assert not any(losses(same, same).values())

    def test_of_equal_texts_there_are_none_whatever_stands_beside_them(self) -> None:
        metric = Accord()
        found = metric.losses(comparison(metric, REFERENCES * 9, REFERENCES * 9), 0)
        assert not found.any()

    @settings(max_examples=60)
    @given(hypothesis=segment, reference=segment)
    def test_they_are_finite_and_never_below_0(self, hypothesis: str, reference: str) -> None:
        found = losses(hypothesis, reference)
        assert all(np.isfinite(value) and value >= 0 for value in found.values())
        # Only the logarithms of the lengths know no limit.
        assert all(value <= 1 for name, value in found.items() if name not in ("short", "long"))

    def test_every_loss_belongs_to_one_group(self) -> None:
        assert sorted(name for names in GROUPS.values() for name in names) == sorted(LOSSES)


class TestSurface:
    @settings(max_examples=150)
    @given(hypothesis=segment, reference=segment)
    @example(hypothesis="a b", reference="a")
    @example(hypothesis="a", reference="")
    @example(hypothesis="don't co_operate", reference="do not co-operate")
    @example(hypothesis="ไทย ไทย kana カナ", reference="ไทย カナkana")
    def test_it_is_that_of_the_definitions(self, hypothesis: str, reference: str) -> None:
        found = surface(hypothesis, reference)
        expected = oracle.surface_losses(hypothesis, reference)
        assert found == pytest.approx(expected, abs=1e-12)

    @settings(max_examples=60)
    @given(hypothesis=segment, reference=segment)
    @example(hypothesis="a b", reference="a")
    def test_swapped_sides_swap_precision_and_recall(self, hypothesis: str, reference: str) -> None:
        one, other = surface(hypothesis, reference), surface(reference, hypothesis)
        for name in (name for name in SURFACE if name[1:2].isdigit()):
            opposite = name[:2] + {"p": "r", "r": "p"}[name[2]]
            assert one[name] == other[opposite]
        assert one["short"] == other["long"]

    def test_white_space_and_the_case_of_words_do_not_matter(self) -> None:
        found = surface(" The\u00a0cat\t sat", "the cat sat")
        # Of nine characters one differs: T.
        assert found["c1p"] == pytest.approx(1 / 9)
        assert not any(value for name, value in found.items() if name[0] != "c")

    @pytest.mark.parametrize(
        ("text", "count"),
        [
            ("It's 3.5%", 7),
            ("co_op café", 2),
            ("北京abc的", 4),
            ("カナ ไท", 4),
            ("한국어 말", 2),
        ],
    )
    def test_words_are_runs_of_letters_and_single_signs(self, text: str, count: int) -> None:
        assert surface(text, "")["long"] == pytest.approx(np.log(count + 1))


@st.composite
def aligned_pairs(draw: st.DrawFn) -> tuple[list[str], list[str], list[tuple]]:
    """Two sentences with words aligned at random, one to one."""
    left, right = (draw(st.lists(st.sampled_from(vocabulary), max_size=6)) for _ in range(2))
    count = draw(st.integers(0, min(len(left), len(right))))
    of_left, of_right = (draw(st.permutations(range(len(side))))[:count] for side in (left, right))
    share = st.floats(0, 1)
    return (
        left,
        right,
        [(*cell, draw(share), draw(share)) for cell in zip(sorted(of_left), of_right, strict=True)],
    )


def packed(cases: list[tuple]) -> tuple[WordAlignments, Batch]:
    """The cases as the aligner hands them over: sentence 2 p with sentence 2 p + 1."""
    sentences = []
    for side in (side for left, right, _ in cases for side in (left, right)):
        starts = tuple(len(" ".join([*side[:i], ""])) for i in range(len(side)))
        ends = tuple(start + len(word) for start, word in zip(starts, side, strict=True))
        sentences.append(Sentence(" ".join(side), tuple(side), starts, ends))
    pairs = [pair for *_, aligned in cases for pair in aligned]
    left, right, similarity, penalty = np.array(pairs, dtype=float).reshape(-1, 4).T
    nothing = np.zeros(0)
    offsets = np.cumsum([0, *(len(aligned) for *_, aligned in cases)])
    found = WordAlignments(
        nothing,
        offsets,
        left.astype(np.int32),
        right.astype(np.int32),
        nothing,
        nothing,
        similarity,
        penalty,
        *[nothing] * 6,
    )
    return found, Batch.pack(sentences)


class TestAlignment:
    @settings(max_examples=150)
    @given(cases=st.lists(aligned_pairs(), min_size=1, max_size=4))
    def test_it_is_that_of_the_definitions(self, cases: list[tuple]) -> None:
        found, batch = packed(cases)
        rows = tuple(np.arange(side, 2 * len(cases), 2, dtype=np.int32) for side in (0, 1))
        table = alignment_losses(found, batch, rows, 0.7)
        for row, (left, right, aligned) in zip(table.tolist(), cases, strict=True):
            expected = oracle.alignment_losses(aligned, left, right, 0.7)
            assert dict(zip(ALIGNMENT, row, strict=True)) == pytest.approx(expected, abs=1e-12)

    def test_words_worked_out_by_hand(self) -> None:
        """*the cat sat* beside *a cat slept*: two pairs, and of weights 0.3 + 0.7 + 0.7 = 1.7."""
        aligned = [(1, 1, 1.0, 0.0), (2, 2, 0.5, 0.25)]
        case = "the cat sat".split(), "a cat slept".split(), aligned
        found, batch = packed([case])
        table = alignment_losses(found, batch, (np.array([0]), np.array([1])), 0.7)
        assert dict(zip(ALIGNMENT, table[0].tolist(), strict=True)) == pytest.approx(
            {
                # 0.7 · 1 + 0.7 · 0.5 of 1.7, on either side; with the penalty 0.7 · 1 + 0.7 · 0.25.
                "ap": 1 - 1.05 / 1.7,
                "ar": 1 - 1.05 / 1.7,
                "cp": 1 - 0.875 / 1.7,
                "cr": 1 - 0.875 / 1.7,
                "unlike": 0.25,
                "context": 0.125,
                "breaks": 0.0,
                "content extra": 0.0,
                "content missing": 0.0,
                "function extra": 1.0,
                "function missing": 1.0,
            }
        )

    def test_the_rest_of_a_longer_name_is_missing(self) -> None:
        # Cobalt's released program aligns every word of the name with what is left of the other.
        found = losses("Barack Obama spoke.", "U.S. President Barack Obama spoke loudly.")
        # Of six content words of the reference, three are missing: U.S., President, loudly.
        assert found["content missing"] == pytest.approx(3 / 6)
        assert found["content extra"] == found["function extra"] == found["ap"] == 0.0

    @pytest.mark.parametrize(("hypothesis", "reference"), PAIRS)
    def test_it_is_that_of_the_explained_alignment(self, hypothesis: str, reference: str) -> None:
        metric = Accord()
        shown = metric.aligner.explain(hypothesis, reference)
        aligned = [
            (link.hypothesis[0], link.reference[0], link.similarity, link.penalty)
            for link in shown.links
        ]
        sides = [[word.form for word in side] for side in (shown.hypothesis, shown.reference)]
        expected = oracle.alignment_losses(aligned, *sides, metric.aligner.delta)
        found = losses(hypothesis, reference)
        assert {name: found[name] for name in ALIGNMENT} == pytest.approx(expected, abs=1e-12)


class TestScore:
    def test_it_is_100_less_the_losses_by_weight(self, make: MakeMetric) -> None:
        # Three of four words (1 − 3/4), two of three pairs of neighbours (1 − 2/3), one word of four to be
        # inserted: 8/4 + 6/3 + 4/4 points. Nothing of the hypothesis is too much.
        metric = make({"w1r": 8.0, "w2r": 6.0, "edit insert": 4.0, "c1p": 100.0})
        pair = "the cat sat", "the cat sat down"
        assert metric.sentence_score(pair[0], [pair[1]]).score == pytest.approx(95.0, abs=1e-12)
        assert metric.explain(*pair).parts == pytest.approx(
            {
                "as good as the reference": 100.0,
                "words missing": -1.0,
                "wrong words": -2.0,
                "word order": -2.0,
                "spelling and endings": 0.0,
            }
        )

    @settings(max_examples=60)
    @given(same=segment)
    @example(same="")
    def test_equal_texts_score_100(self, same: str, all_losses: Accord) -> None:
        assert all_losses.sentence_score(same, [same]).score == 100.0

    def test_equal_texts_score_100_whatever_stands_beside_them(self, all_losses: Accord) -> None:
        rows = all_losses.statistics(comparison(all_losses, REFERENCES * 9, REFERENCES * 9))
        assert (rows[:, 0] == 100.0).all()

    def test_the_groups_add_up_to_the_bit(self, all_losses: Accord) -> None:
        found = comparison(all_losses, HYPOTHESES, REFERENCES)
        points = all_losses.losses(found, 0) * all_losses.trained.weights(LOSSES)
        rows = all_losses.statistics(found).tolist()
        for (score, one, *lost), row in zip(rows, points.tolist(), strict=True):
            assert one == 1.0
            assert score == 100.0 - in_sequence(lost) > 0.0
            by_name = dict(zip(LOSSES, row, strict=True))
            for group, names in zip(lost, GROUPS.values(), strict=True):
                assert group == in_sequence([by_name[name] for name in LOSSES if name in names])

    def test_it_is_cut_at_0(self, make: MakeMetric) -> None:
        metric = make({"w1p": 1000.0})
        rows = metric.statistics(comparison(metric, ["bad luck", "same"], ["good", "same"]))
        assert metric.segment_score(rows).tolist() == [0.0, 100.0]
        # What was lost by group is not cut.
        assert rows[0, 2:].sum() == 1000.0

    def test_the_best_of_several_references_counts(self, all_losses: Accord) -> None:
        others = ["Another one.", *HYPOTHESES[1:3], *REFERENCES[3:]]
        single = [
            all_losses.statistics(comparison(all_losses, HYPOTHESES, references))
            for references in (REFERENCES, others)
        ]
        both = all_losses.statistics(comparison(all_losses, HYPOTHESES, REFERENCES, others))
        chosen = np.argmax([rows[:, 0] for rows in single], axis=0)
        assert chosen.tolist() == [0, 1, 1, 0, 0, 0, 0]
        for number, row in enumerate(both):
            assert row.tolist() == single[chosen[number]][number].tolist()

    def test_batches_and_threads_do_not_matter(self, all_losses: Accord) -> None:
        hypotheses, references = HYPOTHESES * 5 + REFERENCES, REFERENCES * 6
        whole = all_losses.statistics(comparison(all_losses, hypotheses, references))
        for size in (1, 3, 20):
            for threads in (1, 3):
                pieces = []
                for start in range(0, len(hypotheses), size):
                    here = slice(start, start + size)
                    piece = comparison(all_losses, hypotheses[here], references[here])
                    pieces.append(all_losses.statistics(piece, threads=threads))
                assert np.array_equal(np.concatenate(pieces), whole)

    def test_a_model_that_is_gone_is_refused(self, tmp_path: Path) -> None:
        metric = create(f"accord:model=file:{tmp_path / 'none.json'}")
        with pytest.raises(ResourceError, match="MP840"):
            metric.sentence_score("a", ["a"])

    @pytest.mark.parametrize("lang", ["de", "zh", "xx"])
    def test_it_knows_english_only(self, lang: str) -> None:
        with pytest.raises(OptionError, match="MP845"):
            create("accord", lang=lang)


class TestSignature:
    def test_it_names_whatever_the_score_depends_on(self, make: MakeMetric) -> None:
        metric = make({"c1p": 1.0, "ap": 2.0}, name="mine")
        signed = dict(metric.signature(2).items)
        assert signed["model"] == f"mine@{metric.trained.fingerprint}"
        for name, source in (
            ("synonyms", lexicon.load("wordnet", fold_case=False)),
            ("paraphrases", lexicon.load_paraphrases("paraphrases")),
            ("vectors", lexicon.load_vectors("glove")),
        ):
            assert signed[name] == f"{source.name}@{source.fingerprint}"
        assert signed["analyser"].startswith("builtin:en@")
        assert (signed["lang"], signed["nrefs"]) == ("en", "2")

    def test_weights_change_it_and_names_of_files_do_not(self, make: MakeMetric) -> None:
        one, same, other = (make({"c1p": weight}) for weight in (1.0, 1.0, 2.0))
        assert one.model != same.model
        assert one.signature(1) == same.signature(1) != other.signature(1)


class TestExplanation:
    @pytest.mark.parametrize(("hypothesis", "reference"), PAIRS)
    def test_its_parts_add_up_to_the_score(
        self, hypothesis: str, reference: str, all_losses: Accord
    ) -> None:
        shown = all_losses.explain(hypothesis, reference)
        whole, *lost = shown.parts.values()
        assert whole == 100.0
        assert shown.score == 100.0 - in_sequence([-part for part in lost])
        for feature in shown.features:
            assert feature.value == -shown.parts[feature.name]
            assert sum(feature.details.values()) == pytest.approx(feature.value)
            assert feature.details.keys() <= set(GROUPS[feature.name])
        assert not shown.notes

    def test_what_costs_nothing_is_shown_as_0(self, all_losses: Accord) -> None:
        """Not as −0, which readers take for something that was rounded."""
        _, *lost = all_losses.explain("same", "same").parts.values()
        assert [str(part) for part in lost] == ["0.0"] * len(GROUPS)

    def test_groups_that_the_model_does_not_weigh_are_left_out(self, make: MakeMetric) -> None:
        shown = make({"short": 1.0, "long": 1.0}).explain("yes", "yes yes")
        assert [feature.name for feature in shown.features] == ["length"]
        assert [*shown.parts] == ["as good as the reference", "length"]

    def test_a_note_tells_what_was_cut(self, make: MakeMetric) -> None:
        within = make({"w1p": 100.0}).explain("yes", "no")
        assert within.score == 0.0
        assert within.notes == ()
        beyond = make({"w1p": 250.0}).explain("yes", "no")
        assert beyond.score == 0.0
        assert beyond.parts["wrong words"] == -250.0
        (note,) = beyond.notes
        assert "250.0 points" in note

    @pytest.mark.parametrize(("hypothesis", "reference"), PAIRS)
    def test_what_words_cost_adds_up_to_their_group(
        self, hypothesis: str, reference: str, all_losses: Accord
    ) -> None:
        shown = all_losses.explain(hypothesis, reference)
        for side, group in (("reference", "words missing"), ("hypothesis", "words too many")):
            costs = [rest.cost for rest in shown.leftovers if rest.side == side]
            if costs:
                assert sum(costs) == pytest.approx(-shown.parts[group], abs=1e-12)

    def test_a_content_word_costs_more_than_a_function_word(self, make: MakeMetric) -> None:
        """*The cat sat.* lacks on, which weighs 0.3, and mats, which weighs 0.7."""
        metric = make({"content missing": 20.0, "function missing": 15.0})
        shown = metric.explain("The cat sat.", "The cat sat on mats.")
        # One of three content words (cat, sat, mats), and one of three others (the, on and the full stop).
        assert shown.parts["words missing"] == pytest.approx(-20 / 3 - 15 / 3)
        costs = {shown.reference[rest.words[0]].form: rest.cost for rest in shown.leftovers}
        assert costs == pytest.approx({"on": 0.3 * 35 / 3, "mats": 0.7 * 35 / 3})

    def test_points_without_a_word_to_pay_them_stay_with_the_group(self, make: MakeMetric) -> None:
        shown = make({"ar": 10.0}).explain("He recalls it.", "He remembered it.")
        assert shown.leftovers == ()
        assert shown.parts["words missing"] < 0.0

    def test_words_of_a_group_that_is_not_weighed_have_no_cost(self, make: MakeMetric) -> None:
        shown = make({"ar": 10.0}).explain("It sat.", "The cat sat on mats.")
        assert {rest.side for rest in shown.leftovers if rest.cost is None} == {"hypothesis"}
        assert {rest.side for rest in shown.leftovers if rest.cost is not None} == {"reference"}

    def test_links_are_those_of_cobalt(self, all_losses: Accord) -> None:
        for pair in PAIRS:
            shown, aligned = all_losses.explain(*pair), create("cobalt").explain(*pair)
            for part in ("hypothesis", "reference", "links"):
                assert getattr(shown, part) == getattr(aligned, part)
            unpriced = tuple(replace(rest, cost=None) for rest in shown.leftovers)
            assert unpriced == aligned.leftovers
            assert shown.metric == "accord"
            assert shown.signature == str(all_losses.signature(1))

    def test_it_can_be_written_as_json(self, all_losses: Accord) -> None:
        shown = all_losses.explain(HYPOTHESES[0], REFERENCES[0])
        again = json.loads(json.dumps(shown.to_dict(), allow_nan=False))
        assert again["score"] == shown.score
        assert again["parts"] == shown.parts
        assert len(again["links"]) == len(shown.links)


def test_it_does_not_do_without_vectors() -> None:
    with pytest.raises(OptionError, match="MP507"):
        Accord(vectors="none")
