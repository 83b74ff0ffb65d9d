"""Agreement with people: how far do a metric's scores say what human judges say?

Functions over NumPy arrays, the metric first and people second, higher being better on both sides; a
matrix of scores is (systems, segments) with NaN for what was not judged. ``docs/agreement.md`` says
which measure to use when.

>>> import metaphrase
>>> from metaphrase import meta
>>> judgements = meta.read_judgements("judgements.tsv")["de-en"]
>>> judgements.systems
('careful', 'literal', 'careless')
>>> chrf = meta.score_judged(judgements, metaphrase.Chrf())
>>> print(f"{meta.pearson(chrf.segment.ravel(), judgements.human.ravel()):.3f}")
0.873
"""

from metaphrase.corpus.formats.judged.judgement_files import read_judgements
from metaphrase.corpus.judgements import JudgedText, Judgements, Ranking
from metaphrase.meta.agreement import (
    AgreementTable,
    Column,
    agreement_column,
    agreement_table,
    mean_over,
)
from metaphrase.meta.judged_scores import JudgedScores, score_judged
from metaphrase.meta.judges import JudgeReport, RatingAgreement, rating_agreement
from metaphrase.meta.measures import (
    Basis,
    Measure,
    judge_agreement,
    options_of,
    preferences,
    system_judgements,
)
from metaphrase.meta.predicted_spans import file_spans, metric_spans
from metaphrase.meta.spans import SpanAgreement, SpanRow, span_agreement
from metaphrase.statistics.annotators import AnnotatorAgreement, annotator_agreement
from metaphrase.statistics.clusters import Clusters, significance_clusters
from metaphrase.statistics.coefficients import correlation, kendall, pearson, spearman
from metaphrase.statistics.consistency import segment_consistency
from metaphrase.statistics.grouping import average, document_scores
from metaphrase.statistics.normalisation import standardise_by_judge
from metaphrase.statistics.pairwise import (
    CalibratedAccuracy,
    pairwise_accuracy,
    tie_calibration,
)
from metaphrase.statistics.permutation import (
    EarlyStopping,
    PermutationResult,
    permutation_test,
    significance_matrix,
)
from metaphrase.statistics.preference_test import preference_test
from metaphrase.statistics.preferences import Preferences, from_rankings, relative_ranking
from metaphrase.statistics.reliability import cohen_kappa, krippendorff_alpha
from metaphrase.statistics.resampling import (
    Interval,
    PairedResult,
    PairedScores,
    ResampledScore,
    approximate_randomisation,
    confidence_interval,
    randomisation_of_all,
    sacrebleu_bootstrap,
    sacrebleu_randomisation,
)
from metaphrase.statistics.signed_rank import signed_rank_test
from metaphrase.statistics.system_level import (
    paired_permutation_p_values,
    soft_pairwise_accuracy,
    soft_pairwise_accuracy_of_scores,
    system_pairwise_accuracy,
)
from metaphrase.statistics.williams import WilliamsResult, williams_test
from metaphrase.statistics.wmt_tau import (
    TAU_VARIANTS,
    PreferenceCounts,
    TauTable,
    count_preferences,
    ranking_tau,
)

__all__ = [
    "TAU_VARIANTS",
    "AgreementTable",
    "AnnotatorAgreement",
    "Basis",
    "CalibratedAccuracy",
    "Clusters",
    "Column",
    "EarlyStopping",
    "Interval",
    "JudgeReport",
    "JudgedScores",
    "JudgedText",
    "Judgements",
    "Measure",
    "PairedResult",
    "PairedScores",
    "PermutationResult",
    "PreferenceCounts",
    "Preferences",
    "Ranking",
    "RatingAgreement",
    "ResampledScore",
    "SpanAgreement",
    "SpanRow",
    "TauTable",
    "WilliamsResult",
    "agreement_column",
    "agreement_table",
    "annotator_agreement",
    "approximate_randomisation",
    "average",
    "cohen_kappa",
    "confidence_interval",
    "correlation",
    "count_preferences",
    "document_scores",
    "file_spans",
    "from_rankings",
    "judge_agreement",
    "kendall",
    "krippendorff_alpha",
    "mean_over",
    "metric_spans",
    "options_of",
    "paired_permutation_p_values",
    "pairwise_accuracy",
    "pearson",
    "permutation_test",
    "preference_test",
    "preferences",
    "randomisation_of_all",
    "ranking_tau",
    "rating_agreement",
    "read_judgements",
    "relative_ranking",
    "sacrebleu_bootstrap",
    "sacrebleu_randomisation",
    "score_judged",
    "segment_consistency",
    "signed_rank_test",
    "significance_clusters",
    "significance_matrix",
    "soft_pairwise_accuracy",
    "soft_pairwise_accuracy_of_scores",
    "span_agreement",
    "spearman",
    "standardise_by_judge",
    "system_judgements",
    "system_pairwise_accuracy",
    "tie_calibration",
    "williams_test",
]
