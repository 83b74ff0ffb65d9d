"""What an encoder is said to add to accord is what it adds."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("experiments.accord", reason="a source distribution has no experiments")

from training.encoder.stacking import agreement, difference, judged_sets, lost_rows, with_columns


def noisy_data(seed: int = 0) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Three sets of scores and one of preferences; one loss that says a little about each text."""
    random = np.random.default_rng(seed)
    data: dict[str, np.ndarray] = {}
    losses = {}
    names = ["a de-en", "b de-en", "c de-en", "ranked de-en"]
    for number, name in enumerate(names):
        quality = random.normal(size=120)
        losses[name] = np.exp(-quality + random.normal(size=120) * 2)[:, None]
        pairs = random.permutation(120).reshape(-1, 2)
        first = quality[pairs[:, 0]] > quality[pairs[:, 1]]
        better = np.where(first, pairs[:, 0], pairs[:, 1])
        worse = np.where(first, pairs[:, 1], pairs[:, 0])
        ranked = name.startswith("ranked")
        data |= {
            f"{name}/text": np.arange(120),
            f"{name}/segment": np.arange(120) // 2,
            f"{name}/better": better if ranked else np.empty(0, dtype=int),
            f"{name}/worse": worse if ranked else np.empty(0, dtype=int),
            f"{name}/reference": np.column_stack([np.arange(120), np.arange(120) + 1000 * number]),
            f"{name}/quality": quality,
        }
        if not ranked:
            data[f"{name}/human"] = (quality - quality.mean()) / quality.std()
    return data | {"sets": np.array(names)}, losses


def test_agreement_is_pearsons_r_or_tau() -> None:
    data, losses = noisy_data()
    scored, *_, ranked = judged_sets(data, losses)
    lost, once = losses["a de-en"][:, 0], np.ones(120)
    assert agreement(scored, lost, once) == pytest.approx(
        np.corrcoef(-lost, data["a de-en/human"])[0, 1]
    )
    lost = -data["ranked de-en/quality"]
    assert agreement(ranked, lost, once) == 1.0
    assert agreement(ranked, -lost, once) == -1.0


def test_counts_are_copies() -> None:
    data, losses = noisy_data()
    scored = judged_sets(data, losses)[0]
    counts = np.random.default_rng(1).integers(3, size=120)
    rows = np.repeat(np.arange(120), counts)
    lost = losses["a de-en"][:, 0]
    assert agreement(scored, lost, counts.astype(float)) == pytest.approx(
        np.corrcoef(-lost[rows], data["a de-en/human"][rows])[0, 1]
    )


def test_a_column_that_knows_better_is_seen_to_add_something() -> None:
    data, losses = noisy_data()
    sets = judged_sets(data, losses)
    trial = {f"words/{name}": np.exp(-data[f"{name}/quality"])[:, None] for name in data["sets"]}
    before, after = lost_rows(sets), lost_rows(with_columns(sets, data, trial, ["words"]))
    for one, base, more in zip(sets, before, after, strict=True):
        gained, low, high = difference(one, base, more)
        assert 0 < low <= gained <= high


def test_columns_are_those_of_the_texts_that_rows_are_of() -> None:
    data, losses = noisy_data()
    data["a de-en/text"] = np.arange(120)[::-1]
    trial = {f"words/{name}": np.arange(120.0)[:, None] for name in data["sets"]}
    first = with_columns(judged_sets(data, losses), data, trial, ["words"])[0]
    assert first.texts[0].tolist() == [losses["a de-en"][0, 0], 119.0]
