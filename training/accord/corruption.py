"""Corrupted texts as preferences: what raters hardly ever meet, and everybody knows to be worse.

Two sorts. A *single* corruption puts one error into a translation, which then is worse than it was. A
*gross* one breaks the reference itself: shuffled, looped, halved, of another segment, with the opposite
meaning or with other numbers it should score no more than ``GROSS`` says, where an average judged
translation scores about 50.

Errors of meaning are those of ``metaphrase probe --make``; antonyms and removed words are made here from the
tags and lexicons that ``accord`` reads. No text of DEMETR or of our own challenge set is among them.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from metaphrase.analysis import Sentence, registry
from metaphrase.analysis.languages.codes import UNSPACED
from metaphrase.arrays import BoolArray, FloatArray
from metaphrase.corpus import Corpus
from metaphrase.corpus.judgements import JudgedText, Judgements
from metaphrase.errors import InputError
from metaphrase.learning.accord import JudgedLosses, Untrained
from metaphrase.lexicon.antonyms import load_antonyms
from metaphrase.metrics import compare
from metaphrase.metrics.accord.facts import DENIED, FACTS
from metaphrase.metrics.accord.features import losses_of
from metaphrase.metrics.accord.meaning import CERTAIN
from metaphrase.probing import make_challenges

#: Translations of each set and language pair that are corrupted, in each single way.
SINGLE_SIZE, GROSS_SIZE = 100, 200
#: The most that a reference should score that was broken in one way.
GROSS = {
    "shuffled": 22.0,
    "twice": 44.0,
    "many times": 9.0,
    "first half": 44.0,
    "another": 9.0,
    "negation": 55.0,
    "numbers": 45.0,
}
#: What an error damages, at least one of them: words, pairs and case of the reference, or extra words.
_DAMAGED = ("w1r", "w2r", "extra words", "case")
#: What it must not mend either: a negation put into the opposite of the reference is right again.
_MENDED = (*FACTS, *DENIED, *CERTAIN, "denial", "opposite", "names missing")
_PIECE, _ROUNDING = 2048, 1e-9
_DIGITS = re.compile(r"\d")
Words = list[str]


@dataclass(frozen=True)
class Corrupted:
    """A text, what became of it, how, and the reference of both."""

    kind: str
    better: str
    worse: str
    reference: str


def generator(*names: object) -> Random:
    """Random numbers that depend on the names alone."""
    return Random(zlib.crc32(repr(names).encode()))


def words_in(text: str, lang: str) -> Words:
    return list(text) if lang in UNSPACED else text.split()


def text_of(words: Sequence[str], lang: str) -> str:
    return ("" if lang in UNSPACED else " ").join(words)


def _shuffled(words: Words, random: Random) -> Words:
    mixed = list(words)
    random.shuffle(mixed)
    return mixed


def _repeated_phrase(words: Words, random: Random) -> Words:
    size = random.randint(1, min(4, len(words)))
    at = random.randrange(len(words) - size + 1)
    return words[: at + size] + words[at : at + size] * random.randint(1, 3) + words[at + size :]


def _swapped(words: Words, random: Random) -> Words:
    one, other = sorted(random.sample(range(len(words)), 2))
    mixed = list(words)
    mixed[one], mixed[other] = mixed[other], mixed[one]
    return mixed


def _neighbours_swapped(words: Words, random: Random) -> Words:
    at = random.randrange(len(words) - 1)
    return [*words[:at], words[at + 1], words[at], *words[at + 2 :]]


def _letter_lost(words: Words, random: Random) -> Words:
    long = [at for at, word in enumerate(words) if len(word) > 3 and word.isalpha()]
    if not long:
        return words
    at = random.choice(long)
    cut = random.randrange(1, len(words[at]) - 1)
    return [*words[:at], words[at][:cut] + words[at][cut + 1 :], *words[at + 1 :]]


def _cut(words: Words, random: Random) -> Words:
    return words[: max(1, int(len(words) * random.uniform(0.3, 0.85)))]


def _without_case(words: Words, random: Random) -> Words:
    return [word.lower() for word in words]


def _without_end(words: Words, random: Random) -> Words:
    return [*words[:-1], words[-1].rstrip(".!?。")] if words else words


def _more_punctuation(words: Words, random: Random) -> Words:
    at = random.randrange(len(words))
    return [*words[:at], words[at] + random.choice(",;.!"), *words[at + 1 :]]


def _other_digits(words: Words, random: Random) -> Words:
    def other(digit: re.Match[str]) -> str:
        return str((int(digit[0]) + random.randint(1, 9)) % 10)

    return [_DIGITS.sub(other, word) for word in words]


ANYWHERE: dict[str, Callable[[Words, Random], Words]] = {
    "shuffled": _shuffled,
    "phrase repeated": _repeated_phrase,
    "two words swapped": _swapped,
    "neighbours swapped": _neighbours_swapped,
    "letter lost": _letter_lost,
    "cut": _cut,
    "without case": _without_case,
    "without end": _without_end,
    "more punctuation": _more_punctuation,
    "other digits": _other_digits,
}


def _by_reference(
    words: Words, reference: Words, others: Words, random: Random
) -> Iterator[tuple[str, Words]]:
    """Errors that cannot repair anything: only words that the reference has too are touched."""
    there = {word.lower() for word in reference}
    right = [at for at, word in enumerate(words) if word.lower() in there]
    strange = [word for word in others if word.lower() not in there and len(word) > 2]
    if not right or not strange:
        return
    at = random.choice(right)
    yield "right word lost", words[:at] + words[at + 1 :]
    at = random.choice(right)
    yield "right word replaced", [*words[:at], random.choice(strange), *words[at + 1 :]]
    place = random.randrange(len(words) + 1)
    yield "word put in", [*words[:place], random.choice(strange), *words[place:]]
    yield "word at the end", [*words, random.choice(strange)]
    size = min(random.randint(2, 6), len(strange))
    start = random.randrange(len(strange) - size + 1)
    yield "phrase put in", [*words[:place], *strange[start : start + size], *words[place:]]


def _without(sentence: Sentence, first: int, last: int) -> str:
    text, start, end = sentence.text, sentence.start[first], sentence.end[last]
    return " ".join((text[:start] + " " + text[end:]).split())


def _by_tags(texts: Sequence[str], random: Random) -> Iterator[tuple[int, str, str]]:
    """English: a verb, noun, adjective, subject or phrase removed, an antonym, another number of it."""
    antonyms = load_antonyms()
    analyser = registry.shared("builtin:en")
    parts = {
        "verb removed": "V",
        "noun removed": "N",
        "modifier removed": "JR",
        "conjunction removed": "C",
    }
    for row, sentence in enumerate(
        analyser.analyse(list(texts), ("lemma", "tag", "head", "relation"))
    ):
        tags, text = sentence.tag or (), sentence.text
        for kind, letters in parts.items():
            places = [at for at, tag in enumerate(tags) if tag[0] in letters and tag != "RP"]
            if places:
                at = random.choice(places)
                yield row, kind, _without(sentence, at, at)
        relations, heads = sentence.relation or (), sentence.head or ()
        subjects = [at for at, name in enumerate(relations) if name.startswith("nsubj")]
        if subjects:
            at = random.choice(subjects)
            inside = {at}
            for _ in range(4):
                inside |= {k for k, head in enumerate(heads) if head - 1 in inside}
            if len(inside) <= 8:
                yield row, "subject removed", _without(sentence, min(inside), max(inside))
        opposites = [
            (at, word)
            for at, lemma in enumerate(sentence.lemma or ())
            if tags[at] in ("JJ", "RB", "NN", "VB", "IN")
            for word, how in antonyms.of(lemma.lower()).items()
            if how == "opposite"
        ]
        if opposites:
            at, word = random.choice(opposites)
            yield row, "antonym", text[: sentence.start[at]] + word + text[sentence.end[at] :]
        pronouns = {"he": "she", "she": "he", "his": "her", "him": "her"}
        changed = [at for at, form in enumerate(sentence.form) if form.lower() in pronouns]
        if changed:
            new = text
            for at in reversed(changed):
                word = pronouns[sentence.form[at].lower()]
                word = word.title() if sentence.form[at].istitle() else word
                new = new[: sentence.start[at]] + word + new[sentence.end[at] :]
            yield row, "gender", new


def single_corruptions(
    texts: Sequence[str], references: Sequence[str], lang: str, seed: object
) -> list[Corrupted]:
    """One error of each kind in each text that it can be put into."""
    random = generator("single", lang, seed)
    found: list[Corrupted] = []
    stock = [words_in(reference, lang) for reference in references]
    for text, reference in zip(texts, references, strict=True):
        words = words_in(text, lang)
        if len(words) < 4:
            continue
        pairs = [(kind, make(words, random)) for kind, make in ANYWHERE.items()]
        others = random.choice(stock)
        pairs += _by_reference(words, words_in(reference, lang), others, random)
        found += [Corrupted(kind, text, text_of(new, lang), reference) for kind, new in pairs]
    if lang == "en":
        found += [
            Corrupted(kind, texts[row], new, references[row])
            for row, kind, new in _by_tags(texts, random)
        ]
    found += [
        Corrupted(item.kind, item.good, item.bad, item.reference)
        for item in _made(references, texts, lang)
    ]
    return [
        one
        for one in found
        if one.worse.strip()
        and one.worse.split() != one.better.split()
        and one.worse != one.reference
    ]


def _made(references: Sequence[str], texts: Sequence[str], lang: str) -> Sequence[object]:
    try:
        return make_challenges(references, texts, lang=lang).items
    except InputError:
        return ()


def gross_corruptions(
    references: Sequence[str], lang: str, seed: object
) -> list[tuple[str, int, str]]:
    """Kind, row and text of references that are broken."""
    random = generator("gross", lang, seed)
    found = []
    for row, reference in enumerate(references):
        words = words_in(reference, lang)
        if len(words) < 4:
            continue
        other = references[random.randrange(len(references))]
        made = {
            "shuffled": text_of(_shuffled(words, random), lang),
            "twice": text_of(words * 2, lang),
            "many times": text_of(words * random.randint(3, 20), lang),
            "first half": text_of(words[: len(words) // 2], lang),
            "another": other,
            "numbers": text_of(_other_digits(words, random), lang),
        }
        found += [(kind, row, text) for kind, text in made.items() if text != reference]
    found += [
        ("negation", int(item.id) - 1, item.bad)
        for item in _made(references, references, lang)
        if item.kind == "negation"
    ]
    return found


def usable_texts(judged: Judgements, losses: JudgedLosses) -> list[JudgedText]:
    """The judged translations that say something, in an order of chance."""
    cells = list(range(len(losses.texts)))
    generator("cells", judged.name, judged.language_pair).shuffle(cells)
    texts = [judged.texts[judged.text_of[losses.system[c], losses.segment[c]]] for c in cells]
    return [one for one in texts if one.hypothesis.strip() and one.references[0].strip()]


def corrupted_pairs(judged: Judgements, texts: Sequence[JudgedText]) -> list[Corrupted]:
    """Single corruptions of the first translations."""
    some = texts[:SINGLE_SIZE]
    return single_corruptions(
        [text.hypothesis for text in some],
        [text.references[0] for text in some],
        judged.target,
        judged.name,
    )


def corrupted_set(
    judged: Judgements, losses: JudgedLosses, metric: Untrained, *, threads: int = 1
) -> JudgedLosses:
    """Preferences for translations over their corruptions, and references that are broken with the most that
    such a text may score."""
    lang = judged.target
    texts = usable_texts(judged, losses)
    pairs = corrupted_pairs(judged, texts)
    references = list(dict.fromkeys(text.references[0] for text in texts))[:GROSS_SIZE]
    broken = gross_corruptions(references, lang, judged.name)
    rows = [(one.better, one.reference) for one in pairs]
    rows += [(one.worse, one.reference) for one in pairs]
    number = {row: place for place, row in enumerate(dict.fromkeys(rows))}
    compared = [*number, *((text, references[row]) for _, row, text in broken)]
    count = len(compared)
    most = np.full(count, 100.0)
    most[len(number) :] = [GROSS[kind] for kind, _, _ in broken]
    table = penalties_of(compared, metric, threads=threads)
    sides = [
        np.array([number[text, one.reference] for one, text in found], dtype=np.int64)
        for found in ([(one, one.better) for one in pairs], [(one, one.worse) for one in pairs])
    ]
    errors = is_error(table[sides[1]] - table[sides[0]], metric.families)
    return JudgedLosses(
        judged.name,
        judged.language_pair,
        texts=table,
        place=most,
        system=np.zeros(count, dtype=np.int64),
        segment=np.arange(count),
        human=None,
        better=sides[0][errors],
        worse=sides[1][errors],
        references=losses.references,
        corrupted=True,
    )


def is_error(more: FloatArray, families: Sequence[str]) -> BoolArray:
    """Which corruptions damage something and mend nothing, by what they have more of each penalty."""
    names = losses_of(families)
    damaged = more[:, [names.index(name) for name in _DAMAGED]]
    mended = more[:, [number for number, name in enumerate(names) if name in _MENDED]]
    kept = (damaged >= -_ROUNDING).all(axis=1) & (mended >= -_ROUNDING).all(axis=1)
    return np.asarray(kept & (damaged > _ROUNDING).any(axis=1))


def penalties_of(
    rows: Sequence[tuple[str, str]], metric: Untrained, *, threads: int = 1
) -> FloatArray:
    """The penalties of texts beside their references."""
    tables = []
    for start in range(0, len(rows), _PIECE):
        piece = rows[start : start + _PIECE]
        corpus = Corpus({"text": [row[0] for row in piece]}, [[row[1] for row in piece]])
        (comparison,) = compare(corpus, metric, threads=threads)
        tables.append(metric.losses(comparison, 0, metric.families, threads=threads))
    return np.concatenate(tables)
