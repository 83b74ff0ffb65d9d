"""What changes a meaning, and what must not be taken for that."""

from __future__ import annotations

import numpy as np
import pytest

from metaphrase.learning.accord import Untrained
from metaphrase.lexicon.antonyms import load_antonyms
from metaphrase.metrics.accord.facts import number_shifts
from metaphrase.metrics.accord.meaning import CERTAIN
from metaphrase.metrics.comparison import compare_pair


def shifts(hypothesis: str, reference: str, lang: str = "en") -> dict[str, str]:
    """What is said to have changed, by kind."""
    metric = Untrained(lang=lang)
    found = metric.shifts(compare_pair(metric, hypothesis, reference))
    return {kind: words for _, kind, words in found}


def certain(hypothesis: str, reference: str, lang: str = "en") -> set[str]:
    # English counts no words of denial but knows what they deny; models of any language learn from both.
    flags = {*CERTAIN, "number"} | (set() if lang == "en" else {"denied"})
    return shifts(hypothesis, reference, lang).keys() & flags


@pytest.mark.parametrize(
    ("kind", "hypothesis", "reference"),
    [
        ("negation", "He does not remember it.", "He remembers it."),
        ("negation", "He remembers it.", "He does not remember it."),
        ("negation", "He can't swim.", "He can swim."),
        ("negation", "Nobody likes him.", "Everybody likes him."),
        ("negation", "He left without saying goodbye.", "He left saying goodbye."),
        ("negation", "He signed the deal.", "He refused to sign the deal."),
        ("negation", "He denied that he had paid.", "He said that he had paid."),
        ("negation", "He never pays.", "He always pays."),
        # Another clause is denied on both sides.
        (
            "negation",
            "He came because he couldn't wait.",
            "He didn't come because he couldn't wait.",
        ),
        ("negation", "It is not a test, nothing else.", "It is a test, nothing else."),
        ("negation", "All students passed.", "No students passed."),
        ("negation", "None of the students passed.", "All of the students passed."),
        ("negation", "You may take it without food.", "You may take it with food."),
        ("negation", "No more than ten people came.", "More than ten people came."),
        ("negation", "Everyone agreed.", "No one agreed."),
        ("antonym", "The price is low.", "The price is high."),
        ("antonym", "The drug is unsafe.", "The drug is safe."),
        ("antonym", "The door is closed.", "The door is open."),  # a participle and an adjective
        ("antonym", "He lost the match.", "He won the match."),
        ("antonym", "Fewer than ten people came.", "More than ten people came."),
        ("antonym", "Switch it off.", "Switch it on."),
        ("antonym", "No.", "Yes."),
        ("antonym", "Prices fell last year.", "Prices rose last year."),
        ("antonym", "Turn off the light.", "Turn on the light."),
        ("antonym", "It happened after the war.", "It happened before the war."),
        ("antonym", "Mary sold the car.", "Mary bought the car."),
        ("antonym", "He was unhappy with it.", "He was happy with it."),
        ("antonym", "at most five people", "at least five people"),
        ("roles", "The girl kissed the boy.", "The boy kissed the girl."),
        ("roles", "The boy was kissed by the girl.", "The boy kissed the girl."),
        ("roles", "Germany beat Brazil.", "Brazil beat Germany."),  # which the parser does not see
        ("roles", "The man bit the dog.", "The dog bit the man."),
        ("roles", "Peter said that John left.", "John said that Peter left."),
        ("roles", "He flew from Paris to Rome.", "He flew from Rome to Paris."),
        ("name", "Obama visited Paris.", "Obama visited London."),
        ("measure", "It took two hours.", "It took three hours."),
        ("measure", "The house is 5 km away.", "The house is 5 miles away."),
        ("measure", "It was 20 degrees Celsius.", "It was 20 degrees Fahrenheit."),
        ("measure", "We meet at 3 am.", "We meet at 3 pm."),
        ("measure", "It happened on Monday.", "It happened on Tuesday."),
        ("measure", "The meeting is in May.", "The meeting is in March."),
        ("quantifier", "Only members may enter.", "Members may enter."),
        ("quantifier", "All students passed.", "Some students passed."),
        ("gender", "She went home.", "He went home."),
        ("number", "It costs 25 euros.", "It costs 35 euros."),
        ("number", "It was on 3 May.", "It was on 5 May."),
    ],
)
def test_what_says_something_else_is_seen(kind: str, hypothesis: str, reference: str) -> None:
    assert kind in certain(hypothesis, reference)


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        ("The man was bitten by the dog.", "The dog bit the man."),  # passive
        ("The boy kissed the girl.", "The girl was kissed by the boy."),
        ("He sold two thousand cars.", "He sold 2,000 cars."),
        ("It was on December 31.", "It was on 31 December."),
        ("3.5 million people", "3,500,000 people"),
        ("It is 3.1 miles away.", "It is 5 km away."),
        ("No one came.", "Nobody came."),
        ("It is not impossible.", "It is possible."),  # double negation
        ("The price is not high.", "The price is low."),
        ("I think he will not come.", "I don't think he will come."),
        ("He failed to win.", "He did not win."),
        ("John bought the car from Mary.", "Mary sold John the car."),  # converse
        ("Not only cats but dogs came.", "Cats and dogs came."),
        ("There is no doubt that it works.", "It certainly works."),
        ("Barack Obama spoke.", "Obama spoke."),
        ("Kiev is a city.", "Kyiv is a city."),
        ("The U.N. sent food.", "The United Nations sent food."),
        ("The committee approved the plan.", "The plan was approved by the committee."),
        ("Few people came.", "Not many people came."),
        ("Not all students passed.", "Some students did not pass."),
        ("He hardly ever smiles.", "He rarely smiles."),
        ("The film was bad.", "The film was not good."),
        ("Moscow and Berlin agreed.", "Berlin and Moscow agreed."),
        ("Merkel met Macron.", "Macron met Merkel."),
        ("The winner is John.", "John is the winner."),
        ("On Monday and Tuesday it rained.", "On Tuesday and Monday it rained."),
        ("Just members may enter.", "Only members may enter."),
        ("He is the member.", "He is the only member."),
        ("No fewer than five people died.", "At least five people died."),
        ("No more than five survived.", "Only five survived."),
        ("The number is unknown to him.", "He does not know the number."),
        ("They showed endless bitterness.", "They showed never ending bitterness."),
        ("They refused to comment.", "They declined to comment."),
        ("He denied that he had paid.", "He rejected the claim that he had paid."),
        ("He denied he had paid.", "He disputed that he had paid."),
        ("From May to June it rained.", "From June to May it rained."),
        ("Theresa May resigned in June.", "May resigned in June."),
    ],
)
def test_what_says_the_same_is_not_flagged(hypothesis: str, reference: str) -> None:
    assert not certain(hypothesis, reference)
    assert not certain(reference, hypothesis)


