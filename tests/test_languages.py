"""Languages by any of their names."""

from __future__ import annotations

import gzip
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import metaphrase
from metaphrase import languages
from metaphrase.errors import OptionError, ResourceError
from metaphrase.languages import (
    canonical_language,
    find_language,
    is_wanted,
    language_code,
    name_key,
    same_language,
    same_pair,
)

#: Ten languages of WMT's news tasks, by the code of ISO 639-1, that code in capitals, the one of ISO 639-3,
#: one with a region, one of FLORES-200 and the English name.
NAMES = {
    "en": "en EN eng en-US eng_Latn English",
    "de": "de DE deu de-DE deu_Latn German",
    "fr": "fr FR fra fr-CA fra_Latn French",
    "es": "es ES spa es-419 spa_Latn Spanish",
    "cs": "cs CS ces cs-CZ ces_Latn Czech",
    "zh": "zh ZH zho zh-CN zho_Hans Chinese",
    "ja": "ja JA jpn ja-JP jpn_Jpan Japanese",
    "ru": "ru RU rus ru-RU rus_Cyrl Russian",
    "fi": "fi FI fin fi-FI fin_Latn Finnish",
    "tr": "tr TR tur tr-TR tur_Latn Turkish",
}
EACH_NAME = [(code, name) for code, names in NAMES.items() for name in names.split()]


@pytest.fixture(autouse=True, scope="module")
def _forget() -> Iterator[None]:
    """No other module gets what the tests of damaged tables leave in the caches."""
    yield
    _clear()


def _clear() -> None:
    for cached in (languages._table, languages._names, languages._find, same_pair):
        cached.cache_clear()


@pytest.mark.parametrize(("code", "name"), EACH_NAME)
def test_each_name_of_a_common_language_is_the_same_code(code: str, name: str) -> None:
    assert canonical_language(name) == code


@pytest.mark.parametrize(("code", "name"), EACH_NAME)
def test_each_name_gives_the_same_metric_signature_and_score(code: str, name: str) -> None:
    reference, hypothesis = "Ein Haus, 一座房子。", "Das Haus 房子。"
    for kind in ("bleu", "ter", "nist", "chrf"):
        by_code, by_name = (metaphrase.create(kind, lang=text) for text in (code, name))
        assert by_name == by_code
        assert by_name.signature(1) == by_code.signature(1)
        corpus = metaphrase.Corpus({"mine": [hypothesis]}, [[reference]])
        scores = [
            metaphrase.score(corpus, [one], check_language=False) for one in (by_code, by_name)
        ]
        assert scores[0].systems[0].system == scores[1].systems[0].system


def test_a_metric_with_an_analyser_takes_any_name() -> None:
    signatures = {metaphrase.TeslaM(lang=name).signature(1) for name in NAMES["de"].split()}
    assert len(signatures) == 1
    assert "|lang:de|" in str(signatures.pop())


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("cmn", "zh"), ("zh_SG", "zh"), ("Simplified Chinese", "zh"), ("中文", "zh"),
        ("zh-TW", "zh-Hant"), ("zh-Hant", "zh-Hant"), ("zho_Hant", "zh-Hant"), ("zh-HK", "zh-Hant"),
        ("zh-Hant-TW-u-nu-hanidec", "zh-Hant"), ("Chinese (Traditional)", "zh-Hant"),
        ("Chinese (Taiwan)", "zh-Hant"), ("yue_Hant", "yue"), ("zh-yue", "yue"),
        ("sr_Cyrl_RS", "sr"), ("sr@latin", "sr-Latn"), ("srp_Latn", "sr-Latn"), ("sh", "sr-Latn"),
        ("Serbian (Latin)", "sr-Latn"), ("arb_Arab", "ar"), ("ar_EG", "ar"), ("arb_Latn", "ar-Latn"),
        ("kor_Hang", "ko"), ("ko-Kore", "ko"), ("iw", "he"), ("nob_Latn", "no"), ("nb-NO", "no"),
        ("nn", "nn"), ("pt_BR", "pt"), ("pes_Arab", "fa"), ("prs", "prs"), ("Farsi", "fa"),
        ("ger", "de"), ("de-1996", "de"), ("de_DE.UTF-8", "de"), ("ca_ES@valencia", "ca"),
        ("Deutsch", "de"), ("français", "fr"), ("Francais", "fr"), ("日本語", "ja"),
        ("bho_IN", "bho"), ("shn", "shn"), ("x-mine", "x-mine"), ("qaa", "qaa"),
        ("und", "und"), ("xx", "und"), ("mul", "mul"), (" en ", "en"),
    ],
)  # fmt: skip
def test_scripts_regions_and_names(name: str, code: str) -> None:
    assert canonical_language(name) == code


def test_a_region_is_there_for_those_who_ask() -> None:
    found = find_language("fr_CA")
    assert found is not None
    assert (found.tag, found.code, found.base, found.name) == ("fr-CA", "fr", "fr", "French")


def test_every_code_of_the_table_is_its_own_canonical_code_or_stands_for_one() -> None:
    for code, meant in languages._table().codes.items():
        assert canonical_language(code) == canonical_language(meant)
        assert canonical_language(canonical_language(code)) == canonical_language(code)


def test_every_name_of_the_table_is_understood() -> None:
    for name, code in languages._names().languages.items():
        assert canonical_language(name) == code


