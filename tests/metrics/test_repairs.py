"""Edits that can be undone one by one, what they are, and what undoing them gains."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metaphrase
from metaphrase import analysis
from metaphrase.errors import InputError, OptionError
from metaphrase.metrics.repairs import KINDS, RepairedSegment
from metaphrase.metrics.repairs.alignment import align
from metaphrase.metrics.repairs.edits import edit_script
from metaphrase.metrics.repairs.script import UNCHANGED, EditScript

#: Written for this test: hypothesis, reference.
PAIRS = {
    "en": [
        ("He reminds himself not, who gave it.", "He doesn't remember who gave it."),
        ("Yesterday, he went home with 15 friends.", "He went home with 14 friends yesterday."),
        ('She said ("no") and left ,then', 'She left and said "no"; then'),
    ],
    "de": [("Er kommt morgen nicht heim.", "Morgen kommt er nach Hause, glaube ich.")],
    "fr": [("L'homme a vu le chat noir.", "Le chat noir, c'est l'homme qui l'a vu.")],
    "es": [("¿Vienes mañana a casa?", "¿Vas a venir a casa mañana?")],
    "cs": [("Přišel domů pozdě večer.", "Pozdě večer přišli domů.")],
    "zh": [("他昨天没有来学校。", "他今天来了学校上课。")],
    "ru": [("Он не придёт завтра домой", "Завтра он придет домой!")],
}
#: Words, punctuation and spaces that meet in unlikely ways.
TOKENS = st.lists(
    st.sampled_from("a The the cat cats sat on mat , . - ( ) \" ' 3 3.5 can't 猫 い x/y é".split()),
    max_size=12,
)


def script(hypothesis: str, reference: str, lang: str = "en") -> EditScript:
    (aligned,) = align([hypothesis], [reference], lang)
    return edit_script(aligned)


def squeezed(text: str) -> str:
    return " ".join(text.split())


def repaired(
    hypothesis: str, reference: str, metric: metaphrase.metrics.Metric | None = None
) -> RepairedSegment:
    (found,) = (metric or metaphrase.Chrf()).repairs([hypothesis], [reference])
    return found


def check_script(found: EditScript) -> None:
    """Atoms have the words of both texts in order; all repairs give the reference, none the hypothesis."""
    for side in ("hypothesis", "reference"):
        words = [word for atom in found.atoms for word in range(*getattr(atom, side))]
        assert words == list(range(len(getattr(found, side).words)))
    for atom in found.atoms:
        if atom.edit == UNCHANGED:
            own, other = (
                [word.form for word in side.words[slice(*place)]]
                for side, place in (
                    (found.hypothesis, atom.hypothesis),
                    (found.reference, atom.reference),
                )
            )
            assert own == other
    assert found.text([]) == squeezed(found.hypothesis.text)
    assert found.text(range(found.edits)) == squeezed(found.reference.text)


@pytest.mark.parametrize(
    ("lang", "hypothesis", "reference"),
    [(lang, *pair) for lang, pairs in PAIRS.items() for pair in pairs],
)
def test_all_repairs_give_the_reference_and_none_the_hypothesis(
    lang: str, hypothesis: str, reference: str
) -> None:
    check_script(script(hypothesis, reference, lang))
    check_script(script(reference, hypothesis, lang))


@settings(max_examples=60, deadline=None)
@given(
    hypothesis=TOKENS,
    reference=TOKENS,
    glue=st.sampled_from(["", " "]),
    lang=st.sampled_from(["en", "xx"]),
)
def test_so_they_do_with_random_words(
    hypothesis: list[str], reference: list[str], glue: str, lang: str
) -> None:
    check_script(script(glue.join(hypothesis), " ".join(reference), lang))


@settings(max_examples=60, deadline=None)
@given(hypothesis=st.text(max_size=20), reference=st.text(max_size=20))
def test_and_with_random_characters(hypothesis: str, reference: str) -> None:
    found = script(hypothesis, reference, "xx")
    assert found.text([]).split() == hypothesis.split() or not hypothesis.isprintable()


def test_the_same_text_has_no_edits() -> None:
    assert script("A cat sat.", "A cat sat.").edits == 0
    found = repaired("A cat sat.", "A cat sat.")
    assert (found.repairs, found.matched, found.exact) == ((), 1.0, True)
    assert found.score == found.maximum == 100.0


class TestEdits:
    @pytest.mark.parametrize(
        ("hypothesis", "reference", "edits"),
        [
            # Neighbours of one inflected word go with it.
            ("He has given it to her.", "He gave it to her.", [("has given", "gave")]),
            ("They left the house.", "They left their homes.", [("the house", "their homes")]),
            # Two wrong words are two.
            ("The big cat slept.", "The small dog slept.", [("big", "small"), ("cat", "dog")]),
            # A number is one of its own.
            ("He saw 15 old men.", "He saw 14 young men.", [("15", "14"), ("old", "young")]),
            # What moved takes its comma along, and the capital.
            ("Yesterday, he slept.", "He slept yesterday.", [("Yesterday, he", "He … yesterday")]),
            ("Mary loves John.", "John loves Mary.", [("Mary … John", "John … Mary")]),
            ("The big red bus.", "The red big bus.", [("red", "red")]),
        ],
    )
    def test_they_are_what_a_reader_would_name(
        self, hypothesis: str, reference: str, edits: list[tuple[str, str]]
    ) -> None:
        found = repaired(hypothesis, reference)
        assert sorted((one.before, one.after) for one in found.repairs) == sorted(edits)

    def test_half_repaired_texts_read_well(self) -> None:
        found = script('He said ("yes") and left.', 'He said "no", and left early.')
        texts = {found.text([edit]) for edit in range(found.edits)}
        assert 'He said ("yes") and left early.' in texts
        assert all("  " not in text and " ," not in text and " ." not in text for text in texts)


#: Written for this test: one error each. Hypothesis, reference, kind.
ONE_EDIT = [
    ("The minister opened the new kitchen.", "The minister opened the new bridge.", "wrong word"),
    ("She bought a wooden chair.", "She bought a wooden table.", "wrong word"),
    ("The results were surprising.", "The results were disappointing.", "wrong word"),
    ("They walked along the beach.", "They walked along the river.", "wrong word"),
    ("He painted the door in March.", "He repaired the door in March.", "wrong word"),
    ("The meeting was held in London.", "The meeting was held in Madrid.", "wrong name"),
    ("Anna wrote the report.", "Peter wrote the report.", "wrong name"),
    ("The river flows through Prague.", "The river flows through Vienna.", "wrong name"),
    ("Talks with Siemens continue.", "Talks with Bosch continue.", "wrong name"),
    ("It costs 45 euros.", "It costs 35 euros.", "wrong number"),
    ("About 1,200 people came.", "About 1,500 people came.", "wrong number"),
    ("He was born in 1961.", "He was born in 1916.", "wrong number"),
    ("The bridge is 12.5 metres long.", "The bridge is 21.5 metres long.", "wrong number"),
    ("The old man slept.", "The old man from Berlin slept.", "missing words"),
    ("She sold the car.", "She sold the red car.", "missing words"),
    ("The team won the match.", "The team easily won the match.", "missing words"),
    ("He came home.", "He came home after midnight.", "missing words"),
    ("The very old house was sold.", "The house was sold.", "extra words"),
    ("She quickly closed the window.", "She closed the window.", "extra words"),
    ("The court rejected the appeal again.", "The court rejected the appeal.", "extra words"),
    ("He met the mayor of the city.", "He met the mayor.", "extra words"),
    ("The red big bus stopped.", "The big red bus stopped.", "word order"),
    ("Yesterday the shop closed early.", "The shop closed early yesterday.", "word order"),
    ("The dog chased the cat.", "The cat chased the dog.", "word order"),
    ("He told quietly the story.", "He told the story quietly.", "word order"),
    ("The child play in the garden.", "The children play in the garden.", "inflection"),
    ("She work in a hospital.", "She works in a hospital.", "inflection"),
    ("They have build a house.", "They have built a house.", "inflection"),
    ("Two car were stolen.", "Two cars were stolen.", "inflection"),
    ("The minister did not sign it.", "The minister did sign it.", "negation"),
]


@pytest.mark.parametrize("name", ["accord", "chrf", "bleu"])
def test_one_error_has_all_the_points_and_the_right_kind(name: str) -> None:
    """At least 28 of 30, as the goal has it."""
    metric = metaphrase.create(name)
    hypotheses, references, wanted = zip(*ONE_EDIT, strict=True)
    right = 0
    for found, kind in zip(metric.repairs(hypotheses, references), wanted, strict=True):
        right += [one.kind for one in found.repairs] == [kind]
        assert sum(one.points for one in found.repairs) == pytest.approx(
            found.maximum - found.score, abs=1e-9
        )
        assert found.score < found.maximum
    assert right >= 28


class TestKinds:
    @pytest.mark.parametrize(
        ("hypothesis", "reference", "kind"),
        [
            ("He recieved the letter.", "He received the letter.", "spelling"),
            ("It is well known.", "It is well-known.", "punctuation"),
            ("The colour faded.", "The color faded.", "spelling"),
            ("We met in germany.", "We met in Germany.", "casing"),
            ("The police came.", "Police came.", "extra words"),
            ("He has 10 cats.", "He has ten cats.", "spelling"),
            ("He has 12 cats.", "He has ten cats.", "wrong number"),
            ("He came, and left.", "He came and left.", "punctuation"),
            ("He came ,and left.", "He came, and left.", "punctuation"),
            ("Он слово here.", "He comes here.", "untranslated"),
            ("He left without paying.", "He left after paying.", "negation"),
            # Words that are written together in one text.
            ("The ceasefire held.", "The cease-fire held.", "spelling"),
            ("About 317 000 people came.", "About 317,000 people came.", "spelling"),
            ("On 26 July it rained.", "On 26th July it rained.", "spelling"),
            # Words that are there, in another form or place.
            ("It’s late.", "It is late.", "spelling"),
            ("They left.", "And they left.", "missing words"),
            ("His interference ended.", "His interfered ended.", "inflection"),
            ("The premier came.", "The premium came.", "wrong word"),
            ("He will deny also that.", "He will also play that.", "wrong word"),
            # The denial is not all that differs.
            ("Results are not uniform.", "Results vary by region.", "wrong word"),
            ("The Sergei file.", "The Sergey file.", "spelling"),
        ],
    )
    def test_they_are_those_of_a_reader(self, hypothesis: str, reference: str, kind: str) -> None:
        assert [one.kind for one in repaired(hypothesis, reference).repairs] == [kind]

    def test_words_of_the_source_are_untranslated(self) -> None:
        texts = ["The Freundschaft is old."], ["The friendship is old."]
        sources = ["Die Freundschaft ist alt."]
        (found,) = metaphrase.Chrf().repairs(*texts, sources=sources)
        assert [one.kind for one in found.repairs] == ["untranslated"]

    def test_each_has_a_category_of_mqm(self) -> None:
        assert {kind for *_, kind in ONE_EDIT} <= set(KINDS)


class TestPoints:
    @pytest.mark.parametrize("name", ["accord", "bleu", "chrf", "ter", "cobalt", "tesla-m", "nist"])
    def test_they_add_up(self, name: str) -> None:
        metric = metaphrase.create(name)
        hypotheses, references = zip(*PAIRS["en"], *(pair[:2] for pair in ONE_EDIT), strict=True)
        if metric.needs_whole_corpus:
            pytest.skip("it looks beyond the segment")
        scores = metric.segment_scores(hypotheses, [references])
        for found, score in zip(metric.repairs(hypotheses, references), scores, strict=True):
            assert found.score == score
            assert sum(one.points for one in found.repairs) == pytest.approx(
                found.maximum - found.score, abs=1e-9
            )

    def test_many_edits_are_shared_out_over_a_few_orders(self) -> None:
        found = repaired("a1 b x1 c x2 d x3 e x4 f x5", "b y1 c y2 d y3 e y4 f y5 g")
        assert not found.exact
        assert sum(one.points for one in found.repairs) == pytest.approx(
            found.maximum - found.score, abs=1e-9
        )

    def test_of_very_many_edits_neighbours_share_their_points(self) -> None:
        """Else a text of a thousand words would be scored a thousand times."""
        hypothesis = " ".join(f"a{number} b" for number in range(80))
        reference = " ".join(f"c{number} b" for number in range(80))
        found = repaired(hypothesis, reference)
        assert len(found.repairs) >= 80
        assert not found.exact
        assert sum(one.points for one in found.repairs) == pytest.approx(
            found.maximum - found.score, abs=1e-9
        )

    def test_those_that_gain_most_come_first(self) -> None:
        for metric in (metaphrase.Chrf(), metaphrase.Ter()):
            sign = 1 if metric.higher_is_better else -1
            found = repaired(
                "The cat in hat sat at 9.", "A dog in a hat sat by a fire at 8.", metric
            )
            points = [sign * one.points for one in found.repairs]
            assert points == sorted(points, reverse=True)
            assert points[0] > 0


class TestPlaces:
    def test_they_are_those_of_the_texts_as_given(self) -> None:
        hypothesis, reference = "«Oui\u00ad», dit le chat…", '"Oui", dit le chien...'
        (found,) = metaphrase.Accord(lang="fr").repairs([hypothesis], [reference])
        (one,) = found.repairs
        assert (one.hypothesis.text, one.reference.text) == ("chat", "chien")
        assert hypothesis[one.hypothesis.start : one.hypothesis.end] == "chat"
        assert reference[one.reference.start : one.reference.end] == "chien"

    def test_metrics_of_bytes_see_typography(self) -> None:
        (found,) = metaphrase.Bleu().repairs(["It can’t be."], ["It can't be."])
        assert found.score < found.maximum
        assert found.repairs

    def test_what_is_missing_has_a_place_between_words(self) -> None:
        (one,) = repaired("He came home.", "He came home late.").repairs
        assert (one.hypothesis.start, one.hypothesis.end, one.hypothesis.text) == (12, 12, "")
        assert one.reference.text == "late"
        assert one.hypothesis_marks == (one.hypothesis,)

    def test_marks_leave_out_what_stands_between_words_that_moved(self) -> None:
        (one,) = repaired("Mary really loves John.", "John really loves Mary.").repairs
        assert one.hypothesis.text == "Mary really loves John"
        assert [mark.text for mark in one.hypothesis_marks] == ["Mary", "John"]
        assert [mark.text for mark in one.reference_marks] == ["John", "Mary"]


@pytest.mark.parametrize("lang", ["zh", "cs", "ja"])
def test_what_is_installed_changes_nothing(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Analysers that not every installation has are asked only by metrics that need them."""

    def refuse(name: str) -> None:
        raise AssertionError(name)

    monkeypatch.setattr(analysis, "shared", refuse)
    (found,) = metaphrase.Chrf(lang=lang).repairs(["他昨天来。 domů"], ["他今天来。 doma"])
    assert [(one.before, one.after) for one in found.repairs if "昨" in one.before] == [
        ("昨天", "今天")
    ]


