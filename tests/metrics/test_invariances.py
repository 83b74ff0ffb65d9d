"""What holds for every metric, whatever it measures. A new metric is tested here by being registered."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Iterable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase import Corpus, score
from metaphrase.corpus.normalisation import is_blank, normalise
from metaphrase.errors import InputError, OptionError
from metaphrase.matching.word_alignment import is_function_word
from metaphrase.metrics import Metric, compare, create
from small_metrics import NAMES, SMALL, small

METRICS = list(map(small, NAMES))
every_metric = pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
#: What accord makes of repetitions and of numbers is tested where it is trained.
every_other_metric = pytest.mark.parametrize(
    "metric",
    [metric for metric in METRICS if metric.name != "accord"],
    ids=lambda metric: metric.name,
)
hostile_metric = pytest.mark.parametrize(
    "metric", [*METRICS, create("cobalt:released")], ids=lambda metric: metric.label
)

REFERENCES = [
    "The government announced a new plan on Tuesday.",
    "Heavy rain caused floods in several villages.",
    "She said that the decision had not been easy.",
    "U.S. profits rose by 12% (again).",
    "He doesn't remember who gave him the letter!",
    "Ärzte ohne Grenzen — 国境なき医師団 🙂",
]
HYPOTHESES = [
    "On Tuesday the government has announced a plan.",
    "Strong rain has caused a flood in villages.",
    "She said the decision was hard.",
    "Gains in the US climbed 12 percent.",
    "",
    "Doctors without borders 🙂",
]
# Any text a file could hold, of a length at which TER is quick.
text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\0"), max_size=40)
vocabulary = "the cat sat on a mat . dogs running U.S. n't 12%".split()
words = st.lists(st.sampled_from(vocabulary), max_size=9)
segment = text | words.map(" ".join)


def system_score(metric: Metric, hypotheses: list[str], references: list[list[str]]) -> float:
    return metric.corpus_score(hypotheses, references).score


def segment_scores(
    metric: Metric, hypotheses: list[str], references: list[list[str]]
) -> list[float]:
    return metric.segment_scores(hypotheses, references).tolist()


def best(metric: Metric) -> float:
    return metric.bounds[1] if metric.higher_is_better else metric.bounds[0]


@every_metric
def test_identity_scores_the_maximum(metric: Metric) -> None:
    if np.isinf(best(metric)):
        pytest.skip("no score is the best there is")
    assert system_score(metric, REFERENCES, [REFERENCES]) == pytest.approx(best(metric), abs=1e-12)
    for value in segment_scores(metric, REFERENCES, [REFERENCES]):
        assert value == pytest.approx(best(metric), abs=1e-12)


@every_metric
@settings(max_examples=60)
@given(hypothesis=segment, reference=segment)
def test_scores_stay_within_their_bounds(metric: Metric, hypothesis: str, reference: str) -> None:
    low, high = metric.bounds
    if not is_blank(hypothesis) and is_blank(reference):
        with pytest.raises(InputError, match="MP105"):
            metric.sentence_score(hypothesis, [reference])
        return
    value = metric.sentence_score(hypothesis, [reference]).score
    assert np.isfinite(value)
    assert low <= value <= high + 1e-9


@every_metric
def test_a_bad_translation_scores_below_a_perfect_one(metric: Metric) -> None:
    values = [system_score(metric, texts, [REFERENCES]) for texts in (HYPOTHESES, REFERENCES)]
    assert values == sorted(values, reverse=not metric.higher_is_better)
    assert values[0] != values[1]


#: References, each with a clean translation that differs in a word.
CLEAN = {
    "The government announced a new plan on Tuesday.": (
        "The government has announced a new plan on Tuesday."
    ),
    "Heavy rain caused floods in several villages.": (
        "Heavy rain has caused floods in several villages."
    ),
    "She said that the decision had not been easy.": "She said the decision had not been easy.",
    "Angela Merkel met Barack Obama in Paris last week.": (
        "Angela Merkel met with Barack Obama in Paris last week."
    ),
}
SELDOM, OFTEN = (2, 3, 7), (20, 50)
RECALL = "what is missing costs more than what is too much"
FUNCTION_WORDS = "function words cost a tenth of others"
BAGS = "bags of short n-grams say little of the order"
INFORMATION = "longer n-grams of a small corpus tell next to nothing"
PHRASES = "several words of a phrase may have the same partner"
NAMES = "names are aligned many to many"
#: What scores better than a clean translation, and why; the page of the metric says so.
REWARDED = {
    "celab": {"the reference twice": RECALL},
    "maxsim": {"the reference twice": RECALL},
    "meteor": {"the reference twice": RECALL},
    "nist": {"another order": INFORMATION},
    "pbe": {"a long stutter": PHRASES},
    "tesla": {
        "the reference twice": RECALL,
        "a long stutter": FUNCTION_WORDS,
        "another order": BAGS,
    },
    "tesla-m": {
        "the reference twice": RECALL,
        "a long stutter": FUNCTION_WORDS,
        "another order": BAGS,
    },
    "cobalt:released": {
        "a word again and again": NAMES,
        "two words again and again": NAMES,
        "a long stutter": NAMES,
    },
}
#: What scores better even than the reference.
OVERRATED = {"cobalt:released": {*REWARDED["cobalt:released"], "a stutter"}}
#: A word twice is no greater mistake than a clean translation's other word.
SMALL_MISTAKE = "a stutter"


def hostile(reference: str) -> dict[str, list[str]]:
    """What nobody would call a translation, made of the reference's own words."""
    words = reference.split()
    shuffled = random.Random(7).sample
    orders = [sorted(words), words[::-1], *(shuffled(words, len(words)) for _ in range(5))]

    def again(length: int) -> list[str]:
        starts = range(len(words) - length + 1)
        return [" ".join(words[i : i + length] * n) for i in starts for n in SELDOM + OFTEN]

    def stutters(times: Iterable[int]) -> list[str]:
        places = range(len(words))
        return [
            " ".join(words[:i] + words[i : i + 1] * n + words[i + 1 :])
            for i in places
            for n in times
        ]

    return {
        "a word again and again": again(1),
        "two words again and again": again(2),
        "a stutter": stutters(SELDOM),
        "a long stutter": stutters(OFTEN),
        "the reference twice": [f"{reference} {reference}"],
        "another order": [" ".join(order) for order in orders if order != words],
        "names alone": [" ".join(word for word in words if word[0].isupper())],
        "function words alone": [" ".join(filter(is_function_word, words))],
        "one word": words,
        "nothing": [""],
    }


