"""A gate does not cry wolf: changes that make nothing better or worse are red as rarely as it says."""

from __future__ import annotations

import numpy as np
import pytest

from metaphrase.arrays import FloatArray
from metaphrase.gate import Rules, Section, Settings, Snapshot, judge
from metaphrase.gate.snapshot import Measured

RUNS = 300
RULES = Rules(section=Section(every={"alpha": 0.05}), settings=Settings(resamples=200))


def snapshot(scores: FloatArray) -> Snapshot:
    """A system with these scores of segments, by a metric that is their mean."""
    rows = np.stack([scores, np.ones_like(scores)], axis=1)
    names = tuple(map(str, range(len(scores))))
    measured = Measured("maxsim", "maxsim", True, (0.0, 1.0), float(scores.mean()), scores, rows)
    return Snapshot(
        system="mine",
        language="en",
        metrics={"maxsim": measured},
        reference_hashes=names,
        hypothesis_hashes=names,
    )


@pytest.mark.parametrize(("segments", "changed"), [(30, 1.0), (100, 0.2)])
def test_one_in_forty_changes_without_effect_is_red(segments: int, changed: float) -> None:
    generator = np.random.default_rng(1)
    red = 0
    for _ in range(RUNS):
        before = 0.4 + 0.2 * generator.random(segments)
        change = 0.05 * generator.standard_t(4, segments) * (generator.random(segments) < changed)
        verdict = judge(RULES, snapshot(before), snapshot(before + change), ["maxsim"], threads=1)
        red += not verdict.passed
    assert 0 < red / RUNS < 0.05


def test_a_real_drop_is_red() -> None:
    generator = np.random.default_rng(1)
    red = 0
    for _ in range(30):
        before = 0.4 + 0.2 * generator.random(100)
        change = 0.05 * generator.standard_t(4, 100) - 0.03
        red += not judge(
            RULES, snapshot(before), snapshot(before + change), ["maxsim"], threads=1
        ).passed
    assert red > 25
