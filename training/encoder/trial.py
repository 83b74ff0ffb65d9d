"""One trial: learn from judgements without each year, and write what is said of that year.

python -m training.encoder.trial FOLDER --data DATA.npz --encoder TEXT.pt [--kinds raw words together]

TEXT.pt is what ``pretraining`` wrote. FOLDER gets NAME.json, a log, and NAME.npz: for every set, what each
way of comparing says about each of its texts, by a network that has not seen a judgement of them; and the
networks, by the kind and by the group that was left out, or ``all`` if none was. A trial that was cut off
goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from training.encoder.judging import (
    ByWord,
    Judged,
    Sentences,
    agreement,
    judged_sets,
    learn,
    predict,
)
from training.encoder.pretraining import Pretraining, load_pretrained, save_network
from training.encoder.years import YEARS

from metaphrase.matching.soft_matches import SOFT_MATCHES, WeightedVectors, soft_matches
from metaphrase.matching.symbol_rows import SymbolRows

#: What is left out, by the name that its network gets.
GROUPS: dict[str, tuple[str, ...]] = {**{years[0]: years for years in YEARS}, "all": ()}
#: The shares among the columns of ``soft_matches``; the others are losses already.
_SHARES = sum(not name.startswith("lost") for name in SOFT_MATCHES)


def loaded(path: str | Path) -> dict[str, np.ndarray]:
    """All arrays of a file that ``prepare`` or a trial wrote."""
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


@torch.no_grad()
def compared(model: ByWord, judged: Judged, sentences: Sentences) -> dict[str, np.ndarray]:
    """The losses of each text by odd words, as the metric computes them, and by vectors in context."""
    lefts, rights, owner = judged.pairs()
    numbers, where = np.unique(np.concatenate([lefts, rights]), return_inverse=True)
    one, two = (side.astype(np.int32) for side in np.split(where.reshape(-1), 2))
    lengths = sentences.lengths[numbers]
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    said = np.zeros((offsets[-1], model.heads.say.out_features), dtype=np.float32)
    order = np.argsort(lengths, kind="stable")
    for start in range(0, len(order), 256):
        rows = order[start : start + 256]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            found, there = model.read(sentences, numbers[rows])
        places = np.concatenate([np.arange(offsets[row], offsets[row + 1]) for row in rows])
        said[places] = found[there].float().numpy()
    vectors = said[:, :-2] / np.maximum(np.linalg.norm(said[:, :-2], axis=1, keepdims=True), 1e-6)
    symbols = SymbolRows(np.arange(offsets[-1], dtype=np.int32), offsets.astype(np.int64))
    logits = said[:, -1].astype(np.float64)
    chance, doubt = 1 / (1 + np.exp(-logits)), np.logaddexp(0, logits).clip(max=8) / 8
    odd = []
    for weight in (chance, doubt):
        weighed = WeightedVectors(vectors, np.clip(weight, 1e-9, 1.0))
        matches = soft_matches(symbols, weighed, left=one, right=two)
        whole = np.add.reduceat(np.append(weight, 0.0), offsets[:-1]) * (lengths > 0)
        odd.append((1 - matches[:, 0]) * whole[one])
    odd[0] /= np.maximum(lengths[one], 1)
    weighed = WeightedVectors(vectors, np.clip(said[:, -2], 1e-3, 1.0))
    matches = soft_matches(symbols, weighed, left=one, right=two)
    matches[:, :_SHARES] = 1.0 - matches[:, :_SHARES]
    count = np.bincount(owner, minlength=len(judged.left))[:, None]
    tables = {}
    for name, table in (("odd", np.column_stack(odd)), ("matches", matches)):
        total = np.zeros((len(judged.left), table.shape[1]))
        np.add.at(total, owner, table)
        tables[name] = total / count
    return tables


def said_of(model: nn.Module, judged: Judged, sentences: Sentences) -> dict[str, np.ndarray]:
    """The columns for stacking."""
    if isinstance(model, ByWord):
        return compared(model, judged, sentences)
    # A cross-encoder's number is below 0, too; losses are not.
    columns = predict(model, judged, sentences)
    return {"number": columns - columns.min()}


def learnt(
    kind: str,
    pretrained: Pretraining,
    sets: list[Judged],
    sentences: Sentences,
    options: argparse.Namespace,
) -> nn.Module:
    """What reads sentences after it has learnt from the sets; ``raw`` learns nothing."""
    if kind == "raw":
        return ByWord(pretrained.encoder, pretrained.heads).eval()
    return learn(
        kind,
        pretrained.encoder,
        pretrained.heads,
        sets,
        sentences,
        steps=options.steps,
        rate=options.rate,
        seed=options.seed,
        top=options.top,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--data", required=True)
    parser.add_argument("--encoder", required=True, help="what pretraining wrote")
    parser.add_argument("--name", default="trial")
    parser.add_argument("--kinds", nargs="+", default=["raw", "words"])
    parser.add_argument(
        "--groups",
        nargs="+",
        choices=[*GROUPS],
        default=[*GROUPS],
        help="what to leave out, all of them by default; of two trials at once each needs a name",
    )
    parser.add_argument("--judgements", type=float, default=1.0, help="the share to learn from")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--top", type=int, help="layers that learn from judgements (default: all)")
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    run(parser.parse_args())


def run(options: argparse.Namespace) -> None:
    """All folds of all kinds, each written as soon as it is there."""
    torch.set_num_threads(options.threads)
    options.folder.mkdir(parents=True, exist_ok=True)
    results_file = options.folder / f"{options.name}.npz"
    log_file = options.folder / f"{options.name}.json"
    results = loaded(results_file) if results_file.exists() else {}
    log = json.loads(log_file.read_text()) if log_file.exists() else []
    data = loaded(options.data)
    sets, sentences = judged_sets(data), Sentences(data)
    for kind in options.kinds:
        for group in options.groups:
            without = GROUPS[group]
            file = options.folder / f"{options.name}-{kind}-{group}.pt"
            if file.exists():
                continue
            start = time.monotonic()
            pretrained = load_pretrained(options.encoder, data, dropout=options.dropout)
            random = np.random.default_rng(options.seed)
            known = [
                one.sample(options.judgements, random) for one in sets if one.year not in without
            ]
            model = learnt(kind, pretrained, known, sentences, options)
            said = {}
            for one in sets:
                if one.year in without:
                    for part, columns in said_of(model, one, sentences).items():
                        results[f"{kind} {part}/{one.name}"] = columns.astype(np.float32)
                        lost = columns[one.text, 0]
                        said[f"{part}, {one.name}"] = round(agreement(one, lost), 4)
            seconds = round(time.monotonic() - start, 1)
            log.append({"kind": kind, "without": without, "alone": said, "seconds": seconds})
            print(kind, without, said, seconds, flush=True)
            np.savez_compressed(results_file, **results)
            log_file.write_text(json.dumps(log, indent=1))
            save_network(file, pretrained.encoder.shape, model)


if __name__ == "__main__":
    main()
