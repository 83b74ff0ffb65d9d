"""What a report holds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaphrase.corpus import Corpus, read_plain
from metaphrase.corpus.formats.judged.human_scores import HumanScores
from metaphrase.errors import InputError, OptionError
from metaphrase.metrics import Metric, create
from metaphrase.metrics.tesla_m.metric import TeslaM
from metaphrase.report.dataset import ReportData, build
from metaphrase.report.dataset.segment_explainer import SegmentExplainer
from metaphrase.scoring import Scores, score
from metaphrase.statistics.coefficients import kendall, pearson
from metrics.word_share import WordShare

EXAMPLES = Path(__file__).parents[2] / "examples"
METRICS = ["tesla-m", "bleu", "ter"]


def scored(corpus: Corpus, metrics: Sequence[str | Metric]) -> Scores:
    return score(
        corpus,
        metrics,
        levels=["system", "segment"],
        keep_statistics=True,
        check_language=False,
    )


def report(corpus: Corpus, metrics: Sequence[str | Metric], **options: Any) -> ReportData:
    return build(corpus, scored(corpus, metrics), metrics, **options)


def floats(data: ReportData, name: str) -> np.ndarray:
    values = np.frombuffer(data.block(name), dtype="<f8")
    return values.reshape(len(data.overview["systems"]), data.overview["segments"])


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return read_plain(
        [EXAMPLES / "reference.txt"],
        {name: EXAMPLES / f"{name}.txt" for name in ("system-b", "system-a")},
        documents=EXAMPLES / "documents.txt",
    )


@pytest.fixture(scope="module")
def example(corpus: Corpus) -> ReportData:
    return report(corpus, METRICS, title="An example")


class TestOverview:
    def test_says_what_was_compared(self, example: ReportData) -> None:
        overview = example.overview
        assert overview["schema"] == 1
        assert overview["title"] == "An example"
        assert overview["systems"] == ["system-b", "system-a"]
        assert (overview["segments"], overview["references"]) == (12, 1)
        # The documents of examples/documents.txt, in the order of the text.
        assert overview["documents"][:2] == ["politics", "weather"]
        assert [metric["name"] for metric in overview["metrics"]] == METRICS
        assert [metric["explains"] for metric in overview["metrics"]] == [True] * 3
        assert [metric["higherIsBetter"] for metric in overview["metrics"]] == [True, True, False]
        assert overview["metrics"][2]["bounds"] == [0.0, None]
        assert overview["metrics"][2]["summary"] == create("ter").summary

    def test_begins_with_a_verdict(self, example: ReportData, corpus: Corpus) -> None:
        gap = np.subtract(*(row["score"] for row in example.overview["table"][0]["rows"]))
        p = example.overview["table"][0]["p"][0][1]
        assert p < 0.05
        assert example.overview["verdict"].startswith(
            f"system-a scores {gap:.4f} tesla-m higher than system-b (randomisation test, p "
        )
        assert " documents" in example.overview["verdict"]
        untested = build(corpus, scored(corpus, ["chrf"]), ["chrf"], resamples=0).overview
        assert "was not tested" in untested["verdict"]

    def test_is_strict_json(self, example: ReportData) -> None:
        json.dumps(example.overview, allow_nan=False)

    def test_systems_stand_best_first_even_where_lower_is_better(self, example: ReportData) -> None:
        for entry in example.overview["table"]:
            assert [row["system"] for row in entry["rows"]] == [1, 0]
            assert [row["rank"] for row in entry["rows"]] == [1, 2]
            assert all(row["low"] <= row["score"] <= row["high"] for row in entry["rows"])

    def test_intervals_are_those_of_score_and_p_values_those_of_all_pairs(
        self, corpus: Corpus, example: ReportData
    ) -> None:
        from metaphrase.meta import randomisation_of_all
        from metaphrase.metrics import create
        from metaphrase.scoring import resample

        tested = resample(scored(corpus, METRICS), METRICS, test="sacrebleu-bootstrap")
        for entry, name in zip(example.overview["table"], METRICS, strict=True):
            expected = tested.systems[1].resampled[name]
            statistics = [system.statistics[name] for system in tested.systems]
            test = randomisation_of_all(statistics, create(name).score).tests[1, 0]
            assert entry["p"] == [[None, test.p_value], [test.p_value, None]]
            assert entry["differing"] == [[None, test.differing], [test.differing, None]]
            assert entry["untestable"] == [[None, None], [None, None]]
            best = entry["rows"][0]
            assert expected.interval is not None
            assert (best["low"], best["high"]) == (expected.interval.low, expected.interval.high)

    def test_systems_that_differ_are_in_different_clusters(self, example: ReportData) -> None:
        for entry in example.overview["table"]:
            significant = entry["p"][0][1] < 0.05
            assert [row["cluster"] for row in entry["rows"]] == [1, 2 if significant else 1]

    def test_equal_systems_share_rank_and_cluster(self, corpus: Corpus) -> None:
        texts = corpus.systems["system-a"]
        twins = Corpus({"one": texts, "two": texts}, corpus.references)
        (entry,) = report(twins, ["bleu"]).overview["table"]
        assert [(row["rank"], row["cluster"]) for row in entry["rows"]] == [(1, 1), (1, 1)]
        assert entry["p"][0][1] == 1.0

    def test_one_system_has_an_interval_and_no_test(self, corpus: Corpus) -> None:
        alone = Corpus({"a": corpus.systems["system-a"]}, corpus.references)
        overview = report(alone, ["bleu"]).overview
        (row,) = overview["table"][0]["rows"]
        assert row["low"] < row["score"] < row["high"]
        assert row["cluster"] is None
        assert overview["table"][0]["p"] == [[None]]
        assert overview["resampling"]["test"] == "bootstrap"
        assert overview["documents"] is None
        assert overview["verdict"] is None

    def test_without_resamples_there_is_neither(self, corpus: Corpus) -> None:
        scores = score(corpus, ["bleu"], levels=["system", "segment"])
        overview = build(corpus, scores, ["bleu"], resamples=0).overview
        assert overview["resampling"] is None
        for row in overview["table"][0]["rows"]:
            assert (row["low"], row["high"], row["cluster"]) == (None, None, None)

    def test_doubts_are_warnings_if_anybody_looks_for_them(self, corpus: Corpus) -> None:
        texts = {"whole": corpus.systems["system-a"], "cut": ["", *corpus.systems["system-a"][1:]]}
        broken = Corpus(texts, corpus.references)
        assert report(broken, ["bleu"]).overview["warnings"] == []
        (line,) = report(broken, ["bleu"], doubts=True).overview["warnings"]
        assert line == "1 hypothesis is empty: 1 of cut (line 1)."

    def test_doubts_about_two_systems_are_those_of_every_metric(self) -> None:
        # Of 500 segments, all that the systems do not have in common is in ten.
        rows = ["the cat sat on the old mat"] * 500
        corpus = Corpus({"right": rows, "wrong": ["no word of it"] * 10 + rows[10:]}, [rows])
        found = report(corpus, ["bleu", "ter"], doubts=True, resamples=1000).overview
        assert [
            line.split(" segments make ")[0] for line in found["warnings"] if "make" in line
        ] == [
            "10 of 500",
            "10 of 500",
        ]


class TestBlocks:
    def test_scores_are_those_of_segments_to_seven_digits(
        self, corpus: Corpus, example: ReportData
    ) -> None:
        scores = scored(corpus, METRICS)
        for number, name in enumerate(METRICS):
            expected = np.stack([system.segment[name] for system in scores.systems])
            np.testing.assert_allclose(floats(example, f"scores/{number}"), expected, rtol=1e-7)

    def test_scores_of_documents_are_those_of_score(
        self, corpus: Corpus, example: ReportData
    ) -> None:
        scores = score(corpus, METRICS, levels=["document"], check_language=False)
        assert example.overview["documentScores"]
        assert list(scores.documents) == example.overview["documents"]
        for number, name in enumerate(METRICS):
            expected = np.stack([system.document[name] for system in scores.systems])
            found = np.frombuffer(example.block(f"document-scores/{number}"), dtype="<f8")
            np.testing.assert_allclose(found.reshape(expected.shape), expected, rtol=1e-7)

    def test_scores_of_domains_are_those_of_score(self, corpus: Corpus) -> None:
        names = ["news", "chat", "news"] * 4
        texts = Corpus(dict(corpus.systems), corpus.references, domains=names)
        scores = score(texts, METRICS, levels=["domain"], check_language=False)
        data = report(texts, METRICS)
        assert data.overview["domains"] == ["news", "chat"]
        places = np.frombuffer(data.block("domains"), dtype="<u4")
        assert [data.overview["domains"][place] for place in places] == names
        for number, name in enumerate(METRICS):
            expected = np.stack([system.domain[name] for system in scores.systems])
            found = np.frombuffer(data.block(f"domain-scores/{number}"), dtype="<f8")
            np.testing.assert_allclose(found.reshape(expected.shape), expected, rtol=1e-7)

    def test_texts_without_domains_say_nothing_of_them(self, example: ReportData) -> None:
        assert "domains" not in example.overview
        assert not [name for name in example.packed if name.startswith("domain")]

    def test_without_statistics_documents_have_no_scores(self, corpus: Corpus) -> None:
        scores = score(corpus, ["bleu"], levels=["system", "segment"], check_language=False)
        data = build(corpus, scores, ["bleu"], resamples=0)
        assert not data.overview["documentScores"]
        assert "document-scores/0" not in data.packed

    def test_texts_come_in_chunks(self) -> None:
        rows = [f"segment {i}" for i in range(150)]
        many = Corpus({"a": rows}, [rows, rows], sources=rows)
        data = report(many, ["bleu"])
        chunk = data.overview["chunk"]
        texts = [json.loads(data.block(f"texts/{k}")) for k in range(-(-150 // chunk))]
        assert [text for block in texts for text in block["hypotheses"][0]] == rows
        assert [text for block in texts for text in block["references"][1]] == rows
        assert [text for block in texts for text in block["sources"]] == rows
        with pytest.raises(KeyError):
            data.block(f"texts/{len(texts)}")

    def test_documents_are_positions_among_their_names(
        self, corpus: Corpus, example: ReportData
    ) -> None:
        names = example.overview["documents"]
        places = np.frombuffer(example.block("documents"), dtype="<u4")
        assert tuple(names[place] for place in places) == corpus.documents

    def test_lengths_are_words_or_for_chinese_characters(self) -> None:
        texts = Corpus({"a": ["我 喜欢 茶"]}, [["two words"]])
        for lang, expected in (("en", [3, 2]), ("zh", [4, 8])):
            data = build(texts, scored(texts, ["chrf"]), ["chrf"], lang=lang)
            assert np.frombuffer(data.block("lengths"), dtype="<u4").tolist() == expected

    def test_the_same_input_gives_the_same_blocks(
        self, corpus: Corpus, example: ReportData
    ) -> None:
        again = report(corpus, METRICS, title="An example", threads=2)
        assert again.overview == example.overview
        assert dict(again.packed) == dict(example.packed)


class TestExplanations:
    def test_a_small_corpus_is_explained_completely(
        self, corpus: Corpus, example: ReportData
    ) -> None:
        assert example.overview["explained"] == "all"
        records = json.loads(example.block("explanations/0"))
        assert set(records) == {
            f"{m}/{s}/{i}" for m in range(3) for s in range(2) for i in range(12)
        }
        record = records["0/1/3"]
        expected = TeslaM().explain(corpus.systems["system-a"][3], corpus.references[0][3])
        assert set(record) == set(expected.to_dict())
        assert record["score"] == pytest.approx(expected.score, rel=1e-5)
        assert record["hypothesis_text"] == corpus.systems["system-a"][3]

    def test_so_many_of_each_metric_that_explains_itself(self, corpus: Corpus) -> None:
        told: list[int] = []
        metrics = [create("tesla-m"), WordShare(), create("pfsm")]
        data = report(corpus, metrics, explain=3, progress=told.append)
        triples = json.loads(data.block("explained"))
        assert triples == sorted(triples)
        assert [metric for metric, _, _ in triples] == [0] * 3 + [2] * 3
        records = json.loads(data.block("explanations/0"))
        assert set(records) == {"/".join(map(str, triple)) for triple in triples}
        assert data.overview["explained"] == "some"
        assert "3 most informative" in data.overview["notes"][0]
        assert told == [1, 2, 3, 4, 5, 6]

    @pytest.mark.parametrize("how", ["none", "live"])
    def test_none_is_embedded_if_none_is_asked_for(self, corpus: Corpus, how: Any) -> None:
        data = report(corpus, ["tesla-m"], explain=how)
        assert data.overview["explained"] == how
        assert not any(name.startswith("expla") for name in data.packed)

    def test_of_several_references_the_best_one_is_shown(self) -> None:
        several = Corpus({"a": ["a cat sat"]}, [["no dogs ran"], ["a cat sat"], ["the cat sat"]])
        shown = SegmentExplainer(several, [create("tesla-m")]).explain(0, 0, 0)
        assert shown.reference_text == "a cat sat"

    def test_one_that_fails_is_kept_as_its_error(
        self, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(self: TeslaM, hypothesis: str, reference: str) -> None:
            raise InputError("MP510", "too long.", hint="Cut it.")

        monkeypatch.setattr(TeslaM, "_view", refuse)
        data = report(corpus, ["tesla-m"], explain=1)
        (record,) = json.loads(data.block("explanations/0")).values()
        assert record == {"error": {"code": "MP510", "message": "too long.", "hint": "Cut it."}}


class TestPeople:
    def test_agreement_at_both_levels(self, corpus: Corpus) -> None:
        a, b = (list(corpus.systems[name]) for name in ("system-a", "system-b"))
        three = Corpus({"a": a, "b": b, "mixed": a[:6] + b[6:]}, corpus.references)
        people = np.random.default_rng(1).normal(size=(3, 12))
        people[:, 4] = np.nan
        scores = scored(three, ["ter"])
        human = HumanScores("people", people, ("other",))
        data = build(three, scores, ["ter"], human=human)
        # Lower TER is better, so it is turned before it is compared with people.
        segment = -np.stack([system.segment["ter"] for system in scores.systems])
        system = [-system.system["ter"] for system in scores.systems]
        means = np.nanmean(people, axis=1)
        found = data.overview["human"]
        assert found["system"] == pytest.approx(means)
        assert found["agreement"] == [
            {
                "metric": 0,
                "segment": pytest.approx(kendall(segment.ravel(), people.ravel())),
                "system": pytest.approx(pearson(system, means)),
            }
        ]
        np.testing.assert_array_equal(floats(data, "human"), people)
        assert any("ignored: other" in note for note in data.overview["notes"])

    def test_two_systems_say_nothing_about_a_correlation_of_systems(self, corpus: Corpus) -> None:
        human = HumanScores("people", np.arange(24.0).reshape(2, 12))
        found = report(corpus, ["bleu"], human=human).overview["human"]
        assert found["agreement"][0]["system"] is None
        assert found["agreement"][0]["segment"] is not None


class TestMistakes:
    @pytest.mark.parametrize("explain", ["some", 0, -1, 1.5, True])
    def test_a_choice_of_explanations_that_does_not_exist(
        self, corpus: Corpus, explain: Any
    ) -> None:
        with pytest.raises(OptionError, match="MP648"):
            report(corpus, ["bleu"], explain=explain)

    def test_scores_without_statistics_or_segments_or_of_another_corpus(
        self, corpus: Corpus
    ) -> None:
        whole = scored(corpus, ["bleu"])
        for scores, texts in (
            (score(corpus, ["bleu"], levels=["system", "segment"]), corpus),
            (score(corpus, ["bleu"], keep_statistics=True), corpus),
            (whole, corpus[:3]),
        ):
            with pytest.raises(OptionError, match="MP649"):
                build(texts, scores, ["bleu"])
        with pytest.raises(OptionError, match="MP649"):
            build(corpus, whole, ["chrf"])


class TestPredictions:
    def test_systems_have_the_ends_of_their_intervals(self, corpus: Corpus) -> None:
        metrics = [WordShare(), create("bleu")]
        scores = score(corpus, metrics, levels=["system", "segment"])
        data = build(corpus, scores, metrics, resamples=0)
        first, second = data.overview["table"]
        assert [metric["coverage"] for metric in data.overview["metrics"]] == [0.8, None]
        for row in first["rows"]:
            name = data.overview["systems"][row["system"]]
            found = scores.predictions(system=name, metric="word-share")
            assert found is not None
            assert row["predicted"] == [found.low[0], found.high[0]]
        assert {row["predicted"] for row in second["rows"]} == {None}

    def test_single_segments_have_none(self, corpus: Corpus) -> None:
        metrics = [create("bleu"), WordShare()]
        scores = score(corpus, metrics, levels=["system", "segment"])
        data = build(corpus, scores, metrics, resamples=0)
        assert not [name for name in data.packed if "predictions" in name]

    def test_a_page_knows_what_raters_prefer(self, corpus: Corpus) -> None:
        metrics = [create("accord"), create("bleu")]
        scores = score(corpus, metrics, levels=["system", "segment"])
        data = build(corpus, scores, metrics, resamples=0)
        table = create("accord").preferences
        assert table is not None
        first, second = data.overview["metrics"]
        assert first["preferences"] == table.points()
        assert second["preferences"] is None
        assert "Raters would prefer " in (data.overview["verdict"] or "")
