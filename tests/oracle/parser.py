"""The parser in NumPy, slow and obvious: reads the same model file and must give the same trees.

Floats are 32 bits wide and every sum runs in the order of its terms, one term a step, so that
results can be compared bit for bit.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from oracle.tagger import hash_chars, mix

F = np.float32
AFFIX_ROWS = (4096, 1024, 2048, 256)
FARTHEST = 16


class Reader:
    """Numbers and strings of a model file, one after the other."""

    def __init__(self, content: bytes) -> None:
        self.content, self.at = content, 0

    def take(self, kind: str, count: int) -> np.ndarray:
        values = np.frombuffer(self.content, "<" + kind, count, self.at)
        self.at += values.nbytes
        return values

    def number(self) -> int:
        return int(self.take("u4", 1)[0])

    def names(self) -> list[str]:
        result = []
        for _ in range(self.number()):
            size = self.number()
            result.append(self.content[self.at : self.at + size].decode())
            self.at += size
        return result

    def table(self, rows: int, size: int) -> np.ndarray:
        kind = np.dtype([("step", "<f4"), ("row", "i1", size)])
        content = np.frombuffer(self.content, kind, rows, self.at)
        self.at += content.nbytes
        return content["row"].astype(F) * content["step"][:, None]

    def matrix(self, rows: int, columns: int) -> Matrix:
        scale = self.take("f4", 1)[0]
        kind = np.dtype([("step", "<f4"), ("column", "<i2", rows)])
        content = np.frombuffer(self.content, kind, columns, self.at)
        self.at += content.nbytes
        return Matrix(scale, content["step"] / scale, content["column"].T.astype(np.int64))


class Matrix:
    """Whole numbers that stand for reals."""

    def __init__(self, scale: np.float32, steps: np.ndarray, weights: np.ndarray) -> None:
        self.scale, self.steps, self.weights = scale, steps, weights

    def product(self, rows: np.ndarray) -> np.ndarray:
        rounded = np.rint(np.clip(rows * self.scale, F(-4095), F(4095))).astype(np.int64)
        return (rounded @ self.weights).astype(F) * self.steps


def checksum(content: bytes) -> int:
    """Of eight bytes at a time, then of what is left, byte by byte."""
    value = mix(0x6D65746170687261, len(content))
    whole = len(content) // 8 * 8
    for word in np.frombuffer(content[:whole], "<u8").tolist():
        value = mix(value, word)
    for byte in content[whole:]:
        value = mix(value, byte)
    return value


def exponential(x: np.ndarray) -> np.ndarray:
    """As src/core/analysis/dense.hpp computes it, step by step."""
    x = np.clip(x, F(-87), F(87))
    k = (x * F(1.44269504) + F(12582912)) - F(12582912)
    r = x - k * F(0.693359375) - k * F(-2.12194440e-4)
    p = r * F(1.9875691500e-4) + F(1.3981999507e-3)
    for term in (8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1):
        p = p * r + F(term)
    return (p * r * r + r + F(1)) * np.ldexp(F(1), k.astype(np.int32)).astype(F)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return F(1) / (F(1) + exponential(-x))


def leaky(x: np.ndarray) -> np.ndarray:
    return np.where(x > 0, x, F(0.1) * x)


def shape(form: str) -> str:
    sorts = ""
    for char in form:
        sort = "0" if char.isdigit() else "A" if char.isupper() else "a" if char.isalpha() else char
        if not sorts.endswith(sort):
            sorts += sort
    return sorts[:8]


class OracleParser:
    """Parses one sentence at a time; forms are ASCII, so that Python's classes of letters serve."""

    def __init__(self, model: bytes) -> None:
        assert model[:4] == b"MPDP"
        assert struct.unpack_from("<I", model, 4) == (1,)
        read = Reader(model[16:])
        self.units, layers, self.arc_size, self.label_size = (read.number() for _ in range(4))
        units = self.units
        self.relations, tags, upos = read.names(), read.names(), read.names()
        self.tags = {name: i + 1 for i, name in enumerate(tags)}
        self.unknown_upos = len(tags) + 1
        self.upos = {name: i + 1 + self.unknown_upos for i, name in enumerate(upos)}
        keys = read.take("u4", read.number()).tolist()
        self.words = {key: i + 1 for i, key in enumerate(keys)}
        self.word_table = read.table(len(keys) + 1, units // 2)
        self.affix_table = read.table(sum(AFFIX_ROWS), units // 4)
        self.tag_table = read.table(len(tags) + len(upos) + 2, units // 4)
        self.root = read.take("f4", units)
        self.layers = []
        for layer in range(layers):
            matrix = read.matrix(units if layer == 0 else 2 * units, 6 * units)
            self.layers.append((matrix, read.take("f4", 8 * units).reshape(4, 2, units)))
        columns = 2 * (self.arc_size + self.label_size)
        self.projection = read.matrix(2 * units, columns)
        self.projection_bias = read.take("f4", columns)
        self.arc = read.matrix(self.arc_size, self.arc_size)
        self.arc_bias = read.take("f4", self.arc_size)
        self.distance = read.take("f4", 2 * FARTHEST + 2)
        self.label = read.matrix(self.label_size, len(self.relations))
        self.label_bias = read.take("f4", len(self.relations))
        assert read.at == len(read.content)

    def parse(
        self, forms: list[str], tags: list[str], upos: list[str], find_tree: Callable[..., Any]
    ) -> list[tuple[int, str]]:
        """Head and relation of every word; ``find_tree`` is given the scores of all arcs."""
        tokens = zip(forms, tags, upos, strict=True)
        encoded = self.encode(np.stack([self.root, *(self.embed(*token) for token in tokens)]))
        projected = self.projection.product(encoded) + self.projection_bias
        sides = leaky(projected[:, : 2 * self.arc_size])
        dependents, heads = sides[:, : self.arc_size], sides[:, self.arc_size :]
        wanted = self.arc.product(dependents) + self.arc_bias
        scores = np.zeros((len(forms) + 1, len(forms) + 1), dtype=F)
        for k in range(self.arc_size):
            scores = scores + wanted[:, k : k + 1] * heads[:, k]
        steps = np.rint(np.clip(scores + self.distances(len(forms)), -2000, 2000) * F(1024))
        tree = [int(head) for head in find_tree(steps[1:].astype(np.int32))]
        labels = projected[:, 2 * self.arc_size :]
        own, above = labels[1:, : self.label_size], labels[tree, self.label_size :]
        choices = self.label.product(leaky(own + above)) + self.label_bias
        return [
            (head, self.relations[i]) for head, i in zip(tree, choices.argmax(axis=1), strict=True)
        ]

    def embed(self, form: str, tag: str, upos: str) -> np.ndarray:
        plain = "".join("0" if char.isdigit() else char for char in form)
        low = plain.lower()
        word = self.words.get(mix(hash_chars(low), 0x706172) & 0xFFFFFFFF, 0)
        parts = [low[-3:], low[-2:], low[:3], shape(form)]
        affixes = np.zeros(self.units // 4, dtype=F)
        first = 0
        for kind, (part, rows) in enumerate(zip(parts, AFFIX_ROWS, strict=True)):
            affixes = affixes + self.affix_table[first + mix(hash_chars(part), kind) % rows]
            first += rows
        own = self.tag_table[self.tags.get(tag, 0)]
        universal = self.tag_table[self.upos.get(upos, self.unknown_upos)]
        return np.concatenate([self.word_table[word], affixes, own + universal])

    def encode(self, rows: np.ndarray) -> np.ndarray:
        units = self.units
        for layer, (matrix, gates) in enumerate(self.layers):
            products = matrix.product(rows)
            outputs = []
            for way in range(2):
                part = products[:, 3 * way * units : 3 * (way + 1) * units]
                highway = rows if layer == 0 else rows[:, way * units : (way + 1) * units]
                outputs.append(read_direction(part, highway, gates[:, way], backward=way == 1))
            rows = np.concatenate(outputs, axis=1)
        return rows

    def distances(self, words: int) -> np.ndarray:
        places = np.arange(words + 1)
        buckets = np.clip(places - places[:, None], -FARTHEST, FARTHEST) + FARTHEST
        buckets[:, 0] = 2 * FARTHEST + 1
        return self.distance[buckets]


def read_direction(
    products: np.ndarray, highway: np.ndarray, gates: np.ndarray, *, backward: bool
) -> np.ndarray:
    """Simple recurrent units, one word after the other."""
    units = highway.shape[1]
    forget_peep, reset_peep, forget_bias, reset_bias = gates
    cell = np.zeros(units, dtype=F)
    output = np.zeros_like(highway)
    order = range(len(products))
    for t in reversed(order) if backward else order:
        z, f, r = products[t].reshape(3, units)
        forget = sigmoid(f + forget_peep * cell + forget_bias)
        reset = sigmoid(r + reset_peep * cell + reset_bias)
        cell = forget * cell + (F(1) - forget) * z
        output[t] = reset * cell + (F(1) - reset) * highway[t]
    return output


def is_tree(heads: tuple[int, ...]) -> bool:
    """One word at the root, and every word leads there."""
    if sum(head == 0 for head in heads) != 1:
        return False
    for word in range(1, len(heads) + 1):
        steps = 0
        while word != 0 and steps <= len(heads):
            word, steps = heads[word - 1], steps + 1
        if word != 0:
            return False
    return True


def all_trees(words: int) -> list[tuple[int, ...]]:
    """In the order of their first head, then the second, and so on."""
    return [heads for heads in product(range(words + 1), repeat=words) if is_tree(heads)]


def weight(scores: np.ndarray, heads: tuple[int, ...]) -> int:
    return int(sum(scores[word, head] for word, head in enumerate(heads)))


def best_tree(scores: np.ndarray) -> tuple[int, ...]:
    """The heaviest of all trees."""
    return max(all_trees(len(scores)), key=lambda heads: weight(scores, heads))
