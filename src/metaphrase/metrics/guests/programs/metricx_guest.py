"""MetricX as a guest: mT5 that predicts how many points of MQM a translation loses, 0 to 25.

Juraska et al., WMT 2023 and 2024. Written for transformers alone after what google-research/metricx publishes
(models.py and predict.py of metricx23 and metricx24): the input is one text without an end of sequence, the
decoder makes one step, and the logit of the token ``<extra_id_10>`` is the score, clipped to 0 to 25.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from guest_protocol import Channel, is_deterministic, versions

#: ``<extra_id_10>`` in the vocabulary of mT5.
PREDICTION = 250089
WORST = 25.0
#: Tokens that models of a year were trained with.
LONGEST = {"23": 1024, "24": 1536}


def main() -> None:
    """Answer the host."""
    channel = Channel()
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", required=True)
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--tokenizer", required=True)
    parser.add_argument("--year", choices=sorted(LONGEST), required=True)
    parser.add_argument("--qe", action="store_true")
    options = parser.parse_args()
    libraries = versions(
        channel,
        "transformers",
        "torch",
        "sentencepiece",
        package="transformers torch sentencepiece",
    )
    hello = {
        "name": "metricx",
        "version": options.year,
        # Models of 2023 read the source or the reference, those of 2024 the source always.
        "source": options.qe or options.year == "24",
        "references": "none" if options.qe else "one",
        "deterministic": is_deterministic(options.device, options.batch),
        "higher_is_better": False,
        "bounds": [0, WORST],
        "libraries": libraries,
    }
    channel.serve(hello, lambda: load(options))


def text(row: dict[str, Any], year: str) -> str:
    """What the model reads of a row: each field under its name, in the order that it was trained with."""
    fields = [("candidate", row["hypothesis"])]
    if "source" in row:
        fields.insert(0 if year == "24" else 1, ("source", row["source"]))
    if "references" in row:
        fields.append(("reference", row["references"][0]))
    return " ".join(f"{name}: {value}" for name, value in fields)


def load(options: argparse.Namespace) -> Callable[[list[dict[str, Any]]], list[float]]:
    """The model, as a function of rows."""
    import torch
    from transformers import AutoTokenizer, MT5ForConditionalGeneration

    tokenizer = AutoTokenizer.from_pretrained(options.tokenizer, local_files_only=True)
    model = MT5ForConditionalGeneration.from_pretrained(
        options.model, local_files_only=True, torch_dtype="auto"
    )
    if model.config.vocab_size <= PREDICTION:
        raise ValueError(f"the model has no token {PREDICTION}: it is no MetricX")
    model.to(options.device)
    model.eval()

    def score(rows: list[dict[str, Any]]) -> list[float]:
        encoded = tokenizer(
            [text(row, options.year) for row in rows],
            max_length=LONGEST[options.year],
            truncation=True,
            padding=False,
        )
        # It was trained without the end of sequence that the tokeniser adds.
        tokens = [ids[:-1] for ids in encoded["input_ids"]]
        # Those of like length together, so that little is padded.
        order = sorted(range(len(rows)), key=lambda place: len(tokens[place]))
        found = [0.0] * len(rows)
        for first in range(0, len(order), options.batch):
            places = order[first : first + options.batch]
            longest = max(len(tokens[place]) for place in places)
            ids = torch.full((len(places), longest), tokenizer.pad_token_id or 0, dtype=torch.long)
            mask = torch.zeros((len(places), longest), dtype=torch.long)
            for line, place in enumerate(places):
                ids[line, : len(tokens[place])] = torch.tensor(tokens[place], dtype=torch.long)
                mask[line, : len(tokens[place])] = 1
            with torch.no_grad():
                logits = model(
                    input_ids=ids.to(options.device),
                    attention_mask=mask.to(options.device),
                    decoder_input_ids=torch.zeros(
                        (len(places), 1), dtype=torch.long, device=options.device
                    ),
                ).logits
            clipped = logits[:, 0, PREDICTION].float().clamp(0.0, WORST)
            for line, place in enumerate(places):
                found[place] = float(clipped[line])
        return found

    return score


if __name__ == "__main__":
    main()
