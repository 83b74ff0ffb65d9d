"""The layers of the pretrained encoder, adapted to what raters said.

python -m training.encoder.adapting DATA.npz FOLDER [--groups NAME ...] [--rates RATE ...] [--steps N]

DATA is what :mod:`training.encoder.judged_pieces` writes; nothing of metaphrase is needed. For each group
of test sets (``years.py``) FOLDER gets GROUP.npz, an encoder that has learned from all other groups, and
``all.npz``, one that has learned from all; ``training.encoder.pretrained --layers`` makes files of them. With
``--trial`` nothing is written, and correlations of each group left out are printed for each rate.

A translation is compared with its reference as ``accord:context`` does it: each word by its best match on the
other side, by vectors of two layers, rare words counting more. What these columns and ``accord`` lose, all
weights being at least 0, should order the translations of a test set as raters did, and corrupted
translations behind what they were made from. Five runs at once take three and a half minutes on an H200; a
processor would take days.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from training.encoder.years import YEARS

HEADS, BEGIN, END, LAYERS = 12, 101, 102, (4, 6)
#: The share of steps that are about corrupted texts, pairs of a step, and rows that a trial looks at.
_CORRUPTED, _SIZE, _ROWS = 0.2, 256, 4000
_RARE = 0.7
Arrays = Mapping[str, np.ndarray]


class Bert(nn.Module):
    """The network, with its weights by the names of ``transformers``."""

    def __init__(self, data: Arrays) -> None:
        super().__init__()
        given = {
            name.partition("/")[2]: torch.from_numpy(data[name].astype(np.float32))
            for name in data
            if name.startswith(("weights/encoder.", "weights/embeddings."))
        }
        rows = torch.from_numpy(data["rows"].astype(np.float32) * data["steps"][:, None])
        self.register_buffer("rows", rows)
        for name, values in given.items():
            if name.startswith("embeddings."):
                self.register_buffer(name.replace(".", "_"), values)
        self.layers = nn.ParameterDict(
            {
                name.replace(".", "_"): nn.Parameter(values)
                for name, values in given.items()
                if name.startswith("encoder.")
            }
        )
        self.names = [name for name in given if name.startswith("encoder.")]
        self.count = 1 + max(int(name.split(".")[2]) for name in self.names)

    def forward(self, ids: Tensor, there: Tensor) -> list[Tensor]:
        """The states after ``LAYERS``."""
        width = self.rows.shape[1]
        at = self.embeddings_position_embeddings_weight[: ids.shape[1]]
        x = self.rows[ids] + at + self.embeddings_token_type_embeddings_weight[0]
        x = functional.layer_norm(
            x,
            (width,),
            self.embeddings_LayerNorm_weight,
            self.embeddings_LayerNorm_bias,
            1e-12,
        )
        found = []
        for number in range(self.count):

            def linear(name: str, value: Tensor, number: int = number) -> Tensor:
                path = f"encoder_layer_{number}_{name}"
                return functional.linear(
                    value, self.layers[f"{path}_weight"], self.layers[f"{path}_bias"]
                )

            def norm(name: str, value: Tensor, number: int = number) -> Tensor:
                path = f"encoder_layer_{number}_{name}_LayerNorm"
                return functional.layer_norm(
                    value.float(),
                    (width,),
                    self.layers[f"{path}_weight"],
                    self.layers[f"{path}_bias"],
                    1e-12,
                )

            parts = [
                linear(f"attention_self_{part}", x).unflatten(-1, (HEADS, -1)).transpose(1, 2)
                for part in ("query", "key", "value")
            ]
            seen = functional.scaled_dot_product_attention(
                *parts, attn_mask=there[:, None, None, :]
            )
            seen = seen.transpose(1, 2).flatten(2)
            x = norm("attention_output", x + linear("attention_output_dense", seen))
            inner = functional.gelu(linear("intermediate_dense", x))
            x = norm("output", x + linear("output_dense", inner))
            if number + 1 in LAYERS:
                found.append(x)
        return found

    def export(self) -> dict[str, np.ndarray]:
        """Matrices as bytes with a step for each row, which is what our file keeps of them."""
        found = {}
        for name in self.names:
            values = self.layers[name.replace(".", "_")].detach().float().cpu().numpy()
            if values.ndim == 2:
                steps = np.abs(values).max(axis=1) / 127.0
                found[f"{name}/rows"] = np.rint(values / steps[:, None]).astype(np.int8)
                found[f"{name}/steps"] = steps
            else:
                found[name] = values
        return found


class Texts:
    """Word pieces of all texts, which word each belongs to, and how rare it is."""

    def __init__(self, data: Arrays, device: str) -> None:
        lengths = data["lengths"].astype(np.int64)
        starts = np.r_[0, np.cumsum(lengths)]
        row = np.repeat(np.arange(len(lengths)), lengths)
        at = np.arange(starts[-1]) - starts[row] + 1
        begins = np.unpackbits(data["begins"])[: starts[-1]].astype(np.int64)
        word = np.cumsum(begins)
        word -= word[np.minimum(starts[row], starts[-1] - 1)]
        longest = int(lengths.max()) + 2
        shape = len(lengths), longest
        ids, words = np.zeros(shape, np.int32), np.full(shape, -1, np.int16)
        rarity = np.zeros(shape, np.uint8)
        ids[:, 0] = BEGIN
        ids[np.arange(len(lengths)), lengths + 1] = END
        ids[row, at], words[row, at], rarity[row, at] = data["pieces"], word, data["rarity"]
        self.lengths = torch.from_numpy(lengths).to(device)
        self.ids, self.words, self.rarity = (
            torch.from_numpy(one).to(device) for one in (ids, words, rarity)
        )
        self.device = device


@dataclass(frozen=True)
class Judged:
    """One test set and language pair, or the corrupted texts of one."""

    name: str
    group: str
    hypothesis: np.ndarray
    reference: np.ndarray
    base: np.ndarray | None
    better: np.ndarray
    worse: np.ndarray
    human: np.ndarray | None

    @property
    def count(self) -> int:
        return len(self.better) if self.human is None else len(self.hypothesis)


def judged_sets(data: Arrays) -> list[Judged]:
    """All sets, each followed by its corrupted texts."""
    found = []
    for name, group in zip(data["sets"].tolist(), data["groups"].tolist(), strict=True):
        part = {key: data[f"{name}/{key}"] for key in ("hypothesis", "reference", "base")}
        order = {key: data[f"{name}/{key}"] for key in ("better", "worse")}
        found.append(Judged(name, group, **part, **order, human=data.get(f"{name}/human")))
        better, worse, reference = data[f"{name}/corrupted"]
        number = np.arange(len(better))
        found.append(
            Judged(
                f"{name} corrupted",
                group,
                np.concatenate([better, worse]),
                np.concatenate([reference, reference])[None],
                None,
                number,
                number + len(better),
                None,
            )
        )
    return found


class Comparison(nn.Module):
    """What a translation loses beside its reference; equal texts lose nothing, whatever the weights."""

    per_layer = (
        *("p", "r", "p³", "r³", "p near", "r near", "worst p", "worst r"),
        *("plain p", "plain r", "lost p", "lost r"),
    )

    def __init__(self, bert: Bert) -> None:
        super().__init__()
        self.bert = bert
        start = [-4.0 if name.startswith("lost") else -1.0 for name in self.per_layer]
        self.sides = nn.Parameter(torch.tensor([*start * len(LAYERS), -1.0]))
        self.share, self.scale = nn.Parameter(torch.tensor(0.5)), nn.Parameter(torch.tensor(1.0))

    def forward(self, texts: Texts, left: Tensor, right: Tensor) -> Tensor:
        """A row of columns for each pair of texts."""
        numbers, where = torch.unique(torch.cat([left, right]), return_inverse=True)
        longest = int(texts.lengths[numbers].max()) + 2
        ids = texts.ids[numbers, :longest].long()
        there = torch.arange(longest, device=texts.device) < texts.lengths[numbers, None] + 2
        words = texts.words[numbers, :longest].long()
        most = max(int(words.max()) + 1, 1)
        with torch.autocast(texts.device, dtype=torch.bfloat16):
            states = self.bert(ids, there)
        of_word = functional.one_hot(words.clamp(min=0), most).float()
        of_word = (of_word * (words >= 0)[..., None]).transpose(1, 2)
        held = of_word.sum(2) > 0
        rarity = (of_word * (texts.rarity[numbers, None, :longest].float() / 255)).amax(2)
        one, two = where.chunk(2)
        columns = []
        for state in states:
            state = state.float()
            vectors = functional.normalize(of_word @ functional.normalize(state, dim=-1), dim=-1)
            columns += self.matches(
                vectors[one], held[one], rarity[one], vectors[two], held[two], rarity[two]
            )
        whole = (states[-1].float() * there[..., None]).sum(1)
        columns.append(1 - functional.cosine_similarity(whole[one], whole[two]))
        return torch.stack(columns, 1)

    def matches(self, *sides: Tensor) -> list[Tensor]:
        """The columns of one layer."""
        left, on_left, rare_left, right, on_right, rare_right = sides
        near = (left @ right.transpose(1, 2)).clamp(min=0)
        near = near * (on_left[:, :, None] & on_right[:, None, :])
        places = [
            torch.arange(side.shape[1], device=side.device) / side.sum(1, keepdim=True).clamp(min=1)
            for side in (on_left, on_right)
        ]
        placed = near * (1 - 0.5 * (places[0][:, :, None] - places[1][:, None, :]).abs())
        found = {}
        for name, axis, there, rare in (
            ("p", 2, on_left, rare_left),
            ("r", 1, on_right, rare_right),
        ):
            best, weight = near.amax(axis), rare * there
            whole = weight.sum(1).clamp(min=1e-6)
            found[name] = (weight * (1 - best)).sum(1) / whole
            found[f"{name}³"] = (weight * (1 - best**3)).sum(1) / whole
            found[f"{name} near"] = (weight * (1 - placed.amax(axis))).sum(1) / whole
            found[f"worst {name}"] = (weight - best).clamp(min=0).amax(1)
            found[f"plain {name}"] = ((1 - best) * there).sum(1) / there.sum(1).clamp(min=1)
            found[f"lost {name}"] = (weight * (1 - best) * (rare > _RARE)).sum(1)
        return [found[name] for name in self.per_layer]

    def loss(self, columns: Tensor, base: Tensor | None) -> Tensor:
        lost = columns @ functional.softplus(self.sides)
        return lost if base is None else lost + functional.softplus(self.share) * base


def adapt(
    data: Arrays, texts: Texts, sets: Sequence[Judged], *, rate: float, steps: int, seed: int = 1
) -> Comparison:
    """Learn from the sets, each as often as the square root of its size."""
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    model = Comparison(Bert(data)).to(texts.device)
    own = [model.sides, model.share, model.scale]
    groups = [
        {"params": [*model.bert.layers.values()], "top": rate},
        {"params": own, "top": 1e-2},
    ]
    optimiser = torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=0.0)
    kinds = [
        [one for one in sets if (one.base is None) == corrupted] for corrupted in (False, True)
    ]
    chances = [np.sqrt([one.count for one in kind]) for kind in kinds]
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = group["top"] * min(1.0, (step + 1) / 50) * (1 - step / steps)
        kind = int(random.random() < _CORRUPTED)
        one = kinds[kind][random.choice(len(kinds[kind]), p=chances[kind] / chances[kind].sum())]
        objective = _objective(model, texts, one, random)
        optimiser.zero_grad(set_to_none=True)
        objective.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
    return model.eval()


def _objective(model: Comparison, texts: Texts, one: Judged, random: np.random.Generator) -> Tensor:
    rows = np.unique(random.integers(one.count, size=min(_SIZE, one.count)))
    both = rows if one.human is not None else np.concatenate([one.better[rows], one.worse[rows]])
    which = random.integers(len(one.reference), size=len(both))
    if one.human is None:
        which[len(rows) :] = which[: len(rows)]
    lost = model.loss(*_columns(model, texts, one, both, which))
    if one.human is None:
        better, worse = lost.chunk(2)
        return functional.softplus((better - worse) * torch.exp(model.scale)).mean()
    human = torch.from_numpy(one.human[rows]).to(texts.device)
    centred, wanted = lost - lost.mean(), human - human.mean()
    return 1 + (centred * wanted).mean() / (centred.std() * wanted.std() + 1e-6)


def _columns(
    model: Comparison, texts: Texts, one: Judged, rows: np.ndarray, which: np.ndarray
) -> tuple[Tensor, Tensor | None]:
    sides = one.hypothesis[rows], one.reference[which, rows]
    left, right = (torch.from_numpy(side.astype(np.int64)).to(texts.device) for side in sides)
    base = None if one.base is None else torch.from_numpy(one.base[rows]).to(texts.device)
    return model(texts, left, right), base


@torch.no_grad()
def correlations(model: Comparison, texts: Texts, one: Judged) -> tuple[float, float, float]:
    """r or τ of the base, of the columns, and of both together, on rows spread over the set."""
    count = one.count
    rows = np.unique(np.linspace(0, count - 1, min(count, _ROWS)).astype(np.int64))
    if one.human is None:
        chosen, place = np.unique(
            np.concatenate([one.better[rows], one.worse[rows]]), return_inverse=True
        )
    else:
        chosen = rows
    parts = []
    for some in np.array_split(chosen, max(len(chosen) // 512, 1)):
        columns, base = _columns(model, texts, one, some, np.zeros(len(some), dtype=np.int64))
        zero = columns.new_zeros(len(some)) if base is None else base
        alone, both = model.loss(columns, None), model.loss(columns, base)
        parts.append(torch.stack([zero, alone, both], 1).cpu().numpy())
    lost = np.concatenate(parts)
    if one.human is None:
        better, worse = np.split(place, 2)
        found = 2 * (lost[better] < lost[worse]).mean(axis=0) - 1
    else:
        found = [
            -np.corrcoef(column + 1e-9 * one.human[rows], one.human[rows])[0, 1]
            for column in lost.T
        ]
    return tuple(float(value) for value in found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--groups", nargs="*", default=[*(years[0] for years in YEARS), "all"])
    parser.add_argument("--rates", nargs="+", type=float, default=[1e-4])
    parser.add_argument("--steps", type=int, default=1200)
    parser.add_argument("--trial", action="store_true", help="write nothing, print correlations")
    options = parser.parse_args()
    data = dict(np.load(options.data))
    device = "cuda" if torch.cuda.is_available() else "cpu"
    texts, sets = Texts(data, device), judged_sets(data)
    for group in options.groups:
        learned = [one for one in sets if one.group != group]
        for rate in options.rates:
            start = time.time()
            model = adapt(data, texts, learned, rate=rate, steps=options.steps)
            print(f"{group} {rate:g} {options.steps}: {time.time() - start:.0f} s", flush=True)
            for one in sets:
                if one.group == group:
                    found = " ".join(f"{value:.4f}" for value in correlations(model, texts, one))
                    print(f"  {group} {rate:g} {one.name}: {found}", flush=True)
            if not options.trial:
                np.savez_compressed(options.folder / f"{group}.npz", **model.bert.export())


if __name__ == "__main__":
    main()
