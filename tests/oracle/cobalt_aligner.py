"""UPF-Cobalt's aligner (METRICS 1.8), stage by stage and slowly; MWA changes some of its stages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from oracle.cobalt_relations import (
    COBALT_CHILD_PARENT,
    COBALT_CHILDREN,
    COBALT_PARENT_CHILD,
    COBALT_PARENTS,
    Neighbour,
    Relation,
    coarse,
    in_one_set,
    neighbourhood,
)
from oracle.cobalt_words import (
    FUNCTION_LIKE,
    PUNCTUATION,
    Evidence,
    Token,
    alignment_similarity,
)

THETA = 0.9
WINDOW = 3
Pair = tuple[int, int]


@dataclass(frozen=True)
class Parsed:
    """A sentence; tokens are numbered from 1."""

    tokens: tuple[Token, ...]
    relations: tuple[Relation, ...] = ()

    def __len__(self) -> int:
        return len(self.tokens)

    def __getitem__(self, index: int) -> Token:
        if index == 0:  # ROOT takes the rest from the last token
            return Token("ROOT", self.tokens[-1].lemma, self.tokens[-1].tag)
        return self.tokens[index - 1]

    def has(self, index: int) -> bool:
        return 0 <= index <= len(self.tokens)

    @property
    def indices(self) -> range:
        return range(1, len(self.tokens) + 1)

    @property
    def sound_relations(self) -> list[Relation]:
        """Those whose ends exist: others say nothing."""
        return [
            relation
            for relation in self.relations
            if self.has(relation.governor) and 1 <= relation.dependent <= len(self)
        ]


@dataclass
class Aligned:
    """The pairs so far, each with the stage that made it."""

    one_to_one: bool
    stage: dict[Pair, int] = field(default_factory=dict)
    left: set[int] = field(default_factory=set)
    right: set[int] = field(default_factory=set)

    def add(self, i: int, j: int, stage: int) -> None:
        if self.one_to_one and not self.both_free(i, j):
            return
        self.stage.setdefault((i, j), stage)
        self.left.add(i)
        self.right.add(j)

    def both_free(self, i: int, j: int) -> bool:
        return i not in self.left and j not in self.right


Run = tuple[int, int, int]


def common_runs(left: Sequence[str], right: Sequence[str]) -> list[Run]:
    """Maximal common runs (start, start, length), counted from 0, in the order of METRICS 1.8."""
    left, right = [word.lower() for word in left], [word.lower() for word in right]
    swap = len(left) > len(right)
    shorter, longer = (right, left) if swap else (left, right)
    found: list[Run] = []
    for length in range(len(shorter), 0, -1):
        for a in range(len(shorter) - length + 1):
            for b in range(len(longer) - length + 1):
                if shorter[a : a + length] != longer[b : b + length]:
                    continue
                contained = any(
                    c <= a and a + length <= c + more and d <= b and b + length <= d + more
                    for c, d, more in found
                )
                if not contained:
                    found.append((a, b, length))
    return [(b, a, length) if swap else (a, b, length) for a, b, length in found]


def align_final_punctuation(left: Parsed, right: Parsed, aligned: Aligned) -> None:
    n, m = len(left), len(right)
    final = (".", "!")
    if left[n].form == right[m].form:
        aligned.add(n, m, 1)
        return
    for i, j in ((n, m), (n - 1, m), (n, m - 1), (n - 1, m - 1)):
        # A position before the first token wraps round to the last one, which was tried before.
        if i and j and left[i].form in final and right[j].form in final:
            aligned.add(i, j, 1)
            return


def align_identical_runs(left: Parsed, right: Parsed, aligned: Aligned) -> None:
    runs = common_runs([t.form for t in left.tokens], [t.form for t in right.tokens])
    for a, b, length in runs:
        if length < 2:
            continue
        for k in range(length):
            if aligned.both_free(a + k + 1, b + k + 1):
                aligned.add(a + k + 1, b + k + 1, 2)


def _hyphenated(form: str) -> bool:
    return "-" in form and form != "-"


def align_hyphenated_groups(left: Parsed, right: Parsed, aligned: Aligned) -> None:
    forms = [token.form for token in right.tokens]
    for i in left.indices:
        if i not in aligned.left and _hyphenated(left[i].form):
            for _, b, length in common_runs(left[i].form.split("-"), forms):
                for j in range(b + 1, b + length + 1) if length >= 2 else ():
                    aligned.add(i, j, 3)
    forms = [token.form for token in left.tokens]
    for j in right.indices:
        if j not in aligned.right and _hyphenated(right[j].form):
            for a, _, length in common_runs(forms, right[j].form.split("-")):
                for i in range(a + 1, a + length + 1) if length >= 2 else ():
                    aligned.add(i, j, 3)


@dataclass
class Entity:
    places: list[int]
    words: list[str]
    kind: str

    @property
    def name(self) -> list[str]:
        return [word.replace("-", "") for word in self.words]


NAMES = ("PERSON", "ORGANIZATION", "LOCATION")


def _entities(sentence: Parsed) -> list[Entity]:
    found: list[Entity] = []
    before = "O"
    for i in sentence.indices:
        token = sentence[i]
        if token.entity != "O" and token.entity == before:
            found[-1].places.append(i)
            found[-1].words.append(token.form)
        elif token.entity != "O":
            found.append(Entity([i], [token.form], token.entity))
        before = token.entity
    return found


def is_acronym(form: str, words: Sequence[str]) -> bool:
    letters = form.replace(".", "")
    return (
        letters.isupper()
        and letters not in ("A", "I")
        and len(letters) == len(words)
        and all(word.startswith(letter) for letter, word in zip(letters, words, strict=True))
    )


def _learn(sentence: Parsed, own: list[Entity], others: Sequence[Entity]) -> None:
    known = {place for entity in own for place in entity.places}
    for i in sentence.indices:
        form = sentence[i].form
        if i in known or not form[:1].isupper():
            continue
        for other in others:
            if form in other.words:
                before = [entity for entity in own if entity.places[-1] == i - 1]
                for entity in before:
                    entity.places.append(i)
                    entity.words.append(form)
                if not before:
                    own.append(Entity([i], [form], other.kind))
            elif is_acronym(form, other.words):
                own.append(Entity([i], [form], other.kind))


def align_named_entities(left: Parsed, right: Parsed, aligned: Aligned) -> None:
    lefts, rights = _entities(left), _entities(right)
    _learn(left, lefts, rights)
    _learn(right, rights, lefts)
    if not lefts or not rights:
        return
    lefts = [entity for entity in lefts if entity.kind in NAMES]
    rights = [entity for entity in rights if entity.kind in NAMES]
    left_before, right_before = set(aligned.left), set(aligned.right)

    def once(entity: Entity, side: Sequence[Entity]) -> bool:
        return sum(entity.name == other.name for other in side) == 1

    pairs: list[Pair] = []
    full: list[int] = []
    for a in lefts:
        for b in rights:
            if a.name == b.name and once(a, lefts) and once(b, rights):
                pairs += zip(a.places, b.places, strict=True)
                full += [id(a), id(b)]
    for a in lefts:
        for b in rights:
            if id(a) in full or id(b) in full or a.kind != b.kind:
                continue
            if not (once(a, lefts) and once(b, rights)):
                continue
            if set(a.words) <= set(b.words):
                pairs += _equal_words(a, b)
                if not aligned.one_to_one:
                    pairs += _left_over(a, b, lefts, right_before, wrong_index=False)
            elif set(b.words) <= set(a.words):
                pairs += [(i, j) for j, i in _equal_words(b, a)]
                if not aligned.one_to_one:
                    found = _left_over(b, a, rights, left_before, wrong_index=True)
                    pairs += [(i, j) for j, i in found]
    for a in lefts:
        for b in rights:
            if len(a.words) == 1 and is_acronym(a.words[0], b.words):
                pairs += [(a.places[0], j) for j in b.places]
            if len(b.words) == 1 and is_acronym(b.words[0], a.words):
                pairs += [(i, b.places[0]) for i in a.places]
    for i, j in pairs:
        aligned.add(i, j, 4)


def _equal_words(shorter: Entity, longer: Entity) -> list[Pair]:
    """Pairs (place in the shorter name, place in the longer one)."""
    return [
        (i, j)
        for i, word in zip(shorter.places, shorter.words, strict=True)
        for j, other in zip(longer.places, longer.words, strict=True)
        if word == other
    ]


def _left_over(
    shorter: Entity,
    longer: Entity,
    shorter_side: Sequence[Entity],
    longer_before: set[int],
    *,
    wrong_index: bool,
) -> list[Pair]:
    """Each word of the shorter name with each of the longer that no word equals."""
    known = {word for entity in shorter_side for word in entity.words}
    matched = {j for _, j in _equal_words(shorter, longer)}
    rest = []
    for k, (i, word) in enumerate(zip(shorter.places, shorter.words, strict=True)):
        for place, j in enumerate(longer.places):
            looked_up = k if wrong_index else place
            if j in matched or j in longer_before or looked_up >= len(longer.words):
                continue
            other = longer.words[looked_up]
            if other not in known and not {word.lower(), other.lower()} & PUNCTUATION:
                rest.append((i, j))
    return rest


Similarity = Callable[[int, int], float]


@dataclass
class Counters:
    """The loop of stages 6, 8 and 9: picks wear out the indices they pick."""

    values: dict[Pair, float]
    rounds: int

    @classmethod
    def of(cls, values: dict[Pair, float]) -> Counters:
        return cls(values, len({i for i, _ in values}))

    def run(self, aligned: Aligned, accept: Callable[[int, int], bool], stage: int) -> None:
        left = Counter(i for i, _ in self.values)
        right = Counter(j for _, j in self.values)
        for _ in range(self.rounds):
            best: Pair | None = None
            highest = 0.0
            for i, j in sorted(self.values):
                usable = left[i] > 0 and right[j] > 0 and aligned.both_free(i, j)
                if usable and self.values[i, j] > highest:
                    best, highest = (i, j), self.values[i, j]
            if best is None:
                return
            if accept(*best):
                aligned.add(*best, stage)
            left[best[0]] -= 1
            right[best[1]] -= 1


@dataclass
class CobaltAligner:
    """The nine stages for one pair of sentences."""

    left: Parsed
    right: Parsed
    evidence: Evidence = field(default_factory=Evidence)
    one_to_one: bool = True
    symmetric: bool = False
    equivalent_types: bool = True
    theta: float = THETA
    _similarities: dict[Pair, float] = field(default_factory=dict, repr=False)

    def similarity(self, i: int, j: int) -> float:
        """Remembered, since every stage asks again."""
        if (i, j) not in self._similarities:
            self._similarities[i, j] = self.compare(self.left[i], self.right[j])
        return self._similarities[i, j]

    def compare(self, left: Token, right: Token) -> float:
        return alignment_similarity(left, right, self.evidence)

    def lemma_similarity(self, i: int, j: int) -> float:
        left, right = self.left[i].by_lemma, self.right[j].by_lemma
        return alignment_similarity(left, right, self.evidence)

    def weigh(self, similarity: float, evidence: float) -> float:
        return self.theta * similarity + (1 - self.theta) * evidence

    def align(self) -> Aligned:
        aligned = Aligned(self.one_to_one)
        if not len(self.left) or not len(self.right):
            return aligned
        align_final_punctuation(self.left, self.right, aligned)
        align_identical_runs(self.left, self.right, aligned)
        align_hyphenated_groups(self.left, self.right, aligned)
        align_named_entities(self.left, self.right, aligned)
        for part in "vnjr":
            self.align_by_dependencies(part, aligned)
        self.align_by_text(aligned)
        self.align_hyphenated_parts(aligned)
        self.align_stop_words(aligned)
        self.align_function_words(aligned)
        return aligned

    def matching_neighbours(
        self,
        part: str,
        left: tuple[list[Neighbour], list[Neighbour]],
        right: tuple[list[Neighbour], list[Neighbour]],
    ) -> Iterable[tuple[str, int, int]]:
        """(direction, k, m) of all neighbours whose relations match, by METRICS 1.7."""
        parents, children = COBALT_PARENTS.get(part, ()), COBALT_CHILDREN.get(part, ())
        up = COBALT_PARENT_CHILD.get(part, frozenset())
        down = COBALT_CHILD_PARENT.get(part, frozenset())
        equivalent = self.equivalent_types
        for k, a in left[0]:
            for m, b in right[0]:
                if a == b or (equivalent and in_one_set(a, b, parents)):
                    yield "parents", k, m
        for k, a in left[1]:
            for m, b in right[1]:
                if a == b or (equivalent and in_one_set(a, b, children)):
                    yield "children", k, m
        for k, a in left[0]:
            for m, b in right[1]:
                # The second comparison is the released program's: roles swapped, not sides.
                swapped = not self.symmetric and (b, a) in down
                if a == b or (equivalent and ((a, b) in up or swapped)):
                    yield "opposite", k, m
        if self.symmetric:
            for k, a in left[1]:
                for m, b in right[0]:
                    if a == b or (equivalent and (b, a) in down):
                        yield "opposite", k, m

    def dependency_evidence(self, i: int, j: int, part: str, before: set[Pair]) -> float:
        pairs: dict[Pair, float] = {}
        for _, k, m in self.matching_neighbours(
            part,
            neighbourhood(i, None, self.left.sound_relations),
            neighbourhood(j, None, self.right.sound_relations),
        ):
            value = self.similarity(k, m)
            if (k, m) in before or value >= 0.5:
                pairs[k, m] = value
        ranked = sorted(pairs, key=lambda pair: (-pairs[pair], pair))
        best: set[Pair] = set()
        for side in (0, 1):
            seen: set[int] = set()
            for pair in ranked:
                if pair[side] not in seen:
                    seen.add(pair[side])
                    best.add(pair)
        used: tuple[set[int], set[int]] = (set(), set())
        total = 0.0
        for k, m in ranked:
            if (k, m) in best and k not in used[0] and m not in used[1]:
                used[0].add(k)
                used[1].add(m)
                total += pairs[k, m]
        return total

    def align_by_dependencies(self, part: str, aligned: Aligned) -> None:
        def considered(token: Token) -> bool:
            return coarse(token.tag) == part or token.tag == "PRP"

        before = set(aligned.stage)
        values: dict[Pair, float] = {}
        for i in self.left.indices:
            for j in self.right.indices:
                if not (considered(self.left[i]) and considered(self.right[j])):
                    continue
                if not aligned.both_free(i, j) or self.similarity(i, j) < 0.5:
                    continue
                evidence = self.dependency_evidence(i, j, part, before)
                if self.similarity(i, j) == 0.5 and 0.5 + evidence <= 1.0:
                    continue
                if evidence < 0.5:
                    evidence = 0.0
                values[i, j] = self.weigh(self.similarity(i, j), evidence)
        while True:
            free = [
                (i, j)
                for i, j in sorted(values)
                if aligned.both_free(i, j)
                and coarse(self.left[i].tag) == coarse(self.right[j].tag) == part
                and not self.left[i].in_stop_words
                and not self.right[j].in_stop_words
            ]
            if not free:
                return
            aligned.add(*max(free, key=lambda pair: values[pair]), 5)

    def window(self, sentence: Parsed, i: int) -> list[int]:
        around = range(max(1, i - WINDOW), min(len(sentence), i + WINDOW) + 1)
        return [
            k
            for k in around
            if k != i
            and not sentence[k].in_stop_words
            and sentence[k].lemma.lower() not in PUNCTUATION
        ]

    def text_evidence(self, i: int, j: int, threshold: float) -> float:
        total = 0.0
        for k in self.window(self.left, i):
            for m in self.window(self.right, j):
                value = self.lemma_similarity(k, m)
                if value >= threshold:
                    total += value
        return total

    def align_by_text(self, aligned: Aligned) -> None:
        values: dict[Pair, float] = {}
        for i in self.left.indices:
            for j in self.right.indices:
                if not aligned.both_free(i, j):
                    continue
                if self.left[i].function_like or self.right[j].function_like:
                    continue
                similarity = self.similarity(i, j)
                evidence = self.text_evidence(i, j, 0.5)
                if similarity == 0.5 and similarity + evidence <= 1.0:
                    continue
                values[i, j] = self.weigh(similarity, evidence)
        Counters.of(values).run(aligned, lambda i, j: self.similarity(i, j) >= 0.5, 6)

    def align_hyphenated_parts(self, aligned: Aligned) -> None:
        left, right = self.left, self.right
        forms = [token.form for token in right.tokens]
        for i in left.indices:
            if i not in aligned.left and _hyphenated(left[i].form):
                for _, b, length in common_runs(left[i].form.split("-"), forms):
                    free = length == 1 and b + 1 not in aligned.right
                    if free and not right[b + 1].in_stop_words:
                        aligned.add(i, b + 1, 7)
        forms = [token.form for token in left.tokens]
        for j in right.indices:
            if j not in aligned.right and _hyphenated(right[j].form):
                for a, _, length in common_runs(forms, right[j].form.split("-")):
                    if length == 1 and not left[a + 1].in_stop_words:
                        aligned.add(a + 1, j, 7)
                        break

    def aligned_neighbours(self, i: int, j: int, aligned: Aligned) -> int:
        left = neighbourhood(i, self.left[i].form, self.left.sound_relations)
        right = neighbourhood(j, self.right[j].form, self.right.sound_relations)
        return sum(
            (k, m) in aligned.stage
            for side in (0, 1)
            for k, _ in left[side]
            for m, _ in right[side]
        )

    def similar_stop_words(self, i: int, j: int) -> bool:
        return self.left[i].lemma == self.right[j].lemma or self.similarity(i, j) >= 0.5

    def align_stop_words(self, aligned: Aligned) -> None:
        counts = {
            (i, j): self.aligned_neighbours(i, j, aligned)
            for i in self.left.indices
            for j in self.right.indices
            if aligned.both_free(i, j)
            and self.left[i].in_stop_words
            and self.right[j].in_stop_words
            and self.similar_stop_words(i, j)
        }
        self.run_counted(counts, aligned, 8)

    def run_counted(self, counts: dict[Pair, int], aligned: Aligned, stage: int) -> None:
        values = {pair: self.weigh(self.similarity(*pair), counts[pair]) for pair in counts}
        Counters.of(values).run(
            aligned,
            lambda i, j: self.similarity(i, j) >= 0.5 and counts[i, j] > 0,
            stage,
        )

    def function_word_evidence(self, i: int, j: int, aligned: Aligned) -> int:
        def outwards(sentence: Parsed, place: int) -> tuple[int, int]:
            before = after = place
            while before > 0 and sentence[before].lemma.lower() in FUNCTION_LIKE:
                before -= 1
            while after < len(sentence) - 1 and sentence[after].function_like:
                after += 1
            return before, after

        (k, x), (m, y) = outwards(self.left, i), outwards(self.right, j)
        return ((k, m) in aligned.stage) + ((x, y) in aligned.stage)

    def align_function_words(self, aligned: Aligned) -> None:
        counts = {
            (i, j): self.function_word_evidence(i, j, aligned)
            for i in self.left.indices
            for j in self.right.indices
            if aligned.both_free(i, j)
            and self.left[i].function_like
            and self.right[j].function_like
            and self.similarity(i, j) >= 0.5
        }
        self.run_counted(counts, aligned, 9)
