"""Each check can be switched off, and each severity changed."""

from __future__ import annotations

import pytest

from metaphrase.checks import CHECKS, KINDS, SEVERITIES, Settings, check
from metaphrase.errors import OptionError

SOURCE, TARGET = "Delete 12 files? %s", "21 Dateien löschen. %d"


def found(**options: object) -> dict[str, str]:
    settings = Settings(**options)  # type: ignore[arg-type]
    findings = check(SOURCE, TARGET, source_language="en", language="de", settings=settings)
    return {finding.code: finding.severity for finding in findings}


def test_codes_belong_to_their_checks_and_say_what_they_mean() -> None:
    for check_ in CHECKS.values():
        for kind in check_.kinds:
            assert kind.code.partition("/")[0] == check_.name
            assert kind.severity in SEVERITIES
            assert kind.description
            assert not kind.description.endswith(".")
    assert len(KINDS) == sum(len(one.kinds) for one in CHECKS.values())


def test_checks_and_codes_can_be_switched_off() -> None:
    assert set(found()) == {"numbers/changed", "placeholders/changed"}
    assert set(found(off=["numbers"])) == {"placeholders/changed"}
    assert set(found(off=["numbers/changed"])) == {"placeholders/changed"}
    assert set(found(only=["numbers"])) == {"numbers/changed"}
    assert found(only=["numbers"], off=["numbers/changed"]) == {}


def test_severities_can_be_changed_and_a_code_has_the_last_word() -> None:
    assert found(severities={"numbers": "minor"})["numbers/changed"] == "minor"
    both = {"numbers/changed": "major", "numbers": "minor"}
    assert found(severities=both)["numbers/changed"] == "major"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"off": ["number"]}, "MP890"),
        ({"only": ["numbers/what"]}, "MP890"),
        ({"off": "numbers"}, "MP890"),
        ({"severities": {"nothing": "minor"}}, "MP890"),
        ({"severities": {"numbers": "terrible"}}, "MP891"),
        ({"max_characters": 0}, "MP892"),
        ({"max_ratio": -1.0}, "MP892"),
    ],
)
def test_settings_that_make_no_sense_are_refused(options: dict[str, object], code: str) -> None:
    with pytest.raises(OptionError) as caught:
        Settings(**options)  # type: ignore[arg-type]
    assert caught.value.code == code


def test_a_misspelt_check_is_guessed() -> None:
    with pytest.raises(OptionError, match="Did you mean 'placeholders'"):
        Settings(off=["placeholder"])
