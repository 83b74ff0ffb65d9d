"""The tokens, stems and function words of METEOR 1.5.

tests/golden/meteor_text_cases.json has answers of the Java program; it says how they were made.
"""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase._core.meteor_text import Normaliser
from metaphrase.analysis.metric_text import meteor_text, snowball
from metaphrase.analysis.metric_text.meteor_text import LANGUAGES, function_words, normalise, stem
from metaphrase.errors import InputError, OptionError, ResourceError
from oracle import meteor_text as oracle

GOLDEN = json.loads(
    Path(__file__).parents[2].joinpath("golden", "meteor_text_cases.json").read_text("utf-8")
)
NORMALISED = sorted(code for code, language in LANGUAGES.items() if language.normalises)
PREFIXES = {"en": (["Mr", "U.N"], ["No"]), "fr": (["M", "c.-à-d"], []), "de": (["z.B", "a"], [])}

#: What the rules speak of, and anything else.
TEXTS = st.lists(
    st.one_of(
        st.sampled_from(
            "aAzZéß059.,'`‘’“”–-— \t\n\x0b\r\0\x1f\x85\u00a0\u2003\u3000ſžЖԧԨΣİ😀\u0301中"
        ),
        st.sampled_from("Mr. U.N. No. 5 it's l'eau 1980's c.-à-d. ... a,b,c well-known s".split()),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=20,
).map("".join)


@pytest.mark.parametrize("punctuation", [True, False])
@pytest.mark.parametrize("lang", NORMALISED)
def test_tokens_are_those_of_the_java_program(lang: str, punctuation: bool) -> None:
    cases = [
        case
        for case in GOLDEN["tokens"]
        if case["lang"] == lang and case["punctuation"] == punctuation
    ]
    assert len(cases) > 60
    tokens = normalise([case["text"] for case in cases], lang=lang, punctuation=punctuation)
    assert tokens == [case["tokens"] for case in cases]


@pytest.mark.parametrize("lang", sorted(GOLDEN["stems"]))
def test_stems_are_those_of_the_java_program(lang: str) -> None:
    pytest.importorskip("snowballstemmer")
    stems = GOLDEN["stems"][lang]
    assert stem(list(stems), lang) == list(stems.values())


@given(TEXTS, st.sampled_from(sorted(PREFIXES)))
def test_tokens_are_those_of_the_rules_one_after_the_other(text: str, lang: str) -> None:
    always, before_numbers = PREFIXES[lang]
    apostrophes = {"en": "clitic after", "fr": "clitic before", "de": "apart"}[lang]
    normaliser = Normaliser(apostrophes=apostrophes, always=always, before_numbers=before_numbers)
    expected = oracle.normalise(text, lang, set(always), set(before_numbers))
    assert normaliser.normalise([text], punctuation=True, threads=1) == [expected]


@given(TEXTS, st.sampled_from(NORMALISED))
def test_without_punctuation_only_letters_and_digits_stay(text: str, lang: str) -> None:
    (line,) = normalise([text], lang=lang, punctuation=False)
    assert all(c.isalnum() or c in " \u0307" for c in line)  # İ in lower case is i with a dot


@given(TEXTS, st.sampled_from(NORMALISED))
def test_tokens_without_punctuation_are_stable(text: str, lang: str) -> None:
    once = normalise([text], lang=lang, punctuation=False, lower=False)
    assert normalise(once, lang=lang, punctuation=False, lower=False) == once


@given(st.lists(TEXTS, max_size=6), st.sampled_from(NORMALISED))
def test_one_space_stands_between_tokens(texts: list[str], lang: str) -> None:
    for line in normalise(texts, lang=lang):
        assert not line or all(line.split(" "))


def test_threads_change_nothing() -> None:
    texts = [case["text"] for case in GOLDEN["tokens"]]
    alone = normalise(texts)
    assert normalise(texts, threads=4) == alone
    with ThreadPoolExecutor(4) as pool:
        assert all(lines == alone for lines in pool.map(normalise, [texts] * 8))


def test_threads_share_no_stemmer() -> None:
    pytest.importorskip("snowballstemmer")
    words = list(GOLDEN["stems"]["fr"]) * 50
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: stem(words, "fr"), range(8)))
    assert all(result == results[0] for result in results)


