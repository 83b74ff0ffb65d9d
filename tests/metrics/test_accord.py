"""accord: weighed losses become the score that people would give, by a model for each language."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings

from metaphrase import Corpus, create, lexicon, score
from metaphrase.errors import OptionError, ResourceError
from metaphrase.learning.accord import Untrained
from metaphrase.metrics.accord.features import FAMILIES, losses_of, sums_of
from metaphrase.metrics.accord.metric import Accord
from metaphrase.metrics.cobalt.metric import Cobalt
from metaphrase.metrics.tesla_m.metric import TeslaM
from metaphrase.shipped import is_installed
from metaphrase.trained.accord_model import AccordModel, Interval, Scale
from oracle.accord_cases import (
    HYPOTHESES,
    REFERENCES,
    comparison,
    points_lost,
    segment,
    small_accord,
    varied,
)

SCALE = Scale(middle=10.0, steepness=2.0)
#: One language with all families of losses, one with tags, and one without an analyser.
VARIED = {lang: varied(lang, SCALE) for lang in ("en", "de", "xx")}
every_kind_of_language = pytest.mark.parametrize("metric", VARIED.values(), ids=VARIED.keys())


class TestScore:
    def test_it_is_100_less_what_each_penalty_takes_off(self) -> None:
        # Three of four words (1 − 3/4), two of three pairs of neighbours (1 − 2/3), and one word of four is
        # missing: they weigh 8/4 + 6/3 + 4/4 = 5, and share the points. No word of it is too much.
        metric = small_accord({"w1r": 8.0, "w2r": 6.0, "edit missing": 4.0, "c1p": 100.0})
        pair = "the cat sat", "the cat sat down"
        assert metric.sentence_score(pair[0], [pair[1]]).score == pytest.approx(100 / 1.05)
        points = points_lost(5)
        assert metric.explain(*pair).summands == pytest.approx(
            {
                "score of the reference": 100.0,
                "missing words": -points * 2 / 5,
                "missing word 2-grams": -points * 2 / 5,
                "words to insert (TER)": -points / 5,
            }
        )

    @every_kind_of_language
    def test_it_is_the_scale_of_the_weighed_losses(self, metric: Accord) -> None:
        # The last but one is nothing; the last lacks a sign alone.
        hypotheses = [*HYPOTHESES[:3], "", REFERENCES[0][:-1]]
        found = comparison(metric, hypotheses, [*REFERENCES[:4], REFERENCES[0]])
        weights = metric.trained.weights(losses_of(metric.asked))
        lost = metric.losses(found, 0, metric.asked) @ weights
        expected = SCALE.scores(lost)
        expected[3] = 0.0
        assert metric.statistics(found)[:, 0] == pytest.approx(expected, rel=1e-9)
        # Both sides of the middle are tried.
        assert 0 < lost.min() < SCALE.middle < lost.max()

    def test_each_penalty_is_added_up_once(self) -> None:
        names = losses_of(FAMILIES)
        columns = [column for columns in sums_of(names) for column in columns]
        assert sorted(columns) == list(range(len(names)))

    @every_kind_of_language
    @settings(max_examples=40)
    @given(same=segment)
    @example(same="")
    @example(same=" ")
    @example(same="the the cat the cat")
    def test_equal_texts_score_100(self, metric: Accord, same: str) -> None:
        assert metric.sentence_score(same, [same]).score == 100.0

    @every_kind_of_language
    def test_equal_texts_score_100_whatever_stands_beside_them(self, metric: Accord) -> None:
        rows = metric.statistics(comparison(metric, REFERENCES * 9, REFERENCES * 9))
        assert (rows[:, 0] == 100.0).all()

    def test_what_is_worse_scores_lower_however_bad_it_is(self) -> None:
        metric = small_accord({"long": 1000.0})
        found = [metric.sentence_score("no " * n, ["yes"]).score for n in (2, 10, 100, 1000, 9999)]
        assert found == sorted(found, reverse=True)
        assert len(set(found)) == len(found)
        assert found[-1] > 0
        # A loss of 1000 · log(10 000 / 2), and a middle of 100.
        assert found[-1] == pytest.approx(100 / (1 + 10 * np.log(10_000 / 2)))

    @every_kind_of_language
    def test_nothing_scores_0_if_something_is_lost(self, metric: Accord) -> None:
        for nothing in ("", " ", "\u2003"):
            for reference in REFERENCES:
                found = metric.sentence_score(nothing, [reference]).score
                assert found == (0.0 if reference else 100.0)

    def test_the_best_of_several_references_counts(self) -> None:
        metric = VARIED["en"]
        others = ["Another one.", *HYPOTHESES[1:3], *REFERENCES[3:]]
        single = [
            metric.statistics(comparison(metric, HYPOTHESES, references))
            for references in (REFERENCES, others)
        ]
        both = metric.statistics(comparison(metric, HYPOTHESES, REFERENCES, others))
        chosen = np.argmax([rows[:, 0] for rows in single], axis=0)
        assert chosen.tolist() == [0, 1, 1, 0, 0, 0, 0]
        for number, row in enumerate(both):
            assert row.tolist() == single[chosen[number]][number].tolist()

    @every_kind_of_language
    def test_batches_and_threads_do_not_matter(self, metric: Accord) -> None:
        hypotheses, references = HYPOTHESES * 5 + REFERENCES, REFERENCES * 6
        whole = metric.statistics(comparison(metric, hypotheses, references))
        for size in (1, 20):
            for threads in (1, 3):
                pieces = []
                for start in range(0, len(hypotheses), size):
                    here = slice(start, start + size)
                    piece = comparison(metric, hypotheses[here], references[here])
                    pieces.append(metric.statistics(piece, threads=threads))
                assert np.array_equal(np.concatenate(pieces), whole)


class TestInterval:
    def test_it_is_that_of_the_model_around_the_score(self) -> None:
        metric = small_accord({"c1p": 1.0}, interval=Interval(0.9, 40.0, 15.0, 5.0))
        found = metric.prediction_interval(np.array([50.0, 50.0]), np.array([1.0, 10.0]))
        assert found is not None
        assert [side.tolist() for side in found] == [[10.0, 35.0], [90.0, 65.0]]

    def test_it_stays_within_0_and_100(self) -> None:
        metric = small_accord({"c1p": 1.0}, interval=Interval(0.9, 40.0, 15.0, 5.0))
        found = metric.prediction_interval(np.array([3.0, 98.0]), np.array([1.0, 1.0]))
        assert found is not None
        assert [side.tolist() for side in found] == [[0.0, 58.0], [43.0, 100.0]]

    def test_a_model_that_was_not_measured_has_none(self) -> None:
        metric = small_accord({"c1p": 1.0})
        assert metric.prediction_interval(np.array([50.0]), np.array([1.0])) is None


class TestLanguages:
    @pytest.mark.parametrize("lang", ["en", "de", "fr", "es", "cs", "zh", "xx"])
    def test_each_has_its_own_model_or_that_of_any(self, lang: str) -> None:
        expected = lang if lang in AccordModel.shipped() else "any"
        if expected in AccordModel.shipped():
            assert Accord(lang=lang).trained == AccordModel.find(expected)
        else:
            with pytest.raises(ResourceError, match=r"MP841.*'any'"):
                _ = Accord(lang=lang).trained

    def test_a_model_may_be_chosen_by_its_name(self) -> None:
        assert Accord(model="en").trained == Accord().trained

    @pytest.mark.parametrize("lang", ["en", "zh", "xx"])
    def test_the_analyser_is_not_asked_where_the_text_is_enough(self, lang: str) -> None:
        metric = small_accord({"c1p": 1.0, "w1r": 1.0, "s r": 1.0}, lang=lang)
        assert metric.asked == ("surface", "spelling")
        assert metric.analyser_name is None
        assert metric.columns == frozenset()
        assert metric.sentence_score("ja tak", ["ja tak"]).score == 100.0

    @pytest.mark.parametrize(
        ("feature", "columns"),
        [
            ("v p", {"form"}),
            ("t1p", TeslaM().columns),
            ("ap", Cobalt().columns),
        ],
    )
    def test_the_analyser_is_asked_for_what_losses_need(
        self, feature: str, columns: set[str]
    ) -> None:
        metric = small_accord({"c1p": 1.0, feature: 1.0})
        assert metric.analyser_name == "builtin:en"
        assert metric.columns == columns

    @pytest.mark.parametrize(
        ("lang", "vectors", "feature", "family"),
        [
            ("de", None, "ap", "alignment"),
            ("xx", None, "breaks", "alignment"),
            ("zh", None, "t1p", "tags"),
            ("de", None, "v p", "vectors"),
            ("en", "none", "v follows", "vectors"),
        ],
    )
    def test_a_model_that_asks_for_what_the_language_lacks_is_refused(
        self, lang: str, vectors: str | None, feature: str, family: str
    ) -> None:
        metric = small_accord({"c1p": 1.0, feature: 0.5}, lang=lang, vectors=vectors, name="mine")
        with pytest.raises(OptionError, match=rf"MP845.*'mine'.*{family}.*lang={metric.lang}"):
            metric.sentence_score("a", ["a"])

    def test_english_without_vectors_needs_a_model_without_them(self) -> None:
        with pytest.raises(OptionError, match=r"MP845.*vectors=none"):
            Accord(vectors="none").sentence_score("a", ["a"])
        without = small_accord({"c1p": 1.0, "ap": 1.0}, vectors="none")
        assert without.sentence_score("a", ["a"]).score == 100.0

    def test_a_model_that_is_gone_is_refused(self, tmp_path: Path) -> None:
        metric = create(f"accord:model=file:{tmp_path / 'none.json'}")
        with pytest.raises(ResourceError, match="MP840"):
            metric.sentence_score("a", ["a"])

    def test_a_model_of_ones_own_is_used_without_a_word(self) -> None:
        metric = small_accord({"c1p": 1.0}, lang="xx")
        assert metric.caution(np.ones(9)) is None


#: A sentence of each language that may have a model; xx is for the model of any language.
SENTENCES = {
    "en": "The government announced a new plan on Tuesday evening.",
    "de": "Die Regierung hat am Dienstagabend einen neuen Plan vorgestellt.",
    "fr": "Le gouvernement a présenté un nouveau plan mardi soir.",
    "es": "El gobierno presentó un nuevo plan el martes por la noche.",
    "cs": "Vláda v úterý večer představila nový plán pro celou zemi.",
    "zh": "政府 星期二 晚上 宣布 了 一 项 新 计划。",
    "any": "Regeringen lade på tisdagskvällen fram en ny plan för landet.",
}


def sentence(name: str) -> str:
    """One that the model is for."""
    return SENTENCES[name.partition("+")[0]]


@pytest.mark.parametrize("name", AccordModel.shipped())
class TestWhatShips:
    @staticmethod
    def metric(name: str) -> Accord:
        lang, _, context = name.partition("+")
        if context and not is_installed("metaphrase_encoder"):
            pytest.skip("metaphrase-encoder is not installed")
        return Accord(
            lang="xx" if name == "any" else lang,
            model=name,
            encoder="shipped" if context else "none",
        )

    def test_equal_texts_score_100(self, name: str) -> None:
        for same in (sentence(name), *REFERENCES, " "):
            assert self.metric(name).sentence_score(same, [same]).score == 100.0

    def test_the_score_falls_with_every_word_that_is_dropped(self, name: str) -> None:
        words = sentence(name).split()
        metric = self.metric(name)
        found = [
            metric.sentence_score(" ".join(words[:kept]), [sentence(name)]).score
            for kept in range(len(words), -1, -1)
        ]
        assert found[0] == 100
        # "approved the budget" says less than "approved the budget after", and reads better in context.
        step = 2 if metric.encoder == "shipped" else 1
        assert (np.subtract(found[step:], found[:-step]) < 0).all()
        # Any word is more than none.
        assert found[-2] > found[-1] == 0

    def test_the_signature_names_it(self, name: str) -> None:
        metric = self.metric(name)
        signed = dict(metric.signature(1).items)
        assert signed["model"] == f"{name}@{AccordModel.find(name).fingerprint}"
        assert signed["lang"] == metric.lang

    def test_it_asks_for_no_more_than_the_language_has(self, name: str) -> None:
        metric = self.metric(name)
        assert set(metric.asked) <= set(metric.families)
        needs_analyser = {"alignment", "tags", "vectors"} & set(metric.asked)
        assert (metric.analyser_name is not None) == bool(needs_analyser)

    def test_it_says_how_far_to_trust_it(self, name: str) -> None:
        found = self.metric(name).prediction_interval(np.array([50.0, 50.0]), np.array([1.0, 1e3]))
        assert found is not None
        low, high = found
        assert (low < 50).all()
        assert (high > 50).all()
        assert high[0] - low[0] > high[1] - low[1]

    def test_a_language_without_a_model_of_its_own_says_so_once(self, name: str) -> None:
        metric, same = replace(self.metric(name), model=None), [sentence(name)] * 3
        corpus = Corpus({"a": same, "b": ["x"] * 3}, [same])
        for ask in (lambda: score(corpus, [metric]), lambda: metric.corpus_score(same, [same])):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                ask()
            assert len(caught) == (name == "any")
            assert all("no model of 'und'" in str(one.message) for one in caught)


class TestSignature:
    def test_it_names_whatever_the_score_depends_on(self) -> None:
        metric = small_accord({"c1p": 1.0, "ap": 2.0, "v p": 3.0}, name="mine")
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

    def test_it_names_nothing_else(self) -> None:
        signed = dict(small_accord({"c1p": 1.0, "s p": 2.0}).signature(1).items)
        assert signed.keys() == {"nrefs", "lang", "norm", "model", "version"}

    def test_tags_come_with_synonyms(self) -> None:
        signed = dict(small_accord({"b1p": 1.0}, lang="de").signature(1).items)
        assert signed["analyser"].startswith("builtin:de@")
        assert "synonyms" in signed
        assert not signed.keys() & {"paraphrases", "vectors"}

    def test_weights_and_scale_change_it_and_names_of_files_do_not(self) -> None:
        one, same, other = (small_accord({"c1p": weight}) for weight in (1.0, 1.0, 2.0))
        assert one.model != same.model
        assert one.signature(1) == same.signature(1) != other.signature(1)
        assert one.signature(1) != small_accord({"c1p": 1.0}, scale=SCALE).signature(1)


def test_before_it_has_a_model_it_computes_all_that_the_language_has() -> None:
    families = ["surface", "form", "facts", "denials", "spelling"]
    assert Untrained(lang="xx").loss_names == losses_of(families)
    assert Untrained(lang="xx").analyser_name is None
    assert Untrained().loss_names == losses_of(Untrained().families)