class TestBadInput:
    @pytest.mark.parametrize("given", [["a cat"], {"a cat"}, None, 5])
    def test_an_explanation_is_of_two_texts(self, given: object) -> None:
        for metric in (metaphrase.Accord(), metaphrase.Chrf()):
            with pytest.raises(InputError, match=r"MP103.*not a string"):
                metric.explain("a cat", given)  # type: ignore[arg-type]

    def test_nothing_against_something(self) -> None:
        found = repaired("", "A cat sat.")
        assert [one.kind for one in found.repairs] == ["missing words"]
        assert found.matched == 0.0

    def test_metrics_that_look_beyond_the_segment_are_refused(self) -> None:
        with pytest.raises(OptionError, match="MP502"):
            metaphrase.create("pbe:tfidf").repairs(["a"], ["b"])

    def test_unequal_numbers_are_an_error(self) -> None:
        with pytest.raises(InputError, match="MP"):
            metaphrase.Chrf().repairs(["a", "b"], ["c"])

    def test_a_segment_of_a_thousand_words_has_too_many_edits_to_read(self) -> None:
        with pytest.raises(InputError, match="MP510"):
            metaphrase.Chrf(lang="xx").repairs(["a " * 1001], ["b " * 1001])

    def test_combining_characters_stay_with_their_words(self) -> None:
        text = unicodedata.normalize("NFD", "Zoë kam.")
        (found,) = metaphrase.Accord(lang="de").repairs([text], ["Zoe kam."])
        (one,) = found.repairs
        assert one.hypothesis.text == unicodedata.normalize("NFD", "Zoë")
