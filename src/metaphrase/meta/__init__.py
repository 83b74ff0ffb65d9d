"""Agreement with people: how far do a metric's scores say what human judges say?

Functions over NumPy arrays, the metric first and people second, higher being better on both sides; a
matrix of scores is (systems, segments) with NaN for what was not judged. ``docs/agreement.md`` says
which measure to use when.
"""

from metaphrase.meta.annotators import AnnotatorAgreement, annotator_agreement
from metaphrase.meta.coefficients import correlation, kendall, pearson, spearman
from metaphrase.meta.consistency import segment_consistency
from metaphrase.meta.grouping import average, document_scores
from metaphrase.meta.normalisation import standardise_by_judge
from metaphrase.meta.pairwise import (
    CalibratedAccuracy,
    pairwise_accuracy,
    tie_calibration,
)
from metaphrase.meta.preferences import Preferences, from_rankings, relative_ranking
from metaphrase.meta.system_level import (
    paired_permutation_p_values,
    soft_pairwise_accuracy,
    soft_pairwise_accuracy_of_scores,
    system_pairwise_accuracy,
)
from metaphrase.meta.wmt_tau import (
    TAU_VARIANTS,
    PreferenceCounts,
    TauTable,
    count_preferences,
    ranking_tau,
)

__all__ = [
    "TAU_VARIANTS",
    "AnnotatorAgreement",
    "CalibratedAccuracy",
    "PreferenceCounts",
    "Preferences",
    "TauTable",
    "annotator_agreement",
    "average",
    "correlation",
    "count_preferences",
    "document_scores",
    "from_rankings",
    "kendall",
    "paired_permutation_p_values",
    "pairwise_accuracy",
    "pearson",
    "ranking_tau",
    "relative_ranking",
    "segment_consistency",
    "soft_pairwise_accuracy",
    "soft_pairwise_accuracy_of_scores",
    "spearman",
    "standardise_by_judge",
    "system_pairwise_accuracy",
    "tie_calibration",
]
