"""BLEURT as a guest: Google's package, as its README says to install it, with a checkpoint of this machine.

Sellam et al., ACL 2020. The package is on no registry: ``pip install git+https://github.com/google-research/bleurt``.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import Any

from guest_protocol import Channel, is_deterministic, versions


def main() -> None:
    """Answer the host."""
    channel = Channel()
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", required=True)
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--model", required=True)
    options = parser.parse_args()
    if options.device == "cpu":
        os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
    libraries = versions(
        channel, "BLEURT", "tensorflow", package="git+https://github.com/google-research/bleurt"
    )
    hello = {
        "name": "BLEURT",
        "version": libraries.pop("BLEURT"),
        "source": False,
        "references": "one",
        "deterministic": is_deterministic(options.device, options.batch),
        "higher_is_better": True,
        "libraries": libraries,
    }
    channel.serve(hello, lambda: load(options))


def load(options: argparse.Namespace) -> Callable[[list[dict[str, Any]]], list[float]]:
    """The scorer, as a function of rows."""
    from bleurt import score as bleurt_score

    scorer = bleurt_score.BleurtScorer(options.model)

    def score(rows: list[dict[str, Any]]) -> list[float]:
        found = scorer.score(
            references=[row["references"][0] for row in rows],
            candidates=[row["hypothesis"] for row in rows],
            batch_size=options.batch,
        )
        return list(found)

    return score


if __name__ == "__main__":
    main()
