"""What a program fills in must be there, in a form it can read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks.conftest import Codes
from metaphrase.checks import Pair, Settings, check_pairs
from metaphrase.checks.placeholders.messages import MessageError, parse_message
from metaphrase.checks.placeholders.scanning import placeholders_in


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("%s, %1$d, %-5.2f, %ld, %@", ["%s", "%1$d", "%-5.2f", "%ld", "%@"]),
        ("%(name)s has 1%(count)dx", ["%(name)s", "%(count)d"]),
        ("{name} {0} {} {x!r:>10}", ["{name}", "{0}", "{}", "{x!r:>10}"]),
        ("{{count}} and {{ user.name }}", ["{{count}}", "{{ user.name }}"]),
        ("$t(common.key) ${value} %{ruby} %1", ["$t(common.key)", "${value}", "%{ruby}", "%1"]),
        ("{n, number, percent}", ["{n, number, percent}"]),
        ("%d%% done", ["%d"]),
        ("50% der Leute, 5 %ige Lösung, 100%, 5%d", []),
        ("the set {1, 2} and {a b}", []),
    ],
)
def test_placeholders_are_told_from_text(text: str, found: list[str]) -> None:
    assert [one.text for one in placeholders_in(text).found] == found


def test_turkish_puts_the_percent_sign_first() -> None:
    assert placeholders_in("%5 artış", "tr").found == ()
    assert len(placeholders_in("%5 of %6", "en").found) == 2


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("%s has %d files", "%s hat %d Dateien"),
        ("%s has %d files", "%2$d Dateien hat %1$s"),
        ("%i files", "%d Dateien"),
        ("{name} sees {name}", "{name} sieht sich"),
        ("Hello {{ name }}", "Hallo {{name}}"),
        ("5% more", "5 % mehr"),
    ],
)
def test_the_same_placeholders_may_stand_elsewhere(source: str, target: str, codes: Codes) -> None:
    assert codes(source, target, only="placeholders") == []


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("Hello %s", "Hallo", "placeholders/missing"),
        ("Hello", "Hallo %s", "placeholders/added"),
        ("Hello %s", "Hallo %d", "placeholders/changed"),
        ("Hello {name}", "Hallo {Name}", "placeholders/changed"),
        ("Hello %(name)s", "Hallo %(nmae)s", "placeholders/changed"),
        ("Hello {{name}}", "Hallo {name}", "placeholders/changed"),
        ("%s has %d files", "%d Dateien hat %s", "placeholders/order"),
        ("%1$s has %2$d files", "%1$s hat %3$d Dateien", "placeholders/changed"),
        ("%s %s", "%s", "placeholders/missing"),
    ],
)
def test_a_lost_or_broken_placeholder_is_found(
    source: str, target: str, expected: str, codes: Codes
) -> None:
    assert codes(source, target, only="placeholders") == [expected]


PLURAL = "{n, plural, one {# file in {dir}} other {# files in {dir}}}"


@pytest.mark.parametrize(
    ("target", "language", "expected"),
    [
        ("{n, plural, one {# Datei in {dir}} other {# Dateien in {dir}}}", "de", []),
        ("{n, plural, other {{dir} に # 個}}", "ja", []),
        ("{n, plural, one {# Datei in {dir}}}", "de", ["placeholders/syntax"]),
        ("{n, plural, one {# Datei} other {# Dateien in {dir}}", "de", ["placeholders/syntax"]),
        ("{n, plural, one {# Datei} other {# Dateien}}", "de", ["placeholders/missing"]),
        ("{n, plural, one {# {dir}} other {# {dir}}}", "cs", ["placeholders/plural"]),
        ("{n, plural, one {# {dir}} few {# {dir}} other {# {dir}}}", "cs", []),
        ("{n, plural, one {# {dir}} other {# {dir}}}", "ja", ["placeholders/useless-plural"]),
        ("# Dateien in {dir}", "de", ["placeholders/missing"]),
    ],
)
def test_plurals_need_the_forms_of_the_language(
    target: str, language: str, expected: list[str], codes: Codes
) -> None:
    assert codes(PLURAL, target, f"en-{language}", only="placeholders") == expected


def test_the_cases_of_a_selection_stay(codes: Codes) -> None:
    source = "{sex, select, male {he} female {she} other {they}}"
    good = "{sex, select, male {er} female {sie} other {sie}}"
    bad = "{sex, select, männlich {er} female {sie} other {sie}}"
    assert codes(source, good, only="placeholders") == []
    assert codes(source, bad, only="placeholders") == ["placeholders/selection"]


@pytest.mark.parametrize(
    "text",
    ["{", "}", "{a", "{a,", "{a, plural", "{a, plural, }", "{a, plural, one}", "{a, plural, one {b}",
     "{a, thing, b}", "{a, select, x {1} x {2} other {3}}", "{ }", "{a b}"],
)  # fmt: skip
def test_a_broken_message_is_told_with_its_place(text: str) -> None:
    with pytest.raises(MessageError) as caught:
        parse_message(text)
    assert 0 <= caught.value.position <= len(text)


def test_apostrophes_quote_braces_only() -> None:
    assert parse_message("it's '{'not'}' one").arguments == ()
    assert [one.name for one in parse_message("it''s {a}").walk()] == ["a"]


def test_nesting_that_no_person_wrote_is_refused() -> None:
    deep = "{a, select, other {" * 2000 + "}}" * 2000
    with pytest.raises(MessageError, match="deeply"):
        parse_message(deep)


def test_a_plural_form_may_say_its_number_in_words() -> None:
    only = Settings(only=["placeholders"])
    form = Pair("%(count)s hours ago", "vor einer Stunde", "en", "de", is_plural_form=True)
    whole = Pair("%(count)s hours ago", "vor einer Stunde", "en", "de")
    assert [len(found) for _, found in check_pairs([form, whole], only)] == [0, 1]


@given(st.text("{}a,'# plurase\\n%1$sd()", max_size=60))
def test_any_text_is_read(text: str) -> None:
    found = placeholders_in(text)
    for one in found.found:
        assert text[one.start : one.end] == one.text
    for start, end in found.syntax:
        assert 0 <= start < end <= len(text)
