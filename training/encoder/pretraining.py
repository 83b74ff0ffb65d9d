"""Learning from text alone, three things at once:

- which word stands behind a mask, among all words of the batch;
- which words of a spoilt line are wrong, and where one is missing;
- which words of a spoilt line say what a word of the line says: the comparison that judgements refine.

Spoilt lines (:mod:`training.encoder.spoiling`) take the place of ELECTRA's generator, half of the work.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from torch import Tensor, distributed, multiprocessing, nn
from torch.nn import functional
from training.encoder.network import Encoder, Heads, Shape
from training.encoder.spoiling import Spoiler, Spoilt

MASKED = 0.15
#: Words of a step.
BUDGET = 2048
LENGTHS = (8, 12, 16, 20, 24, 28, 32, 40, 48, 64, 96, 136)
#: Words that a mask is told apart from, besides those of the batch itself.
OTHERS = 4096


def batches(
    flat: np.ndarray, offsets: np.ndarray, budget: int, random: np.random.Generator
) -> Iterator[np.ndarray]:
    """Numbers of lines of about one length, of at most ``budget`` words, in random order."""
    lengths = np.diff(offsets)
    bucket = np.searchsorted(LENGTHS, lengths)
    cut = []
    for number in np.unique(bucket):
        lines = random.permutation(np.flatnonzero(bucket == number))
        count = max(budget // LENGTHS[number], 2)
        cut += [lines[start : start + count] for start in range(0, len(lines), count)]
    for place in random.permutation(len(cut)):
        yield cut[place]


def words_of(
    flat: np.ndarray, offsets: np.ndarray, lines: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The words of some lines, and of which of them each is."""
    words = [flat[offsets[line] : offsets[line + 1]] for line in lines.tolist()]
    return np.concatenate(words), np.repeat(np.arange(len(lines)), [len(one) for one in words])


def padded(values: np.ndarray, line: np.ndarray, count: int, fill: int = 0) -> np.ndarray:
    """A row for each line."""
    place = np.arange(len(line)) - np.searchsorted(line, line)
    table = np.full((count, max(int(place.max(initial=0)) + 1, 1)), fill, dtype=np.int64)
    table[line, place] = values
    return table


