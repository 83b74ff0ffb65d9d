"""The scores of all pairs of texts are those of single pairs, for every metric and to the last bit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase import Corpus
from metaphrase.errors import OptionError
from metaphrase.metrics import Metric, compare, create
from small_metrics import NAMES, small

METRICS = list(map(small, NAMES))
#: Options that change what is read of a text, or how it is compared.
VARIANTS = [
    create(name)
    for name in (
        "bleu:lowercase=yes",
        "bleu:max_ngram_order=6:smooth_method=add-k",
        "chrf:whitespace=yes",
        "chrf:eps_smoothing=yes:lowercase=yes",
        "chrf:char_order=1",
        "chrf++:word_order=4",
        "ter:normalized=yes",
        "cobalt:released",
    )
]
VARIANTS += [
    create(name, lang=lang)
    for name, lang in (("bleu", "zh"), ("chrf++", "zh"), ("nist", "zh"), ("accord", "de"))
]
every_metric = pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
every_variant = pytest.mark.parametrize(
    "metric", [*METRICS, *VARIANTS], ids=lambda metric: f"{metric.label} {metric.lang}"
)

TEXTS = [
    "The government announced a new plan on Tuesday.",
    "On Tuesday the government has announced a plan.",
    "the government announced a new plan on Tuesday",
    "U.S. profits rose by 12% (again).",
    "Gains in the US climbed 12 percent.",
    "He doesn't remember who gave him the letter!",
    "the the the the the",
    "Ärzte ohne Grenzen — 国境なき医師団 🙂",
    "…",
    "",
    "  \t",
]
ROWS = np.arange(len(TEXTS), dtype=np.int32)


def scored(
    metric: Metric, hypotheses: Sequence[str], *references: Sequence[str], threads: int = 1
) -> list[float]:
    """What a corpus of these segments scores, segment by segment."""
    corpus = Corpus({"a": hypotheses}, references, empty_references="keep")
    (comparison,) = compare(corpus, metric)
    return metric.segment_score(metric.statistics(comparison, threads=threads)).tolist()


def single(metric: Metric, hypotheses: Sequence[str], *references: Sequence[str]) -> list[float]:
    """The scores of segments by themselves; of all together if the metric needs the whole corpus."""
    if metric.needs_whole_corpus:
        return scored(metric, hypotheses, *references)
    return [
        scored(metric, [segment[0]], *([text] for text in segment[1:]))[0]
        for segment in zip(hypotheses, *references, strict=True)
    ]


def crossed(metric: Metric, candidates: Sequence[str], references: Sequence[str]) -> list[float]:
    pairs = [(one, other) for one in candidates for other in references]
    return single(metric, *zip(*pairs, strict=True))


@every_variant
def test_a_matrix_has_the_scores_of_single_pairs_to_the_last_bit(metric: Metric) -> None:
    found = metric.table(TEXTS).matrix(ROWS, ROWS)
    assert found.shape == (len(TEXTS), len(TEXTS))
    assert found.ravel().tolist() == crossed(metric, TEXTS, TEXTS)


@every_metric
def test_segment_scores_says_the_same(metric: Metric) -> None:
    """The corpus of all pairs, as a user would write it without a table."""
    rows = ROWS[:-2]  # an empty reference is refused there
    pairs = [(TEXTS[one], TEXTS[other]) for one in rows for other in rows]
    hypotheses, references = zip(*pairs, strict=True)
    found = metric.table(TEXTS).matrix(rows, rows)
    assert found.ravel().tolist() == metric.segment_scores(hypotheses, [references]).tolist()


@every_metric
def test_scores_with_several_references_are_those_of_segments(metric: Metric) -> None:
    random = np.random.default_rng(3)
    sides = random.integers(0, len(TEXTS), (3, 25)).astype(np.int32)
    found = metric.table(TEXTS).scores(*sides)
    assert found.tolist() == single(metric, *([TEXTS[row] for row in side] for side in sides))


@every_metric
def test_blocks_and_threads_do_not_matter(metric: Metric, monkeypatch: pytest.MonkeyPatch) -> None:
    sides = [(ROWS[:5], ROWS), (ROWS[:0], ROWS[:3]), (ROWS[5:6], ROWS[2:4]), (ROWS[::-1], ROWS[:0])]
    whole = [matrix.tolist() for matrix in metric.table(TEXTS).matrices(sides)]
    monkeypatch.setattr("metaphrase.metrics.text_table._PAIRS", 7)
    monkeypatch.setattr("metaphrase.metrics.count_tables._PAIRS", 7)
    for threads in (1, 3):
        table = metric.table(TEXTS, threads=threads)
        assert [matrix.tolist() for matrix in table.matrices(sides)] == whole
    assert [len(matrix) for matrix in whole] == [5, 0, 1, len(TEXTS)]


@every_metric
def test_a_table_does_not_remember_what_it_was_asked_before(metric: Metric) -> None:
    table = metric.table(TEXTS)
    table.matrix(ROWS[3:7], ROWS[:2])
    table.scores(ROWS[:4], ROWS[1:5], ROWS[2:6])
    again = table.matrix(ROWS[:5], ROWS[2:9])
    assert again.tolist() == metric.table(TEXTS).matrix(ROWS[:5], ROWS[2:9]).tolist()


@every_metric
def test_rows_may_come_in_any_order_and_several_times(metric: Metric) -> None:
    table = metric.table(TEXTS)
    rows, others = np.array([4, 0, 4], dtype=np.int32), np.array([1, 1, 0, 6], dtype=np.int32)
    found = table.matrix(rows, others)
    assert found[0].tolist() == found[2].tolist()
    assert found[:, 0].tolist() == found[:, 1].tolist()
    if not metric.needs_whole_corpus:
        assert found.tolist() == table.matrix(ROWS, ROWS)[np.ix_(rows, others)].tolist()


vocabulary = "the cat sat on a mat . dogs running U.S. n't 12% 国境".split()
line = st.lists(st.sampled_from(vocabulary), max_size=7).map(" ".join)
# Whatever a tokeniser could take for the end of a text.
hostile = st.text(
    st.sampled_from("aA.,'-\n\r\t\0\x0b\x85\u2028\u00a0\u0301İß国🙂&;<> "), max_size=12
)


@every_metric
@settings(max_examples=8)
@given(lines=st.lists(line | hostile, min_size=1, max_size=5, unique=True))
def test_any_texts_score_as_single_pairs(metric: Metric, lines: list[str]) -> None:
    rows = np.arange(len(lines), dtype=np.int32)
    found = metric.table(lines).matrix(rows, rows)
    assert found.ravel().tolist() == crossed(metric, lines, lines)


@every_metric
def test_no_texts_have_no_scores(metric: Metric) -> None:
    nothing = ROWS[:0]
    table = metric.table([])
    assert table.matrix(nothing, nothing).shape == (0, 0)
    assert table.scores(nothing, nothing).shape == (0,)
    assert list(table.matrices([])) == []


COUNTED = ["bleu", "bleu:max_ngram_order=2:smooth_method=floor", "chrf", "chrf++", "nist"]


@pytest.mark.parametrize("name", COUNTED)
def test_statistics_are_summed_over_references(name: str) -> None:
    """As often as a weight says, if it is a whole number: to the last bit where statistics are counts."""
    metric = create(name)
    weights = np.array([2, 0, 1, 3, 1, 1, 4, 1, 1, 2, 1], dtype=np.float64)
    corpus = Corpus(
        {"a": [one for one in TEXTS for _ in TEXTS]}, [TEXTS * len(TEXTS)], empty_references="keep"
    )
    (comparison,) = compare(corpus, metric)
    rows = metric.statistics(comparison).reshape(len(TEXTS), len(TEXTS), -1)
    wanted = (rows * weights[None, :, None]).sum(axis=1)
    found = metric.table(TEXTS).summed(ROWS, ROWS, weights)
    if name == "nist":
        assert found == pytest.approx(wanted, rel=1e-12)
    else:
        assert found.tolist() == wanted.tolist()


@every_metric
def test_only_counts_are_summed(metric: Metric) -> None:
    if metric.name in {create(name).name for name in COUNTED}:
        pytest.skip("it is made of counts")
    with pytest.raises(OptionError, match="MP852"):
        metric.table(TEXTS).summed(ROWS, ROWS, np.ones(len(ROWS)))
