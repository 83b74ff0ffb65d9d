"""The training of the encoder, on the processor, with a network of a few hundred weights."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="only the training of the encoder needs PyTorch")

import torch
from training.encoder import pretraining, trial
from training.encoder.judging import (
    ByWord,
    Sentences,
    Together,
    agreement,
    judged_sets,
    learn,
    predict,
)
from training.encoder.network import Encoder, Shape
from training.encoder.pretraining import batches, pretrain

TINY = Shape(width=16, layers=2, heads=2, inner=32, distance=4, dropout=0.0)
WORDS, SENTENCES = 60, 40


@pytest.fixture
def data() -> dict[str, np.ndarray]:
    """Lines in which words follow each other in order, and translations that lose their place in it."""
    random = np.random.default_rng(0)
    lines = [
        (np.arange(length) + begin) % (WORDS - 1) + 1
        for begin, length in zip(
            random.integers(1, WORDS, SENTENCES), random.integers(4, 9, SENTENCES), strict=True
        )
    ]
    damage = np.arange(SENTENCES) % 3
    spoilt = [
        np.where(np.arange(len(line)) < count, random.integers(1, WORDS, len(line)), line)
        for line, count in zip(lines, damage, strict=True)
    ]
    both = [*lines, *spoilt]
    offsets = np.concatenate([[0], np.cumsum([len(one) for one in both])])
    found = {
        "text": np.concatenate(lines).astype(np.int32),
        "text_offsets": np.concatenate([[0], np.cumsum([len(one) for one in lines])]),
        "judged": np.concatenate(both).astype(np.int32),
        "judged_offsets": offsets,
        "counts": np.bincount(np.concatenate(lines), minlength=WORDS),
        "type_vector": np.arange(WORDS),
        "type_pieces": np.arange(WORDS)[:, None] * np.ones((1, 2), dtype=np.uint16),
        "type_case": np.zeros(WORDS, dtype=np.uint8),
        "mistaken": np.column_stack([np.roll(np.arange(WORDS), 1), np.zeros(WORDS, dtype=int)]),
        "paraphrases": np.zeros((WORDS, 2), dtype=int),
        "vectors": random.integers(-127, 128, (WORDS, 8)).astype(np.int8),
        "pieces": np.array([str(number) for number in range(WORDS)]),
        "sets": np.array(["daseg16 de-en", "daseg13 de-en"]),
    }
    human = (damage.mean() - damage) / damage.std()
    for name in found["sets"].tolist():
        found |= {
            f"{name}/hypothesis": np.arange(SENTENCES) + SENTENCES,
            f"{name}/reference": np.column_stack([np.arange(SENTENCES), np.arange(SENTENCES)]),
            f"{name}/text": np.arange(SENTENCES),
            f"{name}/segment": np.arange(SENTENCES),
            f"{name}/better": np.empty(0, dtype=np.int32),
            f"{name}/worse": np.empty(0, dtype=np.int32),
            f"{name}/human": human,
            f"{name}/base": np.zeros(SENTENCES),
        }
    return found


def test_batches_have_every_line_once(data: dict[str, np.ndarray]) -> None:
    found = np.concatenate(
        list(batches(data["text"], data["text_offsets"], 32, np.random.default_rng(1)))
    )
    assert sorted(found.tolist()) == list(range(SENTENCES))


def test_equal_sentences_lose_nothing_whatever_the_weights(data: dict[str, np.ndarray]) -> None:
    torch.manual_seed(3)
    model, lines = ByWord(Encoder(data, TINY)).eval(), np.arange(6)
    with torch.no_grad():
        assert model(Sentences(data), lines, lines).abs().max() < 1e-5


def test_neighbours_in_a_batch_say_nothing(data: dict[str, np.ndarray]) -> None:
    torch.manual_seed(3)
    model, sentences = ByWord(Encoder(data, TINY)).eval(), Sentences(data)
    left, right = np.arange(8), np.arange(8) + SENTENCES
    with torch.no_grad():
        together = model(sentences, left, right)
        alone = [model(sentences, left[k : k + 1], right[k : k + 1]) for k in range(8)]
    assert torch.allclose(together, torch.cat(alone), atol=1e-5)


def test_the_same_seed_learns_the_same_from_text(data: dict[str, np.ndarray]) -> None:
    twice = []
    for _ in range(2):
        model, _ = pretrain(data, TINY, steps=5, budget=64, seed=7)
        twice.append(torch.cat([part.flatten() for part in model.state_dict().values()]))
    assert torch.equal(*twice)


@pytest.mark.parametrize(("kind", "model"), [("words", ByWord), ("together", Together)])
def test_it_learns_what_people_say(
    data: dict[str, np.ndarray], kind: str, model: type[torch.nn.Module]
) -> None:
    torch.manual_seed(1)
    sets, sentences = judged_sets(data), Sentences(data)
    learnt = learn(kind, Encoder(data, TINY), None, sets, sentences, steps=60, rate=3e-3)
    assert isinstance(learnt, model)
    columns = predict(learnt, sets[0], sentences)
    lost = learnt.loss(torch.from_numpy(columns).float()).detach().numpy()
    assert agreement(sets[0], lost) > 0.5


def test_a_sample_has_a_part_of_the_judgements(data: dict[str, np.ndarray]) -> None:
    scored = judged_sets(data)[0]
    some = scored.sample(0.5, np.random.default_rng(1))
    assert 0 < some.count < scored.count
    assert scored.human is not None
    assert np.array_equal(some.human, scored.human[some.text])
    ranked = replace(scored, human=None, better=np.arange(30), worse=np.arange(30) + 5)
    some = ranked.sample(0.5, np.random.default_rng(1))
    assert 0 < some.count < ranked.count
    assert np.array_equal(some.worse, some.better + 5)
    assert len(some.base) == len(ranked.base)


def test_layers_below_the_top_do_not_learn_from_judgements(data: dict[str, np.ndarray]) -> None:
    encoder = Encoder(data, TINY)
    below, above = (layer.inner.weight.detach().clone() for layer in encoder.layers)
    learn("words", encoder, None, judged_sets(data), Sentences(data), steps=2, top=1)
    assert torch.equal(encoder.layers[0].inner.weight, below)
    assert not torch.equal(encoder.layers[1].inner.weight, above)


def test_a_trial_writes_what_it_says_of_sets_it_has_not_seen(
    data: dict[str, np.ndarray], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    np.savez(tmp_path / "data.npz", **data)
    files = "--data", str(tmp_path / "data.npz")
    shape = "--width", "16", "--layers", "2", "--heads", "2", "--inner", "32"
    encoder = str(tmp_path / "text.pt")
    monkeypatch.setattr(sys, "argv", ["pretraining", encoder, *files, *shape, "--steps", "3"])
    pretraining.main()
    monkeypatch.setattr(
        sys,
        "argv",
        ["trial", str(tmp_path / "out"), *files, "--encoder", encoder, "--steps", "3"],
    )
    trial.main()
    with np.load(tmp_path / "out" / "trial.npz") as found:
        assert {*found.files} == {
            f"{kind} {part}/{name}"
            for kind in ("raw", "words")
            for part in ("odd", "matches")
            for name in data["sets"]
        }
        assert all(np.isfinite(found[name]).all() for name in found.files)
        assert all((found[name] >= 0).all() for name in found.files)
    log = json.loads((tmp_path / "out" / "trial.json").read_text())
    assert {"odd, daseg16 de-en", "odd, daseg13 de-en"} <= {
        what for fold in log for what in fold["alone"]
    }
    assert (tmp_path / "out" / "trial-words-all.pt").exists()
