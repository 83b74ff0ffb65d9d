"""PBE with documents: tf.idf, topics, and corpora that are odd in one way or another."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import pytest

from metaphrase import Corpus, analysis, score
from metaphrase.analysis import Sentence
from metaphrase.errors import InputError, ResourceError
from metaphrase.lexicon import load
from metaphrase.metrics import create
from metaphrase.metrics.pbe.metric import Pbe
from metaphrase.metrics.pbe.weights import tf_idf
from metaphrase.trained import topics
from metaphrase.trained.topics import TopicOptions
from oracle import pbe as oracle

REFERENCES = [
    "The government announced a new plan on Tuesday.",
    "The plan will change the law, the minister said.",
    "Heavy rain caused floods in several villages.",
    "The rain will stop on Tuesday.",
    "It is.",
    "The team won the match and the fans sang.",
]
HYPOTHESES = [
    "On Tuesday the government has announced a plan.",
    "The minister said that the plan changes laws.",
    "In towns a strong rain caused a flood.",
    "On Tuesday rain stops.",
    "It was.",
    "A team has won a game and supporters sang.",
]
DOCUMENTS = ["politics", "politics", "weather", "weather", "weather", "sport"]
QUICK = ":topics=4:iterations=60"
VARIANTS = [
    name if "topic" not in name and "sim" not in name else name + QUICK for name in Pbe.variants
]
DOCUMENT_VARIANTS = [name for name in VARIANTS if name not in ("ngram", "paper")]
every_variant = pytest.mark.parametrize("variant", DOCUMENT_VARIANTS)
LEVELS = ("system", "document", "segment")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METAPHRASE_CACHE", str(tmp_path))


def segments(
    variant: str,
    hypotheses: list[str] = HYPOTHESES,
    references: list[str] = REFERENCES,
    documents: list[str] = DOCUMENTS,
) -> list[float]:
    metric = create(f"pbe:{variant}")
    return metric.segment_scores(hypotheses, [references], documents=documents).tolist()


def analysed(texts: list[str]) -> list[Sentence]:
    return list(analysis.shared("builtin:en").analyse(texts, ["lemma", "chunk", "upos"]))


def test_tf_idf_by_hand() -> None:
    # Documents 0: a a b, 1: b c, 2: nothing. tf(a) = 2, df(a) = 1, N = 3.
    values = tf_idf(np.array([0, 0, 1, 1, 2]), np.array([0, 0, 0, 1, 1]), 3)
    a, b, c = (1 + np.log(2)) * np.log(3), np.log(3 / 2), np.log(3)
    assert values == pytest.approx([a, a, b, b, c])


class TestAgainstTheOracle:
    """Segments, documents and systems, word by word."""

    @pytest.mark.parametrize("term", ["word", "phrase"])
    def test_tf_idf(self, term: str) -> None:
        sides = analysed(HYPOTHESES), analysed(REFERENCES)
        weigh = [oracle.tf_idf(side, DOCUMENTS, units=term == "phrase") for side in sides]
        rows = []
        for i, pair in enumerate(zip(*sides, strict=True)):
            weights = tuple(
                [weight(i, phrase) for phrase in oracle.phrases(sentence)]
                for weight, sentence in zip(weigh, pair, strict=True)
            )
            rows.append(oracle.segment_sums(*pair, load("wordnet"), weights))
        self.check(f"tfidf:term={term}", rows)

    @pytest.mark.parametrize("theta", [1.0, 0.8])
    def test_topics(self, theta: float) -> None:
        sides = analysed(HYPOTHESES), analysed(REFERENCES)
        cosines = [self.cosines(side) for side in sides]
        rows = []
        for i, pair in enumerate(zip(*sides, strict=True)):
            own = cosines[0][i], cosines[1][i]
            weights = tuple(
                [len(phrase) * value for phrase, value in zip(found, values, strict=True)]
                for found, values in zip(map(oracle.phrases, pair), own, strict=True)
            )
            rows.append(oracle.segment_sums(*pair, load("wordnet"), weights, own, theta))
        self.check(f"ngram+topic:theta={theta}{QUICK}", rows, without={4})

    @staticmethod
    def cosines(side: list[Sentence]) -> list[list[float]]:
        names = list(dict.fromkeys(DOCUMENTS))
        content = [
            [
                lemma.lower()
                for lemma, tag in zip(row.lemma, row.upos, strict=True)
                if tag in ("NOUN", "PROPN", "VERB", "ADJ", "ADV")
            ]
            for row in side
        ]
        words = sorted({word for row in content for word in row})
        bags: list[list[int]] = [[] for _ in names]
        for row, name in zip(content, DOCUMENTS, strict=True):
            bags[names.index(name)] += [words.index(word) for word in row]
        model = topics.find_topics(
            [np.array(bag) for bag in bags], words, options=TopicOptions(topics=4, iterations=60)
        )
        topic_of = dict(zip(words, model.topic_words.T.tolist(), strict=True))
        return [
            [
                oracle.cosine(
                    row, phrase, topic_of, model.document_topics[names.index(name)].tolist()
                )
                for phrase in oracle.phrases(row)
            ]
            for row, name in zip(side, DOCUMENTS, strict=True)
        ]

    @staticmethod
    def check(variant: str, rows: list[list[float]], without: frozenset[int] = frozenset()) -> None:
        """Segments in ``without`` have no weight at all, and are the subject of another test."""
        corpus = Corpus({"s": HYPOTHESES}, [REFERENCES], documents=DOCUMENTS)
        metric = create(f"pbe:{variant}")
        scores = score(corpus, [metric], levels=LEVELS)
        found = scores.values(system="s", metric=metric.label, level="segment").tolist()
        for i, row in enumerate(rows):
            if i not in without:
                assert found[i] == pytest.approx(oracle.score(row), abs=1e-9)
        documents = scores.values(system="s", metric=metric.label, level="document")
        for name, value in zip(scores.documents, documents, strict=True):
            own = [row for row, document in zip(rows, DOCUMENTS, strict=True) if document == name]
            assert value == pytest.approx(oracle.score(np.sum(own, axis=0)), abs=1e-9)
        total = scores.values(system="s", metric=metric.label)[0]
        assert total == pytest.approx(oracle.score(np.sum(rows, axis=0)), abs=1e-9)


class TestEveryVariant:
    @every_variant
    def test_a_corpus_scores_1_against_itself_at_every_level(self, variant: str) -> None:
        corpus = Corpus({"s": REFERENCES}, [REFERENCES], documents=DOCUMENTS)
        metric = create(f"pbe:{variant}")
        scores = score(corpus, [metric], levels=LEVELS)
        for level in LEVELS:
            values = scores.values(system="s", metric=metric.label, level=level)
            assert values == pytest.approx(np.ones(len(values)), abs=1e-12)

    @every_variant
    def test_scores_are_between_0_and_1(self, variant: str) -> None:
        values = segments(variant)
        assert all(0 < value <= 1 for value in values)
        assert values != segments("ngram")

    @every_variant
    def test_pieces_threads_and_company_do_not_matter(self, variant: str) -> None:
        metric = create(f"pbe:{variant}")
        corpus = Corpus({"a": HYPOTHESES, "b": REFERENCES}, [REFERENCES], documents=DOCUMENTS)
        expected = score(corpus, [metric], levels=LEVELS).to_dict()
        for size in (1, 4):
            again = score(corpus.pieces(size), [metric], levels=LEVELS, threads=2).to_dict()
            assert again == expected
        alone = Corpus({"a": HYPOTHESES}, [REFERENCES], documents=DOCUMENTS)
        assert score(alone, [metric]).to_dict()["systems"][0] == {
            **expected["systems"][0],
            "documents": [],
            "segments": [],
        }

    @every_variant
    def test_the_order_of_segments_does_not_matter(self, variant: str) -> None:
        order = [3, 0, 5, 1, 4, 2]
        shuffled = segments(
            variant, *([texts[i] for i in order] for texts in (HYPOTHESES, REFERENCES, DOCUMENTS))
        )
        straight = segments(variant)
        assert shuffled == [straight[i] for i in order]

    @every_variant
    def test_the_names_of_documents_do_not_matter(self, variant: str) -> None:
        renamed = [f"{name[::-1]}!" for name in DOCUMENTS]
        assert segments(variant, documents=renamed) == segments(variant)

    @every_variant
    def test_without_document_ids_it_says_what_it_needs(self, variant: str) -> None:
        metric = create(f"pbe:{variant}")
        for ask, way in (
            (lambda: metric.sentence_score("A cat.", ["The cat."]), "segment_scores"),
            (lambda: metric.corpus_score(HYPOTHESES, [REFERENCES]), "--documents"),
            (lambda: metric.explain("A cat.", "The cat."), "explainer"),
            (lambda: score(Corpus({"s": HYPOTHESES}, [REFERENCES]), [metric]), "--documents"),
        ):
            with pytest.raises(InputError, match=f"MP516.*{way}"):
                ask()

    def test_an_empty_document_id_is_no_document(self) -> None:
        for blank in ("", " "):
            corpus = Corpus({"s": HYPOTHESES}, [REFERENCES], documents=["a", "b", blank, *"bcd"])
            with pytest.raises(InputError, match=r"MP516.*segment 3"):
                score(corpus, ["pbe:tfidf"])
            assert score(corpus, ["pbe"]).segments == 6


class TestWhatIsMissing:
    """It is found out before anything is scored."""

    @staticmethod
    def pieces(documents: list[str] | None) -> Iterator[Corpus]:
        yield Corpus({"s": HYPOTHESES}, [REFERENCES], documents=documents)
        raise AssertionError("it read on")

    def test_document_ids(self) -> None:
        with pytest.raises(InputError, match="MP516"):
            score(self.pieces(None), ["bleu", "pbe:tfidf"])

    def test_the_package_that_finds_topics(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def absent(package: str) -> str:
            raise PackageNotFoundError(package)

        monkeypatch.setattr(topics, "version", absent)
        with pytest.raises(ResourceError, match=r"MP970.*\[topics\]"):
            score(self.pieces(DOCUMENTS), ["bleu", "pbe:ngram+topic"])
        assert create("pbe:tfidf").corpus_score(HYPOTHESES, [REFERENCES], documents=DOCUMENTS)


class TestOddCorpora:
    """METRICS 5.3: where all weights of a side are 0, numbers of words take their place."""

    def test_in_one_document_tf_idf_is_the_number_of_words(self) -> None:
        one = ["d"] * len(HYPOTHESES)
        assert segments("tfidf", documents=one) == pytest.approx(segments("ngram"), abs=1e-12)
        # Times the topics' cosine it is still nothing, and so are all sums.
        for variant in ("tfidf", f"tfidf+topic{QUICK}"):
            total = create(f"pbe:{variant}").corpus_score(HYPOTHESES, [REFERENCES], documents=one)
            plain = Pbe().corpus_score(HYPOTHESES, [REFERENCES])
            assert total.score == pytest.approx(plain.score, abs=1e-12)

    def test_a_segment_of_words_without_topic_is_weighed_by_their_number(self) -> None:
        assert segments(f"ngram+topic{QUICK}")[4] == segments("ngram")[4] == 1.0

    def test_such_a_segment_weighs_nothing_in_its_document(self) -> None:
        without = [i for i in range(6) if i != 4]
        parts = [[texts[i] for i in without] for texts in (HYPOTHESES, REFERENCES, DOCUMENTS)]
        hypotheses, references, documents = parts
        # Pairs of that segment still count in the penalty, so it is left out here.
        free = create(f"pbe:ngram+topic{QUICK}:gamma=0")
        small = free.corpus_score(hypotheses, [references], documents=documents).score
        whole = free.corpus_score(HYPOTHESES, [REFERENCES], documents=DOCUMENTS).score
        assert whole == pytest.approx(small, abs=1e-12)

    @every_variant
    def test_documents_without_phrases_or_words(self, variant: str) -> None:
        hypotheses = [*HYPOTHESES, "!", "", "The cat."]
        references = [*REFERENCES, "?", "The dog barked.", "Ouch!"]
        documents = [*DOCUMENTS, "nothing", "no hypothesis", "no reference"]
        corpus = Corpus({"s": hypotheses}, [references], documents=documents)
        metric = create(f"pbe:{variant}")
        scores = score(corpus, [metric], levels=LEVELS)
        values = scores.values(system="s", metric=metric.label, level="document")
        assert np.isfinite(values).all()
        assert values[-3:-1] == pytest.approx([0, 0])

    @every_variant
    def test_a_corpus_without_any_phrase(self, variant: str) -> None:
        assert segments(variant, ["!", ""], ["?", "!"], ["a", "b"]) == [0, 0]

    @every_variant
    def test_a_system_that_repeats_one_sentence(self, variant: str) -> None:
        repeated = ["The government announced a plan."] * 6
        values = segments(variant, repeated)
        assert np.isfinite(values).all()
        assert values[0] == max(values)
        assert all(0 <= value <= 1 for value in values)

    @every_variant
    def test_documents_that_repeat_each_other(self, variant: str) -> None:
        """The same document three times: equal segments score equally."""
        documents = [f"{name}{i}" for i in range(3) for name in DOCUMENTS]
        values = segments(variant, HYPOTHESES * 3, REFERENCES * 3, documents)
        assert values[:6] == values[6:12] == values[12:]

    @every_variant
    def test_one_segment(self, variant: str) -> None:
        assert segments(variant, ["A cat sat."], ["A cat sat."], ["d"]) == [1.0]

    def test_ten_thousand_documents(self) -> None:
        rng = np.random.default_rng(0)
        nouns = "cat dog house plan law rain flood team match minister village town".split()
        texts = [f"The {a} saw the {b}." for a, b in rng.choice(nouns, (10_000, 2)).tolist()]
        documents = [str(i) for i in range(10_000)]
        corpus = Corpus({"s": texts[::-1]}, [texts], documents=documents)
        metric = create("pbe:tfidf+topic+sim:topics=5:iterations=2")
        values = score(corpus, [metric], levels=["document"]).values(
            system="s", metric=metric.label, level="document"
        )
        assert values.shape == (10_000,)
        assert ((values >= 0) & (values <= 1)).all()


def test_dictionaries_are_those_of_each_side() -> None:
    """Words that are rare in the system but common in the reference weigh by the side they stand on."""
    references = ["The dog barked.", "The dog slept.", "The cat slept."]
    common = ["The dog walked.", "The dog ran.", "The dog swam."]
    rare = ["The dog walked.", "The sun walked.", "The sea walked."]
    values = [segments("tfidf", texts, references, list("abc"))[0] for texts in (common, rare)]
    # All that "the dog" matches weighs more, the rarer it is in the system's documents.
    assert values[0] < values[1]


def test_each_reference_set_has_its_own_dictionary() -> None:
    metric = create("pbe:tfidf")
    other = ["The plan."] * 6
    both = metric.segment_scores(HYPOTHESES, [REFERENCES, other], documents=DOCUMENTS)
    apart = [
        metric.segment_scores(HYPOTHESES, [texts], documents=DOCUMENTS)
        for texts in (REFERENCES, other)
    ]
    assert both.tolist() == np.maximum(*apart).tolist()
