"""The picture of a parse."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from metaphrase.analysis import Relation, Sentence, collapsed
from metaphrase.report import parse_view, token_table
from report.screen import on_screen

WORDS = ("The", "old", "cat", "sat", "on", "the", "mat", ".")
CAT = Sentence(
    "The old cat sat on the mat.",
    WORDS,
    (0, 4, 8, 12, 16, 19, 23, 26),
    (3, 7, 11, 15, 18, 22, 26, 27),
    lemma=("the", "old", "cat", "sit", "on", "the", "mat", "."),
    tag=("DT", "JJ", "NN", "VBD", "IN", "DT", "NN", "."),
    head=(3, 3, 4, 0, 7, 7, 4, 4),
    relation=("det", "amod", "nsubj", "root", "case", "det", "obl", "punct"),
)


def drawn(sentence: Sentence, *, colour: str | None = None, **options: object) -> str:
    return on_screen(parse_view(sentence, **options), colour=colour)  # type: ignore[arg-type]


def test_guides_lead_from_every_word_to_its_head() -> None:
    assert [line[3:10].rstrip() for line in drawn(CAT).splitlines()[3:]] == [
        "  ╭─The",
        "  ├─old",
        "╭─cat",
        "sat",
        "│ ╭─on",
        "│ ├─the",
        "├─mat",
        "╰─.",
    ]


def test_each_word_has_its_relation_tag_and_lemma() -> None:
    line = next(line for line in drawn(CAT).splitlines() if "cat" in line and line[0] == "3")
    assert line.split() == ["3", "╭─cat", "nsubj", "NN", "cat"]


def test_collapsed_relations_stand_beside_their_dependents() -> None:
    text = drawn(CAT, relations=collapsed(CAT))
    assert "prep_on(sat)" in text
    assert "root(ROOT)" in text


def test_chunks_and_entities_are_bracketed() -> None:
    chunk = ("B-NP", "I-NP", "I-NP", "B-VP", "B-PP", "B-NP", "I-NP", "O")
    entity = ("O", "O", "ANIMAL", "O", "O", "O", "O", "O")
    first = drawn(replace(CAT, chunk=chunk, entity=entity)).splitlines()[0]
    assert first == "[NP The old {ANIMAL cat}] [VP sat] [PP on] [NP the mat] ."


def test_without_a_parse_the_words_stand_in_a_list() -> None:
    text = drawn(replace(CAT, head=None, relation=None))
    assert "word" in text.splitlines()[2]
    assert "╭" not in text


def test_colour_is_only_for_terminals() -> None:
    assert "\x1b[" in drawn(CAT, colour="standard")
    assert "\x1b[" not in drawn(CAT)


def test_text_cannot_move_the_cursor_nor_speak_markup() -> None:
    odd = replace(CAT, form=("\x1b[2J", "[bold]", *WORDS[2:]))
    text = drawn(odd)
    assert "\x1b" not in text
    assert "[bold]" in text


def test_a_long_word_and_a_deep_tree_stay_on_the_screen() -> None:
    size = 60
    deep = Sentence(
        "x",
        ("antidisestablishmentarianism",) * size,
        (0,) * size,
        (1,) * size,
        head=tuple(range(size)),
        relation=("ccomp",) * size,
    )
    assert max(map(len, drawn(deep).splitlines())) <= 80


@given(st.lists(st.integers(-1, 9), min_size=1, max_size=8))
def test_any_heads_can_be_drawn(heads: list[int]) -> None:
    size = len(heads)
    odd = Sentence("", ("w",) * size, (0,) * size, (0,) * size, head=tuple(heads))
    assert len(drawn(odd).splitlines()) == size + 3


def test_the_table_has_a_column_for_everything_known() -> None:
    header, first, *_ = token_table(CAT, relations=[Relation("det", 3, 1)]).lines()
    assert header.split() == "form lemma tag relation start end head collapsed".split()
    assert first.split() == ["1", "The", "the", "DT", "det", "0", "3", "3", "det(cat)"]
