"""Guests: metrics that are programs of their own, in an interpreter of their own, asked over JSON lines."""

from metaphrase.metrics.guests.exec import Exec
from metaphrase.metrics.guests.libraries import BertScore, Bleurt, Comet, MetricX

__all__ = ["BertScore", "Bleurt", "Comet", "Exec", "MetricX"]