def test_a_list_of_commas_keeps_every_second_one_in_its_word() -> None:
    # As the Java program has it: a comma's right neighbour is not the left neighbour of the next.
    assert normalise(["a,b,c,d"]) == ["a , b,c , d"]


def test_an_apostrophe_goes_with_its_clitic() -> None:
    text = ["d'eau"]
    assert normalise(text, lang="en") == ["d 'eau"]
    assert normalise(text, lang="fr") == ["d' eau"]
    assert normalise(text, lang="de") == ["d ' eau"]


def test_case_is_kept_on_demand() -> None:
    assert normalise(["Mr. Smith of the U.S."], lower=False) == ["Mr. Smith of the US"]


def test_very_long_texts_are_read() -> None:
    assert normalise(["a-" * 100_000]) == ["a a-" * 50_000]
    assert normalise(["." * 100_000]) == ["." * 100_000]
    assert normalise(["-" * 100_001]) == ["-" * 50_001]


def test_function_words_are_those_of_the_language() -> None:
    # The numbers of lines in the lists of meteor-1.5.jar.
    sizes = {lang: len(function_words(lang)) for lang in LANGUAGES}
    assert {lang: size for lang, size in sizes.items() if size} == {
        "en": 93,
        "cs": 68,
        "de": 92,
        "es": 66,
        "fr": 85,
        "ru": 62,
    }
    assert {"the", "'s", "-lrb-"} <= function_words("en")


def test_czech_is_tokenised_and_not_stemmed() -> None:
    assert LANGUAGES["cs"].normalises
    assert not LANGUAGES["cs"].stems
    with pytest.raises(OptionError, match="cs") as caught:
        stem(["psa"], "cs")
    assert caught.value.code == "MP597"


@pytest.mark.parametrize(
    ("lang", "code"), [("zh", "MP595"), ("", "MP595"), ("fi", "MP596"), ("tr", "MP596")]
)
def test_languages_without_tokens_are_refused(lang: str, code: str) -> None:
    with pytest.raises(OptionError) as caught:
        normalise(["a"], lang=lang)
    assert caught.value.code == code


def test_function_words_of_no_known_language_are_refused() -> None:
    with pytest.raises(OptionError) as caught:
        function_words("xx")
    assert caught.value.code == "MP595"


@pytest.mark.parametrize(
    ("texts", "code"),
    [("abc", "MP107"), ({"abc"}, "MP107"), ([1], "MP103"), (["a", "\ud800"], "MP106")],
)
def test_texts_that_are_none_are_refused(texts: list[str], code: str) -> None:
    with pytest.raises(InputError) as caught:
        normalise(texts)
    assert caught.value.code == code


@pytest.mark.parametrize("lang", ["en", "de", "fr"])
@pytest.mark.parametrize(("words", "code"), [([None], "MP103"), (["\udc00"], "MP106")])
def test_words_that_are_none_are_refused(words: list[str], code: str, lang: str) -> None:
    with pytest.raises(InputError) as caught:
        stem(words, lang)
    assert caught.value.code == code


def test_a_number_of_threads_below_1_is_refused() -> None:
    with pytest.raises(OptionError) as caught:
        normalise(["a"], threads=0)
    assert caught.value.code == "MP519"


def test_a_missing_package_of_stemmers_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "snowballstemmer.swedish_stemmer", None)
    snowball._prototype.cache_clear()
    with pytest.raises(ResourceError, match="snowballstemmer") as caught:
        stem(["husen"], "sv")
    assert caught.value.code == "MP970"
    assert "[stemmers]" in str(caught.value.hint)
    assert stem(["houses"], "en") == ["hous"]
    assert stem(["häuser"], "de") == ["haus"]


def test_stemmers_of_another_version_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snowball, "version", lambda _: "3.0.1")
    snowball._prototype.cache_clear()
    with pytest.raises(ResourceError, match="version 2") as caught:
        stem(["husen"], "sv")
    assert caught.value.code == "MP970"


def test_missing_lists_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(meteor_text, "shipped_file", lambda name: tmp_path / name)
    with pytest.raises(ResourceError) as caught:
        meteor_text._function_words.__wrapped__()
    assert caught.value.code == "MP599"


@given(st.text())
def test_any_word_has_a_stem_in_the_core(word: str) -> None:
    for lang in ("en", "de"):
        assert len(stem([word], lang)) == 1