def better_than(metric: Metric, rival: Callable[[str], str], references: Iterable[str]) -> set[str]:
    """The hostile kinds of which one scores better than the rival of the same reference."""
    cases = [
        (kind, text, reference)
        for reference in references
        for kind, texts in hostile(reference).items()
        for text in texts
    ]
    against = [[reference for *_, reference in cases]]
    values, rivals = (
        np.array(segment_scores(metric, texts, against))
        for texts in ([text for _, text, _ in cases], [rival(reference) for *_, reference in cases])
    )
    low, high = metric.bounds
    assert np.all((values >= low) & (values <= high + 1e-9))
    gain = values - rivals if metric.higher_is_better else rivals - values
    return {kind for (kind, *_), won in zip(cases, gain > 1e-9, strict=True) if won}


def known_as(metric: Metric) -> str:
    """A variant is a metric of its own; small resources do not make one."""
    return metric.name if metric.name in SMALL else metric.label


@hostile_metric
@pytest.mark.filterwarnings("ignore:.* segments.*(too long|more than 150 words)")
def test_nothing_scores_better_than_the_reference(metric: Metric) -> None:
    references = [*REFERENCES, *CLEAN, "Barack Obama won."]
    found = better_than(metric, lambda reference: reference, references)
    assert found == OVERRATED.get(known_as(metric), set())


@hostile_metric
@pytest.mark.filterwarnings("ignore:.* segments.*(too long|more than 150 words)")
def test_no_loop_and_no_heap_of_words_scores_better_than_a_clean_translation(
    metric: Metric,
) -> None:
    found = better_than(metric, CLEAN.__getitem__, CLEAN) - {SMALL_MISTAKE}
    assert found == set(REWARDED.get(known_as(metric), {}))


@every_metric
def test_an_empty_line_on_both_sides_is_no_loss(metric: Metric) -> None:
    if np.isinf(best(metric)):
        pytest.skip("no score is the best there is")
    texts = [*REFERENCES, "", " \t"]
    assert system_score(metric, texts, [texts]) == pytest.approx(best(metric), abs=1e-12)
    assert system_score(metric, texts, [texts, texts]) == pytest.approx(best(metric), abs=1e-12)


#: The same texts, typed twice.
SAME = {
    "The man can't open it.": "The man can’t open it.",
    'The woman said "yes" to it.': "The woman said “yes” to it.",
    "The café serves a résumé.": "The cafe\u0301 serves a re\u0301sume\u0301.",
    "The cooperation works.": "The co\xadoperation works.",
    "The new plan was announced.": "\ufeffThe new\u200b plan was\u00a0announced\u2060.",
    "The man waited...": "The man waited…",
    "The plan of 1990-2000 came - and went.": "The plan of 1990–2000 came—and went.",
}
every_variant = pytest.mark.parametrize(
    "metric",
    [*METRICS, create("cobalt:released"), create("tesla-m:normalise=no")],
    ids=lambda metric: metric.label,
)


