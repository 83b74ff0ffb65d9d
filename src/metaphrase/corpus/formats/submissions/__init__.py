"""Submissions to WMT's metrics task."""
