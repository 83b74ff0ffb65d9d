"""BERTScore as a guest: the package bert-score with an encoder of this machine.

Zhang et al., ICLR 2020. Of several references the best counts, as the package has it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from guest_protocol import Channel, is_deterministic, versions

PARTS = ("precision", "recall", "f1")


def main() -> None:
    """Answer the host."""
    channel = Channel()
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", required=True)
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--layer", type=int, default=0)
    parser.add_argument("--part", choices=PARTS, required=True)
    options = parser.parse_args()
    libraries = versions(channel, "bert-score", "torch", "transformers", package="bert-score")
    hello = {
        "name": "bert-score",
        "version": libraries.pop("bert-score"),
        "source": False,
        "references": "all",
        "deterministic": is_deterministic(options.device, options.batch),
        "higher_is_better": True,
        "libraries": libraries,
    }
    channel.serve(hello, lambda: load(options))


def load(options: argparse.Namespace) -> Callable[[list[dict[str, Any]]], list[float]]:
    """The scorer, as a function of rows."""
    from bert_score import BERTScorer
    from bert_score.utils import model2layers

    layer = options.layer or model2layers.get(Path(options.model).name, 0)
    if not layer:
        raise ValueError(
            f"bert-score knows no layer for a model called {Path(options.model).name!r}: "
            "choose one with layer=NUMBER"
        )
    scorer = BERTScorer(
        model_type=options.model,
        num_layers=layer,
        batch_size=options.batch,
        device=options.device,
        rescale_with_baseline=False,
    )

    def score(rows: list[dict[str, Any]]) -> list[float]:
        parts = scorer.score(
            [row["hypothesis"] for row in rows],
            [row["references"] for row in rows],
            batch_size=options.batch,
        )
        return [float(one) for one in parts[PARTS.index(options.part)]]

    return score


if __name__ == "__main__":
    main()