class Pretraining(nn.Module):
    def __init__(self, data: Mapping[str, np.ndarray], shape: Shape) -> None:
        super().__init__()
        self.encoder = Encoder(data, shape)
        self.heads = Heads(shape)
        self.guess = nn.Linear(shape.width, shape.width)
        self.gap = nn.Linear(shape.width, 1)
        # What a similarity says: whether the word is on the other side.
        self.steep = nn.Parameter(torch.tensor([8.0, -4.0]))
        counts = np.asarray(data["counts"]).astype(float) ** 0.75
        self.register_buffer("chances", torch.from_numpy(counts / counts.sum()), persistent=False)

    def forward(self, plain: np.ndarray, line: np.ndarray, spoilt: Spoilt) -> dict[str, Tensor]:
        """The losses of one batch. The first half of the lines is masked, the second compared."""
        count = int(line[-1]) + 1
        half = count // 2
        words = torch.from_numpy(padded(spoilt.words, spoilt.line, count))
        odd = torch.from_numpy(padded(spoilt.odd, spoilt.line, count))
        gap = torch.from_numpy(padded(spoilt.gap, spoilt.line, count))
        origin = torch.from_numpy(padded(spoilt.origin, spoilt.line, count, -1))
        masked = (torch.rand(words.shape) < MASKED) & (words > 0) & (odd == 0)
        masked[half:] = False
        originals = torch.from_numpy(
            padded(plain[line >= half], line[line >= half] - half, count - half)
        )
        longest = max(words.shape[1], originals.shape[1])
        words, odd, gap, masked = (
            functional.pad(one, (0, longest - one.shape[1])) for one in (words, odd, gap, masked)
        )
        origin = functional.pad(origin, (0, longest - origin.shape[1]), value=-1)
        originals = functional.pad(originals, (0, longest - originals.shape[1]))
        states = self.encoder(
            torch.cat([words, originals]), torch.cat([masked, torch.zeros_like(originals) > 0])
        )
        losses = {"guessing": self.guessing(states[:count][masked], words[masked])}
        there = (words > 0) & ~masked
        vectors, _, oddness = self.heads(states)
        losses["oddness"] = functional.binary_cross_entropy_with_logits(
            oddness[:count][there], odd[there].float()
        )
        missing = self.gap(states[:count][there]).squeeze(-1).float()
        losses["gaps"] = functional.binary_cross_entropy_with_logits(missing, gap[there].float())
        losses["matches"] = self.matches(
            vectors[half:count], words[half:], vectors[count:], originals, origin[half:]
        )
        return losses

    def guessing(self, states: Tensor, words: Tensor) -> Tensor:
        """How well each word is told from the others behind masks, and from words drawn by frequency."""
        if not len(words):
            return states.sum() * 0.0
        drawn = torch.multinomial(self.chances, OTHERS, replacement=True)
        candidates, wanted = torch.unique(torch.cat([words, drawn]), return_inverse=True)
        entered = self.encoder.enter(self.encoder.words(candidates[None]))[0]
        frequency = torch.log(self.chances[candidates] + 1e-9).float()
        logits = (self.guess(states) @ entered.T).float() * 0.1 + 0.5 * frequency
        return functional.cross_entropy(logits, wanted[: len(words)])

    def matches(
        self, left: Tensor, left_words: Tensor, right: Tensor, right_words: Tensor, origin: Tensor
    ) -> Tensor:
        """Whether each word has one on the other side that says the same, and which it is."""
        near = left @ right.transpose(1, 2)
        there = (left_words > 0)[:, :, None] & (right_words > 0)[:, None, :]
        near = near.masked_fill(~there, -1.0)
        on_left, on_right = left_words > 0, right_words > 0
        same = (
            functional.one_hot(origin.clamp(min=0), right_words.shape[1])
            * (origin >= 0)[:, :, None]
        )
        has = (same.sum(2) > 0, same.sum(1) > 0)
        found = []
        for best, known, words in (
            (near.amax(2), has[0], on_left),
            (near.amax(1), has[1], on_right),
        ):
            logits = best * self.steep[0] + self.steep[1]
            found.append(
                functional.binary_cross_entropy_with_logits(logits[words], known[words].float())
            )
        linked = has[0] & on_left
        which = functional.cross_entropy((near * 20.0)[linked], origin[linked])
        return found[0] + found[1] + 0.5 * which


def shared(model: nn.Module, number: float) -> float:
    """The mean of what all processes that learn together found, gradients and a number."""
    if not distributed.is_initialized():
        return number
    gradients = [part.grad for part in model.parameters() if part.grad is not None]
    flat = torch.cat([*(one.flatten() for one in gradients), torch.tensor([number])])
    distributed.all_reduce(flat)
    flat /= distributed.get_world_size()
    for one, mean in zip(
        gradients, flat.split([one.numel() for one in gradients] + [1]), strict=False
    ):
        one.copy_(mean.view_as(one))
    return float(flat[-1])


#: What each loss counts.
WEIGHTS = {"guessing": 0.3, "oddness": 2.0, "gaps": 1.0, "matches": 0.5}


