"""Candidates from files, with what is in files beside them, one sentence at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from os import PathLike, fspath
from typing import Any

from metaphrase.corpus.formats.candidates import GivenCandidates, open_candidates
from metaphrase.corpus.lines import STDIN, FilePath, LineReader
from metaphrase.errors import InputError, OptionError
from metaphrase.selection.candidates import Candidates, probabilities

_END: Any = object()


def read_candidates(
    paths: FilePath | Sequence[FilePath],
    *,
    per_sentence: int | None = None,
    samples: FilePath | None = None,
    samples_per_sentence: int | None = None,
    references: Sequence[FilePath] = (),
    oracle: bool = False,
    sources: FilePath | None = None,
    columns: Mapping[str, object] | None = None,
    file_format: str | None = None,
    equal_weights: bool = False,
) -> Iterator[Candidates]:
    """Sentences as ``metaphrase select`` reads them: plain text, JSONL, TSV or n-best lists.

    paths: one file, or one for each system
    per_sentence: how many candidates a sentence has, in a file that does not say it
    samples: a file of samples, read as candidates are, ``samples_per_sentence`` of them being together
    references, sources: files with one line for each sentence
    oracle: whether references that stand beside the candidates are used; in other files they are
    columns: what roles are called in a table or in JSON
    equal_weights: whether all samples count alike, whatever the file says

    >>> for sentence in read_candidates(["system-a.txt", "system-b.txt"]):
    ...     len(sentence), sentence.name
    ...     break
    (2, '1')
    """
    files = [fspath(p) for p in ([paths] if isinstance(paths, str | PathLike) else paths)]
    if not files:
        raise OptionError("MP850", "no file of candidates was given.")
    beside = [fspath(p) for p in (*references, *([] if sources is None else [sources]))]
    sampled = None if samples is None else fspath(samples)
    if [*files, *beside, sampled].count(STDIN) > 1:
        raise OptionError(
            "MP115", "Standard input ('-') is named more than once.", hint="Use files for the rest."
        )
    given = open_candidates(
        files, per_sentence=per_sentence, file_format=file_format, columns=columns
    )
    of_samples = None
    if sampled is not None:
        number = per_sentence if samples_per_sentence is None else samples_per_sentence
        of_samples = open_candidates([sampled], per_sentence=number)
    elif samples_per_sentence is not None:
        raise OptionError("MP853", "no file of samples was given.", hint="Add --samples FILE.")
    streams: list[tuple[str, Iterator[Any]]] = [(_named(files[0]), given)]
    streams += [(_named(path), _lines(path)) for path in beside]
    if of_samples is not None and sampled is not None:
        streams.append((_named(sampled), of_samples))
    return _sentences(streams, len(references), oracle, sources is not None, equal_weights)


def _sentences(
    streams: Sequence[tuple[str, Iterator[Any]]],
    references: int,
    oracle: bool,
    with_source: bool,
    equal_weights: bool,
) -> Iterator[Candidates]:
    names = [name for name, _ in streams]
    for number, row in enumerate(
        zip_longest(*(stream for _, stream in streams), fillvalue=_END), start=1
    ):
        if any(one is _END for one in row):
            raise _unequal(names, row, number)
        given: GivenCandidates = row[0]
        lines = row[1 : 1 + references]
        source = row[1 + references] if with_source else given.source
        samples = row[-1] if isinstance(row[-1], GivenCandidates) and len(row) > 1 else None
        for name, line in zip(names[1:], lines, strict=False):
            if not line.strip() and any(map(str.strip, given.texts)):
                raise InputError(
                    "MP105",
                    "The reference is empty, but there are candidates.",
                    path=name,
                    line=number,
                    hint="Mend the reference.",
                )
        if oracle and not (given.references or lines):
            raise InputError(
                "MP858",
                "The sentence has no reference, so that there is no oracle.",
                path=given.path,
                line=given.line,
                hint="Add a reference to each sentence, or name a file of them with --references.",
            )
        lines = (*(given.references if oracle else ()), *lines)
        if samples is not None:
            _check_same(given, samples)
        yield _candidates(given, samples, lines, source, number, equal_weights)


def _candidates(
    given: GivenCandidates,
    samples: GivenCandidates | None,
    references: Sequence[str],
    source: str | None,
    number: int,
    equal_weights: bool,
) -> Candidates:
    weighed = given if samples is None else samples
    try:
        weights: Any = None if equal_weights else weighed.weights
        if weights is not None and weighed.are_logarithms:
            weights = probabilities(weights)
        return Candidates(
            texts=given.texts,
            samples=given.samples if samples is None else samples.texts,
            weights=weights,
            references=references,
            source=source,
            name=given.name or str(number),
        )
    except InputError as error:
        raise error.at(weighed.path, weighed.line) from None


def _check_same(given: GivenCandidates, samples: GivenCandidates) -> None:
    if None in (given.name, samples.name) or given.name == samples.name:
        return
    raise InputError(
        "MP855",
        f"These are samples of sentence {samples.name!r}, where candidates are of {given.name!r}.",
        path=samples.path,
        line=samples.line,
        hint="Give both files the same sentences in the same order.",
    )


def _unequal(names: Sequence[str], row: Sequence[Any], number: int) -> InputError:
    ended = next(name for name, one in zip(names, row, strict=True) if one is _END)
    others = next(name for name, one in zip(names, row, strict=True) if one is not _END)
    return InputError(
        "MP855",
        f"The file ends after {number - 1} sentences, and {others} goes on.",
        path=ended,
        hint="Every file needs the same sentences.",
    )


def _lines(path: str) -> Iterator[str]:
    with LineReader(path) as reader:
        for _, line in reader:
            yield line


def _named(path: str) -> str:
    return "<stdin>" if path == STDIN else path
