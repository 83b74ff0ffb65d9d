"""What ``metaphrase explain --compare`` says of all segments, before it says anything of single ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isclose
from typing import TYPE_CHECKING, Any

from metaphrase.cli.output import progress_bar

if TYPE_CHECKING:
    from rich.console import RenderableType

    from metaphrase.corpus import Corpus
    from metaphrase.metrics import Metric
    from metaphrase.scoring import Profile, Scores
    from metaphrase.scoring.preference import RatersPreference

#: Segments that are repaired unless somebody says how many: some seconds of work.
SEGMENTS = 500


@dataclass(frozen=True, slots=True)
class WholeComparison:
    """Two systems by one metric: what a test says of their scores, and what makes the difference.

    The score is a ``mean`` if it is that of the segments which the profile is of, so that one sentence is
    enough for both. Metrics whose repairs have no points have no profile; ``note`` says why. ``raters`` says
    what raters would prefer, where that is known; a verdict says so, too.
    """

    metric: str
    verdict: str
    profile: Profile | None = None
    mean: bool = False
    note: str = ""
    raters: RatersPreference | None = None

    def record(self) -> dict[str, Any]:
        """As JSON."""
        from metaphrase.report.dataset.profile_words import profile_record

        return {
            "metric": self.metric,
            "verdict": self.verdict,
            "profile": None if self.profile is None else profile_record(self.profile),
            "note": self.note,
            "raters": None if self.raters is None else self.raters.as_dict(),
        }

    def view(self) -> Iterator[RenderableType]:
        """A paragraph, and a table of the kinds of errors."""
        from rich.text import Text

        from metaphrase.report.terminal.columns import one_line, visible
        from metaphrase.report.terminal.profile_view import difference_view

        if self.verdict and not self.mean:
            yield from (Text(visible(f"All segments: {self.verdict}"), style="bold"), "")
        if self.profile is not None:
            yield from (*difference_view(self.profile), "")
        if self.raters and self.mean:
            yield from (Text(visible(f"By its score {self.raters}.")), "")
        if self.note:
            yield from (one_line(visible(self.note), "dim"), "")


def whole_comparison(
    metric: Metric, corpus: Corpus, scores: Scores, wanted: int | None
) -> Iterator[WholeComparison]:
    """The comparison by ``metric``, if it scored any segment; ``wanted`` is how many are profiled."""
    from metaphrase.errors import MetaphraseError
    from metaphrase.report.dataset.verdict import Judged, verdict
    from metaphrase.scoring.preference import raters_preferences
    from metaphrase.scoring.ranking import rank_scores
    from metaphrase.scoring.repair_profile import is_external, profile

    kept = int(scores.kept(metric.label).sum())
    if not kept:
        return
    judged = Judged(scores.metrics[0], rank_scores(metric, scores), segments=kept)
    said = verdict([system.name for system in scores.systems], [judged]) or ""
    raters = next(raters_preferences(scores), None)
    segments = SEGMENTS if wanted is None else wanted
    if wanted is None and is_external(metric):
        note = f"{metric.label} is an external metric: --profile N shows what N segments lose by."
        yield WholeComparison(metric.label, said, note=note, raters=raters)
        return
    if not segments:
        yield WholeComparison(metric.label, said, raters=raters)
        return
    texts = 2 * min(kept, segments)
    try:
        with progress_bar(f"{metric.label}: repairing", total=lambda: texts) as progress:
            found = profile(corpus, metric, segments=segments, scores=scores, progress=progress)
    except MetaphraseError as error:
        note = f"No kinds of errors: {error.message}"
        yield WholeComparison(metric.label, said, note=note, raters=raters)
        return
    means = {system.name: system.system[metric.label] for system in scores.systems}
    mean = found.segments == found.of_segments and all(
        isclose(one.score, means[one.system]) for one in found.systems
    )
    yield WholeComparison(metric.label, said, found, mean, raters=raters)
