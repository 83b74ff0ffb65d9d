"""What is left out together when an encoder learns from judgements."""

from __future__ import annotations

#: Sets that share texts, and small ones with them. A group goes by the name of its first set.
YEARS = (
    ("daseg15", "wmt15"),
    ("daseg16", "wmt08deen", "wmt10deen", "wmt12"),
    ("daseg13", "wmt13fren", "tedmqm", "biomqm"),
    ("wmt21da", "nt21mqm", "mlqe_etmr", "tradopad"),
)


def group_of(name: str) -> str:
    """The name of the group that a set is in."""
    return next(years[0] for years in YEARS if name in years)
