"""A signature is one line, whatever names the user has chosen."""

from __future__ import annotations

from metaphrase.metrics.signature import Signature


def test_items_keep_apart() -> None:
    assert str(Signature.of("m", {"model": "a|b", "without": None, "n": 2})) == "m|model:a¦b|n:2"


def test_names_cannot_break_the_line_or_colour_the_terminal() -> None:
    signature = Signature.of("m", {"model": "a\nb", "lm": ["x\x1b[31m", "é\ud800"]})
    assert str(signature) == r"m|model:a\nb|lm:x\x1b[31m,é\ud800"
