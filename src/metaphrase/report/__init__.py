"""Reports: pure functions from results and explanations to text and JSON."""

from metaphrase.report.explanation_view import explanation_view
from metaphrase.report.score_tables import score_json, score_tsv, score_view

__all__ = ["explanation_view", "score_json", "score_tsv", "score_view"]
