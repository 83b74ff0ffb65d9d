"""What tests of checks share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from metaphrase.checks import Settings, check

#: Gives the codes of what is found, and what was wanted or stands there.
Codes = Callable[..., list[str]]


@pytest.fixture
def codes() -> Codes:
    def found(
        source: str,
        target: str,
        languages: str = "en-de",
        *,
        only: str = "",
        settings: Settings | None = None,
    ) -> list[str]:
        source_language, language = languages.split("-", 1)
        given = settings or Settings(only=[only] if only else [])
        return [
            finding.code
            for finding in check(
                source, target, source_language=source_language, language=language, settings=given
            )
        ]

    return found
