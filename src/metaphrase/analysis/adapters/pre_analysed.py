"""Sentences that somebody analysed before, behind the interface of an analyser."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from os import PathLike
from typing import Any

from metaphrase.analysis.adapters.conllu import read_conllu
from metaphrase.analysis.analyser import requested_columns
from metaphrase.analysis.sentence import COLUMNS, Batch, Sentence
from metaphrase.corpus.normalisation import NormalisedText, normalise
from metaphrase.errors import InputError, excerpt


class PreAnalysed:
    """Answers with the sentence whose text is the text asked for, or becomes it when it is normalised.

    Where the same text was analysed twice, the first analysis counts: a text must mean one thing,
    or scores would depend on the order of segments.
    """

    def __init__(self, sentences: Iterable[Sentence], name: str) -> None:
        self.name = name
        self._by_text: dict[str, Sentence] = {}
        for sentence in sentences:
            self._by_text.setdefault(sentence.text, sentence)
        # A row without tokens says nothing about the columns of the others.
        rows = [row.columns for row in self._by_text.values() if len(row)]
        self.columns = frozenset(COLUMNS).intersection(*rows)

    def __repr__(self) -> str:
        return f"<PreAnalysed {self.name}>"

    @classmethod
    def read(cls, *paths: str | PathLike[str]) -> PreAnalysed:
        """The sentences of CoNLL-U files; see :func:`metaphrase.analysis.adapters.conllu.read_conllu`."""
        return cls([row for path in paths for row in read_conllu(path)], "conllu")

    def fingerprint(self, columns: Collection[str]) -> str:
        """A hash of the sentences, so that the name of the file does not matter."""
        return self._content

    @cached_property
    def _content(self) -> str:
        digest = hashlib.blake2b(digest_size=8)
        for text in sorted(self._by_text):
            sentence = self._by_text[text]
            cells = [getattr(sentence, name) for name in COLUMNS]
            digest.update(json.dumps([text, cells]).encode())
        return digest.hexdigest()

    def analyse(self, texts: Sequence[str], columns: Collection[str], *, threads: int = 1) -> Batch:
        """Look the texts up; one that is not there is an error that names it."""
        names = requested_columns(self, columns)
        return Batch.pack([self._find(text) for text in texts], names)

    def _find(self, text: str) -> Sentence:
        sentence = self._by_text.get(text)
        if sentence is None:
            sentence = self._by_normalised_text.get(text)
        if not text.strip() or (sentence is not None and not len(sentence)):
            return _without_tokens(text)
        if sentence is None:
            raise InputError(
                "MP280",
                f"the text {excerpt(text)} is not among the {len(self._by_text)} "
                f"pre-analysed texts of {self.name!r}.",
                hint="Its text must equal the '# text' of a sentence, character for character.",
            )
        return sentence

    @cached_property
    def _by_normalised_text(self) -> dict[str, Sentence]:
        """Sentences that normalising changes, as metrics compare them."""
        found: dict[str, Sentence] = {}
        for sentence in self._by_text.values():
            text = NormalisedText.of(sentence.text)
            if text.text != sentence.text:
                found.setdefault(text.text, _normalised(sentence, text))
        return found


def _without_tokens(text: str) -> Sentence:
    """Empty segments are common and CoNLL-U has no row for them; every column of one is empty."""
    columns: dict[str, tuple[Any, ...]] = dict.fromkeys(COLUMNS, ())
    return Sentence(text, **columns)


def _normalised(sentence: Sentence, text: NormalisedText) -> Sentence:
    """The sentence with the words of the normalised text; one that is invisible stays as it is."""
    spans = [text.from_original(*span) for span in zip(sentence.start, sentence.end, strict=True)]
    starts, ends = zip(*spans, strict=True) if spans else ((), ())
    lemmas = None if sentence.lemma is None else _words(sentence.lemma)
    return replace(
        sentence,
        text=text.text,
        form=_words(sentence.form),
        lemma=lemmas,
        start=starts,
        end=ends,
    )


def _words(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(normalise(word) or word for word in words)
