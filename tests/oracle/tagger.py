"""The tagger by its definition: every feature looked up at every token, sums of Python integers.

Reads the same model file as the core; shares no code with it.
"""

from __future__ import annotations

import struct
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

MASK = (1 << 64) - 1


def mix(h: int, value: int) -> int:
    h = ((h ^ value) * 0x9E3779B97F4A7C15) & MASK
    return h ^ h >> 32


def hash_chars(chars: str) -> int:
    h = 0x2545F4914F6CDD1D
    for c in chars:
        h = mix(h, ord(c))
    return h


def key(template: int, a: int, b: int = 0, c: int = 0) -> int:
    return mix(mix(mix(template, a), b), c) & 0xFFFFFFFF


def lexicon_key(word: int) -> int:
    return mix(word, 0x6C6578) & 0xFFFFFFFF


def mend(model: bytes) -> bytes:
    """The file with the checksum that its content has."""
    content = model[16:]
    h = mix(0x6D65746170687261, len(content))
    whole = len(content) // 8 * 8
    for at in range(0, whole, 8):
        h = mix(h, int.from_bytes(content[at : at + 8], "little"))
    for byte in content[whole:]:
        h = mix(h, byte)
    return model[:8] + h.to_bytes(8, "little") + content


class Reader:
    def __init__(self, content: bytes) -> None:
        self.content, self.at = content, 0

    def get(self, kind: str) -> tuple[int, ...]:
        values = struct.unpack_from("<" + kind, self.content, self.at)
        self.at += struct.calcsize("<" + kind)
        return values

    def string(self) -> str:
        (size,) = self.get("I")
        self.at += size
        return self.content[self.at - size : self.at].decode()


@dataclass
class Word:
    """Hashes and classes of one word; those of the outside are zero."""

    form: int = 1
    lower: int = 1
    prefix: tuple[int, ...] = (0, 0, 0, 0)
    suffix: tuple[int, ...] = (0, 0, 0, 0, 0)
    shape: int = 0
    kind: int = 0
    ends_sentence: int = 1
    fine: int = 0
    coarse: int = 0
    ambiguity: int = 0
    capitals: int = 0
    inflection: int = 0
    lists: int = 0


