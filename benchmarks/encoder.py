"""Words in context: sentences of 33 words, beside the same network in PyTorch and onnxruntime.

``python -m benchmarks.encoder [SENTENCES]``. Weights are drawn at random: what they mean changes no time.
The peers get the vectors with which words enter, batches of 64 without padding, and one thread; those that
are not installed are left out.
"""

from __future__ import annotations

import logging
import sys
import warnings
from collections import Counter
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.interleave import Contestant, interleave, print_table
from benchmarks.real_text import read_pairs
from metaphrase.learning.encoder_file import encoder_content
from metaphrase.lexicon import WordVectors
from metaphrase.trained.encoder import Encoder, EncoderShape

SHAPE = EncoderShape()
SENTENCES, WORDS, BATCH = 512, 33, 64
PIECES = 16_000
#: So many times does a round of the peers fit into one of ours.
FEWER = 4

Arrays = dict[str, np.ndarray]


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else SENTENCES
    sentences = cut(count)
    arrays, pieces = drawn(SHAPE), spelling(sentences)
    # Pieces take their time, but say nothing: what words enter with is then easily told to the peers.
    arrays["words.piece.weight"] = np.zeros((len(pieces), SHAPE.width))
    with TemporaryDirectory() as folder:
        path = Path(folder, "random.enc")
        vectors = WordVectors.default().fingerprint
        path.write_bytes(
            encoder_content(arrays, SHAPE, pieces=pieces, vectors=vectors, licence="none")
        )
        print(f"{path.stat().st_size / 1e6:.1f} MB, {SHAPE}")
        encoder = Encoder.open(path)
        contestants = [Contestant("metaphrase", lambda: encoder.encode(sentences), count)]
        if find_spec("torch"):
            contestants += peers(encoder, arrays, sentences[: max(BATCH, count // FEWER)], folder)
        timings = interleave(contestants)
    print_table(f"{count} sentences of {WORDS} words, an item is a sentence", timings)
    for timing in timings:
        print(f"{timing.name}: {1 / timing.median:,.0f} sentences a second")


def cut(count: int) -> list[list[str]]:
    """Real words, in sentences of equal length."""
    words = list(chain.from_iterable(text.split() for pair in read_pairs() for text in pair))
    return [[words[(k * WORDS + t) % len(words)] for t in range(WORDS)] for k in range(count)]


def spelling(sentences: list[list[str]]) -> list[str]:
    """The commonest beginnings and parts of words, the empty piece first."""
    counts: Counter[str] = Counter()
    for word in chain.from_iterable(sentences):
        text = f"\u2581{word.lower()}"
        counts.update(text[i : i + n] for i in range(len(text)) for n in range(1, 7))
    return ["", *(piece for piece, _ in counts.most_common(PIECES - 1))]


def drawn(shape: EncoderShape) -> Arrays:
    chance = np.random.default_rng(1)
    width, inner = shape.width, shape.inner

    def some(*sizes: int) -> np.ndarray:
        return chance.normal(size=sizes) * sizes[-1] ** -0.5

    found = {
        "words.vector.weight": some(width, shape.dimension),
        "words.case.weight": np.zeros((4, width)),
        "near.weight": some(2 * shape.distance + 1, shape.heads),
        "norm.weight": np.ones(width),
        "head.weight": some(shape.size + 2, width),
        "head.bias": some(shape.size + 2),
    }
    for layer in range(shape.layers):
        for name, rows, columns in (
            ("attend", 3 * width, width),
            ("join", width, width),
            ("inner", inner, width),
            ("outer", width, inner),
        ):
            found[f"layers.{layer}.{name}.weight"] = some(rows, columns)
            found[f"layers.{layer}.{name}.bias"] = some(rows)
        for name in ("before", "between"):
            found[f"layers.{layer}.{name}.weight"] = np.ones(width)
    return found


def peers(
    encoder: Encoder, arrays: Arrays, sentences: list[list[str]], folder: str
) -> list[Contestant]:
    import torch

    torch.set_num_threads(1)
    forms = list(dict.fromkeys(chain.from_iterable(sentences)))
    numbers = {form: k for k, form in enumerate(forms)}
    known = WordVectors.default().vectors([form.lower() for form in forms])
    rows = torch.tensor([[numbers[word] for word in words] for words in sentences])
    batches = list(rows.split(BATCH))
    network = of_torch(arrays, known @ arrays["words.vector.weight"].T).eval()

    def in_torch() -> list[Any]:
        with torch.inference_mode():
            return [network(batch) for batch in batches]

    true = torch.cat([found[0] for found in in_torch()]).numpy()
    assert likeness("metaphrase", encoder.encode(sentences).vectors, true) > 0.999
    contestants = [Contestant("PyTorch, float32", in_torch, len(rows))]
    if find_spec("onnxruntime") and find_spec("onnx"):
        contestants += of_onnx(network, batches, folder, true)
    return contestants


def likeness(name: str, vectors: np.ndarray, true: np.ndarray) -> float:
    """The least cosine with what PyTorch finds."""
    cosines = (vectors.reshape(true.shape) * true).sum(axis=-1)
    print(
        f"{name}: cosines with PyTorch's vectors {cosines.mean():.5f}, {cosines.min():.5f} at least"
    )
    return float(cosines.min())


def of_torch(arrays: Arrays, entries: np.ndarray) -> Any:
    """The network as training/encoder has it, from the vectors with which words enter."""
    import torch
    from torch import nn
    from torch.nn import functional

    def linear(name: str) -> nn.Linear:
        weights = torch.from_numpy(arrays[f"{name}.weight"]).float()
        made = nn.Linear(weights.shape[1], weights.shape[0])
        made.load_state_dict(
            {"weight": weights, "bias": torch.from_numpy(arrays[f"{name}.bias"]).float()}
        )
        return made

    class Norm(nn.RMSNorm):
        """In steps for ONNX, whose old exporter does not know it."""

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            if not torch.onnx.is_in_onnx_export():
                return super().forward(x)
            return x / (x.square().mean(-1, keepdim=True) + 2.0**-23).sqrt()

    class Layer(nn.Module):
        def __init__(self, name: str) -> None:
            super().__init__()
            self.attend, self.join = linear(f"{name}.attend"), linear(f"{name}.join")
            self.inner, self.outer = linear(f"{name}.inner"), linear(f"{name}.outer")
            self.before, self.between = Norm(SHAPE.width), Norm(SHAPE.width)

        def forward(self, x: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
            parts = self.attend(self.before(x)).view(len(x), WORDS, 3, SHAPE.heads, -1)
            query, key, value = parts.permute(2, 0, 3, 1, 4)
            seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=bias)
            x = x + self.join(seen.transpose(1, 2).reshape(x.shape))
            return x + self.outer(functional.relu(self.inner(self.between(x))))

    class Network(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.words = nn.Embedding.from_pretrained(torch.from_numpy(entries).float())
            self.layers = nn.ModuleList(Layer(f"layers.{k}") for k in range(SHAPE.layers))
            self.norm, self.head = Norm(SHAPE.width), linear("head")
            place = torch.arange(WORDS)
            apart = (place[None] - place[:, None]).clamp(-SHAPE.distance, SHAPE.distance)
            near = torch.from_numpy(arrays["near.weight"]).float()[apart + SHAPE.distance]
            self.register_buffer("bias", near.permute(2, 0, 1)[None].contiguous())

        def forward(self, words: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            x = self.words(words)
            for layer in self.layers:
                x = layer(x, self.bias)
            found = self.head(self.norm(x))
            vectors = functional.normalize(found[..., : SHAPE.size], dim=-1)
            return vectors, found[..., SHAPE.size :].sigmoid()

    return Network()


def of_onnx(
    network: Any,
    batches: list[Any],
    folder: str,
    true: np.ndarray,
    *,
    of_any_length: bool = False,
) -> list[Contestant]:
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
            dynamic_axes={"words": {0: "sentences", 1: "length"}} if of_any_length else None,
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

        likeness(f"onnxruntime, {name}", np.concatenate(run()), true)
        return Contestant(f"onnxruntime, {name}", run, len(true))

    return [contestant("float32", plain), contestant("int8, dynamic", narrow)]


if __name__ == "__main__":
    main()
