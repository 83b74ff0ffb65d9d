"""What the name of a language says about its words."""

from __future__ import annotations

#: Languages that are written without spaces between words.
UNSPACED = frozenset({"bo", "dz", "ja", "km", "lo", "my", "shn", "th", "yue", "zh"})


def base_language(lang: str) -> str:
    """The language alone, ``zh`` of ``zh-Hant`` or ``zh_TW``."""
    return lang.replace("_", "-").partition("-")[0].lower()
