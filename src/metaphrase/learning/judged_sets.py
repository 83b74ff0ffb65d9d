"""Files of judgements as models of metrics learn from them: those of translations into one language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import fsencode, fspath
from pathlib import PurePath

import numpy as np

from metaphrase.corpus.formats.judged.judgement_files import read_judgements
from metaphrase.corpus.judgements import Judgements
from metaphrase.corpus.lines import FilePath
from metaphrase.corpus.opening.judgements import refuse_ratings
from metaphrase.errors import InputError
from metaphrase.languages import canonical_language
from metaphrase.meta.learned_sets import judgements_fingerprint


@dataclass(frozen=True, slots=True)
class Source:
    """A file of judgements: its name, how many it has, and a hash of their texts and scores."""

    name: str
    judgements: int
    fingerprint: str


@dataclass(frozen=True, slots=True, eq=False)
class JudgedSets:
    """Judgements of translations into one language, a data set and language pair at a time.

    ``left_out`` says how many judgements of the files are of translations into other languages, ``paths``
    which file each set is from.
    """

    judgements: tuple[Judgements, ...]
    sources: tuple[Source, ...]
    left_out: int = 0
    paths: tuple[FilePath, ...] = ()


def read_judged_sets(
    paths: Sequence[FilePath],
    *,
    lang: str,
    code: str,
    refused: Callable[[Judgements], tuple[str, str]] = lambda judged: ("", ""),
) -> JudgedSets:
    """Rankings (JSONL) and scores (TSV) of translations into ``lang``.

    ``refused`` says what is wrong with a set, and what to do about it; ``code`` is that of the error.
    """
    lang = canonical_language(lang)
    found: list[Judgements] = []
    files: list[FilePath] = []
    sources: list[Source] = []
    seen: set[tuple[str, str]] = set()
    left_out = 0
    for path in paths:
        refuse_ratings(path)
        read = list(read_judgements(path).values())
        wanted = [one for one in read if one.target == lang]
        left_out += sum(_count(one) for one in read if one.target != lang)
        count = 0
        for judged in wanted:
            name = judged.name, judged.language_pair
            fault, hint = refused(judged)
            if not fault and name in seen:
                fault = f"The judgements of {' '.join(name)} were given twice."
                hint = "Once will do."
            if fault:
                raise InputError(code, fault, path=path, hint=hint)
            seen.add(name)
            count += _count(judged)
        if not wanted:
            raise InputError(
                code,
                f"There are no judgements of translations into {lang!r}.",
                path=path,
                hint="Choose other data, or another --language.",
            )
        found += wanted
        files += [path] * len(wanted)
        # A name need not be UTF-8, but what a model keeps of it must be.
        name_of_file = fsencode(PurePath(fspath(path)).name).decode(errors="replace")
        sources.append(Source(name_of_file, count, judgements_fingerprint(wanted)))
    return JudgedSets(tuple(found), tuple(sources), left_out, tuple(files))


def _count(judged: Judgements) -> int:
    """Rankings, or scores."""
    return len(judged.rankings) or int((~np.isnan(judged.human)).sum())
