"""Judgements in our own formats: what is written reads back as it was."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.corpus.formats.judged.judgement_files import read_judgements
from metaphrase.corpus.formats.judged.writing_judgements import write_judgements
from metaphrase.corpus.judgements import JudgedText, Judgements, JudgementsBuilder, Ranking
from metaphrase.errors import InputError

NAMES = st.sampled_from(["A", "b c", "+", "ß", "x:1", "y#2"])
TEXTS = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), max_size=8)
SCORES = st.floats(-1e6, 1e6) | st.none()


def _same(one: Judgements, other: Judgements) -> None:
    assert (one.name, one.language_pair, one.systems) == (
        other.name,
        other.language_pair,
        other.systems,
    )
    assert one.segments == other.segments
    assert one.documents == other.documents
    assert one.domains == other.domains
    for row, column in np.ndindex(*one.text_of.shape):
        there = [x.text_of[row, column] for x in (one, other)]
        assert (there[0] < 0) == (there[1] < 0)
        if there[0] >= 0:
            assert one.texts[there[0]] == other.texts[there[1]]
    np.testing.assert_array_equal(one.human, other.human)
    assert one.rankings == other.rankings


@st.composite
def scored(draw: st.DrawFn) -> Judgements:
    builder = JudgementsBuilder("set", "de-en")
    with_domains = draw(st.booleans())
    for segment in range(draw(st.integers(1, 4))):
        document = draw(st.sampled_from(["", "d", "e:f"]))
        references = tuple(draw(st.lists(TEXTS, min_size=1, max_size=2)))
        source = draw(TEXTS)
        for system in ("A", "B"):
            text = JudgedText(draw(TEXTS), references, source)
            cell = builder.place(system, document, f"{draw(NAMES)}{segment}", text)
            if with_domains:
                builder.set_domain(cell, draw(st.sampled_from(["news", "chat"])))
            score = draw(SCORES)
            if score is not None:
                builder.judge(cell, score)
    return builder.build()


@given(scored())
def test_scores_come_back_to_the_last_bit(
    tmp_path_factory: pytest.TempPathFactory, judgements: Judgements
) -> None:
    path = tmp_path_factory.mktemp("written") / "scores.tsv"
    write_judgements([judgements], path)
    (again,) = read_judgements(path).values()
    _same(judgements, again)


def _ranked() -> JudgementsBuilder:
    builder = JudgementsBuilder("set", "cs-en")
    for segment, judge in (("1", "j1"), ("1", "j2"), ("2", "j1")):
        texts = [JudgedText(t, ("ref",), "src") for t in ("same", "same", "other")]
        cells = [
            builder.place(system, "doc", segment, text)
            for system, text in zip("ABC", texts, strict=True)
        ]
        systems = tuple(row for row, _ in cells)
        builder.rankings.append(Ranking(cells[0][1], judge, systems, (1, 1, 2), (0, 0, 1)))
    return builder


def test_rankings_come_back_with_judges_and_shared_texts(tmp_path: Path) -> None:
    judgements = _ranked().build()
    write_judgements({"cs-en": judgements}, tmp_path / "rankings.jsonl")
    (again,) = read_judgements(tmp_path / "rankings.jsonl").values()
    _same(judgements, again)


def test_several_sets_and_pairs_in_one_file(tmp_path: Path) -> None:
    found = []
    for name, pair in (("one", "de-en"), ("one", "fr-en"), ("two", "de-en")):
        builder = JudgementsBuilder(name, pair)
        builder.judge(builder.place("A", "", "1", JudgedText("a", ("r",))), 0.1 + 0.2)
        found.append(builder.build())
    write_judgements(found, tmp_path / "all.tsv")
    again = read_judgements(tmp_path / "all.tsv")
    assert list(again) == ["one de-en", "one fr-en", "two de-en"]
    assert again["two de-en"].human.tolist() == [[0.30000000000000004]]


class TestWhatCannotBeHeld:
    def _one(self, text: str = "a", reference: str = "r") -> Judgements:
        builder = JudgementsBuilder("set", "de-en")
        builder.judge(builder.place("A", "", "1", JudgedText(text, (reference,))), 1.0)
        return builder.build()

    @pytest.mark.parametrize(("text", "code"), [("a\tb", "MP189"), ("a\nb", "MP189")])
    def test_tabs_and_lines(self, text: str, code: str, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=f"{code}.*line 2"):
            write_judgements([self._one(text)], tmp_path / "a.tsv")
        assert list(tmp_path.iterdir()) == []

    def test_what_separates_references(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="MP777"):
            write_judgements([self._one("a", "one ||| two")], tmp_path / "a.tsv")

    def test_scores_beside_rankings_and_nothing(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="MP777"):
            write_judgements([self._one(), _ranked().build()], tmp_path / "a")
        with pytest.raises(InputError, match="MP777"):
            write_judgements([], tmp_path / "a")

    def test_rankings_of_two_references_or_of_texts_that_differ(self, tmp_path: Path) -> None:
        builder = JudgementsBuilder("set", "de-en")
        cells = [
            builder.place(system, "", "1", JudgedText("t", ("r", "s"))) for system in ("A", "B")
        ]
        builder.rankings.append(Ranking(0, "j", tuple(row for row, _ in cells), (1, 2), (0, 1)))
        with pytest.raises(InputError, match="one reference"):
            write_judgements([builder.build()], tmp_path / "a")
        builder = JudgementsBuilder("set", "de-en")
        for system, text in (("A", "t"), ("B", "u")):
            builder.place(system, "", "1", JudgedText(text, ("r",)))
        builder.rankings.append(Ranking(0, "j", (0, 1), (1, 1), (0, 0)))
        with pytest.raises(InputError, match="A and B were judged as one text"):
            write_judgements([builder.build()], tmp_path / "a")
