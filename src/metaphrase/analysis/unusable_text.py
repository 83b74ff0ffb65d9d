"""Why a compiled analyser refused its texts, said in the user's terms."""

from __future__ import annotations

from collections.abc import Sequence

from metaphrase.errors import InputError


def unusable_text(texts: Sequence[object]) -> InputError:
    """Says which text the core could not read, and why."""
    too_long = InputError("MP205", "A text is longer than 2 GB.", hint="Cut it into segments.")
    return not_unicode(texts) or too_long


def not_unicode(texts: Sequence[object], what: str = "Text") -> InputError | None:
    """The error of the first text that is no string, or that UTF-8 cannot hold."""
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            return InputError("MP103", f"{what} {index} is a {type(text).__name__}, not a str.")
        try:
            text.encode()
        except UnicodeEncodeError as error:
            return InputError(
                "MP106",
                f"{what} {index} has a lone surrogate at character {error.start}.",
                hint="It was decoded wrongly: read the file as UTF-8.",
            )
    return None
