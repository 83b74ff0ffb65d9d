"""Learning from judgements: two sentences word by word, or read together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from training.encoder.network import Encoder, Heads

LONGEST = 100
#: Sentences that are read at once; they are about as long as each other.
AT_ONCE = 64


@dataclass(slots=True)
class Judged:
    """One set and language pair: pairs of sentences, and what people said."""

    name: str
    left: np.ndarray
    references: list[np.ndarray]  # of each text
    text: np.ndarray  # of each judged row
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

    def sample(self, share: float, random: np.random.Generator) -> Judged:
        """The same with a part of the judgements."""
        chosen = np.flatnonzero(random.random(self.count) < share)
        if self.human is None:
            return replace(self, better=self.better[chosen], worse=self.worse[chosen])
        return replace(
            self, text=self.text[chosen], human=self.human[chosen], base=self.base[chosen]
        )

    def pairs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Each text with each of its references: sentences of both sides, and which text it is."""
        owner = np.repeat(np.arange(len(self.left)), [len(refs) for refs in self.references])
        return self.left[owner], np.concatenate(self.references), owner


def judged_sets(data: Mapping[str, np.ndarray]) -> list[Judged]:
    sets = []
    for name in data["sets"]:
        pairs = data[f"{name}/reference"]
        count = len(data[f"{name}/hypothesis"])
        starts = np.searchsorted(pairs[:, 0], np.arange(count + 1))
        sets.append(
            Judged(
                str(name),
                data[f"{name}/hypothesis"],
                [pairs[a:b, 1] for a, b in pairwise(starts)],
                data[f"{name}/text"],
                data[f"{name}/better"],
                data[f"{name}/worse"],
                data.get(f"{name}/human"),
                data[f"{name}/base"],
            )
        )
    return sets


class Sentences:
    """All judged sentences, padded on demand."""

    def __init__(self, data: Mapping[str, np.ndarray]) -> None:
        flat, offsets = np.asarray(data["judged"]), np.asarray(data["judged_offsets"])
        self.lengths = np.minimum(np.diff(offsets), LONGEST)
        table = np.zeros((len(self.lengths), LONGEST), dtype=np.int32)
        for row, length in enumerate(self.lengths):
            table[row, :length] = flat[offsets[row] : offsets[row] + length]
        self.table = torch.from_numpy(table)

    def __call__(self, numbers: np.ndarray) -> Tensor:
        longest = max(int(self.lengths[numbers].max()), 1)
        return self.table[torch.from_numpy(numbers.astype(np.int64)), :longest].long()


class ByWord(nn.Module):
    """Each sentence is read by itself; words are compared as ``soft_matches`` compares them.

    Equal sentences lose nothing, whatever the weights.
    """

    columns = ("extra", "missing", "strictly extra", "strictly missing", "odd", "odder")

    def __init__(self, encoder: Encoder, heads: Heads | None = None) -> None:
        super().__init__()
        self.encoder = encoder
        self.heads = heads or Heads(encoder.shape)
        self.sides = nn.Parameter(torch.full((len(self.columns),), -1.0))

    def read(self, sentences: Sentences, numbers: np.ndarray) -> tuple[Tensor, Tensor]:
        """What is said of each word of some sentences: a row for each, and which words there are."""
        order = np.argsort(sentences.lengths[numbers], kind="stable")
        longest = max(int(sentences.lengths[numbers].max()), 1)
        said = []
        for start in range(0, len(order), AT_ONCE):
            words = sentences(numbers[order[start : start + AT_ONCE]])
            parts = self.heads(self.encoder(words))
            joined = torch.cat([parts[0], torch.stack(parts[1:], -1)], -1)
            said.append(functional.pad(joined, (0, 0, 0, longest - words.shape[1])))
        back = torch.from_numpy(np.argsort(order, kind="stable"))
        words = sentences.table[torch.from_numpy(numbers.astype(np.int64)), :longest]
        return torch.cat(said)[back], words > 0

    def forward(self, sentences: Sentences, lefts: np.ndarray, rights: np.ndarray) -> Tensor:
        """A row of columns for each pair of sentences."""
        different, where = np.unique(np.concatenate([lefts, rights]), return_inverse=True)
        said, there = self.read(sentences, different)
        one, two = (torch.from_numpy(part) for part in np.split(where.reshape(-1), 2))
        return self.compare(said[one], there[one], said[two], there[two])

    def compare(self, left: Tensor, on_left: Tensor, right: Tensor, on_right: Tensor) -> Tensor:
        near = left[..., :-2] @ right[..., :-2].transpose(1, 2)
        near = near.masked_fill(~(on_left[:, :, None] & on_right[:, None, :]), 0.0).clamp(min=0)
        found, odd, strict = [], [], []
        for side, there, best in (
            (left, on_left, near.amax(2)),
            (right, on_right, near.amax(1)),
        ):
            weight = side[..., -2] * there
            whole = weight.sum(1).clamp(min=1e-6)
            found.append((weight * (1 - best)).sum(1) / whole)
            strict.append((weight * (1 - best**3)).sum(1) / whole)
            chance = torch.sigmoid(side[..., -1]) * there
            odd.append(chance.sum(1) / there.sum(1).clamp(min=1))
            if side is left:
                unmatched = (chance * (1 - best)).sum(1) / there.sum(1).clamp(min=1)
        return torch.stack([*found, *strict, unmatched, (odd[0] - odd[1]).clamp(min=0)], 1)

    def loss(self, columns: Tensor) -> Tensor:
        return columns @ functional.softplus(self.sides)


