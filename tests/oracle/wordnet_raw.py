"""WordNet read from its own text files, slowly and obviously; judges the compact file.

Formats: wndb(5WN) for data and index files, the README of WordNet-InfoContent-3.0 for counts.
Synsets are numbered like those of the compact file: nouns, verbs, adjectives, adverbs, each in the
order of its data file.
"""

from __future__ import annotations

import math
import re
from pathlib import Path

FILES = [("n", "noun"), ("v", "verb"), ("a", "adj"), ("r", "adv")]


def records(path: Path) -> list[list[str]]:
    text = path.read_text(encoding="ascii").replace("\r", "")
    return [line.split() for line in text.split("\n") if line and line[0] != " "]


class RawWordNet:
    def __init__(self, database: Path, information_content: Path) -> None:
        self.number: dict[str, int] = {}
        self.kinds: list[str] = []
        self.members: list[set[str]] = []
        self.parents: list[list[str]] = []
        self.index: dict[tuple[str, str], list[str]] = {}
        self.irregular: dict[tuple[str, str], list[str]] = {}
        for part, name in FILES:
            for record in records(database / f"data.{name}"):
                self._read_synset(part, record)
            for lemma, _, synset_count, pointer_count, *rest in records(database / f"index.{name}"):
                offsets = rest[int(pointer_count) + 2 :]
                assert len(offsets) == int(synset_count)
                self.index[part, lemma] = [part + offset for offset in offsets]
            for form, *bases in records(database / f"{name}.exc"):
                known = self.irregular.setdefault((part, form), [])
                for base in bases:  # noun.exc says "vagi vagus vagus"
                    if base not in known:
                        known.append(base)
        self.count: dict[int, float] = {}
        self.total = {"n": 0.0, "v": 0.0}
        for key, count, *root in records(information_content)[1:]:
            part = key[-1]
            self.count[self.number[part + key[:-1].zfill(8)]] = float(count)
            self.total[part] += float(count) if root else 0.0

    def _read_synset(self, part: str, record: list[str]) -> None:
        self.number[part + record[0]] = len(self.kinds)
        self.kinds.append(record[2])
        words = [record[4 + 2 * i] for i in range(int(record[3], 16))]
        self.members.append({re.sub(r"\(.*", "", word).lower() for word in words})
        pointers = record[4 + 2 * len(words) + 1 :]
        here = [pointers[4 * i : 4 * i + 4] for i in range(int(record[4 + 2 * len(words)]))]
        self.parents.append([kind + offset for symbol, offset, kind, _ in here if "@" in symbol])

    def synsets(self, lemma: str, pos: str | None = None) -> tuple[int, ...]:
        key = lemma.lower().replace(" ", "_")
        parts = [part for part, _ in FILES] if pos is None else [pos]
        return tuple(self.number[s] for part in parts for s in self.index.get((part, key), []))

    def lemmas(self, synset: int) -> tuple[str, ...]:
        return tuple(sorted(self.members[synset]))

    def part_of_speech(self, synset: int) -> str:
        return self.kinds[synset]

    def hypernyms(self, synset: int) -> tuple[int, ...]:
        return tuple(self.number[key] for key in self.parents[synset])

    def information_content(self, synset: int) -> float:
        total, count = self.total.get(self.kinds[synset], 0), self.count.get(synset, 0)
        return -math.log(count / total) if total and count else math.inf

    def subsumers(self, synset: int) -> set[int]:
        return {synset}.union(*(self.subsumers(parent) for parent in self.hypernyms(synset)))

    def lin(self, a: int, b: int) -> float:
        if self.kinds[a] != self.kinds[b] or self.kinds[a] not in "nv":
            return 0.0
        if a == b:
            return 1.0
        common = self.subsumers(a) & self.subsumers(b)
        denominator = self.information_content(a) + self.information_content(b)
        # Counts of an inconsistent file may exceed the total: the content is negative then.
        if not common or denominator <= 0 or math.isinf(denominator):
            return 0.0
        finite = [ic for ic in map(self.information_content, common) if math.isfinite(ic)]
        return min(1.0, max(0.0, 2 * max(finite, default=0.0) / denominator))

    def exceptions(self, form: str, pos: str) -> tuple[str, ...]:
        return tuple(self.irregular.get((pos, form.lower().replace(" ", "_")), ()))

    def synonym_graph(
        self, words: list[str], parts: list[str] | None = None
    ) -> tuple[list[int], list[int]]:
        senses = [
            set(self.synsets(word, part or None))
            for word, part in zip(words, parts or [""] * len(words), strict=True)
        ]
        offsets, neighbours = [0], []
        for i, own in enumerate(senses):
            neighbours += [j for j, other in enumerate(senses) if i != j and own & other]
            offsets.append(len(neighbours))
        return offsets, neighbours
