"""Simulations: choosing what tells most saves judgements, and what tells nothing does not."""

from __future__ import annotations

import numpy as np
import pytest

import metaphrase
from metaphrase.corpus.judgements import JudgedText, Judgements, JudgementsBuilder
from metaphrase.errors import InputError, OptionError
from metaphrase.sampling import simulate


def judged(segments: int = 80, systems: int = 5) -> Judgements:
    """Systems that differ on every seventh segment only, where people and chrF see it; the rest is noise."""
    random = np.random.Generator(np.random.PCG64(3))
    builder = JudgementsBuilder("made up", "de-en")
    for segment in range(segments):
        for system in range(systems):
            words = [f"w{segment}x{place}" for place in range(6)]
            telling = segment % 7 == 0
            hypothesis = [f"z{w}" if telling and p < system else w for p, w in enumerate(words)]
            text = JudgedText(" ".join(hypothesis), (" ".join(words),), f"Satz {segment}")
            cell = builder.place(f"s{system}", "", str(segment + 1), text)
            builder.judge(cell, float(-8 * system * telling + random.normal(0, 4)))
    return builder.build()


def test_choosing_by_variance_finds_the_segments_that_tell() -> None:
    found = simulate(judged(), [metaphrase.Chrf()], ways=["variance"], sizes=[5], halves=40)
    (outcome,) = found.outcomes
    assert outcome.agreement > 0.95
    assert outcome.beats_random
    assert outcome.needed > 10
    assert outcome.saving > 0.5


def test_choosing_at_random_saves_nothing() -> None:
    found = simulate(judged(), [], ways=["random"], sizes=[10], halves=40)
    (outcome,) = found.outcomes
    assert not outcome.beats_random
    assert abs(outcome.beside_random) < 0.1


def test_agreement_at_random_grows_with_the_sample() -> None:
    found = simulate(judged(), [], ways=["random"], sizes=[5, 20], halves=40)
    (_, few), (_, many) = found.random
    assert few < many


def test_how_sure_people_are_can_be_compared_too() -> None:
    found = simulate(
        judged(),
        [metaphrase.Chrf()],
        ways=["variance"],
        sizes=[5],
        halves=5,
        measure="soft-accuracy",
    )
    assert 0.5 < found.outcomes[0].agreement <= 1


def test_the_seed_decides() -> None:
    once, again = (
        simulate(judged(), [metaphrase.Chrf()], sizes=[5], ways=["variance", "coverage"], halves=5)
        for _ in range(2)
    )
    assert once == again


def test_systems_can_be_left_out() -> None:
    found = simulate(
        judged(), [], ways=["random"], sizes=[5], halves=2, leave_out=lambda name: name == "s0"
    )
    assert found.systems == 4


def test_too_little_to_simulate_on() -> None:
    with pytest.raises(InputError, match="MP797"):
        simulate(judged(segments=20), [], ways=["random"])
    with pytest.raises(InputError, match="MP797"):
        simulate(judged(systems=2), [], ways=["random"])
    with pytest.raises(OptionError, match="MP788"):
        simulate(judged(), [], ways=["random"], sizes=[70])
    with pytest.raises(OptionError, match="MP786"):
        simulate(judged(), [], ways=["random"], measure="luck")  # type: ignore[arg-type]
