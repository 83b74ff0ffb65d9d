"""The core reads what the network was trained to be."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="only the training of the encoder needs PyTorch")

import torch
from training.encoder import export
from training.encoder.judging import ByWord, Sentences
from training.encoder.network import Encoder, Shape
from training.encoder.pretraining import save_network
from training.encoder.words import MARK, UNIT, Spelling, Types

from metaphrase.lexicon import WordVectors
from metaphrase.trained.encoder import Encoder as Core

SHAPE = Shape(width=64, layers=2, heads=2, inner=64, distance=4, dropout=0.0)
LINES = [
    "The cats sat on the MAT .",
    "Internationalisation isn't zyzzyva-proof , McDonald said",
    "a",
    "ça va",
]
PIECES = ["", MARK, f"{MARK}th", f"{MARK}the", *"abcdefghijklmnopqrstuvwxyz", "at", "ion", "is"]


def test_the_core_and_the_network_say_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [line.split() for line in LINES]
    forms = sorted({word for line in lines for word in line})
    types = Types.of(forms, Spelling(PIECES), WordVectors.default())
    number = {form: place for place, form in enumerate(types.forms)}
    data = {
        "vectors": (types.vectors.astype(np.float32) * UNIT).round().astype(np.int8),
        "type_vector": types.vector,
        "type_pieces": types.pieces,
        "type_case": types.case,
        "languages": np.array(["en", "de"]),
        "pieces": np.array(PIECES),
        "judged": np.array([number[word] for line in lines for word in line]),
        "judged_offsets": np.cumsum([0, *map(len, lines)]),
    }
    torch.manual_seed(5)
    model = ByWord(Encoder(data, SHAPE)).eval()
    with torch.no_grad():
        for part in model.parameters():
            part += torch.randn_like(part) * 0.05
        said, there = model.read(Sentences(data), np.arange(len(lines)))
    found = said[there].numpy()
    save_network(tmp_path / "network.pt", SHAPE, model)
    np.savez(tmp_path / "data.npz", **data)
    files = [str(tmp_path / name) for name in ("network.pt", "out.encoder")]
    given = ["export", *files, "--data", str(tmp_path / "data.npz")]
    monkeypatch.setattr(sys, "argv", given)
    export.main()
    core = Core.open(files[1]).encode(lines)
    assert (core.vectors * found[:, :-2]).sum(1).min() > 0.998
    assert core.importance == pytest.approx(found[:, -2], abs=0.02)
    assert core.oddness == pytest.approx(found[:, -1], abs=0.1)