def pretrain(
    data: Mapping[str, np.ndarray],
    shape: Shape,
    *,
    steps: int,
    seconds: float = float("inf"),
    budget: int = BUDGET,
    rate: float = 1e-3,
    share: float = 1.0,
    seed: int = 1,
    start: Pretraining | None = None,
    says: Callable[[dict[str, float], Pretraining], None] | None = None,
) -> tuple[Pretraining, list[dict[str, float]]]:
    """Learn for so many steps, or until the time is up; the rate falls with what is left of either.

    Processes that belong together learn the same from a batch each. ``start`` is a network to go on with.
    """
    torch.manual_seed(seed)
    own = distributed.get_rank() if distributed.is_initialized() else 0
    random = np.random.default_rng([seed, own])
    model = Pretraining(data, shape) if start is None else start
    torch.manual_seed(seed + 1000 * own)
    optimiser = torch.optim.AdamW(
        model.parameters(), lr=rate, betas=(0.9, 0.98), weight_decay=0.01, fused=True
    )
    flat, offsets = np.asarray(data["text"]), np.asarray(data["text_offsets"])
    if share < 1:
        chosen = np.flatnonzero(random.random(len(offsets) - 1) < share)
        flat = np.concatenate([flat[offsets[k] : offsets[k + 1]] for k in chosen])
        offsets = np.concatenate([[0], np.cumsum(np.diff(offsets)[chosen])])
    spoiler = Spoiler(data, flat)
    log: list[dict[str, float]] = []
    sums: dict[str, float] = {}
    began, step, seen, epoch, spent = time.monotonic(), 0, 0, 0, 0.0
    model.train()
    while True:
        for lines in batches(flat, offsets, budget, random):
            if spent >= 1:
                model.eval()
                return model, log
            for group in optimiser.param_groups:
                group["lr"] = rate * min(1.0, (step + 1) / 200) * (1 - spent)
            words, line = words_of(flat, offsets, lines)
            spoilt = spoiler(words, line, random)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                losses = model(words, line, spoilt)
                total = sum(WEIGHTS[name] * loss for name, loss in losses.items())
            optimiser.zero_grad(set_to_none=True)
            total.backward()
            spent = max((step + 1) / steps, (time.monotonic() - began) / seconds)
            spent = shared(model, spent)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            step += 1
            seen += len(words)
            for name, loss in losses.items():
                sums[name] = sums.get(name, 0.0) + loss.item()
            if step % 200 == 0:
                log.append(
                    {
                        "step": step,
                        "epoch": epoch,
                        "words": seen,
                        "seconds": round(time.monotonic() - began, 1),
                        **{name: round(value / 200, 4) for name, value in sums.items()},
                    }
                )
                sums = {}
                if says:
                    says(log[-1], model)
        epoch += 1


def save_network(path: str | Path, shape: Shape, model: nn.Module) -> None:
    """Write a network with its shape."""
    torch.save({"shape": asdict(shape), "weights": model.state_dict()}, path)


def load_pretrained(
    path: str | Path, data: Mapping[str, np.ndarray], dropout: float = 0.0
) -> Pretraining:
    """The network in a file, ready to learn from judgements with some dropout."""
    saved = torch.load(path, map_location="cpu")
    model = Pretraining(data, Shape(**{**saved["shape"], "dropout": dropout}))
    model.load_state_dict(saved["weights"])
    return model


def learn_text(process: int, options: argparse.Namespace, output: Path, meeting: str) -> None:
    """What one of the processes does; the first one writes."""
    torch.set_num_threads(1)
    if options.processes > 1:
        distributed.init_process_group(
            "gloo", init_method=f"file://{meeting}", rank=process, world_size=options.processes
        )
    with np.load(options.data) as file:
        data = {name: file[name] for name in file.files if "/" not in name}
    shape = Shape(options.width, options.layers, options.heads, options.inner, dropout=0.0)

    def says(line: dict[str, float], model: Pretraining) -> None:
        if process == 0:
            print(json.dumps(line), flush=True)
            if line["step"] % 1000 == 0:
                save_network(output.with_suffix(".part.pt"), shape, model)

    model, log = pretrain(
        data,
        shape,
        steps=options.steps,
        budget=BUDGET // options.processes,
        share=options.share,
        seed=options.seed,
        start=load_pretrained(options.start, data) if options.start else None,
        says=says,
    )
    if process == 0:
        save_network(output, shape, model)
        log.append({"weights": model.encoder.size()[1], "of layers": model.encoder.size()[0]})
        output.with_suffix(".json").write_text(json.dumps(log, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn from text.")
    parser.add_argument(
        "output", type=Path, help="a file that ends in .pt; a log is written beside"
    )
    parser.add_argument("--data", required=True)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--inner", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--start", help="a network to go on with")
    parser.add_argument("--share", type=float, default=1.0, help="of the lines")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2, help="one core each")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        work = options, options.output, f"{folder}/meeting"
        if options.processes == 1:
            learn_text(0, *work)
        else:
            multiprocessing.spawn(learn_text, work, nprocs=options.processes)


if __name__ == "__main__":
    main()
