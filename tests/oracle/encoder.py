"""The encoder in NumPy, twice: in whole numbers, as the core computes to the last bit, and in plain floats.

Both are made of the arrays of a network, so that the writer of the file and its layout are judged, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from metaphrase.statistics import elementary
from metaphrase.trained.encoder import EncoderShape
from oracle.parser import exponential

F = np.float32
#: What inputs of matrices, queries with keys and values, and shares of attention are rounded to.
INPUT, PART, SHARE = F(8191), F(2047), F(8191)
PIECES = 6
EPSILON = 2.0**-23
Arrays = Mapping[str, np.ndarray]
Found = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Types:
    """Words with what is known of each."""

    words: Sequence[str]
    vectors: np.ndarray

    @property
    def cases(self) -> list[int]:
        return [case_of(word) for word in self.words]


def case_of(word: str) -> int:
    ways = [word.lower(), word.capitalize(), word.upper()]
    return ways.index(word) if word in ways else 3


def spell(word: str, pieces: Sequence[str]) -> list[int]:
    """The longest piece that fits, from left to right."""
    try:
        word.encode()
    except UnicodeEncodeError:  # half a surrogate pair
        return []
    text, found = f"\u2581{word}" if word else "", []
    while text and len(found) < PIECES:
        fitting = [piece for piece in pieces if piece and text.startswith(piece)]
        if fitting:
            longest = max(fitting, key=len)
            found.append(list(pieces).index(longest))
        text = text[len(longest) if fitting else 1 :]
    return found


class WholeNumbers:
    """What the core computes."""

    def __init__(
        self, arrays: Arrays, shape: EncoderShape, pieces: Sequence[str], factor: float
    ) -> None:
        self.shape, self.pieces = shape, pieces
        wide = {name: np.asarray(array, dtype=np.float64) for name, array in arrays.items()}
        self.piece_rows, self.piece_steps = quantised(factor * wide["words.piece.weight"])
        self.case_rows = (factor * wide["words.case.weight"]).astype(F)
        self.vector = Matrix(factor * wide["words.vector.weight"], np.zeros(shape.width))
        self.near = wide["near.weight"].astype(F)
        self.layers = []
        scale = np.ones(3 * shape.width)
        scale[: shape.width] = (shape.width / shape.heads) ** -0.5
        for number in range(shape.layers):
            own = {
                name.split(".", 2)[2]: array
                for name, array in wide.items()
                if name.startswith(f"layers.{number}.")
            }
            attend = own["attend.weight"] * own["before.weight"]
            self.layers.append(
                (
                    Matrix(attend * scale[:, None], own["attend.bias"] * scale),
                    Matrix(own["join.weight"], own["join.bias"]),
                    Matrix(own["inner.weight"] * own["between.weight"], own["inner.bias"]),
                    Matrix(own["outer.weight"], own["outer.bias"]),
                )
            )
        self.head = Matrix(wide["head.weight"] * wide["norm.weight"], wide["head.bias"])

    def enter(self, types: Types) -> np.ndarray:
        entries = self.vector.multiply(*rounded(types.vectors, INPUT))
        for row, (word, case) in enumerate(zip(types.words, types.cases, strict=True)):
            spelt = spell(word.lower(), self.pieces)
            total = np.zeros(self.shape.width, dtype=F)
            for piece in spelt:
                total = total + self.piece_rows[piece].astype(F) * self.piece_steps[piece]
            entries[row] = entries[row] + total / F(max(1, len(spelt))) + self.case_rows[case]
        return entries

    def encode(self, types: Types, sentence: Sequence[int]) -> Found:
        x = self.enter(types)[list(sentence)]
        for attend, join, inner, outer in self.layers:
            seen = self.attend(attend.multiply(*normed(x)))
            x = x + join.multiply(*rounded(seen, INPUT))
            hidden = np.maximum(inner.multiply(*normed(x)), F(0))
            x = x + outer.multiply(*rounded(hidden, INPUT))
        return finished(self.head.multiply(*normed(x)).astype(np.float64), self.shape.size)

    def attend(self, parts: np.ndarray) -> np.ndarray:
        size = self.shape.width // self.shape.heads
        seen = []
        for head in range(self.shape.heads):
            query, key, value = (
                part[:, head * size : (head + 1) * size] for part in np.split(parts, 3, axis=1)
            )
            queries, query_units = rounded(query, PART)
            keys, key_units = rounded(key, PART)
            # A column of values has one unit, since it is added up.
            values, value_units = rounded(value.T, PART)
            near = self.near[apart(len(parts), self.shape.distance), head]
            scores = whole_product(queries, keys.T).astype(F) * query_units[:, None]
            scores = scores * key_units + near
            shares = np.rint(exponential(scores - scores.max(axis=1, keepdims=True)) * SHARE)
            share = F(1) / shares.astype(np.int64).sum(axis=1).astype(F)
            sums = whole_product(shares, values.T).astype(F)
            seen.append(sums * share[:, None] * value_units)
        return np.concatenate(seen, axis=1)


class Matrix:
    """A row of bytes for each output, with a step of its own."""

    def __init__(self, weights: np.ndarray, bias: np.ndarray) -> None:
        self.whole, self.steps = quantised(weights)
        self.bias = bias.astype(F)

    def multiply(self, rows: np.ndarray, units: np.ndarray) -> np.ndarray:
        sums = whole_product(rows, self.whole.T).astype(F)
        return sums * units[:, None] * self.steps + self.bias


def quantised(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    largest = np.maximum(np.abs(rows).max(axis=1), 1e-6)
    steps = (largest / 127).astype(F)
    return np.clip(np.rint(rows / steps[:, None].astype(np.float64)), -127, 127), steps


def rounded(rows: np.ndarray, bound: np.float32) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers, and what one unit of each row is worth."""
    largest = np.maximum(np.abs(rows).max(axis=1, initial=0), F(1e-20)).astype(F)
    return np.rint(rows * (bound / largest)[:, None]), largest / bound


