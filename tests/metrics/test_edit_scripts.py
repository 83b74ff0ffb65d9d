"""Edits of real-like and random pairs are disjoint, cover every difference, and any can be undone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase.metrics.repairs import edits
from metaphrase.metrics.repairs.alignment import AlignedTexts, align
from metaphrase.metrics.repairs.script import UNCHANGED, EditScript
from oracle.edit_scripts import chain_value, half_repaired, heaviest_chain_value, runs_elsewhere

#: Written for this test: six languages with an analyser or words of their own, and one without.
SENTENCES = {
    "en": [
        "The well-known minister didn't sign the law on 26 July, she said.",
        "Anna's brother lost 1,200 euros in the cease-fire (and his car).",
    ],
    "de": [
        "Der Minister hat das Gesetz am 26. Juli nicht unterschrieben, sagte sie.",
        "Annas Bruder verlor 1.200 Euro, aber nicht sein altes US-Auto!",
    ],
    "fr": [
        "Le ministre n'a pas signé la loi le 26 juillet, dit-elle.",
        "Le frère d'Anna a perdu 1 200 euros aujourd'hui ; il s'en moque.",
    ],
    "es": [
        "El ministro no firmó la ley el 26 de julio, dijo ella.",
        "¿Perdió el hermano de Ana 1.200 euros en su viejo coche?",
    ],
    "cs": [
        "Ministr zákon 26. července nepodepsal, řekla.",
        "Annin bratr ztratil 1 200 eur (a své staré auto).",
    ],
    "zh": ["部长7月26日没有签署该法律，她说。", "安娜的哥哥丢了1200欧元和他的旧车。"],
    "fi": [
        "Ministeri ei allekirjoittanut lakia 26. heinäkuuta, hän sanoi.",
        "Annan veli menetti 1 200 euroa ja vanhan autonsa.",
    ],
}


def parts(sentence: str, lang: str) -> list[str]:
    return list(sentence) if lang == "zh" else sentence.split()


@st.composite
def changed_pairs(draw: st.DrawFn) -> tuple[str, str, str]:
    """A language, a sentence that a few changes were made to, and the sentence."""
    lang = draw(st.sampled_from(sorted(SENTENCES)))
    reference = draw(st.sampled_from(SENTENCES[lang]))
    words = parts(reference, lang)
    others = [word for sentence in SENTENCES[lang] for word in parts(sentence, lang)]
    for change in draw(
        st.lists(st.sampled_from("drop add replace move swap case comma".split()), max_size=6)
    ):
        at = draw(st.integers(0, len(words) - 1)) if words else 0
        if change == "add" or not words:
            words.insert(at, draw(st.sampled_from(others)))
        elif change == "drop":
            del words[at]
        elif change == "replace":
            words[at] = draw(st.sampled_from(others))
        elif change == "move":
            words.insert(draw(st.integers(0, len(words) - 1)), words.pop(at))
        elif change == "swap":
            words[at], words[-1] = words[-1], words[at]
        elif change == "case":
            words[at] = words[at].swapcase()
        else:
            words[at] += ","
    return lang, ("" if lang == "zh" else " ").join(words), reference


def aligned(hypothesis: str, reference: str, lang: str) -> AlignedTexts:
    (found,) = align([hypothesis], [reference], lang)
    return found


def forms(script: EditScript, chosen: Sequence[int]) -> Counter[str]:
    """The words of a half repaired text, in no order."""
    found: Counter[str] = Counter()
    for atom in script.atoms:
        side, place = script.hypothesis, atom.hypothesis
        if atom.edit in chosen:
            side, place = script.reference, atom.reference
        found.update(word.form for word in side.words[slice(*place)])
    return found


def squeezed(text: str) -> str:
    return " ".join(text.split())


def check(hypothesis: str, reference: str, lang: str, chosen: set[int]) -> None:
    texts = aligned(hypothesis, reference, lang)
    script = edits.edit_script(texts)
    for side in ("hypothesis", "reference"):
        words = [word for atom in script.atoms for word in range(*getattr(atom, side))]
        assert words == list(range(len(getattr(script, side).words)))  # in one atom each
    for atom in script.atoms:
        own = [word.form for word in script.hypothesis.words[slice(*atom.hypothesis)]]
        other = [word.form for word in script.reference.words[slice(*atom.reference)]]
        assert own or other
        assert own == other or atom.edit != UNCHANGED
    assert {atom.edit for atom in script.atoms} - {UNCHANGED} == set(range(script.edits))
    undone = sorted(chosen & set(range(script.edits)))
    text = script.text(undone)
    assert text == half_repaired(script, undone)
    assert text == squeezed(text)
    assert script.text([]) == squeezed(hypothesis)
    assert script.text(range(script.edits)) == squeezed(reference)
    assert Counter(text.replace(" ", "")) == Counter(
        "".join(forms(script, undone).elements()).replace(" ", "")
    )
    assert edits.edit_script(aligned(hypothesis, reference, lang)).atoms == script.atoms


@settings(max_examples=120, deadline=None)
@given(pair=changed_pairs(), chosen=st.sets(st.integers(0, 12)))
def test_any_edits_of_changed_sentences_can_be_undone(
    pair: tuple[str, str, str], chosen: set[int]
) -> None:
    lang, hypothesis, reference = pair
    check(hypothesis, reference, lang, chosen)
    check(reference, hypothesis, lang, chosen)


@settings(max_examples=80, deadline=None)
@given(
    lang=st.sampled_from(sorted(SENTENCES)),
    sides=st.tuples(
        *[
            st.lists(
                st.sampled_from("a The the cat cats , . - ( ' 's 3 3,000 000 c-d cd 猫 é".split()),
                max_size=10,
            )
        ]
        * 2
    ),
    glue=st.sampled_from(["", " "]),
    chosen=st.sets(st.integers(0, 12)),
)
def test_so_can_those_of_random_words(
    lang: str, sides: tuple[list[str], list[str]], glue: str, chosen: set[int]
) -> None:
    check(glue.join(sides[0]), " ".join(sides[1]), lang, chosen)


@settings(max_examples=60, deadline=None)
@given(
    sides=st.tuples(
        *[st.lists(st.sampled_from("the cat sat on a mat , . in 3".split()), max_size=6)] * 2
    )
)
def test_the_chain_is_the_heaviest_and_moves_are_what_is_left(
    sides: tuple[list[str], list[str]],
) -> None:
    texts = aligned(" ".join(sides[0]), " ".join(sides[1]), "xx")
    chain = edits._backbone(texts)

    def weight(pair: tuple[int, int]) -> float:
        return edits._weight(texts, pair)

    best = heaviest_chain_value(list(texts.relations), weight, edits._NEIGHBOURS)
    assert chain_value(chain, weight, edits._NEIGHBOURS) == pytest.approx(best)
    left = runs_elsewhere(texts.relations, chain)
    moves = edits._moves(texts, chain)
    assert all(run in left for run in moves)
    for run in left:
        roles = {texts.reference.words[j].role for _, j in run}
        assert run in moves or roles <= {"function", "punctuation"} or len(run) == 1