@pytest.mark.parametrize(
    ("lang", "hypothesis", "reference"),
    [
        ("de", "Er kommt nicht.", "Er kommt."),
        ("fr", "Il ne vient pas.", "Il vient."),
        ("es", "No viene.", "Viene."),
        ("cs", "To je možné.", "To je nemožné."),
        ("fr", "Il ne vient plus.", "Il vient."),
        ("fr", "Il est mécontent.", "Il est content."),
        ("es", "No vino nadie.", "Vinieron todos."),
        ("cs", "Nikdo nepřišel.", "Všichni přišli."),
        ("cs", "Nemůže přijít.", "Může přijít."),
        ("zh", "他不来", "他来"),
        ("zh", "没有人来了。", "所有人都来了。"),
        ("ru", "Он не придёт", "Он придёт"),
        ("ja", "彼は来ない。", "彼は来る。"),
        ("ja", "行きませんでした。", "行きました。"),
    ],
)
def test_denials_are_seen_in_other_languages(lang: str, hypothesis: str, reference: str) -> None:
    assert certain(hypothesis, reference, lang) == {"denied"}
    assert certain(reference, hypothesis, lang) == {"denied"}


@pytest.mark.parametrize(
    ("lang", "hypothesis", "reference"),
    [
        ("de", "Es ist nicht unmöglich.", "Es ist möglich."),
        ("fr", "Il ne vient pas.", "Il ne viendra pas."),
        ("fr", "La personne est là.", "L'homme est là."),
        ("fr", "Il est plus grand.", "Il est grand."),
        ("es", "No vino nadie.", "Nadie vino."),
        ("es", "No tengo nada.", "No tengo."),
        ("it", "Non è venuto nessuno.", "Nessuno è venuto."),
        ("cs", "Nepřišel nikdo.", "Nepřišli."),
        ("ru", "Никто никогда не знал.", "Никто не знал."),
        ("ja", "参加者は少ない。", "参加者はわずかだ。"),
        ("ja", "雨が降るかもしれない。", "雨が降る可能性がある。"),
        ("ja", "非常に寒い。", "とても寒い。"),
        ("zh", "他非常高兴。", "他很高兴。"),
        ("zh", "性别平等特别重要", "男女平等很重要"),
        ("zh", "他是不是医生？", "他是医生吗？"),
        ("xx", "not no nicht", "yes"),  # nobody knows what denies there
    ],
)
def test_denials_that_deny_nothing_are_not(lang: str, hypothesis: str, reference: str) -> None:
    assert not certain(hypothesis, reference, lang)


