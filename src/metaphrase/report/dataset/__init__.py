"""What a report holds, apart from how it looks."""

from metaphrase.report.dataset.found import Findings
from metaphrase.report.dataset.report_data import EXPLAINED, Explain, ReportData, build
from metaphrase.report.dataset.unit_texts import UnitTexts

__all__ = ["EXPLAINED", "Explain", "Findings", "ReportData", "UnitTexts", "build"]
