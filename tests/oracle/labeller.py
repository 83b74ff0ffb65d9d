"""The sequence labeller by its definition: all features of a token looked up, all paths tried.

Reads the same model file as the core; shares no code with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby, pairwise, product

from oracle.tagger import MASK, OracleTagger, Reader, Word, key, lexicon_key, mix

OUTSIDE_TAG = 0xFFFF
#: Templates of several words that the tagger's list ends with; the labeller has its own.
TAGGER_TEMPLATES = 19
#: Bits of the lexicon: whole names and common nouns; first words of names; lists lie above the lowest ten.
WHOLE, FIRST, LISTS = 7, 8 + 32 + 64, 10
KNOWN = WHOLE + 512


@dataclass(frozen=True)
class Known:
    """What the lexicon says of several words, and where in them a token stands (0 is nowhere)."""

    gazetteer: int = 0
    lists: int = 0
    place: int = 0


class OracleLabeller(OracleTagger):
    def __init__(self, model: bytes) -> None:
        assert model[:4] == b"MPSL"
        read = Reader(model[16:])
        self.task, (self.runs,) = read.string(), read.get("B")
        self.labels = [read.string() for _ in range(read.get("I")[0])]
        self.tags = [read.string() for _ in range(read.get("I")[0])]
        self.read_words(read)
        self.weights, self.inflections = {}, {}
        for _ in range(read.get("I")[0]):
            (feature,) = read.get("I")
            present = int.from_bytes(bytes(read.get("B" * ((len(self.labels) + 7) // 8))), "little")
            speaks_for = [y for y in range(len(self.labels)) if present >> y & 1]
            self.weights[feature] = [(y, read.get("b")[0]) for y in speaks_for]
        size = len(self.labels) ** 2
        self.transitions = [read.get("h" * size) for _ in range(len(self.tags) + 1)]
        assert read.at == len(read.content)

    def tag_number(self, tag: str) -> int:
        return self.tags.index(tag) + 1 if tag in self.tags else 0

    def word(self, form: str) -> Word:
        word = super().word(form)
        word.lists, word.ambiguity = word.ambiguity >> LISTS, word.ambiguity % (1 << LISTS)
        return word

    def known(self, words: list[Word]) -> Known:
        phrase = 0
        for word in words:
            phrase = mix((phrase + 1) & MASK, word.lower)
        bits = self.usages.get(lexicon_key(phrase), (0, 0))[0]
        return Known(bits % (1 << LISTS), bits >> LISTS)

    def known_phrases(self, words: list[Word]) -> list[Known]:
        """For every token the longest known name of two to five words that it stands in."""
        found: list[Known] = []
        while len(found) < len(words):
            begin, best = len(found), []
            if words[begin].ambiguity & FIRST:
                for end in range(begin + 2, min(begin + 5, len(words)) + 1):
                    name = self.known(words[begin:end])
                    if name.gazetteer & WHOLE or name.lists:
                        places = [2, *[3] * (end - begin - 2), 4]
                        best = [Known(name.gazetteer, name.lists, place) for place in places]
            found += best or [Known()]
        return found

    def run_traits(
        self, words: list[Word], tags: list[str]
    ) -> list[tuple[int, int, int, int, Known]]:
        """For every token: its place, the run's begin, end and length, and what it is known as."""
        found = []
        numbers = range(len(tags))
        names = {"NNP", "NNPS"}.intersection(self.tags)
        for name, group in groupby(numbers, lambda i: tags[i] in names or -1 - i):
            run = list(group)
            begin, end, size = run[0], run[-1], len(run)
            short = name is True and size <= 6
            known = self.known(words[begin : end + 1]) if short else Known()
            for i in run:
                place = 2 if i == begin else 4 if i == end else 3
                place = 0 if name is not True else 1 if size == 1 else place
                found.append((place, begin, end, min(size, 7), known))
        return found

    def emissions(self, forms: list[str], tags: list[str]) -> list[list[int]]:
        words = [self.word(form) for form in forms]
        padded = [Word(), Word(), *words, Word(), Word()]
        numbers = [self.tag_number(tag) for tag in tags]
        padded_tags = [OUTSIDE_TAG] * 2 + numbers + [OUTSIDE_TAG] * 2
        case = self.text_case(forms)
        runs = self.run_traits(words, tags)
        phrases = self.known_phrases(words)
        scores = []
        for i, (place, begin, end, size, known) in enumerate(runs):
            window, t = padded[i : i + 5], padded_tags[i : i + 5]
            features = self.features(window, 0, 0, 0)[:-TAGGER_TEMPLATES]
            features += [key(50 + n, tag) for n, tag in enumerate(t)]
            features += neighbour_features(window, t, case)
            if self.runs:
                around = padded[begin + 1], padded[begin + 2], padded[end + 2], padded[end + 3]
                features += run_features(window, around, place, size, known, case)
                features += name_features(window, around, place, known, phrases[i])
            row = [0] * len(self.labels)
            for feature in features:
                for label, weight in self.weights.get(feature, ()):
                    row[label] += weight
            scores.append(row)
        return scores

    def may_follow(self, before: str, label: str) -> bool:
        return not label.startswith("I-") or before in {f"B-{label[2:]}", label}

    def score(self, forms: list[str], tags: list[str], labels: list[str]) -> int:
        """The sum over the tokens of a path; the path must be IOB2."""
        assert all(self.may_follow(a, b) for a, b in pairwise(["O", *labels]))
        path = [self.labels.index(label) for label in labels]
        emissions = self.emissions(forms, tags)
        total = sum(row[y] for row, y in zip(emissions, path, strict=True))
        for i in range(1, len(path)):
            matrix = self.transitions[self.tag_number(tags[i])]
            total += matrix[path[i - 1] * len(self.labels) + path[i]]
        return total

    def best_score(self, forms: list[str], tags: list[str]) -> int:
        """Over all paths, one by one: short sentences only."""
        emissions = self.emissions(forms, tags)
        matrices = [self.transitions[self.tag_number(tag)] for tag in tags]
        size, names = len(self.labels), self.labels
        starts = [y for y in range(size) if self.may_follow("O", names[y])]
        follow = {
            (p, y) for p, y in product(range(size), repeat=2) if self.may_follow(names[p], names[y])
        }
        best = None
        for path in product(starts, *[range(size)] * (len(forms) - 1)):
            if all(pair in follow for pair in pairwise(path)):
                total = sum(emissions[i][y] for i, y in enumerate(path))
                pairs = enumerate(pairwise(path), 1)
                total += sum(matrices[i][p * size + y] for i, (p, y) in pairs)
                best = total if best is None else max(best, total)
        return best or 0