@pytest.mark.parametrize(
    ("lang", "hypothesis", "reference"),
    [
        ("de", "Er zahlte drei Millionen.", "Er zahlte zwei Millionen."),
        ("de", "Am 12. Mai 2020 ist Wahl.", "Am 12. März 2020 ist Wahl."),
        ("fr", "Il part en juin.", "Il part en juillet."),
        ("ru", "Встреча в мае.", "Встреча в марте."),
        ("de", "Er zahlte zwei Milliarden.", "Er zahlte zwei Millionen."),
        ("fr", "Cinq personnes sont mortes.", "Trois personnes sont mortes."),
        ("es", "Murieron treinta personas.", "Murieron veinte personas."),
        ("cs", "Přišli tři muži.", "Přišli čtyři muži."),
        ("ru", "Погибли двадцать человек.", "Погибли тридцать человек."),
        ("it", "Sono morte cinque persone.", "Sono morte tre persone."),
        ("pt", "Morreram cinco pessoas.", "Morreram três pessoas."),
        ("zh", "三百人死亡。", "五百人死亡。"),
    ],
)
def test_numbers_in_words_are_compared(lang: str, hypothesis: str, reference: str) -> None:
    for one, other in ((hypothesis, reference), (reference, hypothesis)):
        assert "number" in certain(one, other, lang)
        metric = Untrained(lang=lang)
        losses = metric.losses(compare_pair(metric, one, other), 0, ["facts"])
        assert losses[0].tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("lang", "hypothesis", "reference"),
    [
        ("de", "Er hat zwei Kinder.", "Er hat 2 Kinder."),
        ("de", "Zweitausend Leute kamen.", "Es kamen zweitausend Leute."),
        ("fr", "C'est un homme neuf et trois enfants.", "C'est un homme nouveau et trois enfants."),
        ("es", "Dos de cada tres.", "Dos tercios."),
        ("zh", "三百人死亡。", "300人死亡。"),
        ("zh", "他十分高兴，四川很美。", "他非常高兴，四川很美。"),
        ("zh", "一个人来了。", "一位来了。"),
    ],
)
def test_numbers_in_other_words_are_not(lang: str, hypothesis: str, reference: str) -> None:
    assert "number" not in certain(hypothesis, reference, lang)
    assert "number" not in certain(reference, hypothesis, lang)


@pytest.mark.parametrize(
    ("words", "digits", "another"),
    [
        ("two thousand five hundred", "2,500", "3,500"),
        ("two hundred and fifty", "250", "260"),
        ("one and a half million", "1,500,000", "1.6 million"),
        ("1.5 million", "1,500,000", "1,600,000"),
    ],
)
def test_numbers_in_words_and_in_digits_are_the_same(words: str, digits: str, another: str) -> None:
    number = {"number", "numbers left", "measure", "omitted", "added"}
    said, written, wrong = (f"It cost {form} euros." for form in (words, digits, another))
    for hypothesis, reference in ((said, written), (written, said)):
        assert number.isdisjoint(shifts(hypothesis, reference))
    for hypothesis, reference in ((said, wrong), (wrong, said)):
        assert {"number", "numbers left"} & shifts(hypothesis, reference).keys()


def test_number_words_left_out_are_omitted() -> None:
    assert shifts("It cost euros.", "It cost two thousand five hundred euros.").keys() == {
        "omitted"
    }


def test_explanations_name_what_changed() -> None:
    assert shifts("He remembers it.", "He doesn't remember it.")["negation"] == "negation lost: n't"
    assert shifts("The price is low.", "The price is high.")["antonym"] == "opposite: low for high"
    assert shifts("Members voted.", "Only members voted.")["quantifier"] == "quantifier lost: Only"
    assert shifts("It costs 25 euros.", "It costs 35 euros.")["number"] == "number: 25 for 35"
    assert shifts("Er kommt nicht.", "Er kommt.", "de")["denied"] == "negation added: nicht"


def test_a_number_of_ten_thousand_digits_is_a_number() -> None:
    long = "7" * 10_000
    assert not list(number_shifts(0, long, long, "en"))
    (changed,) = number_shifts(0, long, long[:-1] + "8", "en")
    assert changed.kind == "number"
    assert changed.words == f"number: {'7' * 20}…{'7' * 20} for {'7' * 20}…{'7' * 19}8"
    (added,) = number_shifts(0, f"{long} cats", "some cats", "en")
    assert added.kind == "numbers left"


def test_penalties_of_a_pair_do_not_depend_on_what_stands_beside_it() -> None:
    metric = Untrained()
    pairs = [
        ("He does not remember it.", "He remembers it."),
        ("The girl kissed the boy.", "The boy kissed the girl."),
        ("Obama visited Paris.", "Obama visited London."),
    ]
    from metaphrase.corpus import Corpus
    from metaphrase.metrics import compare

    corpus = Corpus({"all": [one for one, _ in pairs]}, [[other for _, other in pairs]])
    (together,) = compare(corpus, metric)
    alone = [metric.losses(compare_pair(metric, *pair), 0, metric.families)[0] for pair in pairs]
    assert np.array_equal(metric.losses(together, 0, metric.families), np.array(alone))


def test_antonyms_go_both_ways_and_a_word_is_not_its_own() -> None:
    antonyms = load_antonyms()
    for word in ("good", "increase", "before", "left", "safe"):
        for opposite, how in antonyms.of(word).items():
            assert opposite != word
            assert antonyms.of(opposite)[word] == how
    assert antonyms.of("high")["low"] == "opposite"
    assert antonyms.is_converse("sell", "buy")
