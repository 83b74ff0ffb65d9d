"""p-values as people write them."""

from __future__ import annotations

#: Below it, a p-value is only said to be below it.
_SMALLEST = 0.001


def p_number(p: float) -> str:
    """Three decimals without a zero before them.

    >>> p_number(0.0123), p_number(0.0002), p_number(1.0)
    ('.012', '<.001', '1')
    """
    if p < _SMALLEST:
        return "<.001"
    return f"{p:.3f}".replace("0.", ".", 1) if round(p, 3) < 1 else "1"


def p_text(p: float) -> str:
    """As in a sentence.

    >>> p_text(0.0123), p_text(0.0002)
    ('p = .012', 'p < .001')
    """
    return f"p < {p_number(_SMALLEST)}" if p < _SMALLEST else f"p = {p_number(p)}"
