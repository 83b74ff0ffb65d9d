"""What a report holds, apart from how it looks."""

from metaphrase.report.dataset.report_data import EXPLAINED, Explain, ReportData, build

__all__ = ["EXPLAINED", "Explain", "ReportData", "build"]
