"""Explanations of PBE: what they say, and how they are drawn in a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from metaphrase import Corpus
from metaphrase.arrays import FloatArray
from metaphrase.cli import main
from metaphrase.metrics import Explanation, create
from metaphrase.metrics.pbe.maps import MappedPhrases
from metaphrase.metrics.pbe.metric import Pbe
from metaphrase.report import details_view
from report.screen import on_screen

REFERENCES = ["Heavy rain caused floods in several villages.", "The plan was new.", "It is."]
HYPOTHESES = ["In towns, strong rain caused a flood on Tuesday.", "This plan was new.", "It was."]
QUICK = "topics=3:iterations=20"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METAPHRASE_CACHE", str(tmp_path / "cache"))


def drawn(explanation: Explanation) -> str:
    return on_screen(details_view(explanation, title="a title"), width=120)


def explained(variant: str, row: int = 0) -> Explanation:
    corpus = Corpus({"s": HYPOTHESES}, [REFERENCES], documents=["a", "b", "c"])
    return create(f"pbe:{variant}").explainer(corpus)("s", row, 0)


@pytest.fixture
def rain() -> Explanation:
    return Pbe().explain(HYPOTHESES[0], REFERENCES[0])


class TestTheExplanation:
    def test_phrases_links_and_blocks(self, rain: Explanation) -> None:
        words = {
            "reference": [word.form for word in rain.reference],
            "hypothesis": [word.form for word in rain.hypothesis],
        }
        phrases = [
            (p.side[0], p.kind, " ".join(words[p.side][i] for i in p.words), p.weight)
            for p in rain.phrases
        ]
        assert phrases == [
            ("r", "NP", "Heavy rain", 2),
            ("r", "VP", "caused", 1),
            ("r", "NP", "floods", 1),
            ("r", "NP", "several villages", 2),
            ("h", "NP", "towns", 1),
            ("h", "NP", "strong rain", 2),
            ("h", "VP", "caused", 1),
            ("h", "NP", "a flood", 2),
            ("h", "NP", "Tuesday", 1),
        ]
        assert [link.block for link in rain.links] == [1, 1, 1, 2]
        assert [rest.side for rest in rain.leftovers] == ["hypothesis"]

    def test_word_pairs_add_up_to_the_similarity(self, rain: Explanation) -> None:
        for link in rain.links:
            best: dict[tuple[str, int], float] = {}
            for pair in link.word_pairs:
                for key in (("h", pair.hypothesis), ("r", pair.reference)):
                    best[key] = max(best.get(key, 0.0), pair.similarity)
            means = [
                sum(best[side, i] for i in places) / len(places)
                for side, places in (("h", link.hypothesis), ("r", link.reference))
            ]
            assert link.similarity == pytest.approx(sum(means) / 2)

    def test_kinds_of_word_pairs(self) -> None:
        explanation = Pbe().explain(
            "The dog announces nationality.", "The cats announced nationalities."
        )
        kinds = {
            explanation.reference[pair.reference].form: pair.kind
            for link in explanation.links
            for pair in link.word_pairs
        }
        assert kinds["The"] == "word"
        assert kinds["announced"] == "lemma"
        assert kinds["cats"] == "WordNet"

    def test_its_numbers_give_the_score(self, rain: Explanation) -> None:
        details = rain.features[0].details
        mean = 0.2 * details["precision"] + 0.8 * details["recall"]
        assert rain.score == pytest.approx(mean * (1 - details["penalty"]))
        assert details["penalty"] == pytest.approx(0.5 * (1 / 4) ** 0.5)

    def test_with_documents_it_tells_the_score_of_the_segment_in_its_corpus(self) -> None:
        for variant in ("tfidf", f"tfidf+topic+sim:{QUICK}", f"ngram+sim:{QUICK}"):
            metric = create(f"pbe:{variant}")
            scores = metric.segment_scores(HYPOTHESES, [REFERENCES], documents=["a", "b", "c"])
            for row, value in enumerate(scores):
                assert explained(variant, row).score == value

    def test_all_segments_together_take_the_statistics_of_the_corpus_once(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        calls = []
        statistics = MappedPhrases.statistics

        def counted(mapped: MappedPhrases) -> FloatArray:
            calls.append(mapped)
            return statistics(mapped)

        monkeypatch.setattr(MappedPhrases, "statistics", counted)
        view = Pbe().viewer(Corpus({"s": HYPOTHESES}, [REFERENCES, HYPOTHESES]))
        for row in range(len(HYPOTHESES)):
            for reference in (0, 1):
                view("s", row, reference)
        assert len(calls) == 2

    def test_factors_are_those_of_the_variant(self) -> None:
        explanation = explained(f"tfidf+topic+sim:{QUICK}")
        for phrase in explanation.phrases:
            assert list(phrase.factors) == ["tf.idf", "topic cosine"]
            product = phrase.factors["tf.idf"] * phrase.factors["topic cosine"]
            assert phrase.weight == pytest.approx(product)
        for link in explanation.links:
            parts = 0.8 * link.factors["words"] + 0.2 * link.factors["topics"]
            assert link.similarity == pytest.approx(parts)

    def test_weights_of_nothing_are_noted(self) -> None:
        explanation = explained(f"ngram+topic:{QUICK}", row=2)
        assert [note.split(" weigh")[0] for note in explanation.notes] == [
            "all phrases of the hypothesis",
            "all phrases of the reference",
        ]
        assert explanation.score == 1.0


class TestInATerminal:
    def test_the_map_shows_phrases_blocks_words_and_what_was_lost(self, rain: Explanation) -> None:
        text = drawn(rain)
        for part in (
            "[Heavy rain] [caused] [floods] in [several villages]",
            "In [towns] , [strong rain] [caused] [a flood] on [Tuesday]",
            "villages ≈ towns",
            "floods ≈ flood 1.00 (lemma)",
            "several –",
            "same words",
            "penalty",
        ):
            assert part in text
        assert "Tuesday" in text.split("extra")[1]
        assert "tf.idf" not in text

    def test_factors_have_a_table_of_their_own(self) -> None:
        text = drawn(explained(f"tfidf+topic+sim:{QUICK}"))
        assert "topic cosine" in text
        assert "topics" in text

    def test_sides_may_have_other_factors(self) -> None:
        """Only the reference says what has no topic: its numbers of words count."""
        corpus = Corpus(
            {"s": ["It is.", "A dog."]}, [["Rain fell.", "It is."]], documents=["a", "b"]
        )
        explain = create(f"pbe:ngram+topic:{QUICK}").explainer(corpus)
        for row in (0, 1):
            assert "instead" in drawn(explain("s", row, 0))

    def test_sides_without_phrases(self) -> None:
        for pair in (("", "The cat."), ("!", "?"), ("The cat.", "!")):
            assert "0.0000" in drawn(Pbe().explain(*pair))


class TestOnTheCommandLine:
    def test_explain_takes_documents_from_the_files(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for name, lines in (("r", REFERENCES), ("h", HYPOTHESES), ("d", list("abc"))):
            (tmp_path / name).write_text("\n".join(lines) + "\n")
        files = [str(tmp_path / "r"), "-i", str(tmp_path / "h"), "--documents", str(tmp_path / "d")]
        variant = f"pbe:tfidf+topic+sim:{QUICK}"
        assert main(["explain", *files, "-m", variant, "--worst", "3", "--format", "json"]) == 0
        records = json.loads(capsys.readouterr().out)
        expected = {
            record["segment"]: explained(variant.removeprefix("pbe:"), record["segment"] - 1).score
            for record in records
        }
        assert {record["segment"]: record["score"] for record in records} == expected
        assert records[0]["phrases"][0]["factors"]
        assert records[0]["links"][0]["word_pairs"]

    def test_explain_says_what_is_missing(self, capsys: pytest.CaptureFixture[str]) -> None:
        texts = ["--reference", "The cat.", "--hypothesis", "A cat."]
        assert main(["explain", *texts, "-m", "pbe:tfidf"]) != 0
        message = capsys.readouterr().err
        assert "MP516" in message
        assert "instead of --reference and --hypothesis" in message

    def test_a_cache_that_cannot_be_used_is_a_warning_like_others(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "cache").write_text("not a folder")
        monkeypatch.setenv("METAPHRASE_CACHE", str(tmp_path / "cache"))
        corpus = tmp_path / "corpus.tsv"
        corpus.write_text("document\treference\ta\nd\tThe plan was new.\tThis plan is new.\n")
        assert main(["explain", "--corpus", str(corpus), "-m", f"pbe:ngram+topic:{QUICK}"]) == 0
        warning = capsys.readouterr().err
        assert warning.startswith("metaphrase: warning: going on without the cache ")
        assert warning.endswith(": its folder is a file\n")

    @pytest.mark.parametrize("variant", ["pbe", "pbe:ngram+sim", "pbe:tfidf+topic+sim"])
    def test_an_explanation_fits_into_80_columns(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], variant: str
    ) -> None:
        reference = (
            "Heavy rain, which nobody had expected in the distant northern provinces, caused very "
            "disastrous floods in several remote mountain villages and killed more than forty cows."
        )
        hypothesis = (
            "In mountainous towns an unexpectedly strong rain that was not foreseen by the national "
            "weather service caused some most catastrophic flooding, and over forty cattle died."
        )
        corpus = tmp_path / "corpus.tsv"
        rows = [
            ("document", "reference", "a"),
            ("d", reference, hypothesis),
            ("e", "It is.", "No."),
        ]
        corpus.write_text("".join("\t".join(row) + "\n" for row in rows))
        metric = variant if variant == "pbe" else f"{variant}:{QUICK}"
        arguments = ["--corpus", str(corpus), "-m", metric, "--segment", "1", "2"]
        assert main(["explain", *arguments]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines)) <= 80
        assert "villages" in " ".join(lines)

    def test_metrics_lists_the_variants(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["metrics", "pbe"]) == 0
        assert "pbe:tfidf+topic+sim  weights = tfidf+topic, theta = 0.8" in capsys.readouterr().out
        assert main(["metrics", "pbe", "--format", "json"]) == 0
        variants = json.loads(capsys.readouterr().out)[0]["variants"]
        assert variants["tfidf"] == {"weights": "tfidf"}
