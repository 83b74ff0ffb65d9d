"""Reports: pure functions from results and explanations to text, JSON and HTML."""

from metaphrase.report.page.explained_segments import explanation_html, explanation_page
from metaphrase.report.page.notebook import explanation_in_notebook, scores_in_notebook
from metaphrase.report.pasted_tables import score_latex, score_markdown
from metaphrase.report.terminal.agreement_view import (
    agreement_json,
    agreement_view,
    judges_json,
    judges_view,
)
from metaphrase.report.terminal.contrast_view import contrast_view
from metaphrase.report.terminal.explanation_view import details_view, explanation_view
from metaphrase.report.terminal.gate_view import gate_view
from metaphrase.report.terminal.parse_view import parse_view, token_table
from metaphrase.report.terminal.profile_view import profile_text
from metaphrase.report.terminal.rating_view import ratings_json, ratings_view
from metaphrase.report.terminal.repair_view import explanation_text
from metaphrase.report.terminal.sample_view import (
    sample_json,
    sample_tsv,
    sample_view,
    simulation_json,
    simulation_view,
)
from metaphrase.report.terminal.score_tables import score_json, score_tsv, score_view
from metaphrase.report.terminal.support_view import support_view
from metaphrase.report.terminal.task_view import task_json, task_view

__all__ = [
    "agreement_json",
    "agreement_view",
    "contrast_view",
    "details_view",
    "explanation_html",
    "explanation_in_notebook",
    "explanation_page",
    "explanation_text",
    "explanation_view",
    "gate_view",
    "judges_json",
    "judges_view",
    "parse_view",
    "profile_text",
    "ratings_json",
    "ratings_view",
    "sample_json",
    "sample_tsv",
    "sample_view",
    "score_json",
    "score_latex",
    "score_markdown",
    "score_tsv",
    "score_view",
    "scores_in_notebook",
    "simulation_json",
    "simulation_view",
    "support_view",
    "task_json",
    "task_view",
    "token_table",
]