class Together(nn.Module):
    """Both sentences are read at once, and one vector says how good the first is."""

    columns = ("together",)

    def __init__(self, encoder: Encoder, heads: Heads | None = None) -> None:
        super().__init__()
        self.encoder = encoder
        width = encoder.shape.width
        self.side = nn.Embedding(2, width)
        nn.init.normal_(self.side.weight, std=0.1)
        self.say = nn.Sequential(nn.Linear(3 * width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, sentences: Sentences, lefts: np.ndarray, rights: np.ndarray) -> Tensor:
        order = np.argsort(sentences.lengths[lefts] + sentences.lengths[rights], kind="stable")
        said = [
            self.both(sentences(lefts[some]), sentences(rights[some]))
            for some in np.array_split(order, max(len(order) // (AT_ONCE // 2), 1))
        ]
        return torch.cat(said)[torch.from_numpy(np.argsort(order, kind="stable"))]

    def both(self, left: Tensor, right: Tensor) -> Tensor:
        words = torch.cat([left, right], 1)
        places = [torch.arange(part.shape[1]) for part in (left, right)]
        side = torch.cat([torch.zeros_like(left[:1]), torch.ones_like(right[:1])], 1)
        states = self.encoder(words, extra=self.side(side), place=torch.cat(places)[None])
        means = []
        for part, begin in ((left, 0), (right, left.shape[1])):
            there = (part > 0).unsqueeze(-1).to(states.dtype)
            own = states[:, begin : begin + part.shape[1]]
            means.append((own * there).sum(1) / there.sum(1).clamp(min=1))
        joined = torch.cat([means[0], means[1], (means[0] - means[1]).abs()], -1)
        return self.say(joined).float()

    def loss(self, columns: Tensor) -> Tensor:
        return columns[:, 0]


WAYS = {"words": ByWord, "together": Together}


def learn(
    kind: str,
    encoder: Encoder,
    heads: Heads | None,
    sets: Sequence[Judged],
    sentences: Sentences,
    *,
    steps: int,
    rate: float = 2e-4,
    seed: int = 1,
    top: int | None = None,
    size: int = 96,
) -> nn.Module:
    """Fit what the network adds to the base, each set as often as the square root of its size.

    Only the ``top`` layers learn, by default all and what comes before them.
    """
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    model = WAYS[kind](encoder, heads)
    scale = nn.Parameter(torch.tensor(0.0))
    share = nn.Parameter(torch.tensor(0.0))
    encoder.learn_above(None if top is None else len(encoder.layers) - top)
    own = [p for name, p in model.named_parameters() if not name.startswith("encoder.")]
    groups = [
        {"params": [p for p in encoder.parameters() if p.requires_grad], "top": rate},
        {"params": [*own, scale, share], "top": 3 * rate},
    ]
    optimiser = torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=0.01)
    chances = np.sqrt([one.count for one in sets])
    chances /= chances.sum()
    model.train()
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = group["top"] * min(1.0, (step + 1) / 50) * (1 - step / steps)
        judged = sets[random.choice(len(sets), p=chances)]
        rows = np.unique(random.integers(judged.count, size=min(size, judged.count)))
        both = rows
        if judged.human is None:
            both = np.concatenate([judged.better[rows], judged.worse[rows]])
        texts = judged.text[both]
        rights = np.array([random.choice(judged.references[text]) for text in texts])
        with torch.autocast("cpu", dtype=torch.bfloat16):
            columns = model(sentences, judged.left[texts], rights)
        lost = model.loss(columns.float())
        lost = lost + functional.softplus(share) * torch.from_numpy(judged.base[both]).float()
        if judged.human is None:
            better, worse = lost.chunk(2)
            objective = functional.softplus((better - worse) * torch.exp(scale + 1)).mean()
        else:
            human = torch.from_numpy(judged.human[rows])
            centred, wanted = lost - lost.mean(), human - human.mean()
            objective = 1 + (centred * wanted).mean() / (centred.std() * wanted.std() + 1e-6)
        optimiser.zero_grad(set_to_none=True)
        objective.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
    return model.eval()


@torch.no_grad()
def predict(model: nn.Module, judged: Judged, sentences: Sentences) -> np.ndarray:
    """The columns of each text, the mean over its references."""
    lefts, rights, owner = judged.pairs()
    order = np.argsort(sentences.lengths[lefts] + sentences.lengths[rights], kind="stable")
    found = np.zeros((len(lefts), len(model.columns)))
    for start in range(0, len(order), 512):
        rows = order[start : start + 512]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            found[rows] = model(sentences, lefts[rows], rights[rows]).float().numpy()
    total = np.zeros((len(judged.left), found.shape[1]))
    np.add.at(total, owner, found)
    return total / np.bincount(owner, minlength=len(judged.left))[:, None]


def agreement(judged: Judged, lost: np.ndarray) -> float:
    """r or τ of what each row loses."""
    if judged.human is None:
        return float(2 * (lost[judged.better] < lost[judged.worse]).mean() - 1)
    return float(np.corrcoef(-lost, judged.human)[0, 1])
