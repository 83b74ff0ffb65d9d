"""Learning from text alone: which words of a line were replaced (after ELECTRA, Clark et al. 2020).

A small generator guesses words that were masked, the encoder says which words are not the line's own.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from training.encoder.network import Encoder, Shape

MASKED = 0.2
VOCABULARY = 20_000
LENGTHS = (8, 16, 24, 32, 48, 64, 96, 128)


def batches(
    flat: np.ndarray, offsets: np.ndarray, budget: int, random: np.random.Generator
) -> Iterator[np.ndarray]:
    """Lines of about one length, padded, of at most ``budget`` positions, in random order."""
    lengths = np.diff(offsets)
    bucket = np.searchsorted(LENGTHS, lengths)
    cut = []
    for number in np.unique(bucket):
        lines = random.permutation(np.flatnonzero(bucket == number))
        count = max(budget // LENGTHS[number], 1)
        cut += [(number, lines[start : start + count]) for start in range(0, len(lines), count)]
    for place in random.permutation(len(cut)):
        number, lines = cut[place]
        padded = np.zeros((len(lines), LENGTHS[number]), dtype=np.int64)
        for row, line in enumerate(lines):
            padded[row, : lengths[line]] = flat[offsets[line] : offsets[line + 1]]
        yield padded


class Pretraining(nn.Module):
    def __init__(self, data: Any, shape: Shape, objective: str) -> None:
        super().__init__()
        self.objective = objective
        self.encoder = Encoder(data, shape)
        small = Shape(width=128, layers=3, heads=2, inner=512)
        self.guesser = (
            Encoder(data, small, self.encoder.words) if objective == "replaced" else self.encoder
        )
        own = self.guesser.shape.width
        self.guess = nn.Linear(own, VOCABULARY)
        nn.init.normal_(self.guess.weight, std=0.02)
        nn.init.zeros_(self.guess.bias)
        self.detect = nn.Sequential(
            nn.Linear(shape.width, shape.width), nn.ReLU(), nn.Linear(shape.width, 1)
        )
        common = np.argsort(-np.asarray(data["counts"]), kind="stable")[:VOCABULARY]
        place = np.full(len(data["counts"]), -1)
        place[common] = np.arange(VOCABULARY)
        self.register_buffer("common", torch.from_numpy(common), persistent=False)
        self.register_buffer("place", torch.from_numpy(place), persistent=False)

    def forward(self, words: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The two losses, and the share of words that the encoder judges rightly."""
        target = self.place[words]
        masked = (
            (target >= 0) & (torch.rand(words.shape, device=words.device) < MASKED) & (words > 0)
        )
        states = self.guesser(words, masked)[masked]
        logits = self.guess(states).float()
        wanted = target[masked]
        guessing = functional.cross_entropy(logits, wanted)
        if self.objective != "replaced":
            right = (logits.argmax(-1) == wanted).float().mean()
            return guessing, guessing.new_zeros(()), right
        with torch.no_grad():
            noise = -torch.empty_like(logits).exponential_().log()
            drawn = self.common[(logits + noise).argmax(-1)]
            replaced = words.clone()
            replaced[masked] = drawn
        wrong = (replaced != words).float()
        there = words > 0
        said = self.detect(self.encoder(replaced)).squeeze(-1).float()
        detecting = functional.binary_cross_entropy_with_logits(said[there], wrong[there])
        right = ((said > 0) == (wrong > 0))[masked].float().mean()
        return guessing, detecting, right


def pretrain(
    data: Any,
    shape: Shape,
    *,
    steps: int,
    seconds: float = float("inf"),
    objective: str = "replaced",
    budget: int = 49_152,
    rate: float = 1e-3,
    share: float = 1.0,
    seed: int = 1,
    device: str = "cuda",
) -> tuple[Pretraining, list[dict[str, float]]]:
    """Learn for so many steps, or until the time is up; the rate falls with what is left of either."""
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    model = Pretraining(data, shape, objective).to(device)
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, betas=(0.9, 0.98), weight_decay=0.01)
    flat, offsets = np.asarray(data["text"]), np.asarray(data["text_offsets"])
    if share < 1:
        chosen = np.flatnonzero(random.random(len(offsets) - 1) < share)
        flat = np.concatenate([flat[offsets[k] : offsets[k + 1]] for k in chosen])
        offsets = np.concatenate([[0], np.cumsum(np.diff(offsets)[chosen])])
    log: list[dict[str, float]] = []
    start, step, seen, epoch = time.monotonic(), 0, 0, 0
    while True:
        for padded in batches(flat, offsets, budget, random):
            spent = max(step / steps, (time.monotonic() - start) / seconds)
            if spent >= 1:
                model.eval()
                return model, log
            for group in optimiser.param_groups:
                group["lr"] = rate * min(1.0, (step + 1) / 200) * (1 - spent)
            words = torch.from_numpy(padded).to(device, non_blocking=True)
            with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
                guessing, detecting, right = model(words)
            optimiser.zero_grad(set_to_none=True)
            (guessing + 50 * detecting).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            step += 1
            seen += int((padded > 0).sum())
            if step % 200 == 0:
                log.append(
                    {
                        "step": step,
                        "epoch": epoch,
                        "words": seen,
                        "seconds": round(time.monotonic() - start, 1),
                        "guessing": round(guessing.item(), 3),
                        "detecting": round(detecting.item(), 4),
                        "right": round(right.item(), 3),
                    }
                )
        epoch += 1
