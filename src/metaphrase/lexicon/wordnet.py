"""WordNet 3.0 (Fellbaum 1998) with information content from the Brown corpus; both ship.

A word is looked up by its key: ASCII letters in lower case, spaces as underscores, nothing else
changed ("New York" is found as ``new_york``). Nothing is lemmatised on the way; see
:meth:`WordNet.morphy`. Synsets are numbers from 0, stable for one file: nouns first, then verbs,
adjectives and adverbs, each in the order of WordNet's data files.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from metaphrase._core import wordnet as core
from metaphrase.errors import InputError, OptionError, ResourceError
from metaphrase.lexicon.morphology import detach
from metaphrase.lexicon.relation import NO_PART, SynonymGraph
from metaphrase.lexicon.subsumers import WordSubsumers
from metaphrase.shipped import shipped_file

SHIPPED = shipped_file("wordnet-3.0.bin")

_PARTS = ("n", "v", "a", "r")
_ANY_PART = "\0"
# The digest comes after eight bytes of magic and covers all that follows it.
_DIGEST_END = 8 + 32


class WordNet:
    """A WordNet file, opened memory-mapped and read-only; any number of threads may share it.

    Opening checks everything that an answer relies on, so that a truncated or damaged file raises
    ``ResourceError``. The file must not be overwritten in place while it is open; replacing it by
    a new file of the same name, as ``training/build_wordnet.py`` does, is safe.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        hint = "Reinstall metaphrase, or build the file with training/build_wordnet.py."
        # Asked first because opening a pipe would wait for its writer.
        if not self.path.is_file():
            raise ResourceError("MP301", "no such WordNet file.", path=self.path, hint=hint)
        try:
            self._core = core.WordNet(os.fsencode(self.path))
        except core.UnreadableFileError as error:
            raise ResourceError("MP301", f"{error}.", path=self.path, hint=hint) from error
        except ValueError as error:
            raise ResourceError("MP302", f"{error}.", path=self.path, hint=hint) from error

    @staticmethod
    @cache
    def default() -> WordNet:
        """The file that ships with the package, opened once per process."""
        return WordNet(SHIPPED)

    def __reduce__(self) -> tuple[type[WordNet], tuple[Path]]:
        return WordNet, (self.path,)

    def __repr__(self) -> str:
        return f"WordNet({str(self.path)!r})"

    @property
    def name(self) -> str:
        """The file's name without its ending, ``wordnet-3.0`` for the one that ships."""
        return self.path.stem

    @property
    def lemma_count(self) -> int:
        """How many distinct lemmas there are over all parts of speech."""
        return self._core.lemma_count

    @property
    def synset_count(self) -> int:
        """How many synsets there are; they are numbered from 0."""
        return self._core.synset_count

    @property
    def fingerprint(self) -> str:
        """The first 12 hexadecimal digits of the content's SHA-256, as the file states it."""
        return self._core.digest.hex()[:12]

    def verify(self) -> None:
        """Compare the content with its SHA-256, which finds damage that opening cannot see."""
        content = self.path.read_bytes()[_DIGEST_END:]
        if hashlib.sha256(content).digest() != self._core.digest:
            raise ResourceError(
                "MP302",
                "the content does not have the checksum that the file states.",
                path=self.path,
                hint="Reinstall metaphrase.",
            )

    def contains(self, word: str, pos: str | None = None) -> bool:
        """Whether the word is a lemma (of that part of speech)."""
        return bool(self.synsets(word, pos))

    def synsets(self, lemma: str, pos: str | None = None) -> tuple[int, ...]:
        """Synsets of a lemma, the most frequent sense first.

        ``pos`` is "n", "v", "a" (satellites included) or "r"; without it all four follow one
        another in that order.
        """
        return self._core.synsets(lemma, _ANY_PART if pos is None else _checked_part(pos))

    def lemmas(self, synset: int) -> tuple[str, ...]:
        """Lemmas of a synset as keys (lower case, underscores), in alphabetical order."""
        return self._core.lemmas(self._checked(synset))

    def part_of_speech(self, synset: int) -> str:
        """One of "n", "v", "a", "r", or "s" for a satellite adjective."""
        return self._core.part_of_speech(self._checked(synset))

    def hypernyms(self, synset: int) -> tuple[int, ...]:
        """Direct hypernyms and instance hypernyms."""
        return self._core.hypernyms(self._checked(synset))

    def information_content(self, synset: int) -> float:
        """``IC = -log P(synset)`` in nats, with counts from the Brown corpus.

        Infinite where the corpus has no instance, and for adjectives and adverbs.
        """
        return self._core.information_content(self._checked(synset))

    def lin(self, a: int, b: int) -> float:
        """Similarity of two synsets after Lin (1998), from 0 to 1.

        ``2 IC(c) / (IC(a) + IC(b))``, where ``c`` is the common subsumer with the highest IC. Nouns
        and verbs have 1 with themselves, with or without instances in the corpus; 0 stands for
        whatever else the formula leaves undefined: other parts of speech, different ones, no common
        subsumer, no instance (METRICS 5.2).
        """
        return self._core.lin(self._checked(a), self._checked(b))

    def exceptions(self, form: str, pos: str) -> tuple[str, ...]:
        """Base forms that WordNet's list of irregular forms gives, whether or not it has them."""
        return tuple(self._core.exceptions(form, _checked_part(pos)).split())

    def morphy(self, form: str, pos: str) -> tuple[str, ...]:
        """Lemmas of which ``form`` may be an inflection, after morphy(7WN).

        The form itself comes first if it is a lemma; then the base forms from the exception list
        or, only if that has none, those left by the rules of detachment, each applied once to the
        whole form. All are lemmas of this part of speech. Unlike WordNet's program, it does not
        take a collocation apart to treat its words one by one.
        """
        key = _key(form)
        candidates = (key, *(self.exceptions(key, pos) or detach(key, pos)))
        return tuple(dict.fromkeys(base for base in candidates if self.contains(base, pos)))

    def are_synonyms(self, a: str, b: str) -> bool:
        """Whether two words share a synset, all parts of speech together."""
        return not set(self.synsets(a)).isdisjoint(self.synsets(b))

    def synonym_graph(
        self,
        words: Sequence[str],
        *,
        parts: Sequence[str] | None = None,
        fold_case: bool = True,
    ) -> SynonymGraph:
        """For each word, which of the other words share a synset with it.

        ``parts`` gives a letter per word ("n", "v", "a", "r", "" for all, or ``NO_PART``) and only
        synsets of that part of speech count for the word. Words that are not in WordNet have no synonyms.
        Two words with one key, such as "Dog" and "dog", are synonyms of each other; the result
        grows with the square of such repetitions, so words should be given once. Without ``fold_case`` a
        word is sought as it is written; keys are in lower case, so one with a capital is not found.
        """
        if not fold_case:
            words = [word if word == _key(word) else "" for word in words]
        return self._core.synonym_graph(tuple(words), _letters(parts, len(words)))

    def subsumers(
        self, words: Sequence[str], *, parts: Sequence[str] | None = None
    ) -> WordSubsumers:
        """The synsets that subsume each word's senses as a noun or verb: the ground of Lin's similarity.

        ``parts`` restricts the senses of a word as in :meth:`synonym_graph`; adjectives and adverbs have
        no subsumers.
        """
        return WordSubsumers(*self._core.subsumers(tuple(words), _letters(parts, len(words))))

    def _checked(self, synset: int) -> int:
        if not 0 <= synset < self.synset_count:
            raise InputError(
                "MP303",
                f"there is no synset {synset}.",
                hint=f"Synsets of this file are numbered 0 to {self.synset_count - 1}.",
            )
        return synset


