"""COMET as a guest: any checkpoint that unbabel-comet's ``load_from_checkpoint`` reads.

Rei et al., EMNLP 2020. A checkpoint is a pickle: loading it can run code.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from guest_protocol import Channel, is_deterministic, versions

#: Classes of models that never read references, and those that mark errors (Guerreiro et al., TACL 2024).
WITHOUT_REFERENCES = ("referenceless_regression_metric",)
MARKING = ("xcomet_metric",)


def main() -> None:
    """Answer the host."""
    channel = Channel()
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", required=True)
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--checkpoint", required=True)
    parser.add_argument("--encoder", default="")
    options = parser.parse_args()
    libraries = versions(
        channel, "unbabel-comet", "torch", "transformers", package='unbabel-comet "setuptools<81"'
    )
    parameters = read_parameters(Path(options.checkpoint))
    kind = parameters.get("class_identifier", "")
    if not kind:
        channel.fail("there is no hparams.yaml with a class_identifier beside the checkpoint")
    hello = {
        "name": "unbabel-comet",
        "version": libraries.pop("unbabel-comet"),
        "source": True,
        "references": "none" if kind in WITHOUT_REFERENCES else "one",
        "deterministic": is_deterministic(options.device, options.batch),
        "higher_is_better": True,
        "libraries": libraries,
        "spans": kind in MARKING,
    }
    channel.serve(hello, lambda: load(options, kind, parameters.get("pretrained_model", "")))


def read_parameters(checkpoint: Path) -> dict[str, str]:
    """The texts of ``hparams.yaml`` in the folder above, where COMET looks for it."""
    try:
        text = (checkpoint.parents[1] / "hparams.yaml").read_text("utf-8")
    except (OSError, IndexError):
        return {}
    return dict(re.findall(r"^(\w+):[ \t]*['\"]?([^'\"\n]*)", text, re.M))


def check_encoder(name: str) -> None:
    """Refuse an encoder whose configuration is not here: what libraries say of that helps nobody."""
    if not name or Path(name).exists():
        return
    try:
        from huggingface_hub import try_to_load_from_cache

        if isinstance(try_to_load_from_cache(name, "config.json"), str):
            return
    except ImportError:
        return
    raise FileNotFoundError(
        f"the checkpoint is of an encoder {name!r}, whose configuration and tokeniser are not on this "
        "machine: give their folder with encoder=PATH"
    )


def load(
    options: argparse.Namespace, kind: str, encoder: str
) -> Callable[[list[dict[str, Any]]], Any]:
    """The model, as a function of rows; if it marks errors, these go with the scores."""
    import comet

    if options.encoder:
        # The checkpoint names its encoder by a name on a hub, from which only configuration and tokeniser
        # are read: the weights are in the checkpoint.
        model_kind = comet.models.str2model[kind]
        original = model_kind.load_from_checkpoint

        def from_here(*args: Any, **given: Any) -> Any:
            return original(*args, pretrained_model=options.encoder, **given)

        model_kind.load_from_checkpoint = from_here
    else:
        check_encoder(encoder)
    model = comet.load_from_checkpoint(options.checkpoint, local_files_only=True)
    model.eval()

    def score(rows: list[dict[str, Any]]) -> Any:
        samples = []
        for row in rows:
            sample = {"src": row["source"], "mt": row["hypothesis"]}
            if "references" in row:
                sample["ref"] = row["references"][0]
            samples.append(sample)
        found = model.predict(
            samples,
            batch_size=options.batch,
            gpus=0 if options.device == "cpu" else 1,
            accelerator={"cpu": "cpu", "cuda": "cuda", "mps": "mps"}[options.device],
            progress_bar=False,
            num_workers=1,
        )
        if kind in MARKING:
            spans = found.metadata.error_spans
            return found.scores, [marked(row["hypothesis"], spans[i]) for i, row in enumerate(rows)]
        return list(found.scores)

    return score


def marked(text: str, spans: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Errors with their places and severities; a tokeniser may count a blank that is not there."""
    found = []
    for span in spans:
        start, end = max(int(span["start"]), 0), min(int(span["end"]), len(text))
        if start < end:
            found.append({"start": start, "end": end, "severity": span["severity"]})
    return found


if __name__ == "__main__":
    main()
