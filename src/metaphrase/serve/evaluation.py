"""What a worker does: files become scores, a report and explanations, as on the command line.

It runs in the folder of the files, so that errors name them as their sender does.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from metaphrase.corpus import Corpus
from metaphrase.corpus.formats.units.file_bytes import unpacked_size
from metaphrase.corpus.opening import CorpusFiles, open_corpus
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError
from metaphrase.report import score_json, score_tsv
from metaphrase.report.dataset import EXPLAINED, Explain, ReportData, build
from metaphrase.report.dataset.blocks import json_block
from metaphrase.report.dataset.checking import check_sources, checked_corpus
from metaphrase.report.dataset.profiles import profile_by_metric
from metaphrase.report.dataset.segment_explainer import SegmentExplainer
from metaphrase.report.dataset.unit_files import corpus_units, noted
from metaphrase.report.page import report_page
from metaphrase.scoring import Scores, score
from metaphrase.scoring.choice import create_metrics
from metaphrase.scoring.comparing import compared
from metaphrase.scoring.doubts.score_doubts import score_doubts
from metaphrase.scoring.doubts.text_doubts import TextDoubts
from metaphrase.scoring.engine import labelled_metrics
from metaphrase.serve.limits import MEGABYTE
from metaphrase.statistics.resampling import RESAMPLES, SEED

#: What is being done, how much of it is done, and of how much if that is known.
Tell = Callable[[str, int, int | None], None]


class Evaluation:
    """The texts and metrics of a request, within its limits."""

    def __init__(self, request: Mapping[str, Any], *, segments: int, megabytes: int) -> None:
        files = CorpusFiles(
            references=request["references"],
            hypotheses=request["systems"],
            sources=request["source"],
            documents=request["documents"],
        )
        self._request = request
        self.metrics = create_metrics(request["metrics"], files, lang=request["lang"])
        _check_size(files.paths, megabytes)
        with noted() as self._notes:
            self.corpus = Corpus.join(_within(open_corpus(files), segments, megabytes))
        self._files = files
        # Earlier servers kept neither of these.
        self._checks: bool = request.get("checks", False)
        self._changes: bool = request.get("changes", False)
        if self._checks:
            check_sources(self.corpus)  # before hours of work are lost

    def score(self, threads: int, tell: Tell) -> Scores:
        """Scores of systems and segments, compared and doubted as on the command line."""
        watch = TextDoubts([metric.lang for metric in self.metrics])
        watch.watch(self.corpus)
        scores = score(
            self.corpus,
            self.metrics,
            levels=["system", "segment"],
            threads=threads,
            progress=lambda done: tell("Scoring segments", done, len(self.corpus)),
            keep_statistics=True,
            # Earlier servers kept neither of these.
            check_language=self._request.get("check_language", True),
            on_error=self._request.get("on_error", "stop"),
        )
        labelled = labelled_metrics(self.metrics, self._request["lang"])
        scores = compared(scores, labelled, threads=threads)
        return replace(scores, doubts=(*watch.found(), *score_doubts(scores, labelled)))

    def report(self, scores: Scores, explain: Explain, threads: int, tell: Tell) -> ReportData:
        """What pages show of the scores."""
        units = corpus_units(self._files, self.corpus)
        findings = None
        if self._checks:
            total = len(self.corpus) * len(self.corpus.systems)
            tell("Checking translations", 0, total)
            findings = checked_corpus(
                self.corpus,
                units,
                language=self._request["lang"],
                progress=lambda done: tell("Checking translations", done, total),
            )
        tell("Testing differences", 0, None)
        labelled = labelled_metrics(self.metrics, self._request["lang"])
        profiles = profile_by_metric(
            self.corpus,
            scores,
            labelled,
            None,
            resamples=RESAMPLES,
            seed=SEED,
            threads=threads,
            progress=lambda done: tell("Profiling translations", done, None),
        )
        before, after, *_ = (*self.corpus.systems, "", "")
        return build(
            self.corpus,
            scores,
            self.metrics,
            title=self._request["title"],
            lang=self._request["lang"],
            notes=self._notes,
            units=None if units is None else units.texts(),
            findings=findings,
            changes=(before, after) if self._changes else None,
            profiles=profiles,
            doubts=True,
            explain=explain,
            threads=threads,
            progress=lambda done: tell("Explaining translations", done, None),
        )

    def explainer(self) -> SegmentExplainer:
        """Explains any of the translations."""
        return SegmentExplainer(self.corpus, self.metrics)


def write_results(evaluation: Evaluation, folder: Path, threads: int, tell: Tell) -> None:
    """Score, and write what answers are made of into ``folder``."""
    scores = evaluation.score(threads, tell)
    data = evaluation.report(scores, "live", threads, tell)
    tell("Writing results", 0, None)
    (folder / "scores.json").write_bytes(f"{score_json(scores)}\n".encode())
    with (folder / "scores.tsv").open("wb") as stream:
        stream.writelines(f"{line}\n".encode() for line in score_tsv(scores))
    (folder / "overview.json").write_bytes(json_block(data.overview))
    places = {}
    with (folder / "blocks").open("wb") as stream:
        for name, packed in data.packed.items():
            places[name] = (stream.tell(), len(packed))
            stream.write(packed)
    (folder / "blocks.json").write_text(json.dumps(places), encoding="utf-8")


def write_report(evaluation: Evaluation, path: Path, threads: int, tell: Tell) -> None:
    """The page that ``metaphrase report`` would write, byte by byte."""
    scores = evaluation.score(threads, tell)
    data = evaluation.report(scores, EXPLAINED, threads, tell)
    with atomic_writer(path) as stream:
        stream.writelines(report_page(data))


def _within(pieces: Iterator[Corpus], segments: int, megabytes: int) -> Iterator[Corpus]:
    """The pieces, as long as there are not too many segments and characters of texts.

    Files may say a text once and mean it for many segments, as a workbook does with equal cells.
    """
    seen = characters = 0
    for piece in pieces:
        seen += len(piece)
        if seen > segments:
            raise InputError(
                "MP835",
                f"the files have more than {segments:,} lines, which is all that this server takes.",
                hint="Give fewer segments, or start the server with a larger --max-segments.",
            )
        columns = (*piece.systems.values(), *piece.written_references, piece.sources or ())
        characters += sum(sum(map(len, column)) for column in columns)
        if characters > megabytes * MEGABYTE:
            raise _too_large(megabytes, None)
        yield piece


def _check_size(names: list[str], megabytes: int) -> None:
    """Refuse files that are too large once they are unpacked, before any of them is read."""
    left = megabytes * MEGABYTE
    for name in names:
        left -= unpacked_size(name, enough=left)
        if left < 0:
            raise _too_large(megabytes, name)


def _too_large(megabytes: int, path: str | None) -> InputError:
    return InputError(
        "MP824",
        f"the texts have more than {megabytes} megabytes once they are unpacked.",
        path=path,
        hint="Give fewer segments, or start the server with a larger --max-megabytes.",
    )
