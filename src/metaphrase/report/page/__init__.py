"""HTML files that need nothing but themselves: reports, pages of explanations and of errors."""

from metaphrase.report.page.explained_segments import ExplainedSegment, explained_page
from metaphrase.report.page.html_file import report_page
from metaphrase.report.page.probed_errors import probe_page

__all__ = ["ExplainedSegment", "explained_page", "probe_page", "report_page"]
