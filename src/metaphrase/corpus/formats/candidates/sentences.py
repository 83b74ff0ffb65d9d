"""JSON objects of which each has all candidates of a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from metaphrase.corpus.formats.candidates.given import GivenCandidates, checked_weight
from metaphrase.corpus.formats.candidates.values import checked_id, checked_list
from metaphrase.corpus.formats.tables.cells import checked_cell
from metaphrase.errors import InputError

#: A line, and what stands there by role.
Values = tuple[int, Mapping[str, object]]


def sentences_of(
    values: Iterable[Values], path: str, per_sentence: int | None
) -> Iterator[GivenCandidates]:
    """One sentence for each object."""
    for line, given in values:
        texts = checked_list(given["candidates"], "candidates", path, line)
        if per_sentence is not None and len(texts) != per_sentence:
            raise InputError(
                "MP854",
                f"The sentence has {len(texts)} candidates, not {per_sentence}.",
                path=path,
                line=line,
                hint="Leave --per-sentence out: a line says how many it has.",
            )
        kind = "logprobs" if "logprobs" in given else "weights"
        weights = None
        if kind in given:
            numbers = given[kind]
            if not isinstance(numbers, list):
                raise InputError(
                    "MP857",
                    f"{kind} is of type {type(numbers).__name__}, not a list.",
                    path=path,
                    line=line,
                    hint="Give a number for each candidate.",
                )
            weights = [checked_weight(number, kind, path, line) for number in numbers]
        yield GivenCandidates(
            path=path,
            line=line,
            texts=texts,
            weights=weights,
            are_logarithms=kind == "logprobs",
            samples=checked_list(given["samples"], "samples", path, line)
            if "samples" in given
            else None,
            references=references_of(given, path, line),
            source=checked_cell(given["source"], "source", path, line)
            if "source" in given
            else None,
            name=checked_id(given["id"], path, line) if "id" in given else None,
        )


def references_of(given: Mapping[str, object], path: str, line: int) -> tuple[str, ...]:
    """One reference, or a list of them; none if the row has none."""
    if "reference" in given:
        return (checked_cell(given["reference"], "reference", path, line),)
    if "references" in given:
        return checked_list(given["references"], "references", path, line)
    return ()