def normed(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same of rows divided by the root of the mean square of what they are rounded to."""
    whole, _ = rounded(rows, INPUT)
    factor = (INPUT / np.maximum(np.abs(rows).max(axis=1, initial=0), F(1e-20))).astype(np.float64)
    squares = (whole.astype(np.int64) ** 2).sum(axis=1)
    return whole, (1 / np.sqrt(squares / rows.shape[1] + EPSILON * factor * factor)).astype(F)


def whole_product(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Exact, since sums of whole numbers are as long as they are below 2^53."""
    return (left.astype(np.float64) @ right.astype(np.float64)).astype(np.int64)


def apart(length: int, most: int) -> np.ndarray:
    place = np.arange(length)
    return np.clip(place[None, :] - place[:, None], -most, most) + most


def finished(outputs: np.ndarray, size: int) -> Found:
    vectors, importance, oddness = outputs[:, :size], outputs[:, size], outputs[:, size + 1]
    # Running sums are taken in the order of their terms.
    squares = np.cumsum(vectors * vectors, axis=1)[:, -1]
    lengths = np.where(squares > 0, np.sqrt(squares), 1)
    known = 1 / (1 + elementary.exp(-np.clip(importance, -64, 64)))
    return (vectors / lengths[:, None]).astype(F), known, oddness


def encode_in_floats(
    arrays: Arrays,
    shape: EncoderShape,
    pieces: Sequence[str],
    factor: float,
    types: Types,
    sentence: Sequence[int],
) -> Found:
    """The network as it was trained, without rounding."""
    chosen = list(sentence)
    words = [types.words[number] for number in chosen]
    x = types.vectors[chosen].astype(np.float64) @ arrays["words.vector.weight"].T
    for row, word in enumerate(words):
        spelt = spell(word.lower(), pieces)
        x[row] += arrays["words.piece.weight"][spelt].sum(axis=0) / max(1, len(spelt))
        x[row] += arrays["words.case.weight"][case_of(word)]
    x *= factor

    def norm(rows: np.ndarray, gain: np.ndarray) -> np.ndarray:
        return rows / np.sqrt((rows * rows).mean(axis=1, keepdims=True) + EPSILON) * gain

    for number in range(shape.layers):

        def linear(rows: np.ndarray, name: str, layer: str = f"layers.{number}") -> np.ndarray:
            return rows @ arrays[f"{layer}.{name}.weight"].T + arrays[f"{layer}.{name}.bias"]

        parts = linear(norm(x, arrays[f"layers.{number}.before.weight"]), "attend")
        query, key, value = (
            part.reshape(len(x), shape.heads, -1).transpose(1, 0, 2)
            for part in np.split(parts, 3, axis=1)
        )
        near = arrays["near.weight"][apart(len(x), shape.distance)].transpose(2, 0, 1)
        scores = query @ key.transpose(0, 2, 1) / np.sqrt(query.shape[-1]) + near
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        seen = (shares / shares.sum(axis=-1, keepdims=True)) @ value
        x = x + linear(seen.transpose(1, 0, 2).reshape(x.shape), "join")
        hidden = linear(norm(x, arrays[f"layers.{number}.between.weight"]), "inner")
        x = x + linear(np.maximum(hidden, 0), "outer")
    outputs = norm(x, arrays["norm.weight"]) @ arrays["head.weight"].T + arrays["head.bias"]
    return finished(outputs, shape.size)


def random_weights(shape: EncoderShape, seed: int = 1, *, pieces: int) -> dict[str, np.ndarray]:
    """Weights drawn at random, about as large as trained ones."""
    chance = np.random.default_rng(seed)
    width, inner = shape.width, shape.inner

    def drawn(*sizes: int, spread: float | None = None) -> np.ndarray:
        return chance.normal(size=sizes) * (sizes[-1] ** -0.5 if spread is None else spread)

    found = {
        "words.vector.weight": drawn(width, shape.dimension, spread=0.2),
        "words.piece.weight": drawn(pieces, width, spread=0.1),
        "words.case.weight": drawn(4, width, spread=0.05),
        "near.weight": drawn(2 * shape.distance + 1, shape.heads, spread=1.0),
        "norm.weight": 1 + drawn(width, spread=0.2),
        "head.weight": drawn(shape.size + 2, width),
        "head.bias": drawn(shape.size + 2, spread=0.1),
    }
    for number in range(shape.layers):
        name = f"layers.{number}"
        for gain in ("before", "between"):
            found[f"{name}.{gain}.weight"] = 1 + drawn(width, spread=0.2)
        for part, rows, columns in (
            ("attend", 3 * width, width),
            ("join", width, width),
            ("inner", inner, width),
            ("outer", width, inner),
        ):
            found[f"{name}.{part}.weight"] = drawn(rows, columns)
            found[f"{name}.{part}.bias"] = drawn(rows, spread=0.1)
    return found
