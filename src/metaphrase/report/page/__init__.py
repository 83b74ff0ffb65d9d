"""HTML files that need nothing but themselves."""

from metaphrase.report.page.html_file import report_page

__all__ = ["report_page"]
