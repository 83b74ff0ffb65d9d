"""One trial: learn from text, then from judgements without each year, and write what is said of that year.

python -m training.encoder.trial FOLDER --data DATA.npz [--name NAME] [options]

FOLDER gets NAME.json, a log, and NAME.npz: for every set, what each way of comparing says about each of its
texts, by a network that has not seen a judgement of them.
"""

from __future__ import annotations

import argparse
import json
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from torch.nn import functional
from training.encoder.judging import Judged, Sentences, agreement, judged_sets, learn, predict
from training.encoder.network import Encoder, Shape
from training.encoder.pretraining import Pretraining, pretrain

#: Sets that share texts, or are small, are left out together.
YEARS = (
    ("daseg13", "wmt13fren"),
    ("daseg15", "wmt15"),
    ("daseg16",),
    ("wmt08deen", "wmt10deen", "wmt12"),
    ("wmt21da", "nt21mqm"),
    ("tedmqm", "biomqm"),
    ("mlqe_etmr", "tradopad"),
)


def loaded(path: str) -> dict[str, np.ndarray]:
    """All arrays of a file that ``prepare`` wrote."""
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


def fold(task: dict[str, Any]) -> dict[str, Any]:
    """Learn without some sets, and look at these."""
    start = time.monotonic()
    torch.set_num_threads(2)
    device = task["device"]
    data = loaded(task["data"])
    sets = judged_sets(data)
    sentences = Sentences(data, device)
    shape = Shape(**task["shape"])
    encoder = Encoder(data, shape)
    if task["encoder"]:
        encoder.load_state_dict(torch.load(task["encoder"], map_location="cpu"))
    model = learn(
        task["kind"],
        encoder.to(device),
        [one for one in sets if one.year not in task["without"]],
        sentences,
        steps=task["steps"],
        rate=task["rate"],
        seed=task["seed"],
        use_base=task["use_base"],
        device=device,
    )
    found, said = {}, {}
    for one in sets:
        if one.year in task["without"]:
            columns = predict(model, one, sentences, device)
            lost = model.loss(torch.from_numpy(columns).float().to(device)).detach().cpu().numpy()
            said[one.name] = round(agreement(one, lost[one.text]), 4)
            found[one.name] = np.column_stack([columns, lost]).astype(np.float32)
    task = {key: value for key, value in task.items() if key in ("name", "kind", "without")}
    return {**task, "said": said, "found": found, "seconds": round(time.monotonic() - start, 1)}


@torch.no_grad()
def raw_losses(
    model: Pretraining, data: Any, sets: list[Judged], device: str
) -> dict[str, np.ndarray]:
    """What the encoder says before it has seen a judgement: words compared at some layers, and how likely
    each word of the translation is to be wrong."""
    sentences = Sentences(data, device)
    encoder = model.encoder
    layers = sorted(
        {encoder.shape.layers // 3, 2 * encoder.shape.layers // 3, encoder.shape.layers - 1}
    )
    counts = torch.from_numpy(np.asarray(data["counts"]).astype(np.float32)).to(device)
    rarity = torch.log(counts.sum() / (counts + 1.0)) / torch.log(counts.sum())
    found = {}
    for one in sets:
        rows_of = []
        for begin in range(0, len(one.left), 512):
            texts = np.arange(begin, min(begin + 512, len(one.left)))
            left, right = sentences(one.left[texts]), sentences(one.right[texts])
            columns = []
            with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
                states = [encoder(side, every=True) for side in (left, right)]
                if model.objective == "replaced":
                    wrong = [
                        functional.softplus(model.detect(state[-1]).squeeze(-1).float())
                        * (side > 0)
                        for state, side in zip(states, (left, right), strict=True)
                    ]
                    for part, side in zip(wrong, (left, right), strict=True):
                        columns.append(part.sum(1) / (side > 0).sum(1).clamp(min=1))
                    columns.append(wrong[0].amax(1))
            for layer in layers:
                one_side, other = (
                    functional.normalize(state[layer].float(), dim=-1) for state in states
                )
                near = one_side @ other.transpose(1, 2)
                near = near.masked_fill(~((left > 0)[:, :, None] & (right > 0)[:, None, :]), -1.0)
                for words, best in ((left, near.amax(2)), (right, near.amax(1))):
                    weight = rarity[words] * (words > 0)
                    columns.append((weight * (1 - best)).sum(1) / weight.sum(1).clamp(min=1e-6))
            rows_of.append(torch.stack(columns, 1).float().cpu().numpy())
        found[one.name] = np.concatenate(rows_of).astype(np.float32)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--data", required=True)
    parser.add_argument("--name", default="trial")
    parser.add_argument("--text-steps", type=int, default=4000, help="0: no text at all")
    parser.add_argument("--seconds", type=float, default=240, help="for text, at most")
    parser.add_argument("--objective", choices=["replaced", "masked"], default="replaced")
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--kinds", nargs="+", default=["words+base", "together+base"])
    parser.add_argument("--steps", type=int, default=1200)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--processes", type=int, default=5)
    parser.add_argument("--years", type=int, default=len(YEARS))
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--keep", action="store_true", help="keep the encoder, in half precision")
    options = parser.parse_args()
    with TemporaryDirectory() as work:
        run(options, Path(work))


def run(options: argparse.Namespace, work: Path) -> None:
    """All of it; ``work`` is where the folds find the encoder."""
    start = time.monotonic()
    options.folder.mkdir(parents=True, exist_ok=True)
    shape = Shape(options.width, options.layers, options.heads, 4 * options.width)
    data = loaded(options.data)
    sets = judged_sets(data)
    log: dict[str, Any] = {"shape": asdict(shape), "objective": options.objective}
    encoder = ""
    results: dict[str, np.ndarray] = {}
    if options.text_steps:
        model, log["text"] = pretrain(
            data,
            shape,
            steps=options.text_steps,
            seconds=options.seconds,
            objective=options.objective,
            share=options.share,
            device=options.device,
            budget=49_152 if options.device == "cuda" else 512,
        )
        log["weights"] = model.encoder.size()
        encoder = str(work / f"{options.name}.pt")
        torch.save(model.encoder.state_dict(), encoder)
        print(options.name, log["weights"], log["text"][-1:], flush=True)
        for name, columns in raw_losses(model, data, sets, options.device).items():
            results[f"raw/{name}"] = columns
        if options.keep:
            torch.save(
                {k: v.half() for k, v in model.encoder.state_dict().items()},
                options.folder / f"{options.name}.pt",
            )
        del model
        if options.device == "cuda":
            torch.cuda.empty_cache()
    tasks = [
        {
            "name": options.name,
            "kind": kind.split("+")[0],
            "use_base": kind.endswith("+base"),
            "label": kind,
            "without": without,
            "data": options.data,
            "shape": asdict(shape),
            "encoder": encoder,
            "steps": options.steps,
            "rate": options.rate,
            "seed": 1,
            "device": options.device,
        }
        for kind in options.kinds
        for without in YEARS[: options.years]
    ]
    log["folds"] = []
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        futures = {pool.submit(fold, task): task for task in tasks}
        for future in as_completed(futures):
            label = futures[future]["label"]
            done = future.result()
            for name, columns in done.pop("found").items():
                results[f"{label}/{name}"] = columns
            log["folds"].append({**done, "label": label})
            print(round(time.monotonic() - start), label, done["said"], done["seconds"], flush=True)
            np.savez_compressed(options.folder / f"{options.name}.npz", **results)
            (options.folder / f"{options.name}.json").write_text(json.dumps(log, indent=1))


if __name__ == "__main__":
    main()
