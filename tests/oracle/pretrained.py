"""BERT in NumPy, twice: in whole numbers, as the core computes to the last bit, and in plain floats.

Both are made of the arrays of a network, so that the writer of the file and its layout are judged, too; and
so are the pieces, which are cut here as the paper says, one character after the other.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from metaphrase.trained.pretrained_encoder import PretrainedShape
from oracle.parser import exponential

F = np.float32
#: What queries with keys and values, and shares of attention are rounded to.
PART, SHARE = F(2047), F(8191)
Arrays = Mapping[str, np.ndarray]
EPSILON = 1e-12
#: The polynomial of GELU: see gaussian_unit in src/core/encoder/rounding.hpp.
GAUSSIAN = (
    2.2588327652783846e-8,
    -1.5888330153757124e-6,
    4.77639987366274e-5,
    -8.121886057779193e-4,
    8.763697929680347e-3,
    -6.455443799495697e-2,
    3.9787033200263977e-1,
)
LANES = 8


@dataclass(frozen=True)
class Piece:
    name: str
    first: int
    last: int


def cut(text: str, vocabulary: Sequence[str]) -> list[Piece]:
    """The pieces of a text, without marks."""
    return [piece for word in words_of(text) for piece in spell(word, set(vocabulary))]


def words_of(text: str) -> list[list[tuple[str, int]]]:
    """Words as lists of characters, each with its place in the text."""
    words: list[list[tuple[str, int]]] = [[]]
    for place, character in enumerate(text):
        category = unicodedata.category(character)
        if character in "\t\n\r" or (character.isspace() and category != "Cc"):
            words.append([])
        elif character in "\0\ufffd" or category in ("Cc", "Cf", "Co", "Cs"):
            continue
        else:
            plain = [
                (letter, place)
                for part in unicodedata.normalize("NFD", character)
                if unicodedata.category(part) != "Mn"
                for letter in part.lower()
            ]
            if plain and (is_ideograph(character) or is_punctuation(plain[0][0])):
                words += [plain, []]
            else:
                words[-1] += plain
    return [word for word in words if word]


def is_ideograph(character: str) -> bool:
    code = ord(character)
    return any(
        low <= code <= high
        for low, high in (
            (0x4E00, 0x9FFF),
            (0x3400, 0x4DBF),
            (0x20000, 0x2A6DF),
            (0x2A700, 0x2B81F),
            (0x2B920, 0x2CEAF),
            (0xF900, 0xFAFF),
            (0x2F800, 0x2FA1F),
        )
    )


def is_punctuation(character: str) -> bool:
    in_ascii = "!" <= character <= "~" and not character.isalnum()
    return in_ascii or unicodedata.category(character).startswith("P")


def spell(word: list[tuple[str, int]], vocabulary: set[str]) -> list[Piece]:
    """The longest piece that fits, from left to right; one unknown piece if none does."""
    whole = Piece("[UNK]", word[0][1], word[-1][1] + 1)
    if len(word) > 100:
        return [whole]
    found, at = [], 0
    while at < len(word):
        for end in range(len(word), at, -1):
            name = ("##" if at else "") + "".join(letter for letter, _ in word[at:end])
            if name in vocabulary:
                found.append(Piece(name, word[at][1], word[end - 1][1] + 1))
                at = end
                break
        else:
            return [whole]
    return found


@dataclass(frozen=True)
class Window:
    """Pieces ``first`` to ``last`` are read together; ``start`` to ``stop`` are taken from them."""

    first: int
    last: int
    start: int
    stop: int


def windows(pieces: int, positions: int) -> list[Window]:
    room = positions - 2
    step = room - room // 4
    firsts = [0]
    while firsts[-1] + room < pieces:
        firsts.append(min(firsts[-1] + step, pieces - room))
    borders = [(after + before + room) // 2 for before, after in pairwise(firsts)]
    return [
        Window(first, min(pieces, first + room), start, stop)
        for first, start, stop in zip(firsts, [0, *borders], [*borders, pieces], strict=True)
    ]


#: Rows of pieces with both marks, to the rows after each layer.
Network = Callable[[Sequence[int]], list[np.ndarray]]


def encode(
    network: Network, pieces: Sequence[int], marks: tuple[int, int], positions: int
) -> tuple[list[np.ndarray], np.ndarray]:
    """The unit rows of each layer, and that of the text."""
    layers: list[list[np.ndarray]] = []
    total = None
    found = windows(len(pieces), positions)
    for window in found:
        states = network([marks[0], *pieces[window.first : window.last], marks[1]])
        rows = slice(1 + window.start - window.first, 1 + window.stop - window.first)
        layers.append([unit(state[rows]) for state in states])
        last = states[-1]
        taken = [
            *(last[:1] if window is found[0] else []),
            *last[rows],
            *(last[-1:] if window is found[-1] else []),
        ]
        own = np.zeros(last.shape[1], dtype=last.dtype)
        for row in taken:
            own = own + row
        total = own if total is None else total + own
    assert total is not None
    return [np.concatenate(parts) for parts in zip(*layers, strict=True)], unit(total[None])[0]


def unit(rows: np.ndarray) -> np.ndarray:
    squares = total(rows * rows)
    return rows / np.where(squares > 0, np.sqrt(squares), rows.dtype.type(1))[:, None]


def total(rows: np.ndarray) -> np.ndarray:
    """Eight sums of every eighth cell, one after the other, and then the sum of these."""
    lanes = np.cumsum(rows.reshape(len(rows), rows.shape[1] // LANES, LANES), axis=1)[:, -1]
    return np.cumsum(lanes, axis=1)[:, -1]


def normalised(rows: np.ndarray, gain: np.ndarray, bias: np.ndarray) -> np.ndarray:
    kind = rows.dtype.type
    mean = total(rows) / kind(rows.shape[1])
    centred = rows - mean[:, None]
    variance = total(centred * centred) / kind(rows.shape[1])
    factor = kind(1) / np.sqrt(variance + kind(EPSILON))
    return centred * factor[:, None] * gain + bias


class WholeNumbers:
    """What the core computes of pieces with both marks."""

    def __init__(self, arrays: Arrays, shape: PretrainedShape) -> None:
        self.shape = shape
        wide = {name: np.asarray(array, dtype=np.float64) for name, array in arrays.items()}
        self.rows, self.steps = quantised(wide["embeddings.word_embeddings.weight"])
        types = wide["embeddings.token_type_embeddings.weight"]
        self.positions = (wide["embeddings.position_embeddings.weight"] + types[0]).astype(F)
        self.first = norm_of(wide, "embeddings.LayerNorm")
        root = (shape.width / shape.heads) ** -0.5
        self.layers = []
        for number in range(shape.layers):
            name = f"encoder.layer.{number}"
            part = f"{name}.attention.self"
            self.layers.append(
                (
                    Matrix(
                        np.concatenate(
                            [
                                wide[f"{part}.query.weight"] * root,
                                wide[f"{part}.key.weight"],
                                wide[f"{part}.value.weight"],
                            ]
                        ),
                        np.concatenate(
                            [
                                wide[f"{part}.query.bias"] * root,
                                wide[f"{part}.key.bias"],
                                wide[f"{part}.value.bias"],
                            ]
                        ),
                    ),
                    *(
                        Matrix(wide[f"{name}.{linear}.weight"], wide[f"{name}.{linear}.bias"])
                        for linear in (
                            "attention.output.dense",
                            "intermediate.dense",
                            "output.dense",
                        )
                    ),
                    norm_of(wide, f"{name}.attention.output.LayerNorm"),
                    norm_of(wide, f"{name}.output.LayerNorm"),
                )
            )

    def __call__(self, pieces: Sequence[int]) -> list[np.ndarray]:
        chosen = list(pieces)
        x = (
            self.rows[chosen].astype(F) * self.steps[chosen][:, None]
            + self.positions[: len(chosen)]
        )
        x = normalised(x, *self.first)
        found = []
        for parts, join, inner, outer, between, after in self.layers:
            seen = self.attend(parts.multiply(*in_bytes(x)))  # type: ignore[attr-defined]
            x = normalised(x + join.multiply(*in_bytes(seen)), *between)  # type: ignore[attr-defined]
            hidden = gaussian(inner.multiply(*in_bytes(x)))  # type: ignore[attr-defined]
            x = normalised(x + outer.multiply(*in_bytes(hidden)), *after)  # type: ignore[attr-defined]
            found.append(x)
        return found

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
            scores = whole_product(queries, keys.T).astype(F) * query_units[:, None] * key_units
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


def whole_product(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Exact, since sums of whole numbers are as long as they are below 2^53."""
    return (left.astype(np.float64) @ right.astype(np.float64)).astype(np.int64)


