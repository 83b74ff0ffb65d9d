"""Numbers agree whatever their format, and one that differs is found."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from checks.conftest import Codes
from metaphrase.checks import Settings, check
from metaphrase.checks.numbers.reading import numbers_in, reading_in, readings, with_ascii_digits
from metaphrase.checks.numbers.words import english_numbers, han_numbers, is_spelt, roman_numbers

NUMBERS = Settings(only=["numbers"])


@pytest.mark.parametrize(
    ("source", "target", "languages"),
    [
        ("It costs 1,234.50 euros.", "Es kostet 1.234,50 Euro.", "en-de"),
        ("It costs 1,234.50 euros.", "Cela coûte 1 234,50 euros.", "en-fr"),
        ("It costs 1,234.50 francs.", "Es kostet 1'234.50 Franken.", "en-de-CH"),
        ("1,234 people", "1234 Leute", "en-de"),
        ("12,34,567 rupees", "1.234.567 Rupien", "en-de"),
        ("3 cats", "drei Katzen", "en-de"),
        ("25 cats", "fünfundzwanzig Katzen", "en-de"),
        ("96 cats", "quatre-vingt-seize chats", "en-fr"),
        ("twenty-five cats", "25 Katzen", "en-de"),
        ("the 2nd floor", "der zweite Stock", "en-de"),
        ("the 20th century", "le XXe siècle", "en-fr"),
        ("5% more", "5 Prozent mehr", "en-de"),
        ("pages 10-20", "Seiten 10 bis 20", "en-de"),
        ("1.5 million people", "1 500 000 personnes", "en-fr"),
        ("1.5 million people", "150万人", "en-zh"),
        ("three million people", "300万人", "en-zh"),
        ("230 million people", "2亿3000万人", "en-zh"),
        ("2 billion dollars", "2 Milliarden Dollar", "en-de"),
        ("25 people", "二十五个人", "en-zh"),
        ("in October", "在10月", "en-zh"),
        ("in the 1990s", "in den 90er Jahren", "en-de"),
        ("in the 1970s", "20世纪70年代", "en-zh"),
        ("in the 1930s", "in den dreißiger Jahren", "en-de"),
        ("in the 1880s", "in den 80er Jahren des 19. Jahrhunderts", "en-de"),
        ("by 70 %", "上升七成", "en-zh"),
        ("In France, 400.000 cards", "En France, 400.000 cartes", "en-fr"),
        ("COVID-19 cases", "新冠病例", "en-zh"),
        ("at 3 pm", "um 15 Uhr", "en-de"),
        ("at 7:30 p.m.", "um 19.30 Uhr", "en-de"),
        ("at 15:30", "à 15h30", "en-fr"),
        ("at 11:45 tonight", "ve 23.45", "en-cs"),
        ("7.5 million dollars", "7 millones y medio de dólares", "en-es"),
        ("a .22 rifle", "ein Gewehr vom Kaliber 0,22", "en-de"),
        ("12 cats", "١٢ قطة", "en-ar"),
        ("½ cup", "0,5 Tassen", "en-de"),
        ("zweitausend Katzen", "2,000 cats", "de-en"),
        ("2.500 Katzen", "two thousand five hundred cats", "de-en"),
        ("2,500 cats", "twenty-five hundred cats", "en-en"),
        ("1,234 cats", "one thousand two hundred and thirty-four cats", "en-en"),
        ("2.5 million cats", "two million, five hundred thousand cats", "en-en"),
        ("1,500,000 cats", "one and a half million cats", "en-en"),
        ("500,000 cats", "half a million cats", "en-en"),
        ("1 file", "eine Datei", "en-de"),
        ("carbon", "CO2", "en-de"),
        ("{0} of %1$s", "{0} von %1$s", "en-de"),
        ("4 nights", "4 noches", "en-es"),
        ("22 states", "veintidós estados", "en-es"),
        ("stuck 50ft up", "15 metrů nad zemí", "en-cs"),
        ("15 meters up", "50 feet up", "de-en"),
        ("a 700-yard passage", "chodba v délce asi 650 metrů", "en-cs"),
        ("1000多斤", "over 1,000 jin (500 kg)", "zh-en"),
    ],
)
def test_the_same_numbers_need_not_look_the_same(
    source: str, target: str, languages: str, codes: Codes
) -> None:
    assert codes(source, target, languages, only="numbers") == []


@pytest.mark.parametrize(
    ("source", "target", "languages", "expected"),
    [
        ("Delete 12 files", "21 Dateien löschen", "en-de", "numbers/changed"),
        ("Version 1.5", "Version 5.1", "en-de", "numbers/changed"),
        ("It costs 1,234.50 euros.", "Es kostet 1.234,60 Euro.", "en-de", "numbers/changed"),
        ("In 2003, a vote", "Eine Abstimmung", "en-de", "numbers/missing"),
        ("A vote", "Eine Abstimmung von 2003", "en-de", "numbers/added"),
        ("1.5 million people", "15万人", "en-zh", "numbers/changed"),
        ("17 cats", "die Katzen", "en-de", "numbers/missing"),
        ("size A4", "Größe A5", "en-de", "numbers/changed"),
        ("stuck 50ft up", "25 Meter hoch", "en-de", "numbers/changed"),
        ("2,500 cats", "three thousand five hundred cats", "en-en", "numbers/missing"),
        ("2,500 cats", "five thousand two hundred cats", "en-en", "numbers/missing"),
        ("1,500 cats", "three thousand five hundred cats", "en-en", "numbers/missing"),
        ("250 cats", "two hundred and sixty cats", "en-en", "numbers/missing"),
        ("1.6 million cats", "one and a half million cats", "en-en", "numbers/missing"),
        ("1.5 million cats", "1,600,000 cats", "en-en", "numbers/changed"),
        ("by 0.5 in the second half", "by 0.6 in the second half", "en-en", "numbers/changed"),
        ("It weighs 1,234 kg.", "Es wiegt 1,234 kg.", "en-de", "numbers/format"),
        ("It weighs 1,234.5 kg.", "Es wiegt 1,234.5 kg.", "en-de", "numbers/format"),
    ],
)
def test_other_numbers_are_found(
    source: str, target: str, languages: str, expected: str, codes: Codes
) -> None:
    assert codes(source, target, languages, only="numbers") == [expected]


def test_the_place_is_that_of_the_number() -> None:
    (finding,) = check("12 cats", "Die 21 Katzen", language="de", settings=NUMBERS)
    assert "Die 21 Katzen"[finding.start : finding.end] == "21"
    assert (finding.expected, finding.found, finding.segment) == ("12", "21", 1)


def test_a_number_has_all_the_values_that_somebody_may_read() -> None:
    assert readings("1,234") == {Decimal(1234), Decimal("1.234")}
    assert readings("0.125") == {Decimal("0.125")}
    assert readings("1.234.567,8") == {Decimal("1234567.8")}
    assert reading_in("1,234", "en") == 1234
    assert reading_in("1,234", "de") == Decimal("1.234")
    assert reading_in("1,234", "es") is None


def test_numerals_of_other_kinds_are_read() -> None:
    assert han_numbers("一百二十五万三千人") == {1_253_000}
    assert 2021 in han_numbers("二〇二一年")
    assert english_numbers("ninety-nine thousand and one cats, two and a half") == {99_001, 2.5}
    assert english_numbers("Hundreds of phones weigh " + "hundred " * 10_000)
    assert roman_numbers("Ludwig XIV. und das XIXe siècle") == {14, 19}
    assert is_spelt(Decimal("1.5"), "one and a half years", "en")
    assert not is_spelt(Decimal("1.5"), "one year", "en")


@given(st.integers(13, 10**9), st.integers(0, 9), st.integers(0, 9))
def test_another_digit_is_found(number: int, place: int, digit: int) -> None:
    digits = list(str(number))
    place %= len(digits)
    assume(digits[place] != str(digit) and (place > 0 or digit != 0))
    changed = digits.copy()
    changed[place] = str(digit)
    source, target = f"There were {number} of them.", f"Es waren {''.join(changed)} davon."
    assert check(source, target, source_language="en", language="de", settings=NUMBERS)


@given(st.decimals(0, 10**9, places=2))
def test_a_number_agrees_with_itself_in_every_format(number: Decimal) -> None:
    english = f"{number:,}"
    german = english.translate(str.maketrans(",.", ".,"))
    french = english.replace(",", "\u202f").replace(".", ",")
    for language, text in (("de", german), ("fr", french), ("en", english)):
        assert not check(
            f"It is {english}.", text, source_language="en", language=language, settings=NUMBERS
        )


@pytest.mark.parametrize(
    "digits", ["7" * 9_900, "٧" * 9_900, "7," * 4_900 + "7", "0." + "7" * 9_000]
)
def test_numbers_of_ten_thousand_digits_are_compared(digits: str) -> None:
    # Python makes no whole number of more than 4,300 digits.
    source, last = f"It costs {digits} euros.", digits[:-1] + "8"
    assert not check(source, f"Es kostet {digits} Euro.", language="de", settings=NUMBERS)
    (found,) = check(source, f"Es kostet {last} Euro.", language="de", settings=NUMBERS)
    assert (found.code, found.found) == ("numbers/changed", numbers_in(last)[0].text)
    assert len(found.message) < 200
    assert found.message.endswith(f"{with_ascii_digits(last)[-40:]}.")


def test_many_numbers_take_time_in_proportion() -> None:
    """Thousands of numbers a side; comparing each with each for each of them would take hours."""
    source = " ; ".join(map(str, range(1000, 2400)))
    target = " ; ".join(map(str, range(5000, 6400)))
    found = check(source, target, source_language="en", language="de", settings=NUMBERS)
    assert [one.code for one in found].count("numbers/missing") == 1400
    assert [one.code for one in found].count("numbers/added") == 1400
    miles, kilometres = "5 miles " * 1200, "8 km " * 1900
    assert not check(miles, kilometres, source_language="en", language="de", settings=NUMBERS)


@given(st.text(max_size=40))
def test_numbers_lie_in_the_text_whatever_it_is(text: str) -> None:
    for number in numbers_in(text):
        assert 0 <= number.start < number.end <= len(text)
