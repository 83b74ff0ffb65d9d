"""Which signatures are of scores that can be compared."""

from __future__ import annotations

import pytest

from metaphrase.gate.signatures import same_signature, signature_difference


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("pbe|nrefs:1|lang:de-DE|version:1", "pbe|nrefs:1|lang:de|version:1", True),
        ("pbe|nrefs:1|lang:DE", "pbe|nrefs:1|lang:de", True),
        ("pbe|nrefs:1|lang:zh-TW", "pbe|nrefs:1|lang:zh", False),
        ("pbe|nrefs:1|lang:en", "pbe|nrefs:1|lang:de", False),
        ("pbe|nrefs:1|lang:?", "pbe|nrefs:1|lang:de", False),
        ("pbe|nrefs:2|lang:de-DE", "pbe|nrefs:1|lang:de", False),
    ],
)
def test_another_code_of_the_language_is_no_difference(before: str, after: str, same: bool) -> None:
    assert same_signature(before, after) is same


def test_what_differs_is_not_the_code_of_the_language() -> None:
    difference = signature_difference("pbe|nrefs:2|lang:de-DE", "pbe|nrefs:1|lang:de")
    assert difference == ["nrefs was 2 and is 1"]