def norm_of(arrays: Arrays, name: str, kind: type = F) -> tuple[np.ndarray, np.ndarray]:
    return arrays[f"{name}.weight"].astype(kind), arrays[f"{name}.bias"].astype(kind)


def in_bytes(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """256 steps from the smallest cell of a row to the largest, one of which is 0."""
    low = np.minimum(rows.min(axis=1), F(0))
    high = np.maximum(rows.max(axis=1), F(0))
    range_ = np.maximum(high - low, F(1e-20))
    factor = F(255) / range_
    zero = np.rint(-low * factor)[:, None]
    return np.clip(np.rint(rows * factor[:, None]), -zero, 255 - zero), range_ / F(255)


def gaussian(x: np.ndarray) -> np.ndarray:
    bounded = np.clip(x, F(-4), F(4))
    square = bounded * bounded
    share = np.full_like(square, F(GAUSSIAN[0]))
    for coefficient in GAUSSIAN[1:]:
        share = share * square + F(coefficient)
    return x * (share * bounded + F(0.5))


class InFloats:
    """The network as it was published, in doubles, with the error function."""

    def __init__(self, arrays: Arrays, shape: PretrainedShape) -> None:
        self.arrays = {name: np.asarray(array, dtype=np.float64) for name, array in arrays.items()}
        self.shape = shape

    def __call__(self, pieces: Sequence[int]) -> list[np.ndarray]:
        arrays, chosen = self.arrays, list(pieces)
        x = arrays["embeddings.word_embeddings.weight"][chosen]
        x = x + arrays["embeddings.position_embeddings.weight"][: len(chosen)]
        x = self.norm(
            x + arrays["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm"
        )
        found = []
        for number in range(self.shape.layers):
            name = f"encoder.layer.{number}"
            query, key, value = (
                self.linear(x, f"{name}.attention.self.{part}")
                .reshape(len(x), self.shape.heads, -1)
                .transpose(1, 0, 2)
                for part in ("query", "key", "value")
            )
            scores = query @ key.transpose(0, 2, 1) / np.sqrt(query.shape[-1])
            shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
            seen = (shares / shares.sum(axis=-1, keepdims=True)) @ value
            joined = self.linear(
                seen.transpose(1, 0, 2).reshape(x.shape), f"{name}.attention.output.dense"
            )
            x = self.norm(x + joined, f"{name}.attention.output.LayerNorm")
            hidden = self.linear(x, f"{name}.intermediate.dense")
            hidden = hidden * normal_share(hidden)
            x = self.norm(
                x + self.linear(hidden, f"{name}.output.dense"), f"{name}.output.LayerNorm"
            )
            found.append(x)
        return found

    def linear(self, rows: np.ndarray, name: str) -> np.ndarray:
        found: np.ndarray = rows @ self.arrays[f"{name}.weight"].T + self.arrays[f"{name}.bias"]
        return found

    def norm(self, rows: np.ndarray, name: str) -> np.ndarray:
        return normalised(rows, *norm_of(self.arrays, name, np.float64))


def normal_share(x: np.ndarray) -> np.ndarray:
    """Of a normal distribution below x: Abramowitz and Stegun, 7.1.26, to 1.5e-7."""
    size = np.abs(x) / np.sqrt(2)
    t = 1 / (1 + 0.3275911 * size)
    p = 1.061405429 * t - 1.453152027
    p = ((p * t + 1.421413741) * t - 0.284496736) * t + 0.254829592
    beyond = 0.5 * p * t * np.exp(-size * size)
    share: np.ndarray = np.where(x > 0, 1 - beyond, beyond)
    return share


def random_weights(shape: PretrainedShape, seed: int = 1, *, pieces: int) -> dict[str, np.ndarray]:
    """Weights drawn at random, about as large as trained ones."""
    chance = np.random.default_rng(seed)
    width, inner = shape.width, shape.inner

    def drawn(*sizes: int, spread: float) -> np.ndarray:
        return chance.normal(size=sizes) * spread

    found = {
        "embeddings.word_embeddings.weight": drawn(pieces, width, spread=0.1),
        "embeddings.position_embeddings.weight": drawn(shape.positions, width, spread=0.1),
        "embeddings.token_type_embeddings.weight": drawn(2, width, spread=0.1),
    }
    norms = ["embeddings.LayerNorm"]
    for number in range(shape.layers):
        name = f"encoder.layer.{number}"
        norms += [f"{name}.attention.output.LayerNorm", f"{name}.output.LayerNorm"]
        for part, rows, columns in (
            *((f"attention.self.{one}", width, width) for one in ("query", "key", "value")),
            ("attention.output.dense", width, width),
            ("intermediate.dense", inner, width),
            ("output.dense", width, inner),
        ):
            found[f"{name}.{part}.weight"] = drawn(rows, columns, spread=1.5 * columns**-0.5)
            found[f"{name}.{part}.bias"] = drawn(rows, spread=0.1)
    for name in norms:
        found[f"{name}.weight"] = 1 + drawn(width, spread=0.2)
        found[f"{name}.bias"] = drawn(width, spread=0.2)
    return found
