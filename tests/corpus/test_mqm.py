"""MQM: what errors cost, what they mark, and the texts that they are in."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.malformed_judgements import MQM
from metaphrase.corpus.formats import Head
from metaphrase.corpus.formats.judged.mqm import FORMATS, MqmTable, marked, read_mqm, write_mqm
from metaphrase.corpus.formats.judged.mqm_weights import (
    COUNT,
    GOOGLE,
    UNWEIGHTED,
    MqmWeights,
    read_weights,
)
from metaphrase.errors import InputError, OptionError

COLUMNS = MQM.split("\t")
REFERENCES = [["r1", "r2"], ["q1", "q2"]]


def row(
    system: str,
    segment: int,
    rater: str,
    category: str,
    severity: str,
    *,
    source: str = "q",
    target: str = "h",
) -> list[str]:
    return [system, "doc", "1", str(segment), rater, source, target, category, severity]


class TestWeights:
    @pytest.mark.parametrize(
        ("severity", "category", "google", "unweighted"),
        [
            # Freitag et al. 2021, Table 4.
            ("Major", "Accuracy/Omission", 5, 5),
            ("Major", "Non-translation!", 25, 5),
            ("Minor", "Style/Awkward", 1, 1),
            ("Minor", "Fluency/Punctuation", 0.1, 1),
            ("Major", "Fluency/Punctuation", 5, 5),
            ("Minor", "Non-translation!", 1, 1),
            ("Neutral", "Other", 0, 0),
            ("no-error", "No-error", 0, 0),
            ("minor", "fluency/punctuation", 0.1, 1),
        ],
    )
    def test_the_longest_that_fits_counts(
        self, severity: str, category: str, google: float, unweighted: float
    ) -> None:
        assert GOOGLE.weight(severity, category) == google
        assert UNWEIGHTED.weight(severity, category) == unweighted

    def test_errors_can_be_counted(self) -> None:
        assert [COUNT.weight(s, "Other") for s in ("Major", "Minor", "Neutral")] == [1, 1, 0]

    def test_an_unknown_severity_has_none(self) -> None:
        assert GOOGLE.weight("Critical", "Accuracy") is None

    def test_they_come_by_name_or_from_a_file(self, tmp_path: Path) -> None:
        path = tmp_path / "weights.json"
        path.write_text('{"Major": 10,\n "Minor/Style": 0.5, "Minor": 2}')
        weights = read_weights(path)
        assert weights.weight("Minor", "Style/Awkward") == 0.5
        assert weights.weight("MINOR", "Fluency") == 2
        assert read_weights("google") is GOOGLE
        with pytest.raises(InputError, match=r"MP186.*google, unweighted, count"):
            read_weights("nonsense")

    def test_they_cannot_be_changed_but_copied(self) -> None:
        with pytest.raises(TypeError):
            GOOGLE.weights["major"] = 1  # type: ignore[index]
        assert pickle.loads(pickle.dumps(GOOGLE)) == GOOGLE

    @pytest.mark.parametrize(
        "weights", [{}, {"Major": -1}, {"Major": float("nan")}, {"": 1}, {1: 1}]
    )
    def test_they_are_numbers_of_at_least_nothing(self, weights: dict) -> None:
        with pytest.raises(OptionError, match="MP186"):
            MqmWeights("mine", weights)


class TestScores:
    def test_a_score_is_minus_the_mean_over_raters_of_their_sums(self) -> None:
        table = MqmTable.of(
            COLUMNS,
            [
                row("A", 1, "one", "Accuracy/Omission", "Major"),
                row("A", 1, "one", "Fluency/Punctuation", "Minor"),
                row("A", 1, "two", "No-error", "No-error"),
                row("B", 1, "one", "No-error", "no-error", target="g"),
                row("B", 2, "one", "Non-translation!", "Major", source="p"),
            ],
        )
        judged = table.judgements(REFERENCES, language_pair="zh-en", name="n20")
        # A: −(5 + 0.1 + 0)/2; B: 0 and −25.
        np.testing.assert_allclose(judged.human, [[-2.55, np.nan], [0, -25]], rtol=0, atol=1e-15)
        assert not np.signbit(judged.human[1, 0])
        assert (judged.name, judged.systems, judged.documents) == (
            "n20",
            ("A", "B"),
            ("doc", "doc"),
        )
        text = judged.texts[judged.text_of[1, 1]]
        assert (text.hypothesis, text.references, text.source) == ("h", ("r2", "q2"), "p")

    @given(
        st.lists(
            st.tuples(
                st.sampled_from("AB"),
                st.integers(1, 2),
                st.sampled_from(["one", "two", "three"]),
                st.sampled_from(["Fluency/Punctuation", "Non-translation!", "Style/Awkward"]),
                st.sampled_from(["Major", "Minor", "Neutral"]),
            ),
            min_size=1,
            max_size=12,
        )
    )
    def test_it_is_what_the_definition_says(
        self, errors: list[tuple[str, int, str, str, str]]
    ) -> None:
        costs = {
            ("Fluency/Punctuation", "Minor"): 0.1,
            ("Non-translation!", "Major"): 25.0,
        }
        plain = {"Major": 5.0, "Minor": 1.0, "Neutral": 0.0}
        judged = MqmTable.of(COLUMNS, [row(*error) for error in errors]).judgements(
            REFERENCES, language_pair="zh-en"
        )
        for number, system in enumerate(judged.systems):
            for place, segment in enumerate(judged.segments):
                mine = [e for e in errors if e[0] == system and f"doc:{e[1]}" == segment]
                raters = {e[2] for e in mine}
                if not raters:
                    assert np.isnan(judged.human[number, place])
                    continue
                total = sum(costs.get((e[3], e[4]), plain[e[4]]) for e in mine)
                assert judged.human[number, place] == pytest.approx(-total / len(raters))

    def test_other_weights_give_other_scores(self) -> None:
        rows = [row("A", 1, "one", "Non-translation!", "Major")]
        judged = MqmTable.of(COLUMNS, rows, weights=COUNT).judgements(
            REFERENCES, language_pair="zh-en"
        )
        assert judged.human.tolist() == [[-1]]

    def test_texts_that_differ_are_refused_or_the_first_counts(self) -> None:
        rows = [
            row("A", 1, "one", "Style", "Minor", target="<v>one</v> text"),
            row("A", 1, "two", "Style", "Minor", target="another"),
        ]
        table = MqmTable.of(COLUMNS, rows)
        with pytest.raises(InputError) as caught:
            table.judgements(REFERENCES, language_pair="zh-en")
        assert (caught.value.code, caught.value.line) == ("MP185", 3)
        judged = table.judgements(REFERENCES, language_pair="zh-en", differing_texts="first")
        assert judged.texts[0].hypothesis == "one text"
        with pytest.raises(OptionError, match="MP187"):
            table.judgements(REFERENCES, language_pair="zh-en", differing_texts="last")  # type: ignore[arg-type]

    @pytest.mark.parametrize("references", [[], "text", ["r1", "r2"]])
    def test_references_must_be_given(self, references: list) -> None:
        table = MqmTable.of(COLUMNS, [row("A", 1, "one", "Style", "Minor")])
        with pytest.raises(OptionError, match="MP187"):
            table.judgements(references, language_pair="zh-en")

    def test_references_are_of_one_length(self) -> None:
        table = MqmTable.of(COLUMNS, [row("A", 1, "one", "Style", "Minor")])
        with pytest.raises(InputError, match="MP102"):
            table.judgements([["r1", "r2"], ["q1"]], language_pair="zh-en")


class TestMarks:
    @pytest.mark.parametrize(
        ("text", "plain", "spans"),
        [
            ("nothing", "nothing", ()),
            ("a <v>b</v> c", "a b c", ((2, 3),)),
            ("<v>all</v>", "all", ((0, 3),)),
            ("<v>a</v> and <v>b</v>", "a and b", ((0, 1), (6, 7))),
            ("here<v></v> it lacks", "here it lacks", ((4, 4),)),
            ("a <V> and < v >", "a <V> and < v >", ()),
        ],
    )
    def test_they_are_spans_of_the_text_without_them(
        self, text: str, plain: str, spans: tuple[tuple[int, int], ...]
    ) -> None:
        found = marked(text)
        assert (found.text, found.spans) == (plain, spans)

    def test_errors_are_kept_with_what_they_mark(self) -> None:
        rows = [
            row(
                "A",
                1,
                "one",
                "Accuracy/Omission",
                "Major",
                source="das <v>rote</v> Haus",
                target="house",
            ),
            row(
                "A",
                1,
                "one",
                "Style/Awkward",
                "Minor",
                source="das rote Haus",
                target="<v>house</v>",
            ),
        ]
        ((errors),) = MqmTable.of(COLUMNS, rows).by_segment().values()
        assert [(e.category, e.weight, e.line) for e in errors] == [
            ("Accuracy/Omission", 5, 2),
            ("Style/Awkward", 1, 3),
        ]
        assert (errors[0].source.spans, errors[1].target.spans) == (((4, 8),), ((0, 5),))
        assert {(e.source.text, e.target.text) for e in errors} == {("das rote Haus", "house")}


text = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=8)
mqm_row = st.tuples(
    text.filter(str.strip),
    text,
    text,
    st.integers(1, 10**6).map(str),
    text,
    text,
    text,
    text,
    st.just("Minor"),
    text,
).filter(lambda cells: not any("<v>" in cell or "</v>" in cell for cell in cells))


class TestFiles:
    @given(rows=st.lists(mqm_row, max_size=6))
    def test_what_is_written_is_read_back(
        self, rows: list[tuple[str, ...]], tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        folder = tmp_path_factory.mktemp("mqm")
        table = MqmTable.of([*COLUMNS, "comment"], rows)
        write_mqm(table, folder / "one.tsv")
        again = read_mqm(folder / "one.tsv")
        assert again == table
        write_mqm(again, folder / "two.tsv")
        assert (folder / "one.tsv").read_bytes() == (folder / "two.tsv").read_bytes()

    def test_a_quotation_mark_is_text_and_other_columns_stay(self, tmp_path: Path) -> None:
        lines = [f"{MQM}\tcomment", "\t".join([*row("A", 1, "x", "No-error", "No-error"), '"so'])]
        data = ("\n".join(lines) + "\n").encode()
        (tmp_path / "one.tsv").write_bytes(data)
        table = read_mqm(tmp_path / "one.tsv")
        write_mqm(table, tmp_path / "two.tsv")
        assert (tmp_path / "two.tsv").read_bytes() == data

    @pytest.mark.parametrize("fault", ["a\tb", "a\nb", "a\rb", "\0"])
    def test_what_a_field_cannot_hold_is_refused(self, fault: str, tmp_path: Path) -> None:
        table = MqmTable.of(COLUMNS, [row("A", 1, fault, "Style", "Minor")])
        with pytest.raises(InputError) as caught:
            write_mqm(table, tmp_path / "out.tsv")
        assert (caught.value.code, caught.value.line) == ("MP189", 2)
        assert not list(tmp_path.iterdir())

    def test_the_format_is_recognised(self) -> None:
        (known,) = FORMATS
        heads = [MQM, f"{MQM}\tcomment", "system\tsegment\treference\thypothesis"]
        assert [known.recognises(Head("f", (text,))) for text in heads] == [True, True, False]
