"""PBE: phrases mapped one to one, the published examples, what holds for any sentences."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase import Corpus, analysis, score
from metaphrase.corpus.normalisation import normalise
from metaphrase.errors import InputError, OptionError
from metaphrase.lexicon import load
from metaphrase.matching.phrase_maps import fewest_blocks_map, lexicographic_map
from metaphrase.metrics import create
from metaphrase.metrics.pbe.maps import COLUMNS
from metaphrase.metrics.pbe.metric import Pbe
from oracle import pbe as oracle
from oracle.phrase_maps import block_count, maximum_maps

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "pbe_cases.json").read_text())["cases"]

REFERENCES = [
    "The government announced a new plan on Tuesday.",
    "Heavy rain caused floods in several villages.",
    "She said that the decision had not been easy for her children.",
    "The dogs and the cats were running through the old town.",
    "No!",
    "He buys cars and sells cars.",
]
HYPOTHESES = [
    "On Tuesday the government has announced a plan.",
    "In towns a strong rain caused a flood.",
    "She said the choice was hard for the kids.",
    "Cats and dogs ran through an ancient city.",
    "He said no.",
    "Sells cars and cars he buys.",
]


def statistics(
    similarities: list[list[float]],
    pairs: list[tuple[int, int]],
    reference_weights: list[float],
    hypothesis_weights: list[float],
) -> np.ndarray:
    """A row as the metric would make it of this map; weights stand for numbers of words, too."""
    sums = [
        sum(hypothesis_weights[t] * similarities[r][t] for r, t in pairs),
        sum(hypothesis_weights),
        sum(reference_weights[r] * similarities[r][t] for r, t in pairs),
        sum(reference_weights),
    ]
    blocks = block_count(pairs)
    return np.array([*sums, *sums, len(pairs), max(blocks - 1, 0), blocks], dtype=float)


class TestTheFormula:
    """Numbers from METRICS 5."""

    @pytest.mark.parametrize("case", GOLDEN)
    def test_golden_cases(self, case: dict) -> None:
        matrix = np.array(case["similarity"], dtype=float).reshape(
            len(case["reference_weights"]), len(case["candidate_weights"])
        )
        columns = lexicographic_map(matrix).tolist()
        pairs = [(row, column) for row, column in enumerate(columns) if column >= 0]
        row = statistics(
            matrix.tolist(), pairs, case["reference_weights"], case["candidate_weights"]
        )
        assert Pbe().score(row[None])[0] == pytest.approx(case["score"], abs=1e-9)

    # METRICS 5.7: the maps of the paper's Figure 1.
    @pytest.mark.parametrize(
        ("pairs", "expected"),
        [
            ({(0, 0): 1.0, (1, 1): 0.8, (2, 3): 0.6}, 0.531123),
            ({(0, 0): 1.0, (1, 3): 0.8, (2, 1): 0.6}, 0.445786),
        ],
    )
    def test_the_worked_example(self, pairs: dict, expected: float) -> None:
        matrix = [[pairs.get((r, t), 0.0) for t in range(4)] for r in range(3)]
        row = statistics(matrix, list(pairs), [2, 1, 3], [2, 1, 1, 2])
        assert Pbe().score(row[None])[0] == pytest.approx(expected, abs=5e-7)

    # METRICS 5.7 again: the paper's Figure 1, where r2 and r3 are as similar to t2 as to t4. Map (a), r -> t
    # = 1, 2, 4, and map (b), 1, 4, 2, have the same sum; KM's first one is (a), which has a block less.
    def test_the_first_figure(self) -> None:
        matrix = [[1.0, 0.0, 0.0, 0.0], [0.0, 0.8, 0.0, 0.8], [0.0, 0.6, 0.0, 0.6]]
        maps = maximum_maps(matrix)
        assert [[t + 1 for _, t in pairs] for pairs in maps] == [[1, 2, 4], [1, 4, 2]]
        assert [block_count(pairs) for pairs in maps] == [2, 3]
        assert (lexicographic_map(matrix) + 1).tolist() == [1, 2, 4]
        found = fewest_blocks_map(matrix)
        assert (found.columns + 1).tolist() == [1, 2, 4]
        assert found.ties == 2

    # METRICS 5.5, the table of printed penalties: blocks, pairs, penalty; and in the text 8 blocks of 8.
    @pytest.mark.parametrize(
        ("blocks", "pairs", "penalty"),
        [(1, 1, 0), (1, 5, 0.4472), (2, 3, 0.6455), (3, 3, 0.8165), (5, 5, 1.0954), (8, 8, 1.403)],
    )
    def test_the_printed_penalty(self, blocks: int, pairs: int, penalty: float) -> None:
        metric = Pbe(formula="printed")
        row = np.array([[1, 1, 1, 1, 1, 1, 1, 1, pairs, blocks - 1, blocks]], dtype=float)
        assert 1 - metric.score(row)[0] == pytest.approx(penalty, abs=5e-4)
        assert 1 - oracle.score([1, 1, 1, 1, pairs, blocks - 1, blocks], printed=True) == (
            pytest.approx(penalty, abs=5e-4)
        )
        assert metric.bounds == (-np.inf, 1.0)

    def test_without_penalty_the_formula_makes_no_difference(self) -> None:
        metric = Pbe(formula="printed", gamma=0.0)
        assert metric.bounds == (0.0, 1.0)
        row = np.array([[1, 2, 1, 2, 1, 2, 1, 2, 5, 4, 5]], dtype=float)
        assert metric.score(row)[0] == 0.5

    def test_printed_a_document_counts_all_blocks(self) -> None:
        # Two segments of 2 pairs in 1 block: 2 − 1/4.
        rows = np.array([[1, 1, 1, 1, 1, 1, 1, 1, 2, 0, 1]] * 2, dtype=float).sum(axis=0)[None]
        assert Pbe(formula="printed").score(rows)[0] == pytest.approx(1 - 0.5 * 1.75**0.5)

    # METRICS 5.5, the table of intended penalties: blocks, pairs, penalty.
    @pytest.mark.parametrize(
        ("blocks", "pairs", "penalty"),
        [(1, 1, 0), (1, 5, 0), (2, 3, 0.2887), (3, 3, 0.4082), (5, 5, 0.4472)],
    )
    def test_the_penalty(self, blocks: int, pairs: int, penalty: float) -> None:
        row = np.array([[1, 1, 1, 1, 1, 1, 1, 1, pairs, blocks - 1, blocks]], dtype=float)
        assert 1 - Pbe().score(row)[0] == pytest.approx(penalty, abs=5e-5)
        assert 1 - Pbe(gamma=0.0).score(row)[0] == 0
        assert 1 - Pbe(beta=0.0).score(row)[0] == (0.5 if blocks > 1 else 0)

    def test_a_document_adds_up_breaks_or_counts_blocks(self) -> None:
        # Two segments, each with 2 pairs in 1 block: no break, or (2 - 1) of 4 pairs.
        rows = np.array([[1, 1, 1, 1, 1, 1, 1, 1, 2, 0, 1]] * 2, dtype=float).sum(axis=0)[None]
        assert Pbe().score(rows)[0] == 1.0
        assert Pbe(document_penalty="document").score(rows)[0] == pytest.approx(1 - 0.5 * 0.25**0.5)


class TestAgainstTheOracle:
    """From raw text, word by word."""

    @pytest.mark.parametrize("similarity", ["wordnet", "none"])
    def test_segments_and_systems(self, similarity: str) -> None:
        metric = Pbe(similarity=similarity)
        rows = self.rows(similarity)
        scores = metric.segment_scores(HYPOTHESES, [REFERENCES])
        assert scores.tolist() == pytest.approx(list(map(oracle.score, rows)), abs=1e-9)
        total = metric.corpus_score(HYPOTHESES, [REFERENCES]).score
        assert total == pytest.approx(oracle.score(np.sum(rows, axis=0)), abs=1e-9)

    def test_the_printed_formula(self) -> None:
        metric = Pbe(formula="printed")
        rows = self.rows()
        scores = metric.segment_scores(HYPOTHESES, [REFERENCES])
        expected = [oracle.score(row, printed=True) for row in rows]
        assert scores.tolist() == pytest.approx(expected, abs=1e-9)
        total = metric.corpus_score(HYPOTHESES, [REFERENCES]).score
        assert total == pytest.approx(oracle.score(np.sum(rows, axis=0), printed=True), abs=1e-9)
        assert total < 0  # a document of six segments has many blocks

    def test_the_best_reference_of_each_segment_counts(self) -> None:
        others = [REFERENCES[i] for i in (1, 1, 2, 5, 0, 4)]
        pairs = [
            max(one, other, key=oracle.score)
            for one, other in zip(self.rows(), self.rows(references=others), strict=True)
        ]
        metric = Pbe()
        both = [REFERENCES, others]
        scores = metric.segment_scores(HYPOTHESES, both)
        assert scores.tolist() == pytest.approx(list(map(oracle.score, pairs)), abs=1e-9)
        total = metric.corpus_score(HYPOTHESES, both).score
        assert total == pytest.approx(oracle.score(np.sum(pairs, axis=0)), abs=1e-9)

    @staticmethod
    def rows(similarity: str = "wordnet", references: list[str] = REFERENCES) -> list[list[float]]:
        wordnet = load("wordnet") if similarity == "wordnet" else None
        analyser = analysis.shared("builtin:en")
        texts = analyser.analyse([*HYPOTHESES, *references], ["lemma", "chunk"])
        rows = []
        for hypothesis, reference in zip(texts[:6], texts[6:], strict=True):
            lengths = ([len(p) for p in oracle.phrases(s)] for s in (hypothesis, reference))
            rows.append(oracle.segment_sums(hypothesis, reference, wordnet, tuple(lengths)))
        return rows


text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\0"), max_size=30)
vocabulary = "the old cat dog sat runs was plan plans on a mat . and quickly".split()
words = st.lists(st.sampled_from(vocabulary), min_size=1, max_size=12).map(" ".join)


@settings(max_examples=60)
@given(sentence=words | text)
def test_a_sentence_with_phrases_scores_1_against_itself(sentence: str) -> None:
    row = analysis.shared("builtin:en").analyse([normalise(sentence)], ["chunk"])[0]
    has_phrase = any(label[2:] in ("NP", "VP") for label in row.column("chunk"))
    value = Pbe().corpus_score([sentence], [[sentence]]).score
    assert value == (1.0 if has_phrase else 0.0)


@settings(max_examples=60)
@given(hypothesis=words, reference=words, gamma=st.floats(0, 1))
def test_the_penalty_is_between_0_and_gamma(hypothesis: str, reference: str, gamma: float) -> None:
    free = Pbe(gamma=0.0).sentence_score(hypothesis, [reference]).score
    value = Pbe(gamma=gamma).sentence_score(hypothesis, [reference]).score
    assert (1 - gamma) * free - 1e-12 <= value <= free


class TestSentencesWithoutPhrases:
    """METRICS 5.6."""

    def test_such_a_segment_scores_0(self) -> None:
        for hypothesis, reference in (("", "The cat."), ("!", "The cat."), ("!", "!"), ("", "")):
            assert Pbe().sentence_score(hypothesis, [reference]).score == 0

    def test_if_both_sides_have_none_a_document_skips_it(self) -> None:
        alone = Pbe().corpus_score(HYPOTHESES[:1], [REFERENCES[:1]]).score
        beside = Pbe().corpus_score([HYPOTHESES[0], "!"], [[REFERENCES[0], "?"]]).score
        assert beside == alone

    def test_if_one_side_has_none_the_other_still_weighs(self) -> None:
        reference = REFERENCES[0]
        total = Pbe().corpus_score([reference, "!"], [[reference, reference]]).score
        assert total == pytest.approx(0.2 * 1 + 0.8 * 0.5)


class TestOptions:
    def test_published_variants_have_names(self) -> None:
        assert create("pbe:tfidf") == Pbe(weights="tfidf")
        assert create("pbe:ngram+topic+sim") == Pbe(weights="ngram+topic", theta=0.8)
        assert create("pbe:tfidf:topics=7:theta=0.5").topics == 7  # type: ignore[attr-defined]
        assert create("pbe:paper") == Pbe(stemmer="porter", normalise=False)
        assert len(Pbe.variants) == 9

    def test_every_form_of_the_paper_is_the_paper_s(self) -> None:
        for weights in ("ngram", "tfidf", "ngram+topic", "tfidf+topic"):
            for theta in (1.0, 0.8):
                metric = create(f"pbe:paper:weights={weights}:theta={theta}")
                assert metric.variant_name == "pbe:paper"
                assert not metric.normalise
                assert "|substituted:" in str(metric.signature())
        assert "formula" in str(create("pbe:paper").signature())
        printed = str(create("pbe:paper:formula=printed").signature())
        assert "|formula:printed|" in printed
        assert ",formula" not in printed

    def test_the_stemmer_is_porter_s_first_or_second(self) -> None:
        # Porter 1980: generic, generate -> gener; Porter2 (Snowball): generic, generat.
        pair = "They buy generic drugs.", ["They buy generated drugs."]
        other = Pbe(similarity="none").sentence_score(*pair).score
        same = Pbe(similarity="none", stemmer="porter").sentence_score(*pair).score
        assert other < same == 1

    def test_what_is_not_chosen_is_not_in_the_signature(self) -> None:
        plain = str(Pbe().signature())
        assert not any(name in plain for name in ("stemmer:", "formula:", "map:"))
        chosen = str(Pbe(stemmer="porter", formula="printed", map="fewest-blocks").signature())
        assert all(name in chosen for name in ("stemmer:porter", "formula:printed", "map:fewest"))

    def test_a_word_may_be_compared_as_its_own_part_of_speech_only(self) -> None:
        pair = "They saw the plants.", ["They saw the works."]
        any_part, own = (Pbe(same_part=same).sentence_score(*pair).score for same in (False, True))
        assert 0 < own <= any_part
        # "run" is a verb here: as a noun it would be similar to "score".
        pair = "The teams run.", ["The teams score."]
        any_part, own = (Pbe(same_part=same).sentence_score(*pair).score for same in (False, True))
        assert own < any_part

    @pytest.mark.parametrize(
        ("options", "code"),
        [
            ({"topics": 20}, "MP565"),
            ({"weights": "tfidf", "seed": 2}, "MP565"),
            ({"term": "phrase"}, "MP565"),
            ({"similarity": "none", "same_part": True}, "MP565"),
            ({"lang": "de"}, "MP561"),
            ({"lang": "de", "analyser": "conllu:x", "similarity": "wordnet"}, "MP531"),
            ({"lang": "xx"}, "MP260"),
            ({"lang": "de", "analyser": "conllu:x", "stemmer": "porter"}, "MP569"),
            ({"formula": "printed", "document_penalty": "document"}, "MP565"),
            ({"formula": "right"}, "MP507"),
            ({"map": "last"}, "MP507"),
        ],
    )
    def test_senseless_ones_are_coded_errors(self, options: dict, code: str) -> None:
        with pytest.raises(OptionError, match=code):
            Pbe(**options)

    def test_an_analyser_without_phrases_is_refused(self) -> None:
        with pytest.raises(OptionError, match=r"MP252.*chunk"):
            Pbe(analyser="builtin:de").sentence_score("Ein Hund.", ["Ein Hund."])

    def test_another_language_needs_only_phrases(self, tmp_path: Path) -> None:
        """German, with phrases from a file; lemmas count, English stems and WordNet do not."""
        file = tmp_path / "german.conllu"
        file.write_text(
            _conllu("Der Hund bellt", ["der", "Hund", "bellen"], "B-NP I-NP B-VP")
            + _conllu("Die Hunde bellten", ["der", "Hund", "bellen"], "B-NP I-NP B-VP")
            + _conllu("Die Hundes bellen", ["die", "Hundes", "bellens"], "B-NP I-NP B-VP")
        )
        metric = Pbe(lang="de", analyser=f"conllu:{file}")
        assert "similarity:none" in str(metric.signature(1))
        same = metric.sentence_score("Die Hunde bellten", ["Der Hund bellt"]).score
        other = metric.sentence_score("Die Hundes bellen", ["Der Hund bellt"]).score
        assert (same, other) == (1.0, 0.0)

    def test_files_without_phrases_are_told_how_to_write_them(self, tmp_path: Path) -> None:
        file = tmp_path / "plain.conllu"
        file.write_text(_conllu("Dogs bark", ["dog", "bark"], "O O").replace("Chunk=O", "_"))
        with pytest.raises(OptionError, match=r"MP252.*'chunk'.*Chunk=B-NP") as caught:
            Pbe(analyser=f"conllu:{file}").sentence_score("Dogs bark", ["Dogs bark"])
        assert "NER" not in str(caught.value)

    @pytest.mark.parametrize("label", ["XB-NP", "b-NP", "-NP", "E-VP"])
    def test_labels_of_phrases_begin_or_go_on(self, tmp_path: Path, label: str) -> None:
        file = tmp_path / "labels.conllu"
        file.write_text(_conllu("The dog barks", ["the", "dog", "bark"], f"B-NP {label} B-VP"))
        with pytest.raises(InputError, match=rf"MP566.*'{label}'"):
            Pbe(analyser=f"conllu:{file}").sentence_score("The dog barks", ["The dog barks"])

    def test_labels_without_hyphen_and_of_other_phrases_are_taken(self, tmp_path: Path) -> None:
        file = tmp_path / "labels.conllu"
        file.write_text(
            _conllu("The dog barks now", ["the", "dog", "bark", "now"], "NP NP O B-NP-X")
        )
        explanation = Pbe(analyser=f"conllu:{file}").explain(*["The dog barks now"] * 2)
        assert [phrase.words for phrase in explanation.phrases] == [(0, 1), (0, 1)]


def _conllu(sentence: str, lemmas: list[str], chunks: str) -> str:
    rows = [
        f"{i}\t{form}\t{lemma}\tX\t_\t_\t0\troot\t_\tChunk={chunk}\n"
        for i, (form, lemma, chunk) in enumerate(
            zip(sentence.split(), lemmas, chunks.split(), strict=True), 1
        )
    ]
    return f"# text = {sentence}\n{''.join(rows)}\n"


def test_the_statistics_have_names() -> None:
    assert len(COLUMNS) == 11


def test_the_signature_names_everything_that_counts() -> None:
    plain = str(Pbe().signature(2))
    for part in ("nrefs:2", "analyser:builtin:en@", "wordnet-3.0@", "theta:1.0", "penalty:"):
        assert part in plain
    assert "sampler" not in plain
    topics = str(create("pbe:tfidf+topic+sim:term=phrase").signature())
    for part in ("term:phrase", "topics:50", "iterations:1000", "seed:1", "sampler:tomotopy@"):
        assert part in topics


def test_several_variants_can_stand_side_by_side() -> None:
    corpus = Corpus({"s": HYPOTHESES}, [REFERENCES], documents=list("aabbcc"))
    scores = score(corpus, ["pbe", "pbe:tfidf", "pbe:alpha=0.5"])
    assert [info.name for info in scores.metrics] == ["pbe", "pbe:tfidf", "pbe:alpha=0.5"]


@pytest.mark.parametrize(
    ("specification", "label"),
    [
        ("pbe", "pbe"),
        ("pbe:ngram", "pbe"),
        ("pbe:alpha=0.5", "pbe:alpha=0.5"),
        ("pbe:tfidf", "pbe:tfidf"),
        ("pbe:weights=tfidf", "pbe:tfidf"),
        ("pbe:tfidf:alpha=0.5", "pbe:tfidf:alpha=0.5"),
    ],
)
def test_a_variant_is_called_by_its_name_even_alone(specification: str, label: str) -> None:
    corpus = Corpus({"s": HYPOTHESES}, [REFERENCES], documents=list("aabbcc"))
    metric = create(specification)
    assert metric.label == label
    assert [info.name for info in score(corpus, [metric]).metrics] == [label]
    assert metric.explainer(corpus)("s", 0, 0).metric == label
    assert metric.corpus_score(HYPOTHESES, [REFERENCES], documents=list("aabbcc")).name == label


def test_one_variant_twice_is_called_by_its_specifications() -> None:
    corpus = Corpus({"s": HYPOTHESES}, [REFERENCES], documents=list("aabbcc"))
    specifications = ["pbe:tfidf", "pbe:tfidf:alpha=0.5"]
    assert [info.name for info in score(corpus, specifications).metrics] == specifications


class TestTheMapWithTheFewestBlocks:
    """Section 7.3: of several maps with the greatest sum the one that breaks the order least."""

    # The reference's "the dog" may be either; the second stands beside "barked", as in the reference.
    HYPOTHESIS = "The dog saw the dog barked."
    REFERENCE = "The dog barked."

    def test_it_is_penalised_less(self) -> None:
        first, fewest = (
            Pbe(map=rule).explain(self.HYPOTHESIS, self.REFERENCE)
            for rule in ("first", "fewest-blocks")
        )
        assert [link.hypothesis for link in first.links] == [(0, 1), (5,)]
        assert [link.hypothesis for link in fewest.links] == [(3, 4), (5,)]
        assert [max(link.block for link in one.links) for one in (first, fewest)] == [2, 1]
        assert fewest.score > first.score

    def test_the_explanation_says_that_maps_tie(self) -> None:
        note = Pbe().explain(self.HYPOTHESIS, self.REFERENCE).notes[-1]
        assert note.startswith(
            "2 maps have the greatest sum of similarities, of which the first counts;"
        )
        assert note.endswith("the first has 2 blocks, and another one 1.")
        note = Pbe(map="fewest-blocks").explain(self.HYPOTHESIS, self.REFERENCE).notes[-1]
        assert "of which the one with the fewest blocks counts" in note
        assert Pbe().explain("The cat sat.", "The cat sat.").notes == ()

    @settings(max_examples=60)
    @given(hypothesis=words, reference=words)
    def test_it_never_has_more_blocks(self, hypothesis: str, reference: str) -> None:
        first, fewest = (
            Pbe(map=rule).explain(hypothesis, reference).features[0].details["blocks"]
            for rule in ("first", "fewest-blocks")
        )
        assert fewest <= first

    def test_where_too_many_maps_tie_it_warns(self) -> None:
        """Twenty cats and twenty dogs in two orders: 20!·20! maps."""
        random = np.random.default_rng(5)
        texts = [
            " and ".join(f"the {animal}" for animal in random.permutation(["cat", "dog"] * 30))
            for _ in range(2)
        ]
        metric = Pbe(map="fewest-blocks")
        with pytest.warns(UserWarning, match=r"MP568.* Segments: 1\."):
            value = metric.corpus_score(texts[:1], [texts[1:]]).score
        assert value == Pbe().corpus_score(texts[:1], [texts[1:]]).score
        note = Pbe().explain(texts[0], texts[1]).notes[-1]
        assert note.startswith("1,000 maps or more")
        assert "not found out" in note