class OracleTagger:
    def __init__(self, model: bytes) -> None:
        assert model[:2] == b"MP"
        version = int.from_bytes(model[4:8], "little")
        read = Reader(model[16:])
        self.labels = [(read.string(), read.string()) for _ in range(read.get("I")[0])]
        self.read_words(read)
        self.inflections = dict(self.read_inflections(read)) if version == 2 else {}
        self.weights = {}
        for _ in range(read.get("I")[0]):
            feature, size = read.get("IB")
            self.weights[feature] = [read.get("Bh") for _ in range(size)]

    def read_words(self, read: Reader) -> None:
        self.classes, self.usages = {}, {}
        for _ in range(read.get("I")[0]):
            word, *classes = read.get("IHH")
            self.classes.setdefault(word, classes)
        for _ in range(read.get("I")[0]):
            word, *usage = read.get("IHB")
            self.usages.setdefault(word, usage)

    @staticmethod
    def read_inflections(read: Reader) -> Iterator[tuple[int, int]]:
        """Keys ascend; each is written as its distance to the one before, seven bits a byte."""
        word = 0
        for _ in range(read.get("I")[0]):
            byte, shift = 0x80, 0
            while byte & 0x80:
                (byte,) = read.get("B")
                word += (byte & 0x7F) << shift
                shift += 7
            yield word, read.get("H")[0]

    def word(self, form: str) -> Word:
        plain = "".join("0" if c in "0123456789" else c for c in form)
        lower = plain.lower()
        sorts = []
        for c in plain:
            alphabetic = c != "0" and unicodedata.category(c)[0] in "LMN"
            sort = "0" if c == "0" else "A" if c != c.lower() else "a" if alphabetic else c
            sorts.append(sort)
        shape = "".join(s for i, s in enumerate(sorts) if i == 0 or s != sorts[i - 1])[:8]
        uppers = [c != c.lower() for c in plain]
        kind = 1 * ("0" in plain) + 2 * ("-" in plain) + 4 * any(uppers) + 8 * uppers[0]
        kind += 16 * (any(uppers) and "a" not in sorts) + 32 * ("." in plain)
        kind += 64 * (not any(s in "Aa" for s in sorts))
        found = self.classes.get(lexicon_key(hash_chars(plain)))
        if found is None:
            found = self.classes.get(lexicon_key(hash_chars(lower)), [0, 0])
        ambiguity, capitals = self.usages.get(lexicon_key(hash_chars(lower)), (0, 0))
        exact, folded = lexicon_key(hash_chars(plain)), lexicon_key(hash_chars(lower))
        inflection = self.inflections.get(exact, self.inflections.get(folded, 0))
        return Word(
            inflection=inflection,
            form=hash_chars(plain),
            lower=hash_chars(lower),
            prefix=tuple(hash_chars(lower[:n]) for n in range(1, 5)),
            suffix=tuple(hash_chars(lower[-n:]) for n in range(1, 6)),
            shape=hash_chars(shape),
            kind=kind,
            ends_sentence=int(plain in {".", "!", "?", ":"}),
            fine=found[0],
            coarse=found[1],
            ambiguity=ambiguity,
            capitals=capitals,
        )

    @staticmethod
    def features(window: list[Word], before: int, second: int, text_case: int) -> list[int]:
        keys = []
        for place, word in enumerate(window):
            base = 100 * (place + 1)
            keys += [key(base, word.lower), key(base + 1, word.fine)]
            keys += [key(base + 2, word.coarse), key(base + 3, word.ambiguity)]
            if abs(place - 2) <= 1:
                keys += [key(base + 4, word.suffix[2]), key(base + 5, word.shape)]
                keys += [key(base + 6, word.suffix[1], word.kind)]
                keys += [key(base + 8, word.capitals, word.kind)]
            if place == 2:
                keys += [key(base + 7, word.form)]
                keys += [key(base + 10 + n, prefix) for n, prefix in enumerate(word.prefix)]
                keys += [key(base + 20 + n, suffix) for n, suffix in enumerate(word.suffix)]
                keys += [key(base + 30, word.kind), key(base + 31, word.suffix[2], word.kind)]
                keys += [key(base + 32, word.coarse, word.suffix[1])]
                keys += [key(base + 33, word.fine, word.kind), key(base + 34, 0)]
            if word.inflection and abs(place - 2) <= 1:
                keys += [key(base + 9, word.inflection)]
            if word.inflection and place == 2:
                keys += [key(base + 35, word.inflection, word.suffix[1], word.kind)]
        second_left, left, word, right, second_right = window
        setting = text_case * 2 + left.ends_sentence
        if word.inflection:
            keys += [key(20, before, word.inflection)]
        if word.inflection and right.inflection:
            keys += [key(21, word.inflection, right.inflection)]
        return [
            *keys,
            key(1, before),
            key(2, before, second),
            key(3, before, word.lower),
            key(4, before, right.ambiguity),
            key(5, left.lower, word.lower),
            key(6, word.lower, right.lower),
            key(7, left.fine, word.fine),
            key(8, word.fine, right.fine),
            key(9, before, word.ambiguity, right.ambiguity),
            key(10, before, word.suffix[2]),
            key(11, setting, word.kind, word.coarse),
            key(12, second, before, word.ambiguity),
            key(13, word.ambiguity, right.ambiguity, second_right.ambiguity),
            key(14, before, right.lower),
            key(15, setting, word.kind, word.ambiguity),
            key(16, setting, word.kind, word.capitals),
            key(17, setting, word.kind, before),
            key(18, second_left.lower, left.lower),
            key(19, second, word.lower),
        ]

    @staticmethod
    def text_case(forms: list[str]) -> int:
        """0 as usual, 1 no capitals, 2 most words capitalised, 3 most words in capitals."""
        words = [f for f in forms if unicodedata.category(f[0])[0] in "LM"]
        capitalised = [f for f in words if f[0] != f[0].lower()]
        shouted = [f for f in capitalised if len(f) > 1 and f[1] != f[1].lower()]
        if len(words) < 2:
            return 0
        if not capitalised:
            return 1
        if len(shouted) >= 0.7 * len(words):
            return 3
        return 2 if len(capitalised) >= 0.6 * len(words) else 0

    def tag(self, forms: list[str]) -> list[tuple[str, str]]:
        words = [Word(), Word(), *map(self.word, forms), Word(), Word()]
        before = second = 0xFFFF
        case = self.text_case(forms)
        tags = []
        for i in range(len(forms)):
            scores = [0] * len(self.labels)
            for feature in self.features(words[i : i + 5], before, second, case):
                for label, weight in self.weights.get(feature, ()):
                    scores[label] += weight
            second, before = before, scores.index(max(scores))
            tags.append(self.labels[before])
        return tags
