"""Each kind of error is what it says, whatever the seed; and is said to be impossible where it is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase.analysis import registry
from metaphrase.errors import MetaphraseError
from metaphrase.probing import KINDS, kinds_of, make_challenges
from oracle.error_kinds import IS, words
from probing.texts import TEXTS

ALL = [text for texts in TEXTS.values() for text in texts]
LANGUAGES = [language for language in TEXTS if registry.lemmatises(language)]


def made(language: str, *kinds: str, seed: int = 12345) -> list[tuple[str, str]]:
    texts = TEXTS[language]
    return [
        (item.good, item.bad)
        for item in make_challenges(texts, lang=language, kinds=kinds, seed=seed).items
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_every_error_is_what_it_says(language: str, seed: int) -> None:
    items = make_challenges(TEXTS[language], lang=language, seed=seed).items
    assert {item.kind for item in items} == set(KINDS)
    for item in items:
        assert IS[item.kind](item.good, item.bad, language), (item.kind, item.good, item.bad)
        assert item.severity == KINDS[item.kind].severity


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_an_agreement_is_broken_by_another_form_of_the_same_word(language: str, seed: int) -> None:
    analyser = registry.load(language)
    for good, bad in made(language, "agreement", seed=seed):
        before, after = analyser.analyse([good, bad], ["lemma"])
        assert before.lemma is not None
        assert after.lemma is not None
        assert [lemma.lower() for lemma in before.lemma] == [lemma.lower() for lemma in after.lemma]
        assert before.form != after.form


class TestSingleErrors:
    """What becomes of one sentence in which there is but one place."""

    @pytest.mark.parametrize(
        ("language", "kind", "good", "bad"),
        [
            ("en", "negation", "He does not sleep.", "He does sleep."),
            ("en", "negation", "We can't sleep.", "We can sleep."),
            ("en", "negation", "The cat slept.", "The cat did not sleep."),
            ("de", "negation", "Er hat kein Haus.", "Er hat ein Haus."),
            ("de", "negation", "Er hat ein Haus.", "Er hat kein Haus."),
            ("de", "negation", "Er schläft nicht.", "Er schläft."),
            ("fr", "negation", "Il n'a pas dormi.", "Il a dormi."),
            ("fr", "negation", "Il a dormi.", "Il n'a pas dormi."),
            ("fr", "negation", "Elle est venue.", "Elle n'est pas venue."),
            ("es", "negation", "Ella no duerme.", "Ella duerme."),
            ("es", "negation", "Ella se durmió.", "Ella no se durmió."),
            ("en", "agreement", "She wants milk.", "She want milk."),
            ("en", "agreement", "Cats sleep.", "Cats sleeps."),
            (
                "de",
                "agreement",
                "Die Katze schlief in der alten Stadt.",
                "Die Katze schlief in der alte Stadt.",
            ),
            ("fr", "agreement", "Paul aime les maisons.", "Paul aime le maisons."),
            ("es", "agreement", "Pablo ve las casas.", "Pablo ve la casas."),
            ("en", "order", "He slept in Rome.", "He slept Rome in."),
            ("en", "numbers", "It is not 1.", None),
        ],
    )
    def test_it_is_put_where_it_belongs(
        self, language: str, kind: str, good: str, bad: str | None
    ) -> None:
        (item,) = make_challenges([good], lang=language, kinds=[kind]).items
        assert item.bad == bad if bad is not None else item.bad != good

    @pytest.mark.parametrize(
        ("language", "kind", "text"),
        [
            ("en", "numbers", "No number is here."),
            ("en", "negation", "A house."),
            ("en", "negation", "Not only in Rome."),
            ("de", "agreement", "Sie schläft."),  # she or they
            ("fr", "agreement", "Le temps."),  # the same in both numbers
            ("en", "names", "He lives in Rome."),  # there is no other name
            ("en", "addition", "He lives in Rome."),  # nor another phrase
        ],
    )
    def test_nothing_is_done_where_it_would_be_no_error(
        self, language: str, kind: str, text: str
    ) -> None:
        with pytest.raises(MetaphraseError, match="MP764"):
            make_challenges([text], lang=language, kinds=[kind])

    def test_years_keep_their_century_and_numbers_their_digits(self) -> None:
        for seed in range(20):
            ((_, year),) = [
                (item.good, item.bad)
                for item in make_challenges(["In 1987."], kinds=["numbers"], seed=seed).items
            ]
            assert year.startswith("In 19")
            assert len(year) == len("In 1987.")


class TestMaking:
    def test_the_same_seed_gives_the_same_items_and_another_one_others(self) -> None:
        texts = TEXTS["en"]
        first, again, other = (make_challenges(texts, seed=seed).items for seed in (1, 1, 2))
        assert first == again
        assert first != other

    def test_other_kinds_change_nothing(self) -> None:
        together = set(make_challenges(TEXTS["de"], lang="de").items)
        assert together >= set(make_challenges(TEXTS["de"], lang="de", kinds=["order"]).items)

    def test_errors_are_in_the_translations(self) -> None:
        (item,) = make_challenges(["He has 3 cats."], ["He's got 3 cats."], kinds=["numbers"]).items
        assert (item.reference, item.good) == ("He has 3 cats.", "He's got 3 cats.")
        assert words(item.bad)[:4] == words(item.good)[:4]

    def test_counts_say_how_many_texts_there_were(self) -> None:
        made = make_challenges(["It costs 7 euros.", "", "It is free."], kinds=["numbers"])
        assert (made.texts, made.counts) == (2, {"numbers": 1})
        assert repr(made) == "<Made items=1 of texts=2: numbers 1>"
        assert made.items[0].id == "1"

    def test_a_language_without_an_analyser_has_numbers(self) -> None:
        assert kinds_of("fi") == ("numbers",)
        (item,) = make_challenges(["Se maksaa 25 euroa."], lang="fi").items
        assert item.kind == "numbers"

    @pytest.mark.parametrize(
        ("language", "kind", "code", "said"),
        [
            ("fi", "negation", "MP762", "has rules for en, de, fr, es, cs only"),
            ("fi", "order", "MP762", "needs an analyser"),
            ("en", "spelling", "MP761", "There are numbers"),
        ],
    )
    def test_what_cannot_be_made_is_refused(
        self, language: str, kind: str, code: str, said: str
    ) -> None:
        with pytest.raises(MetaphraseError) as refused:
            make_challenges(["Hei."], lang=language, kinds=[kind])
        assert refused.value.code == code
        assert said in str(refused.value)

    def test_as_many_translations_as_references(self) -> None:
        with pytest.raises(MetaphraseError, match="MP102"):
            make_challenges(["a", "b"], ["a"])
        with pytest.raises(MetaphraseError, match=r"MP107.*references is of type set"):
            make_challenges({"a", "b"})  # type: ignore[arg-type]

    def test_without_a_parser_single_words_are_left_out_and_added(self) -> None:
        if "omission" not in kinds_of("zh"):
            pytest.skip("the extra zh is not installed")
        texts = ["我们在北京学习中文。", "他在上海买了一本书。"]
        for item in make_challenges(texts, lang="zh", kinds=["omission", "addition"]).items:
            short, long = sorted((item.good, item.bad), key=len)
            assert len(short) < len(long)
            assert set(short) <= set(long)


@pytest.mark.parametrize("language", [*LANGUAGES, "fi"])
@settings(max_examples=40, deadline=None)
@given(texts=st.lists(st.one_of(st.text(), st.sampled_from(ALL)), min_size=1))
def test_any_text_will_do(language: str, texts: list[str]) -> None:
    """The first one has a number, so that there is always something to be made."""
    with_number = ["7", *(text for text in texts if text.isprintable())]
    for item in make_challenges(with_number, lang=language).items:
        assert item.bad.strip()
        assert item.bad != item.good == with_number[int(item.id) - 1]
