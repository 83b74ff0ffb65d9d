"""Learning from judgements: two sentences word by word, or read together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from training.encoder.network import Comparison, Encoder

LONGEST = 100


@dataclass(slots=True)
class Judged:
    """One set and language pair: pairs of sentences, and what people said."""

    name: str
    left: np.ndarray
    right: np.ndarray  # one reference of each text, drawn anew for training
    references: list[np.ndarray]
    text: np.ndarray
    better: np.ndarray
    worse: np.ndarray
    human: np.ndarray | None
    base: np.ndarray  # what the metric without an encoder loses, for each judged row

    @property
    def year(self) -> str:
        return self.name.split()[0]

    @property
    def count(self) -> int:
        return len(self.better) if self.human is None else len(self.human)


class Sentences:
    """All judged sentences, padded on demand."""

    def __init__(self, data: Any, device: str) -> None:
        self.flat = np.asarray(data["judged"])
        self.offsets = np.asarray(data["judged_offsets"])
        lengths = np.minimum(np.diff(self.offsets), LONGEST)
        self.lengths = lengths
        table = np.zeros((len(lengths), LONGEST), dtype=np.int32)
        for row, length in enumerate(lengths):
            table[row, :length] = self.flat[self.offsets[row] : self.offsets[row] + length]
        self.table = torch.from_numpy(table).to(device)

    def __call__(self, numbers: np.ndarray) -> Tensor:
        longest = max(int(self.lengths[numbers].max()), 1)
        longest = -(-longest // 8) * 8
        return self.table[
            torch.from_numpy(numbers.astype(np.int64)).to(self.table.device), :longest
        ].long()


def judged_sets(data: Mapping[str, np.ndarray]) -> list[Judged]:
    sets = []
    for name in data["sets"]:
        pairs = data[f"{name}/reference"]
        count = len(data[f"{name}/hypothesis"])
        starts = np.searchsorted(pairs[:, 0], np.arange(count + 1))
        references = [pairs[a:b, 1] for a, b in pairwise(starts)]
        sets.append(
            Judged(
                str(name),
                data[f"{name}/hypothesis"],
                np.array([one[0] for one in references]),
                references,
                data[f"{name}/text"],
                data[f"{name}/better"],
                data[f"{name}/worse"],
                data.get(f"{name}/human"),
                data[f"{name}/base"],
            )
        )
    return sets


class ByWord(nn.Module):
    """Each sentence is read by itself."""

    columns = ("extra", "missing")

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.compare = Comparison(encoder.shape)

    def forward(self, left: Tensor, right: Tensor) -> Tensor:
        return self.compare(self.encoder(left), left, self.encoder(right), right)

    def loss(self, columns: Tensor) -> Tensor:
        return self.compare.loss(columns)


class Together(nn.Module):
    """Both sentences are read at once, and one vector says how good the first is."""

    columns = ("together",)

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        width = encoder.shape.width
        self.side = nn.Embedding(2, width)
        nn.init.normal_(self.side.weight, std=0.1)
        self.say = nn.Sequential(nn.Linear(3 * width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, left: Tensor, right: Tensor) -> Tensor:
        words = torch.cat([left, right], 1)
        places = [torch.arange(part.shape[1], device=words.device) for part in (left, right)]
        place = torch.cat([places[0], places[1] + 7])[None]
        side = torch.cat([torch.zeros_like(left[:1]), torch.ones_like(right[:1])], 1)
        states = self.encoder(words, extra=self.side(side), place=place)
        means = []
        for part, begin in ((left, 0), (right, left.shape[1])):
            there = (part > 0).unsqueeze(-1).to(states.dtype)
            own = states[:, begin : begin + part.shape[1]]
            means.append((own * there).sum(1) / there.sum(1).clamp(min=1))
        joined = torch.cat([means[0], means[1], means[0] - means[1]], -1)
        return self.say(joined).float()

    def loss(self, columns: Tensor) -> Tensor:
        return columns[:, 0]


def learn(
    kind: str,
    encoder: Encoder,
    sets: list[Judged],
    sentences: Sentences,
    *,
    steps: int,
    rate: float,
    seed: int,
    use_base: bool,
    size: int = 192,
    device: str = "cuda",
) -> nn.Module:
    """Fit to the sets, each as often as the square root of its size."""
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    model = {"words": ByWord, "together": Together}[kind](encoder).to(device)
    scale = nn.Parameter(torch.tensor(0.0, device=device))
    share = nn.Parameter(torch.tensor(0.0, device=device))
    heads = [p for name, p in model.named_parameters() if not name.startswith("encoder.")]
    optimiser = torch.optim.AdamW(
        [
            {"params": list(model.encoder.parameters()), "lr": rate, "top": rate},
            {"params": [*heads, scale, share], "lr": 5 * rate, "top": 5 * rate},
        ],
        betas=(0.9, 0.98),
        weight_decay=0.01,
    )
    chances = np.sqrt([one.count for one in sets])
    chances /= chances.sum()
    model.train()
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = group["top"] * min(1.0, (step + 1) / 100) * (1 - step / steps)
        judged = sets[random.choice(len(sets), p=chances)]
        rows = random.integers(judged.count, size=min(size, judged.count))
        rows = np.unique(rows)
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            both = rows
            if judged.human is None:
                both = np.concatenate([judged.better[rows], judged.worse[rows]])
            texts = judged.text[both]
            rights = np.array([random.choice(judged.references[text]) for text in texts])
            different, back = np.unique(rights, return_inverse=True)
            lost = score(model, kind, sentences, judged.left[texts], rights, different, back)
        if use_base:
            lost = lost + functional.softplus(share) * torch.from_numpy(
                judged.base[both]
            ).float().to(device)
        if judged.human is None:
            better, worse = lost.chunk(2)
            objective = functional.softplus((better - worse) * torch.exp(scale + 2)).mean()
        else:
            human = torch.from_numpy(judged.human[rows]).to(device)
            centred = lost - lost.mean()
            wanted = human - human.mean()
            r = -(centred * wanted).mean() / (centred.std() * wanted.std() + 1e-6)
            objective = 1 - r
        optimiser.zero_grad(set_to_none=True)
        objective.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
    model.eval()
    return model


def score(
    model: nn.Module,
    kind: str,
    sentences: Sentences,
    lefts: np.ndarray,
    rights: np.ndarray,
    different: np.ndarray,
    back: np.ndarray,
) -> Tensor:
    left = sentences(lefts)
    if kind == "together":
        return model.loss(model(left, sentences(rights)))
    right = sentences(different)
    state = model.encoder(right)
    where = torch.from_numpy(back.reshape(-1)).to(right.device)
    columns = model.compare(model.encoder(left), left, state[where], right[where])
    return model.loss(columns)


@torch.no_grad()
def predict(
    model: nn.Module, judged: Judged, sentences: Sentences, device: str = "cuda"
) -> np.ndarray:
    """The columns of each text, the mean over its references."""
    lefts = np.concatenate(
        [np.full(len(refs), judged.left[k]) for k, refs in enumerate(judged.references)]
    )
    rights = np.concatenate(judged.references)
    owner = np.concatenate([np.full(len(refs), k) for k, refs in enumerate(judged.references)])
    order = np.argsort(sentences.lengths[lefts] + sentences.lengths[rights], kind="stable")
    found = np.zeros((len(lefts), len(model.columns)))
    for start in range(0, len(order), 512):
        rows = order[start : start + 512]
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            columns = model(sentences(lefts[rows]), sentences(rights[rows]))
        found[rows] = columns.float().cpu().numpy()
    total = np.zeros((len(judged.left), found.shape[1]))
    np.add.at(total, owner, found)
    return total / np.bincount(owner, minlength=len(judged.left))[:, None]


def agreement(judged: Judged, lost: np.ndarray) -> float:
    """r or τ of what each row loses."""
    if judged.human is None:
        return float(2 * (lost[judged.better] < lost[judged.worse]).mean() - 1)
    return float(np.corrcoef(-lost, judged.human)[0, 1])
