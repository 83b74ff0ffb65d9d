"""What the tests of corpora share: how an error of the package is expected."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from metaphrase.errors import CATALOGUE, MetaphraseError

Refused = Callable[..., AbstractContextManager[None]]


@pytest.fixture(scope="session")
def refused() -> Refused:
    """``with refused(code, words…, path=…, line=…)``: the block fails with exactly that error."""

    @contextmanager
    def expect(
        code: str, *words: str, path: Path | str | None = None, line: int | None = None
    ) -> Iterator[None]:
        assert code in CATALOGUE
        with pytest.raises(MetaphraseError) as caught:
            yield
        error = caught.value
        expected = (code, None if path is None else str(path), line)
        assert (error.code, error.path, error.line) == expected, str(error)
        for word in words:
            assert word in str(error)

    return expect
