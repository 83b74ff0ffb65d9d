"""Why a compiled analyser refused its texts, said in the user's terms."""

from __future__ import annotations

from collections.abc import Sequence

from metaphrase.errors import InputError


def unusable_text(texts: Sequence[object]) -> InputError:
    """Says which text the core could not read, and why."""
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            kind = type(text).__name__
            return InputError("MP203", f"Text {index} is a {kind}, not a str.")
        try:
            text.encode()
        except UnicodeEncodeError as error:
            return InputError(
                "MP204",
                f"Text {index} has a lone surrogate at character {error.start}.",
                hint="It was decoded wrongly: read the file as UTF-8.",
            )
    return InputError("MP205", "A text is longer than 2 GB.", hint="Cut it into segments.")