class WordNetAsWritten:
    """WordNet for callers that do not fold case: see :meth:`WordNet.synonym_graph`."""

    def __init__(self, wordnet: WordNet) -> None:
        self._wordnet = wordnet

    @property
    def name(self) -> str:
        """WordNet's own."""
        return self._wordnet.name

    @property
    def fingerprint(self) -> str:
        """WordNet's own."""
        return self._wordnet.fingerprint

    def synonym_graph(
        self, words: Sequence[str], *, parts: Sequence[str] | None = None
    ) -> SynonymGraph:
        """For each word, which of the other words share a synset with it, as they are written."""
        return self._wordnet.synonym_graph(words, parts=parts, fold_case=False)


def _key(word: str) -> str:
    """The rule of the module's docstring; the core applies the same one to whatever it is given."""
    if word.isascii():
        return word.lower().replace(" ", "_")
    ascii_lower = "".join([c.lower() if c.isascii() else c for c in word])
    return ascii_lower.replace(" ", "_")


def _letters(parts: Sequence[str] | None, words: int) -> bytes:
    """A byte per word, as the core takes parts of speech."""
    if parts is None:
        return bytes(words)
    if len(parts) != words:
        raise InputError("MP305", f"{words} words have {len(parts)} parts of speech.")
    for part in sorted(set(parts) - {"", NO_PART}):
        _checked_part(part)
    return "".join([part or _ANY_PART for part in parts]).encode()


def _checked_part(part: str) -> str:
    if part not in _PARTS:
        raise OptionError(
            "MP304",
            f"part of speech {part!r} is unknown.",
            hint='Use "n", "v", "a" or "r"; "a" includes satellite adjectives.',
        )
    return part
