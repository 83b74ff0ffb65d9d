"""Forms that stand for one another: those that mean nearly the same, and those that are mistaken for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from metaphrase.matching.word_alignment import is_function_word
from metaphrase.trained.encoder import case_of

#: Relatives of a form that are kept, and forms that may have any.
MOST, COMMON = 12, 40_000
#: Forms of one word share all but their last letters.
_ENDING, _STEM = 3, 3
_ALIKE = 0.4


def stem(word: str) -> str:
    """What forms of one word have in common with it."""
    return word[: max(_STEM, len(word) - _ENDING)]


def paraphrases(
    forms: Sequence[str], pairs: Iterable[tuple[str, str]], vectors: np.ndarray
) -> np.ndarray:
    """Rows of content words that are paraphrases, of the same case; 0 where there are no more.

    Much in lists of paraphrases is none in most contexts: only words of like vectors count.
    """
    rows = _of_length_one(vectors)
    numbers = {
        form: number
        for number, form in enumerate(forms)
        if len(form) > _STEM and not is_function_word(form)
    }
    found = defaultdict[int, list[int]](list)
    for left, right in pairs:
        for change in (str.lower, str.capitalize):
            one, other = numbers.get(change(left)), numbers.get(change(right))
            if one is not None and other is not None and rows[one] @ rows[other] >= _ALIKE:
                found[one].append(other)
                found[other].append(one)
    return _table(found, len(forms))


def mistaken(
    forms: Sequence[str], counts: np.ndarray, vectors: np.ndarray, harmless: np.ndarray
) -> np.ndarray:
    """Rows of forms with other endings, then those with near vectors, that are no paraphrases."""
    common = np.argsort(-counts, kind="stable")[:COMMON]
    common = common[(common > 0) & (counts[common] > 0)]
    found = defaultdict[int, list[int]](list)
    stems = defaultdict[tuple[int, str], list[int]](list)
    cases = np.array([case_of(forms[number]) for number in common.tolist()])
    for number, case in zip(common.tolist(), cases.tolist(), strict=True):
        lower = forms[number].lower()
        if lower.isalpha():
            stems[case, stem(lower)].append(number)
    for members in stems.values():
        for number in members:
            found[number] += [other for other in members if other != number][: MOST // 2]
    for case in (0, 1):
        own = common[cases == case]
        rows = _of_length_one(vectors[own])
        for start in range(0, len(own), 2048):
            near = rows[start : start + 2048] @ rows.T
            best = np.argpartition(-near, min(MOST, len(own) - 1), axis=1)[:, : MOST + 1]
            for row, places in enumerate(best):
                number = int(own[start + row])
                if rows[start + row].any():
                    not_these = {number, *harmless[number].tolist(), *found[number]}
                    found[number] += [n for n in own[places].tolist() if n not in not_these]
    return _table(found, len(forms))


def _of_length_one(vectors: np.ndarray) -> np.ndarray:
    rows = vectors.astype(np.float32)
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)


def _table(found: dict[int, list[int]], count: int) -> np.ndarray:
    table = np.zeros((count, MOST), dtype=np.int32)
    for number, others in found.items():
        kept = list(dict.fromkeys(others))[:MOST]
        table[number, : len(kept)] = kept
    return table