def neighbour_features(window: list[Word], tags: list[int], text_case: int) -> list[int]:
    _, left, word, right, _ = window
    t0, t1, t2, t3, t4 = tags
    setting = text_case * 2 + left.ends_sentence
    return [
        key(1, t0, t1),
        key(2, t1, t2),
        key(3, t2, t3),
        key(4, t3, t4),
        key(5, t0, t1, t2),
        key(6, t1, t2, t3),
        key(7, t2, t3, t4),
        key(8, word.lower, t2),
        key(9, left.lower, t2),
        key(10, right.lower, t2),
        key(11, left.lower, word.lower),
        key(12, word.lower, right.lower),
        key(13, left.fine, word.fine),
        key(14, word.fine, right.fine),
        key(15, t1, word.lower),
        key(16, word.lower, t3),
        key(17, left.lower, t1, t2),
        key(18, left.coarse, t2, right.coarse),
        key(19, setting, word.kind, t2),
        key(20, setting, word.kind, word.capitals),
    ]


def run_features(
    window: list[Word],
    around: tuple[Word, Word, Word, Word],
    place: int,
    size: int,
    known: Known,
    text_case: int,
) -> list[int]:
    _, left, word, right, _ = window
    before, first, last, after = around
    return [
        key(30, place, first.lower),
        key(31, place, last.lower),
        key(32, place, before.lower),
        key(33, place, after.lower),
        key(34, place, known.gazetteer),
        key(35, place, size, text_case),
        key(36, place, before.coarse, last.coarse),
        key(37, place, last.ambiguity, first.ambiguity),
        key(38, left.ambiguity, word.ambiguity),
        key(39, word.ambiguity, right.ambiguity),
        key(40, place, last.fine),
        key(41, place, after.coarse, last.coarse),
    ]


def name_features(
    window: list[Word],
    around: tuple[Word, Word, Word, Word],
    place: int,
    known: Known,
    phrase: Known,
) -> list[int]:
    _, left, word, right, _ = window
    _, first, last, _ = around
    return [
        key(60, word.ambiguity & KNOWN, word.kind),
        key(61, place, known.gazetteer & KNOWN),
        key(62, place, word.ambiguity & ~WHOLE),
        key(63, word.lists, word.kind),
        key(64, place, first.lists, last.lists),
        key(65, place, known.lists),
        key(66, left.lists, word.lists, right.lists),
        key(67, word.kind, left.kind, right.kind),
        key(68, word.kind, left.lower),
        key(69, word.kind, right.lower),
        key(70, phrase.place, phrase.gazetteer & KNOWN, phrase.lists),
        key(71, phrase.place * 5 + place, phrase.gazetteer & KNOWN, phrase.lists),
    ]
