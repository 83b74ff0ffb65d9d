"""Dates agree in any order and with any name of the month, and another date is found."""

from __future__ import annotations

import pytest

from checks.conftest import Codes
from metaphrase.checks.numbers.dates import dates_in


@pytest.mark.parametrize(
    ("source", "target", "languages"),
    [
        ("on March 5, 2024", "am 5. März 2024", "en-de"),
        ("on March 5, 2024", "am 5.3.2024", "en-de"),
        ("on March 5, 2024", "le 5 mars 2024", "en-fr"),
        ("on March 5, 2024", "el 5 de marzo de 2024", "en-es"),
        ("on March 5, 2024", "5. března 2024", "en-cs"),
        ("on March 5, 2024", "2024年3月5日", "en-zh"),
        ("on 12/31/2024", "am 31.12.2024", "en-de"),
        ("on 05/06/2024", "am 05.06.2024", "en-de"),
        ("on 05/06/2024", "am 06.05.2024", "en-de"),
        ("2024-03-05", "05.03.2024", "en-de"),
        ("on 5/3/24", "le 5/3/2024", "en-fr"),
        ("from 10 to 12 September", "September 10-12", "ru-en"),
        ("in July and August 1941", "1941年7月和8月", "en-zh"),
        ("1er mars", "March 1", "fr-en"),
        ("on 9/11", "am 11. September", "en-de"),
    ],
)
def test_the_same_day_may_be_written_otherwise(
    source: str, target: str, languages: str, codes: Codes
) -> None:
    assert [c for c in codes(source, target, languages) if c[:5] in ("dates", "numbe")] == []


@pytest.mark.parametrize(
    ("source", "target", "languages"),
    [
        ("on March 5, 2024", "am 6. März 2024", "en-de"),
        ("on March 5, 2024", "am 5. Mai 2024", "en-de"),
        ("in March 2012", "im März 2013", "en-de"),
        ("on 12/31/2024", "am 30.12.2024", "en-de"),
        ("August 1115", "11月15日", "en-zh"),
    ],
)
def test_another_day_is_found_once(source: str, target: str, languages: str, codes: Codes) -> None:
    found = [c for c in codes(source, target, languages) if c[:5] in ("dates", "numbe")]
    assert found == ["dates/changed"]


def test_verbs_and_quantities_are_no_dates() -> None:
    assert dates_in("You may 2024 times", "en") == ()
    assert dates_in("1.234.567 and 15.30.1", "de") == ()
