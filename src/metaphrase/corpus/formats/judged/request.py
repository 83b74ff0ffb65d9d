"""What somebody asks of files of judgements: which ones, and what they leave unsaid."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.judged.texts import (
    DifferingTexts,
    SegmentOrder,
    SystemNames,
    UnknownSystems,
)
from metaphrase.corpus.formats.mtme.test_set import read_mtme
from metaphrase.corpus.formats.registry import check_plain
from metaphrase.corpus.lines import read_lines
from metaphrase.corpus.names import pair_and_file
from metaphrase.corpus.validation import EmptyReferences
from metaphrase.errors import OptionError
from metaphrase.languages import is_wanted, same_pair


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgementFiles:
    """Files of judgements or folders of mt-metrics-eval, and what they do not say themselves.

    ``judges`` says that nobody will ask for the texts, ``metric_scores`` that scores of metrics are to be
    read where a folder has them, and ``pairs`` which language pairs are wanted, by default all.
    """

    judgements: Sequence[str]
    judges: bool = False
    pairs: Sequence[str] | None = None
    texts: Sequence[str] | None = None
    references: Sequence[str] | None = None
    language_pair: str | None = None
    human: str | None = None
    min_judgements: int | None = None
    segment_ids: str | None = None
    segment_order: SegmentOrder | None = None
    system_pattern: str | None = None
    unknown_systems: UnknownSystems | None = None
    mqm_weights: str | None = None
    differing_texts: DifferingTexts | None = None
    empty_references: EmptyReferences = "error"
    metric_scores: bool = False

    @property
    def paths(self) -> list[str]:
        """Every file that is named."""
        texts = [pair_and_file(given)[1] for given in self.texts or ()]
        others = [path for path in (self.segment_ids, self.mqm_weights) if path is not None]
        return [*self.judgements, *texts, *(self.references or ()), *others]

    @property
    def systems(self) -> SystemNames:
        """How the systems are named."""
        pattern, unknown = self.system_pattern, self.unknown_systems
        return SystemNames(
            pattern="{system}" if pattern is None else pattern,
            unknown="error" if unknown is None else unknown,
        )

    @property
    def least(self) -> int:
        """How many people must have judged a translation."""
        return 1 if self.min_judgements is None else self.min_judgements

    @property
    def ids(self) -> list[str] | None:
        """The id of each segment, if a file of them was given."""
        return None if self.segment_ids is None else _lines(self.segment_ids)

    def wanted(self, pairs: Iterable[str]) -> list[str]:
        """Those of the language pairs that somebody asked for."""
        return [pair for pair in pairs if is_wanted(pair, self.pairs)]

    def corpus(self, pair: str, *, alone: bool) -> Corpus:
        """The texts of a language pair: those named for it, or the only ones if it is the only pair."""
        named = [pair_and_file(given) for given in self.texts or ()]
        paths = [path for name, path in named if name is not None and same_pair(name, pair)]
        if not paths and alone:
            paths = [path for name, path in named if name is None]
        if len(paths) != 1:
            fault = f"names {len(paths) or 'no'} file{'s' if len(paths) != 1 else ''} of {pair}"
            raise self.mismatch("texts", fault, f"Write --texts {pair}=FILE.")
        # What opens files knows formats, not they it.
        from metaphrase.corpus.opening.corpus_file import open_corpus_file

        if os.path.isdir(paths[0]):
            mtme = read_mtme(paths[0], language_pair=pair, metric_scores=False)
            return mtme.as_corpus(empty_references="keep")
        return Corpus.join(open_corpus_file(paths[0], empty_references="keep"))

    @property
    def references_beside_texts(self) -> Sequence[Sequence[str | None]]:
        """The references of files that have all texts but these."""
        if self.references is not None:
            return [_lines(reference) for reference in self.references]
        return self.corpus(self.language_pair or "", alone=True).references

    def no_texts(self) -> OptionError:
        """The error where files do not say what was judged."""
        return self.mismatch(
            "texts", "is missing", "The files have judgements, but not what was judged."
        )

    @staticmethod
    def mismatch(option: str, fault: str, hint: str) -> OptionError:
        """The error for an option that does not go with the files."""
        return OptionError("MP187", f"--{option.replace('_', '-')} {fault}.", hint=hint)


def _lines(path: str) -> list[str]:
    check_plain([path])
    return read_lines(path)
