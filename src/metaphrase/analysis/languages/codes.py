"""What a language says about its words."""

from __future__ import annotations

from metaphrase.languages import language_code

#: Languages that are written without spaces between words.
UNSPACED = frozenset({"bo", "dz", "ja", "km", "lo", "my", "shn", "th", "yue", "zh"})


def base_language(lang: str) -> str:
    """The canonical code without a script: ``zh`` of ``zh-Hant`` or ``zho_TW``."""
    return language_code(lang).replace("_", "-").partition("-")[0].lower()
