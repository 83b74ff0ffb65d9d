"""Words as the encoder reads them: one position a word, which is the sum of what is known of its form.

That is its word vector (the table that ships), the pieces that it is spelt with, and its case. So a word
that nobody has seen before still says something, and an explanation needs no pieces.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from metaphrase.lexicon import WordVectors
from metaphrase.trained.encoder import case_of

#: Pieces of a word that are looked at.
PIECES = 6
#: What 1 is in the whole numbers of word vectors.
UNIT = 300
#: What stands for nothing: piece 0, vector 0, type 0.
NOTHING = 0
#: Stands at the start of a word.
MARK = "\u2581"


def learn_pieces(counts: dict[str, int], size: int) -> list[str]:
    """A vocabulary of pieces by byte-pair encoding of lower-case words; those at a start are marked."""
    from tokenizers import Tokenizer, models, trainers

    tokenizer = Tokenizer(models.BPE())
    trainer = trainers.BpeTrainer(vocab_size=size - 1, min_frequency=2, show_progress=False)
    words = (MARK + word for word, count in counts.items() for _ in range(min(count, 200)))
    tokenizer.train_from_iterator(words, trainer)
    return ["", *sorted(tokenizer.get_vocab())]


class Spelling:
    """Cuts words into pieces, the longest first."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self.pieces = list(pieces)
        self._numbers = {piece: number for number, piece in enumerate(pieces) if piece}
        self._longest = max(map(len, pieces))

    def spell(self, word: str) -> list[int]:
        """The numbers of a word's pieces; characters that no piece has are left out."""
        text, start, found = MARK + word, 0, []
        while start < len(text) and len(found) < PIECES:
            for end in range(min(len(text), start + self._longest), start, -1):
                number = self._numbers.get(text[start:end])
                if number is not None:
                    found.append(number)
                    start = end
                    break
            else:
                start += 1
        return found


@dataclass(frozen=True, slots=True)
class Types:
    """All distinct forms, with what is known of each; the first is no word at all.

    ``vectors`` holds a row for each word vector that occurs, and ``vector`` says which one is a type's.
    """

    forms: list[str]
    vector: np.ndarray
    pieces: np.ndarray
    case: np.ndarray
    vectors: np.ndarray

    @classmethod
    def of(cls, forms: Iterable[str], spelling: Spelling, table: WordVectors) -> Types:
        forms = ["", *forms]
        lower = [form.lower() for form in forms]
        ranks = table.ranks(lower)
        known, first = np.unique(ranks, return_index=True)
        known, first = known[known >= 0], first[known >= 0]
        place = np.zeros(len(table) + 1, dtype=np.int32)  # the last one is that of unknown words
        place[known] = np.arange(1, len(known) + 1)
        pieces = np.zeros((len(forms), PIECES), dtype=np.uint16)
        for row, word in enumerate(lower):
            spelt = spelling.spell(word) if word else []
            pieces[row, : len(spelt)] = spelt
        rows = table.vectors([lower[row] for row in first.tolist()])
        return cls(
            forms,
            vector=place[ranks],
            pieces=pieces,
            case=np.array([case_of(form) for form in forms], dtype=np.uint8),
            vectors=np.concatenate([np.zeros((1, table.dimension)), rows]).astype(np.float16),
        )