#: Texts that say the same again and again, as songs, poems and lists do.
REPETITIVE = [
    "Row, row, row your boat. Row, row, row your boat.",
    "The cat. The cat. The cat. The cat.",
    "- 12 eggs\n- 12 eggs\n- 12 eggs\n- salt",
    "no no no no no no no no no no no no",
    "Rose is a rose is a rose is a rose.",
    "That is what we want. And this, too. That is what we want. And this, too.",
]


@every_other_metric
def test_a_reference_that_repeats_itself_costs_nothing(metric: Metric) -> None:
    if np.isinf(best(metric)):
        pytest.skip("no score is the best there is")
    for references in ([REPETITIVE], [REPETITIVE, REPETITIVE]):
        values = segment_scores(metric, REPETITIVE, references)
        assert values == pytest.approx([best(metric)] * len(REPETITIVE), abs=1e-12)
        assert system_score(metric, REPETITIVE, references) == pytest.approx(
            best(metric), abs=1e-12
        )


#: More digits than Python makes a whole number of (4,300), in several scripts and with separators.
LONG_NUMBERS = [
    "It costs " + "7" * 10_000 + " euros.",
    "It costs " + ",".join(["123"] * 3_333) + ".5 euros.",
    "-" + "1" * 5_000 + "." + "2" * 5_000 + "%",
    "It costs 1e" + "9" * 10_000 + " euros.",
    "٣" * 4_000,  # each digit is a word to METEOR
]


@every_other_metric
def test_numbers_may_be_of_ten_thousand_digits(metric: Metric) -> None:
    if metric.name == "exec":
        pytest.skip("the program of the example takes minutes for it")
    others = [text[:3_000] + "4" + text[3_001:] for text in LONG_NUMBERS]
    same, other = (
        segment_scores(metric, texts, [LONG_NUMBERS]) for texts in (LONG_NUMBERS, others)
    )
    assert np.isfinite([*same, *other]).all()
    if not np.isinf(best(metric)):
        assert same == pytest.approx([best(metric)] * len(LONG_NUMBERS), abs=1e-12)


@every_variant
@pytest.mark.filterwarnings("ignore:.*MP585")
def test_typography_makes_no_difference_unless_bytes_are_compared(metric: Metric) -> None:
    texts, variants = list(SAME), list(SAME.values())
    scores = [
        segment_scores(metric, *sides)
        for sides in ((texts, [texts]), (variants, [texts]), (texts, [variants]))
    ]
    assert (scores[1] == scores[0] == scores[2]) == metric.normalise
    assert (metric.table([*texts, *variants]).texts[len(texts) :] == texts) == metric.normalise
    if metric.normalise and not np.isinf(best(metric)):
        assert scores[1] == pytest.approx([best(metric)] * len(texts), abs=1e-12)


@every_variant
def test_the_signature_says_what_is_compared(metric: Metric) -> None:
    signature = str(metric.signature(1))
    if metric.normalise:
        assert "|norm:nfc+typography.v1|" in signature
    else:
        assert "nfc" not in signature


@every_variant
def test_an_explanation_shows_texts_as_they_are(metric: Metric) -> None:
    for reference, hypothesis in SAME.items():
        explanation = metric.explain(hypothesis, reference)
        assert (explanation.hypothesis_text, explanation.reference_text) == (hypothesis, reference)
        assert explanation.score == metric.sentence_score(hypothesis, [reference]).score
        if metric.normalise:
            plain = metric.explain(reference, reference)
            assert explanation.links == plain.links
            assert len(explanation.hypothesis) == len(plain.hypothesis)
            for word, other in zip(explanation.hypothesis, plain.hypothesis, strict=True):
                shown = hypothesis[word.start : word.end]
                assert reference[other.start : other.end] in normalise(shown)
                assert word.form in (shown, other.form)


@every_metric
def test_invisible_text_is_no_text(metric: Metric) -> None:
    if np.isinf(best(metric)):
        pytest.skip("no score is the best there is")
    hidden = ["\u200b", " \ufeff\u2060", "\u00ad"]
    values = segment_scores(metric, hidden, [["", *hidden[:2]]])
    if metric.normalise:
        assert values == segment_scores(metric, [""] * 3, [[""] * 3])
    with pytest.raises(InputError, match="MP105"):
        metric.sentence_score("text", ["\u200b"])