@given(st.text(st.sampled_from("enzhdsrUSHLtx019-_@. ()") | st.characters(), max_size=14))
def test_what_is_canonical_stays_so(text: str) -> None:
    found = find_language(text)
    if found is None:
        assert language_code(text) == text
        with pytest.raises(OptionError, match="MP528"):
            canonical_language(text)
    else:
        assert canonical_language(found.code) == found.code == language_code(text)
        assert canonical_language(found.tag) == found.code
        assert same_language(text, found.code)


@given(st.text(string.ascii_letters, min_size=2, max_size=3), st.sampled_from("-_"))
def test_case_and_separators_make_no_difference(code: str, separator: str) -> None:
    plain = find_language(f"{code.lower()}-us")
    assert find_language(f"{code.upper()}{separator}US") == plain


@pytest.mark.parametrize("pair", ["en-de", "EN-DE", "en_de", "de-en", "en-zh", "eng-deu", "en-ja"])
def test_a_language_pair_is_no_language(pair: str) -> None:
    with pytest.raises(OptionError, match="names two languages") as caught:
        canonical_language(pair)
    target = canonical_language(re.split("[-_]", pair)[1])
    assert f"that of the translations: {target}." in str(caught.value)


@pytest.mark.parametrize(
    "code", ["en-DE", "en-us", "en-za", "pt-br", "fr-ca", "es-ar", "zh-tw", "ZH-YUE", "de_at"]
)
def test_regions_are_no_second_language(code: str) -> None:
    assert canonical_language(code) == language_code(code)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("jp", "ja (Japanese)"),  # Japan
        ("cz", "cs (Czech)"),  # Czechia
        ("gr", "el (Greek)"),  # Greece
        ("Germn", "de (German)"),
        ("Englisch", "en (English)"),
        ("en_Xxxx", "en (English)"),
        ("Norwegian Bokmal (Oslo)", "no (Norwegian)"),
    ],
)
def test_what_somebody_may_have_meant_is_suggested(text: str, meant: str) -> None:
    with pytest.raises(OptionError) as caught:
        metaphrase.create("bleu", lang=text)
    assert caught.value.code == "MP528"
    assert f"Did you mean {meant}" in str(caught.value)


@pytest.mark.parametrize("text", ["", " ", "zz", "-en", "e", "foo", "x" * 10**6])
def test_what_nobody_can_have_meant_is_told_what_codes_look_like(text: str) -> None:
    with pytest.raises(OptionError, match=r"MP528.*eng_Latn") as caught:
        canonical_language(text)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("zh-CN", "zho_Hans", True),
        ("zh", "zh-TW", True),  # says less
        ("zh-TW", "zh-Hant", True),
        ("zh-TW", "zh-Hans", False),
        ("zh-TW", "zh-HK", False),
        ("mine", "MINE", True),
        ("mine", "yours", False),
    ],
)
def test_languages_of_files_are_compared_by_what_they_say(
    first: str, second: str, same: bool
) -> None:
    assert same_language(first, second) is same_language(second, first) is same


def test_pairs_are_asked_for_by_any_names() -> None:
    assert same_pair("zh-en", "zho_Hans-eng_Latn")
    assert not same_pair("zh-en", "en-zh")
    assert not same_pair("de", "de-en")
    assert is_wanted("en_US-de_DE", ["zh-en", "eng-deu"])
    assert not is_wanted("en-de", ["zh-en"])
    assert is_wanted("en-de", None)


def test_names_are_compared_without_accents_and_order() -> None:
    assert name_key("Čeština (psaná)") == name_key("PSANA, cestina")


@pytest.mark.parametrize(
    "content",
    [b"", b"no gzip", gzip.compress(b"one\ttwo\n"), gzip.compress(b"a\tb\n" * 3)[:-9]],
    # The bytes of gzip carry the time, and every worker must find the same tests.
    ids=["empty", "not packed", "two columns", "truncated"],
)
def test_a_damaged_table_is_an_error(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "languages.tsv.gz"
    path.write_bytes(content)
    monkeypatch.setattr(languages, "shipped_file", lambda name: path)
    _clear()
    try:
        with pytest.raises(ResourceError, match="MP529"):
            canonical_language("en")
    finally:
        monkeypatch.undo()
        _clear()


@pytest.mark.parametrize("language", ["Englsh", "en-de"])
def test_every_function_that_takes_a_language_rejects_what_is_none(language: str) -> None:
    corpus = metaphrase.Corpus({"mine": ["a b"]}, [["a b"]])
    for asked in (
        lambda: metaphrase.score(corpus, ["chrf"], lang=language),
        lambda: metaphrase.create("accord", lang=language),
        lambda: metaphrase.select(["a b", "a c"], "chrf", lang=language),
        lambda: metaphrase.check("a", "b", language=language),
        lambda: metaphrase.check("a", "b", source_language=language),
        lambda: metaphrase.probing.kinds_of(language),
        lambda: metaphrase.probing.make_challenges(["a b"], lang=language),
    ):
        with pytest.raises(OptionError, match="MP528"):
            asked()


def test_checks_and_probes_take_any_name_of_a_language() -> None:
    assert metaphrase.probing.kinds_of("Czech") == metaphrase.probing.kinds_of("ces_Latn")
    for name in ("fr_CA", "French (Canada)"):
        found = metaphrase.check("Yes!", "Oui !", source_language="English", language=name)
        assert found == metaphrase.check("Yes!", "Oui !", source_language="en", language="fr-CA")
