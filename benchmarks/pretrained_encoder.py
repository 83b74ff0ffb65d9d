"""Word pieces in context: sentences of 33 words, beside the same network in PyTorch and onnxruntime.

``python -m benchmarks.pretrained_encoder [MODEL [SENTENCES]]`` with metaphrase-encoder installed; MODEL is
what ``training.encoder.pretrained`` converts, and without it there are no peers. Ours reads text; the peers
get pieces, in batches of up to 64 sentences of equal length, so that nothing is padded, and one thread.
Those that are not installed are left out.
"""

from __future__ import annotations

import logging
import sys
import warnings
from collections import defaultdict
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from training.encoder.pretrained import LICENCE, SHAPE, read_published, read_safetensors

from benchmarks.interleave import Contestant, interleave, print_table
from benchmarks.real_text import read_pairs
from metaphrase.learning.pretrained_file import pretrained_content
from metaphrase.trained.pretrained_encoder import PretrainedEncoder, load_pretrained

SENTENCES, WORDS, BATCH = 512, 33, 64
#: So many times does a round of the peers fit into one of ours.
FEWER = 4
#: [CLS] and [SEP].
BEGIN, END = 101, 102


def main() -> None:
    if not find_spec("metaphrase_encoder"):
        print("metaphrase-encoder is not installed")
        return
    count = int(sys.argv[2]) if len(sys.argv) > 2 else SENTENCES
    texts = sentences(count)
    encoder = published(sys.argv[1]) if len(sys.argv) > 1 else load_pretrained("shipped", "en")
    pieces = len(encoder.cut(texts)[1]) / count
    print(f"{pieces:.1f} pieces a sentence, without marks")
    contestants = [Contestant("metaphrase", lambda: encoder.encode(texts, layers=[4, 6]), count)]
    with TemporaryDirectory() as folder:
        if len(sys.argv) > 1 and find_spec("torch"):
            weights = read_safetensors(read_published(sys.argv[1])[0])
            contestants += peers(encoder, weights, texts[: max(BATCH, count // FEWER)], folder)
        timings = interleave(contestants)
    print_table(f"{count} sentences of {WORDS} words, an item is a sentence", timings)
    for timing in timings:
        print(f"{timing.name}: {1 / timing.median:,.0f} sentences a second")


def published(model: str) -> PretrainedEncoder:
    """The network that peers run, in 8 bits; the one that ships has other layers."""
    weights, vocabulary = read_published(model)
    pieces = vocabulary.decode().splitlines()
    with TemporaryDirectory() as folder:
        path = Path(folder, "published.encoder")
        content = pretrained_content(
            read_safetensors(weights), SHAPE, pieces=pieces, licence=LICENCE
        )
        path.write_bytes(content)
        return PretrainedEncoder.open(path)


def sentences(count: int) -> list[str]:
    """Real words, in sentences of equal length."""
    words = list(chain.from_iterable(text.split() for pair in read_pairs() for text in pair))
    return [
        " ".join(words[(k * WORDS + t) % len(words)] for t in range(WORDS)) for k in range(count)
    ]


def peers(
    encoder: PretrainedEncoder, weights: dict[str, np.ndarray], texts: list[str], folder: str
) -> list[Contestant]:
    import torch

    torch.set_num_threads(1)
    offsets, pieces, *_ = encoder.cut(texts)
    by_length = defaultdict(list)
    for k in range(len(texts)):
        row = [BEGIN, *pieces[offsets[k] : offsets[k + 1]].tolist(), END]
        by_length[len(row)].append((k, row))
    batches, order = [], []
    for rows in by_length.values():
        for start in range(0, len(rows), BATCH):
            numbers, some = zip(*rows[start : start + BATCH], strict=True)
            batches.append(torch.tensor(some))
            order += numbers
    network = of_torch(weights).eval()

    def in_torch() -> list[Any]:
        with torch.inference_mode():
            return [network(batch) for batch in batches]

    true = np.concatenate([found.numpy() for found in in_torch()])
    print_cosines("metaphrase", encoder.encode([texts[k] for k in order]).texts, true)
    contestants = [Contestant("PyTorch, float32", in_torch, len(texts))]
    if find_spec("onnxruntime") and find_spec("onnx"):
        contestants += of_onnx(network, batches, folder, true)
    return contestants


def print_cosines(name: str, vectors: np.ndarray, true: np.ndarray) -> None:
    cosines = (vectors * true).sum(axis=1)
    print(f"{name}: cosines with PyTorch's {cosines.mean():.5f}, {cosines.min():.5f} at least")


def of_torch(weights: dict[str, np.ndarray]) -> Any:
    """BERT, as it was published, to the unit vectors of texts."""
    import torch
    from torch import nn
    from torch.nn import functional

    arrays = {name: torch.from_numpy(array.copy()) for name, array in weights.items()}

    def linear(*names: str) -> nn.Linear:
        rows = torch.cat([arrays[f"{name}.weight"] for name in names])
        made = nn.Linear(rows.shape[1], rows.shape[0])
        bias = torch.cat([arrays[f"{name}.bias"] for name in names])
        made.load_state_dict({"weight": rows, "bias": bias})
        return made

    def norm(name: str) -> nn.LayerNorm:
        made = nn.LayerNorm(SHAPE.width, eps=1e-12)
        made.load_state_dict({part: arrays[f"{name}.{part}"] for part in ("weight", "bias")})
        return made

    class Layer(nn.Module):
        def __init__(self, name: str) -> None:
            super().__init__()
            own = f"{name}.attention.self"
            self.attend = linear(f"{own}.query", f"{own}.key", f"{own}.value")
            self.join = linear(f"{name}.attention.output.dense")
            self.between = norm(f"{name}.attention.output.LayerNorm")
            self.inner = linear(f"{name}.intermediate.dense")
            self.outer = linear(f"{name}.output.dense")
            self.after = norm(f"{name}.output.LayerNorm")

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            parts = self.attend(x).unflatten(-1, (3, SHAPE.heads, SHAPE.width // SHAPE.heads))
            query, key, value = parts.permute(2, 0, 3, 1, 4)
            seen = functional.scaled_dot_product_attention(query, key, value)
            x = self.between(x + self.join(seen.transpose(1, 2).flatten(2)))
            return self.after(x + self.outer(functional.gelu(self.inner(x))))

    class Network(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            name = "embeddings.{}_embeddings.weight".format
            self.words = nn.Embedding.from_pretrained(arrays[name("word")])
            self.register_buffer(
                "positions", arrays[name("position")] + arrays[name("token_type")][0]
            )
            self.first = norm("embeddings.LayerNorm")
            self.layers = nn.ModuleList(Layer(f"encoder.layer.{k}") for k in range(SHAPE.layers))

        def forward(self, words: torch.Tensor) -> torch.Tensor:
            x = self.first(self.words(words) + self.positions[: words.shape[1]])
            for layer in self.layers:
                x = layer(x)
            return functional.normalize(x.mean(dim=1), dim=-1)

    return Network()


def of_onnx(network: Any, batches: list[Any], folder: str, true: np.ndarray) -> list[Contestant]:
    import onnxruntime
    import torch
    from onnxruntime.quantization import QuantType, quantize_dynamic

    plain, narrow = f"{folder}/plain.onnx", f"{folder}/narrow.onnx"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network,
            (batches[0],),
            plain,
            input_names=["words"],
            dynamic_axes={"words": {0: "sentences", 1: "length"}},
            opset_version=17,
            dynamo=False,
        )
    logging.disable(logging.WARNING)  # it recommends what changes nothing here
    quantize_dynamic(plain, narrow, weight_type=QuantType.QInt8, per_channel=True)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    given = [batch.numpy() for batch in batches]

    def contestant(name: str, path: str) -> Contestant:
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])

        def run() -> list[Any]:
            return [session.run(None, {"words": batch})[0] for batch in given]

        print_cosines(f"onnxruntime, {name}", np.concatenate(run()), true)
        return Contestant(f"onnxruntime, {name}", run, len(true))

    return [contestant("float32", plain), contestant("int8, dynamic", narrow)]


if __name__ == "__main__":
    main()
