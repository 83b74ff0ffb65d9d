"""Every malformed file of judgements gives its error, with file and line, and writes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.malformed_judgements import MALFORMED, Malformed
from metaphrase.errors import CATALOGUE, MetaphraseError


@pytest.mark.parametrize("malformed", MALFORMED, ids=lambda malformed: malformed.name)
def test_it_is_refused_by_name(malformed: Malformed, tmp_path: Path) -> None:
    path = tmp_path / "judgements.csv"
    path.write_bytes(malformed.data)
    with pytest.raises(MetaphraseError) as caught:
        malformed.read(path)
    error = caught.value
    assert (error.code, error.path, error.line) == (malformed.code, str(path), malformed.line)
    assert error.code in CATALOGUE
    assert str(path) in str(error)
    assert malformed.line is None or f"line {malformed.line}" in str(error)
    assert len(str(error)) < 1000, "a message does not repeat a huge field"
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_names_of_the_catalogue_are_different() -> None:
    assert len({malformed.name for malformed in MALFORMED}) == len(MALFORMED)