@every_metric
def test_the_order_of_segments_does_not_matter(metric: Metric) -> None:
    order = [3, 0, 5, 1, 4, 2]
    shuffled = [HYPOTHESES[i] for i in order], [[REFERENCES[i] for i in order]]
    straight = HYPOTHESES, [REFERENCES]
    assert system_score(metric, *shuffled) == system_score(metric, *straight)
    scores = segment_scores(metric, *straight)
    assert segment_scores(metric, *shuffled) == [scores[i] for i in order]


@every_metric
def test_the_size_of_batches_and_the_number_of_threads_do_not_matter(metric: Metric) -> None:
    corpus = Corpus({"a": HYPOTHESES * 7, "b": REFERENCES * 7}, [REFERENCES * 7])
    expected = score(corpus, [metric], levels=["system", "segment"]).to_dict()
    for size in (1, 5, 42):
        for threads in (1, 3):
            pieces = corpus.pieces(size)
            again = score(pieces, [metric], levels=["system", "segment"], threads=threads)
            assert again.to_dict() == expected


@every_metric
def test_company_does_not_matter(metric: Metric) -> None:
    """A system's score is the same whichever systems and metrics are scored beside it."""
    alone = score(Corpus({"a": HYPOTHESES}, [REFERENCES]), [metric])
    corpus = Corpus({"b": REFERENCES, "a": HYPOTHESES}, [REFERENCES])
    together = score(corpus, METRICS)
    for scores in (alone, together):
        assert scores.values(system="a", metric=metric.label) == [
            system_score(metric, HYPOTHESES, [REFERENCES])
        ]


@every_metric
def test_it_is_deterministic_and_survives_pickling(metric: Metric) -> None:
    clone = pickle.loads(pickle.dumps(metric))
    assert clone == metric
    assert hash(clone) == hash(metric)
    assert clone.signature(2) == metric.signature(2)
    values = [segment_scores(m, HYPOTHESES, [REFERENCES]) for m in (metric, metric, clone)]
    assert all(one == other for one, other in pairwise(values))


@every_metric
def test_statistics_add_up(metric: Metric) -> None:
    """The score of a document is the score of the sum of its rows, for any split."""
    (comparison,) = compare(Corpus({"a": HYPOTHESES}, [REFERENCES]), metric)
    statistics = metric.statistics(comparison)
    assert statistics.shape[0] == len(HYPOTHESES)
    assert np.isfinite(statistics).all()
    total = metric.score(statistics.sum(axis=0)[None])[0]
    assert total == pytest.approx(system_score(metric, HYPOTHESES, [REFERENCES]), rel=1e-12)
    stacked = metric.score(np.stack([statistics, 2 * statistics]))
    assert stacked.shape == (2, len(HYPOTHESES))


@every_metric
def test_two_equal_references_are_as_good_as_one(metric: Metric) -> None:
    one = system_score(metric, HYPOTHESES, [REFERENCES])
    assert system_score(metric, HYPOTHESES, [REFERENCES, REFERENCES]) == pytest.approx(
        one, abs=1e-12
    )


@every_metric
def test_an_explanation_tells_the_score(metric: Metric) -> None:
    for hypothesis, reference in zip([*HYPOTHESES, ""], [*REFERENCES, ""], strict=True):
        explanation = metric.explain(hypothesis, reference)
        assert explanation.score == metric.sentence_score(hypothesis, [reference]).score
        for side, line in (("hypothesis", hypothesis), ("reference", reference)):
            assert all(line[w.start : w.end] for w in getattr(explanation, side))


@every_metric
def test_the_usual_mistakes_are_coded_errors(metric: Metric) -> None:
    for wrong in (
        lambda: metric.corpus_score("one string", [["a"]]),
        lambda: metric.corpus_score(["a"], ["one string"]),
        lambda: metric.sentence_score("a", "one string"),
        # Sets come in another order in each process, and mappings have other things than texts.
        lambda: metric.corpus_score({"a"}, [["a"]]),
        lambda: metric.segment_scores(["a"], [{"a": 1}.keys()]),
        lambda: metric.segment_scores(["a"], {0: ["a"]}),
        lambda: metric.sentence_score("a", frozenset({"a"})),
    ):
        with pytest.raises(OptionError, match="MP107"):
            wrong()
    with pytest.raises(OptionError, match="MP501"):
        type(metric)(no_such_option=1)


@every_metric
def test_what_it_needs_is_declared(metric: Metric) -> None:
    assert (metric.analyser_name is None) == (not metric.columns)
    assert metric.summary
    assert metric.citation
