"""A judged segment that one metric refuses is left out for all metrics."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from metaphrase.errors import InputError
from metaphrase.meta import (
    JudgedText,
    Judgements,
    Measure,
    Ranking,
    agreement_table,
    score_judged,
)
from metaphrase.metrics import create
from metaphrase.report import agreement_json

LONG = "word " * 30
TER = "ter:longest=20"
pytestmark = pytest.mark.filterwarnings("ignore:.*refused")


def judged(long: set[tuple[int, int]] = frozenset(), segments: int = 8) -> Judgements:
    chance = np.random.default_rng(3)
    words = "the cat sat on a mat and slept".split()
    texts = tuple(
        JudgedText(
            LONG if (system, row) in long else " ".join(chance.choice(words, size=6)),
            (" ".join(words[row % 3 :]),),
        )
        for system in range(3)
        for row in range(segments)
    )
    return Judgements(
        "made-up",
        "de-en",
        ("A", "B", "C"),
        tuple(map(str, range(1, segments + 1))),
        tuple(f"d{row // 3}" for row in range(segments)),
        texts,
        np.arange(3 * segments, dtype=np.int32).reshape(3, segments),
        chance.normal(size=(3, segments)),
    )


def table(data: Judgements, measure: Measure, on_error="skip"):
    return agreement_table(
        [data],
        [TER, "chrf", "nist"],
        measure=lambda _: measure,
        resamples=50,
        check_language=False,
        on_error=on_error,
    )


@pytest.mark.parametrize(
    "measure",
    [
        Measure(name="pearson"),
        Measure(name="kendall", level="document"),
        Measure(name="pearson", level="system"),
        Measure(name="acc-eq"),
    ],
    ids=lambda measure: measure.label,
)
def test_values_are_those_of_the_data_without_it(measure: Measure) -> None:
    data = judged({(0, 2), (2, 5)})
    found, expected = table(data, measure), table(data.without([2, 5]), measure, "stop")
    assert found.columns[0].skipped == 2
    assert np.array_equal(found.columns[0].value, expected.columns[0].value, equal_nan=True)
    assert found.columns[0].cluster.tolist() == expected.columns[0].cluster.tolist()
    assert "refused 2 of 8 segments (MP518)" in found.warnings[0]
    assert '"skipped": 2' in agreement_json(found)


def test_without_it_the_first_one_ends_the_run() -> None:
    with pytest.raises(InputError, match="MP518"):
        table(judged({(0, 2)}), Measure(name="pearson"), "stop")


def test_nothing_left_is_an_error() -> None:
    with pytest.raises(InputError, match="MP965"):
        table(judged({(1, row) for row in range(8)}), Measure(name="pearson"))


def test_judgements_without_segments_keep_the_rest() -> None:
    rankings = (
        Ranking(0, "J", (0, 1), (1, 2), (0, 1)),
        Ranking(3, "J", (0, 1), (1, 2), (0, 1)),
    )
    data = replace(judged(), rankings=rankings)
    rest = data.without([0, 1])
    assert rest.segments == ("3", "4", "5", "6", "7", "8")
    assert [one.segment for one in rest.rankings] == [1]
    assert len(rest.texts) == 18
    chrf = create("chrf")
    expected = score_judged(data, chrf).segment[:, 2:]
    assert score_judged(rest, chrf).segment.tolist() == expected.tolist()
