"""One error in a translation is one repair, with all the points and the kind that a reader would name."""

from __future__ import annotations

import pytest

import metaphrase

#: Written for this test: language, hypothesis, reference, kind.
PAIRS = [
    ("en", "The farmer sold his tractor.", "The farmer sold his harvest.", "wrong word"),
    (
        "en",
        "We visited a quiet museum on Sunday.",
        "We visited a quiet village on Sunday.",
        "wrong word",
    ),
    ("en", "Prices fell sharply in May.", "Prices rose sharply in May.", "wrong word"),
    (
        "en",
        "The committee will publish the report tomorrow.",
        "The committee will discuss the report tomorrow.",
        "wrong word",
    ),
    ("en", "The treaty was signed in Geneva.", "The treaty was signed in Lisbon.", "wrong name"),
    ("en", "Maria Lopez won the prize.", "Maria Gomez won the prize.", "wrong name"),
    ("en", "Toyota will close the plant.", "Nissan will close the plant.", "wrong name"),
    ("en", "The tower is 310 metres high.", "The tower is 330 metres high.", "wrong number"),
    (
        "en",
        "Unemployment fell to 4.5 percent.",
        "Unemployment fell to 5.4 percent.",
        "wrong number",
    ),
    ("en", "Seven children were rescued.", "Nine children were rescued.", "wrong number"),
    ("en", "The police arrested two men.", "The police arrested two armed men.", "missing words"),
    ("en", "He will return to work.", "He will return to work next week.", "missing words"),
    (
        "en",
        "The president signed the law.",
        "The president signed the law in the presence of his guests.",
        "missing words",
    ),
    ("en", "The completely new engine failed.", "The new engine failed.", "extra words"),
    (
        "en",
        "She plays the piano and the violin very well.",
        "She plays the piano very well.",
        "extra words",
    ),
    ("en", "He has also a small boat.", "He has a small boat.", "extra words"),
    (
        "en",
        "The students quickly the room left.",
        "The students quickly left the room.",
        "word order",
    ),
    ("en", "In Berlin the talks ended.", "The talks ended in Berlin.", "word order"),
    (
        "en",
        "The lawyer accused the journalist.",
        "The journalist accused the lawyer.",
        "word order",
    ),
    ("en", "The bird fly over the lake.", "The birds fly over the lake.", "inflection"),
    ("en", "She has wrote three books.", "She has written three books.", "inflection"),
    ("en", "He never accepted the offer.", "He accepted the offer.", "negation"),
    ("de", "Der Hund schläft auf dem Tisch.", "Der Hund schläft auf dem Sofa.", "wrong word"),
    (
        "de",
        "Das Konzert findet in Hamburg statt.",
        "Das Konzert findet in Dresden statt.",
        "wrong name",
    ),
    ("de", "Sie kaufte ein neues Fahrrad.", "Sie kaufte ein neues rotes Fahrrad.", "missing words"),
    ("de", "Die Kinder spielt im Garten.", "Die Kinder spielen im Garten.", "inflection"),
    ("de", "Er hat den Brief nicht gelesen.", "Er hat den Brief gelesen.", "negation"),
    ("es", "La reunión empieza a las 10.", "La reunión empieza a las 9.", "wrong number"),
    (
        "es",
        "El ministro presentó ayer el nuevo plan.",
        "El ministro presentó el nuevo plan.",
        "extra words",
    ),
    ("es", "Las casa son muy antiguas.", "Las casas son muy antiguas.", "inflection"),
]


@pytest.mark.parametrize("name", ["accord", "chrf", "bleu"])
def test_one_error_is_one_repair_of_the_right_kind(name: str) -> None:
    """At least 28 of 30, as the goal has it."""
    right = 0
    for lang, hypothesis, reference, kind in PAIRS:
        (found,) = metaphrase.create(name, lang=lang).repairs([hypothesis], [reference])
        right += [one.kind for one in found.repairs] == [kind]
        gained = sum(one.points for one in found.repairs)
        assert gained == pytest.approx(found.maximum - found.score, abs=1e-9)
        assert found.score < found.maximum
    assert right >= 28
