"""The training of the encoder, on the processor, with a network of a few hundred weights."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="only the training of the encoder needs PyTorch")

import torch
from training.encoder import trial
from training.encoder.judging import ByWord, Sentences, Together, agreement, judged_sets, learn
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
    found = [
        tuple(row[row > 0].tolist())
        for padded in batches(data["text"], data["text_offsets"], 32, np.random.default_rng(1))
        for row in padded
    ]
    assert sorted(found) == sorted(
        tuple(line.tolist()) for line in np.split(data["text"], data["text_offsets"][1:-1])
    )


def test_equal_sentences_lose_nothing_whatever_the_weights(data: dict[str, np.ndarray]) -> None:
    torch.manual_seed(3)
    model = ByWord(Encoder(data, TINY)).eval()
    line = torch.tensor([[3, 4, 5, 6, 0, 0]])
    with torch.no_grad():
        assert model(line, line).abs().max() < 1e-6


def test_padding_says_nothing(data: dict[str, np.ndarray]) -> None:
    torch.manual_seed(3)
    model = ByWord(Encoder(data, TINY)).eval()
    left, right = torch.tensor([[3, 4, 5]]), torch.tensor([[3, 7, 5, 9]])
    longer = [torch.nn.functional.pad(side, (0, 3)) for side in (left, right)]
    with torch.no_grad():
        assert torch.allclose(model(left, right), model(*longer), atol=1e-5)


@pytest.mark.parametrize("objective", ["replaced", "masked"])
def test_the_same_seed_learns_the_same_from_text(
    data: dict[str, np.ndarray], objective: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.encoder.pretraining.VOCABULARY", WORDS)
    twice = []
    for _ in range(2):
        model, _ = pretrain(
            data, TINY, steps=5, objective=objective, budget=64, device="cpu", seed=7
        )
        twice.append(torch.cat([part.flatten() for part in model.encoder.state_dict().values()]))
    assert torch.equal(*twice)


@pytest.mark.parametrize(("kind", "model"), [("words", ByWord), ("together", Together)])
def test_it_learns_what_people_say(
    data: dict[str, np.ndarray], kind: str, model: type[torch.nn.Module]
) -> None:
    torch.manual_seed(1)
    sets, sentences = judged_sets(data), Sentences(data, "cpu")
    learnt = learn(
        kind,
        Encoder(data, TINY),
        sets,
        sentences,
        steps=60,
        rate=3e-3,
        seed=1,
        use_base=False,
        device="cpu",
    )
    assert isinstance(learnt, model)
    columns = trial.predict(learnt, sets[0], sentences, "cpu")
    lost = learnt.loss(torch.from_numpy(columns).float()).detach().numpy()
    assert agreement(sets[0], lost) > 0.5


def test_a_trial_writes_what_it_says_of_sets_it_has_not_seen(
    data: dict[str, np.ndarray], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.encoder.pretraining.VOCABULARY", WORDS)
    np.savez(tmp_path / "data.npz", **data)
    monkeypatch.setattr(
        sys,
        "argv",
        [
            *("trial", str(tmp_path / "out"), "--data", str(tmp_path / "data.npz")),
            *("--device", "cpu", "--width", "16", "--layers", "2", "--heads", "2"),
            *("--text-steps", "3", "--steps", "3", "--processes", "1", "--kinds", "words+base"),
        ],
    )
    trial.main()
    with np.load(tmp_path / "out" / "trial.npz") as found:
        assert {*found.files} == {
            f"{way}/{name}" for way in ("raw", "words+base") for name in data["sets"]
        }
        assert found["words+base/daseg16 de-en"].shape == (SENTENCES, 3)
        assert all(np.isfinite(found[name]).all() for name in found.files)
    log = json.loads((tmp_path / "out" / "trial.json").read_text())
    assert {tuple(fold["said"]) for fold in log["folds"]} >= {
        ("daseg16 de-en",),
        ("daseg13 de-en",),
    }
