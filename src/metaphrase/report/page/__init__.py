"""HTML files that need nothing but themselves: reports, and pages of explanations."""

from metaphrase.report.page.explained_segments import ExplainedSegment, explained_page
from metaphrase.report.page.html_file import report_page

__all__ = ["ExplainedSegment", "explained_page", "report_page"]
