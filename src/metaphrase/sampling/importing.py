"""From what judges said to judgements: who did not pass is left out, and scores may be standardised."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from metaphrase.corpus.ratings import Ratings, no_ratings
from metaphrase.errors import InputError
from metaphrase.meta import RatingAgreement, rating_agreement, standardise_by_judge


@dataclass(frozen=True, slots=True)
class Imported:
    """The ratings that count, how far judges agreed before that, and who was left out."""

    ratings: Ratings
    agreement: RatingAgreement
    left_out: tuple[str, ...]


def imported(ratings: Ratings, *, all_judges: bool = False, standardise: bool = False) -> Imported:
    """What counts of ``ratings``: without judges who failed the quality control, unless ``all_judges`` count.

    ``standardise`` gives each judge's scores mean 0 and deviation 1, as WMT does with direct assessment.
    """
    agreement = rating_agreement(ratings)
    left_out = () if all_judges else agreement.failed()
    kept = ratings.without_judges(left_out)
    if not any(rating.score is not None for rating, _ in kept.of_kind("target")):
        if not left_out:
            raise no_ratings(ratings.path)
        raise InputError(
            "MP793",
            f"Nobody passed the quality control: {', '.join(left_out)} did not score degraded copies lower.",
            path=ratings.path,
            hint="See `metaphrase meta FILES --judges --key KEY`, or keep all of them with --all-judges.",
        )
    return Imported(_standardised(kept) if standardise else kept, agreement, left_out)


def _standardised(ratings: Ratings) -> Ratings:
    """Without degraded copies, which tell how much somebody dislikes these, and without repeats."""
    own = [rating for rating, _ in ratings.of_kind("target") if rating.score is not None]
    values = np.array([rating.score for rating in own], dtype=np.float64)
    z = standardise_by_judge(values, [rating.judge for rating in own]).tolist()
    return replace(
        ratings,
        ratings=tuple(replace(one, score=score) for one, score in zip(own, z, strict=True)),
    )
