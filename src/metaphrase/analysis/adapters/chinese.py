"""Chinese words and tags through ``jieba``, which the extra ``[zh]`` installs.

jieba has the tag set of ICTCLAS. Its own tokeniser logs to standard error and keeps a cache in the shared
temporary directory; ours does neither. A word is its own lemma.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from importlib.metadata import version
from typing import Any

from metaphrase.analysis.analyser import checked_request
from metaphrase.analysis.sentence import Batch, Sentence
from metaphrase.analysis.unusable_text import unusable_text
from metaphrase.extras import not_installed

#: Raised whenever the same version of jieba would give other output than before.
ALGORITHM_VERSION = 1
#: Universal tags by the longest prefix of a tag of ICTCLAS that is listed; ``eng`` is jieba's own.
_UNIVERSAL = {
    "eng": "X",
    "a": "ADJ",
    "ad": "ADV",
    "an": "NOUN",
    "b": "ADJ",
    "c": "CCONJ",
    "d": "ADV",
    "e": "INTJ",
    "f": "ADP",
    "g": "NOUN",
    "h": "PART",
    "i": "NOUN",
    "j": "NOUN",
    "k": "PART",
    "l": "NOUN",
    "m": "NUM",
    "n": "NOUN",
    "nr": "PROPN",
    "ns": "PROPN",
    "nt": "PROPN",
    "nz": "PROPN",
    "o": "INTJ",
    "p": "ADP",
    "q": "NOUN",
    "r": "PRON",
    "s": "NOUN",
    "t": "NOUN",
    "u": "PART",
    "v": "VERB",
    "vd": "ADV",
    "vn": "NOUN",
    "x": "PUNCT",
    "y": "PART",
    "z": "ADJ",
}


class ChineseAnalyser:
    """An :class:`~metaphrase.analysis.analyser.Analyser` of Chinese."""

    name = "builtin:zh"
    columns = frozenset({"form", "start", "end", "lemma", "tag", "upos"})

    def __init__(self) -> None:
        self._tagger = _tagger()
        self._version = version("jieba")

    @classmethod
    def default(cls) -> ChineseAnalyser:
        """One for the whole process: jieba's dictionary takes a second to read."""
        return _default()

    def fingerprint(self, columns: Collection[str]) -> str:
        """The version of jieba, whose dictionary ships with it."""
        return f"jieba-{self._version}.{ALGORITHM_VERSION}"

    def analyse(self, texts: Sequence[str], columns: Collection[str], *, threads: int = 1) -> Batch:
        """One row a text; jieba is Python, so that threads do not make it faster."""
        names = checked_request(self, columns, threads)
        rows = list(texts)
        try:
            for text in rows:
                text.encode()
        except (AttributeError, UnicodeEncodeError):
            raise unusable_text(rows) from None
        return Batch.pack((self._sentence(text) for text in rows), names)

    def _sentence(self, text: str) -> Sentence:
        words = list(self._words(text))
        forms = tuple(text[start:end] for start, end, _ in words)
        return Sentence(
            text,
            form=forms,
            start=tuple(start for start, _, _ in words),
            end=tuple(end for _, end, _ in words),
            lemma=forms,
            tag=tuple(tag for _, _, tag in words),
            upos=tuple(universal_tag(tag) for _, _, tag in words),
        )

    def _words(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Spans and tags of all words that are not white space; jieba's words spell the text."""
        at = 0
        for word, tag in self._tagger.cut(text):
            if word.strip():
                yield at, at + len(word), tag
            at += len(word)

    def __reduce__(self) -> tuple[object, ...]:
        return _default, ()


def universal_tag(tag: str) -> str:
    """The universal tag of a tag of ICTCLAS; ``X`` for foreign words and whatever is not known."""
    prefixes = (tag[:length] for length in (3, 2, 1))
    return next((_UNIVERSAL[prefix] for prefix in prefixes if prefix in _UNIVERSAL), "X")


@cache
def _default() -> ChineseAnalyser:
    return ChineseAnalyser()


def _tagger() -> Any:
    """jieba's tagger over a tokeniser that reads its dictionary in silence."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # jieba 0.42 imports what setuptools calls deprecated
        try:
            import jieba
            import jieba.posseg
        except ImportError:
            raise not_installed(
                "Chinese is cut into words by jieba, which is not installed.", "zh"
            ) from None
        tokeniser = jieba.Tokenizer()
        tokeniser.FREQ, tokeniser.total = tokeniser.gen_pfdict(tokeniser.get_dict_file())
        tokeniser.initialized = (
            True  # what Tokenizer.initialize does besides is to log and to cache
        )
        return jieba.posseg.POSTokenizer(tokeniser)
