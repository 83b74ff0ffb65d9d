"""WMT's rankings as CSV: what lines say, which pairs were one ranking, and whose texts they are about."""

from __future__ import annotations

import gzip
import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.malformed_judgements import FIVE, PAIRS
from metaphrase.corpus import Corpus
from metaphrase.corpus.formats import Head
from metaphrase.corpus.formats.judged.ranking_csv import (
    FORMATS,
    RankingTable,
    read_rankings,
    write_rankings,
)
from metaphrase.corpus.formats.judged.texts import SystemNames, language_in_pair
from metaphrase.errors import InputError, OptionError
from metaphrase.meta import judge_agreement
from metaphrase.meta.measures import preferences

SYSTEMS = ("A", "B", "C", "D", "E")
CORPUS = Corpus(
    {name: [f"{name}{row}" for row in range(1, 4)] for name in SYSTEMS},
    [["r1", "r2", "r3"]],
    sources=["s1", "s2", "s3"],
    documents=["d", "d", "e"],
)


def five(*lines: str) -> RankingTable:
    return RankingTable.of(FIVE.split(","), [line.split(",") for line in lines])


def pairs(*lines: str) -> RankingTable:
    return RankingTable.of(PAIRS.split(","), [line.split(",") for line in lines])


def line_of_five(ids: str, ranks: str, *, position: str = "2,-1,2", judge: str = "j") -> str:
    numbered = ",".join(f"-1,{name}" for name in ids.split())
    return f"Czech,English,{position},{judge},{numbered},{','.join(ranks.split())}"


def test_lines_may_end_with_two_carriage_returns(tmp_path: Path) -> None:
    """As those of WMT 2016 do."""
    lines = [FIVE, line_of_five("C A B E D", "1 2 2 5 3")]
    one, other = tmp_path / "one.csv", tmp_path / "other.csv"
    one.write_bytes("".join(f"{line}\r\r\n" for line in lines).encode())
    other.write_bytes("".join(f"{line}\n" for line in lines).encode())
    assert read_rankings(one) == read_rankings(other)


class TestFiveSystems:
    def test_a_line_is_a_ranking_of_one_segment(self) -> None:
        judged = five(line_of_five("C A B E D", "1 2 2 5 3")).judgements(CORPUS)
        (ranking,) = judged.rankings
        assert [judged.systems[system] for system in ranking.systems] == ["C", "A", "B", "E", "D"]
        assert ranking.ranks == (1, 2, 2, 5, 3)
        assert (judged.language_pair, judged.segments, judged.documents) == (
            "cs-en",
            ("d:2",),
            ("d",),
        )
        text = judged.texts[judged.text_of[0, 0]]
        assert (text.hypothesis, text.references, text.source) == ("C2", ("r2",), "s2")

    def test_minus_one_was_not_ranked(self) -> None:
        judged = five(line_of_five("A B C -1 -1", "2 -1 1 -1 -1")).judgements(CORPUS)
        (ranking,) = judged.rankings
        assert [judged.systems[system] for system in ranking.systems] == ["A", "C"]

    def test_a_line_in_which_one_system_is_ranked_says_nothing(self) -> None:
        table = five(
            line_of_five("A B C D E", "2 -1 -1 -1 -1"), line_of_five("A B C D E", "1 2 3 4 5")
        )
        assert len(table.judgements(CORPUS).rankings) == 1

    def test_systems_joined_by_plus_said_the_same(self) -> None:
        judged = five(line_of_five("B+A C D E -1", "1 2 3 4 -1")).judgements(CORPUS)
        (ranking,) = judged.rankings
        assert ranking.ranks == (1, 1, 2, 3, 4)
        assert ranking.items == (0, 0, 1, 2, 3)

    def test_a_plus_belongs_to_a_name_that_has_it(self) -> None:
        corpus = Corpus({"A+B": ["x"], "C": ["y"]}, [["r"]])
        judged = pairs("cze,eng,1,1,j,A+B,1,C,2,1").judgements(corpus)
        assert judged.systems == ("A+B", "C")

    def test_segments_are_counted_by_src_index(self) -> None:
        judged = five(line_of_five("A B C D E", "1 2 3 4 5", position="3,bbc,1")).judgements(CORPUS)
        assert judged.segments == ("e:3",)

    def test_without_src_index_segment_id_counts_them(self) -> None:
        judged = five(line_of_five("A B C D E", "1 2 3 4 5", position="-1,-1,3")).judgements(CORPUS)
        assert judged.segments == ("e:3",)

    def test_columns_are_found_by_name(self) -> None:
        cells = line_of_five("C A B E D", "1 2 2 5 3").split(",")
        turned = RankingTable.of(FIVE.split(",")[::-1], [cells[::-1]])
        straight = five(",".join(cells))
        assert turned.rankings == straight.rankings

    def test_other_columns_are_kept(self) -> None:
        cells = [*line_of_five("C A B E D", "1 2 2 5 3").split(","), "17"]
        table = RankingTable.of([*FIVE.split(","), "rankingID"], [cells])
        assert table.rankings[0].ranking is None
        assert table.cells[0][-1] == "17"

    def test_judges_need_no_texts(self) -> None:
        table = five(
            line_of_five("A B C D E", "1 2 3 4 5", judge="one"),
            line_of_five("E D C B A", "5 4 3 1 2", judge="two"),
        )
        judged = table.judges()
        assert judged.texts == ()
        assert (judged.text_of == -1).all()
        between, within = judge_agreement(judged)
        # Ten pairs of systems; the judges differ about A and B.
        assert (between.comparisons, between.observed) == (10, 0.9)
        assert within.comparisons == 0
        assert between == judge_agreement(table.judgements(CORPUS))[0]


class TestPairs:
    def test_pairs_of_one_ranking_are_that_ranking(self) -> None:
        ranks = {"A": 2, "B": 1, "C": 2}
        lines = [
            f"ger,eng,1,1,j,{one},{ranks[one]},{two},{ranks[two]},9"
            for one, two in combinations("ABC", 2)
        ]
        judged = pairs(*lines).judgements(CORPUS)
        (ranking,) = judged.rankings
        found = {
            judged.systems[s]: rank for s, rank in zip(ranking.systems, ranking.ranks, strict=True)
        }
        assert found == ranks
        assert len(set(ranking.items)) == 3

    def test_systems_that_are_never_compared_were_one_text(self) -> None:
        # A and B said the same, so that C was compared with each of them and they with each other not.
        judged = pairs("ger,eng,1,1,j,A,1,C,3,9", "ger,eng,1,1,j,B,1,C,3,9").judgements(CORPUS)
        (ranking,) = judged.rankings
        assert sorted(ranking.ranks) == [1, 1, 3]
        assert len(preferences(judged, each_item_once=True)) == 1

    @pytest.mark.parametrize(
        "lines",
        [
            # C has two ranks.
            ("ger,eng,1,1,j,A,1,B,2,9", "ger,eng,1,1,j,A,1,C,3,9", "ger,eng,1,1,j,B,2,C,4,9"),
            # B and C have different ranks and were not compared.
            ("ger,eng,1,1,j,A,1,B,2,9", "ger,eng,1,1,j,A,1,C,3,9"),
            # A and B were compared twice.
            ("ger,eng,1,1,j,A,1,B,2,9", "ger,eng,1,1,j,B,2,A,1,9"),
            # Another judge, and another segment, under the same number.
            ("ger,eng,1,1,j,A,1,B,2,9", "ger,eng,1,1,k,A,1,C,3,9", "ger,eng,2,2,j,A,1,C,3,9"),
            # No numbers at all.
            ("ger,eng,1,1,j,A,1,B,2,-1", "ger,eng,1,1,j,A,1,C,2,-1", "ger,eng,1,1,j,B,2,C,2,-1"),
        ],
    )
    def test_pairs_that_are_no_ranking_stay_pairs(self, lines: tuple[str, ...]) -> None:
        judged = pairs(*lines).judgements(CORPUS)
        assert len(judged.rankings) == len(lines)
        assert all(len(ranking.systems) == 2 for ranking in judged.rankings)

    @given(
        texts=st.lists(st.integers(0, 3), min_size=2, max_size=5).filter(lambda t: len(set(t)) > 1),
        ranks=st.lists(st.integers(1, 5), min_size=4, max_size=4),
    )
    def test_taking_a_ranking_apart_changes_no_preference(
        self, texts: list[int], ranks: list[int]
    ) -> None:
        """``texts`` is the text that each system produced, ``ranks`` the rank of each text."""
        items = [
            ("+".join(name for name, its in zip(SYSTEMS, texts, strict=False) if its == text), text)
            for text in sorted(set(texts))
        ]
        unused = 5 - len(items)
        whole = five(
            line_of_five(
                " ".join([*(ids for ids, _ in items), *["-1"] * unused]),
                " ".join([*(str(ranks[text]) for _, text in items), *["-1"] * unused]),
            )
        )
        apart = pairs(
            *(
                f"cze,eng,2,2,j,{one},{ranks[texts[i]]},{two},{ranks[texts[k]]},5"
                for (i, one), (k, two) in combinations(enumerate(SYSTEMS[: len(texts)]), 2)
                if texts[i] != texts[k]
            )
        )
        for once in (False, True):
            assert self.orders(whole, once) == self.orders(apart, once)

    def orders(self, table: RankingTable, once: bool) -> list[tuple[str, str, int]]:
        judged = table.judgements(CORPUS)
        found = preferences(judged, each_item_once=once)
        rows = []
        for first, second, order in zip(found.first, found.second, found.order, strict=True):
            one, two = judged.systems[first], judged.systems[second]
            rows.append((one, two, int(order)) if one < two else (two, one, -int(order)))
        return sorted(rows)


class TestNames:
    ID = "newstest2016.uedin-nmt.4361.cs-en"

    def of(self, ids: str, pattern: str, *known: str, unknown: str = "error") -> tuple[str, ...]:
        names = SystemNames(pattern=pattern, unknown=unknown)  # type: ignore[arg-type]
        return names.of(ids, dict.fromkeys(known), path="f", line=7)

    @pytest.mark.parametrize(
        ("pattern", "name"),
        [
            ("{system}", "newstest2016.uedin-nmt.4361.cs-en"),
            ("newstest2016.{system}.cs-en", "uedin-nmt.4361"),
            ("newstest2016.{system}.*.cs-en", "uedin-nmt"),
            ("*.{system}.*.*", "uedin-nmt"),
        ],
    )
    def test_a_pattern_says_what_is_the_name(self, pattern: str, name: str) -> None:
        assert self.of(self.ID, pattern, name) == (name,)

    def test_stars_cost_no_more_than_their_number(self) -> None:
        # As a regular expression this would not end: the stars share out the letters in every way.
        with pytest.raises(InputError, match="MP180"):
            self.of("a" * 4000, "****{system}*a*a*a*a*a*a*a*a*x", "q")

    @given(
        pattern=st.lists(st.sampled_from("ab.*"), max_size=4).map("".join),
        end=st.lists(st.sampled_from("ab.*"), max_size=4).map("".join),
        text=st.text("ab.", min_size=1, max_size=8),
    )
    def test_a_pattern_means_a_regular_expression(self, pattern: str, end: str, text: str) -> None:
        before, after = (re.escape(side).replace(r"\*", "[^.]*") for side in (pattern, end))
        found = re.fullmatch(f"{before}(.+){after}", text)
        names = SystemNames(pattern=f"{pattern}{{system}}{end}", unknown="leave-out")
        expected = () if found is None else (found[1],)
        assert names.of(text, None, path=None, line=1) == expected

    def test_a_name_may_have_full_stops(self) -> None:
        assert self.of("t.a.b.3.cs-en", "t.{system}.*.cs-en", "a.b") == ("a.b",)

    @pytest.mark.parametrize(
        "pattern", ["newstest2015.{system}.*.cs-en", "{system}.de-en", "{system}"]
    )
    def test_nothing_is_guessed(self, pattern: str) -> None:
        with pytest.raises(InputError) as caught:
            self.of(self.ID, pattern, "uedin-nmt")
        assert (caught.value.code, caught.value.path, caught.value.line) == ("MP180", "f", 7)

    def test_unknown_ones_are_left_out_if_asked(self) -> None:
        assert self.of("A+C+x", "{system}", "A", "C", unknown="leave-out") == ("A", "C")
        table = five(
            line_of_five("A B X Y Z", "1 2 3 4 5"), line_of_five("A X Y Z -1", "1 2 3 4 -1")
        )
        judged = table.judgements(CORPUS, systems=SystemNames(unknown="leave-out"))
        assert judged.systems == ("A", "B")
        assert len(judged.rankings) == 1

    @pytest.mark.parametrize("pattern", ["", "system", "{system}{system}", "{name}"])
    def test_a_pattern_names_a_system_once(self, pattern: str) -> None:
        with pytest.raises(OptionError, match="MP187"):
            SystemNames(pattern=pattern)

    def test_languages_have_two_letters(self) -> None:
        names = ["cze", "Czech", "eng", "English", "de", "esn", "?"]
        assert [language_in_pair(name) for name in names] == [
            "cs",
            "cs",
            "en",
            "en",
            "de",
            "es",
            "?",
        ]
        assert [language_in_pair(name) for name in ("pt_BR", "zho_Hant")] == ["pt_BR", "zh_Hant"]


class TestSeveralLanguagePairs:
    TABLE = ("cze,eng,1,1,j,A,1,B,2,1", "ger,eng,1,1,j,A,2,B,1,2", "cze,eng,2,2,j,A,1,B,2,3")

    def test_one_is_chosen(self) -> None:
        table = pairs(*self.TABLE)
        assert table.language_pairs == ("cs-en", "de-en")
        assert len(table.judgements(CORPUS, language_pair="cs-en").rankings) == 2

    @pytest.mark.parametrize("pair", [None, "fr-en"])
    def test_it_must_be_said_which(self, pair: str | None) -> None:
        with pytest.raises(InputError, match=r"MP188.*cs-en, de-en"):
            pairs(*self.TABLE).judgements(CORPUS, language_pair=pair)


cell = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=6)
rank = st.sampled_from(["-1", "1", "2", "3", "4", "5"])
position = st.integers(1, 10**6).map(str)
name = cell.filter(lambda text: text not in ("", "-1"))
row_of_two = st.tuples(cell, cell, position, position, cell, name, rank, name, rank, cell).filter(
    lambda row: row[5] != row[7]
)


class TestFiles:
    @given(rows=st.lists(row_of_two, max_size=8))
    def test_what_is_written_is_read_back(
        self, rows: list[tuple[str, ...]], tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        folder = tmp_path_factory.mktemp("rankings")
        table = RankingTable.of(PAIRS.split(","), rows)
        write_rankings(table, folder / "one.csv")
        again = read_rankings(folder / "one.csv")
        assert again == table
        write_rankings(again, folder / "two.csv")
        assert (folder / "one.csv").read_bytes() == (folder / "two.csv").read_bytes()

    def test_a_canonical_file_comes_back_byte_by_byte(self, tmp_path: Path) -> None:
        data = f'{PAIRS}\ncze,eng,779,779,"judge, ""1""",A,5,B,-1,1\n'.encode()
        (tmp_path / "one.csv").write_bytes(data)
        table = read_rankings(tmp_path / "one.csv")
        assert table.rankings[0].judge == 'judge, "1"'
        write_rankings(table, tmp_path / "two.csv")
        assert (tmp_path / "two.csv").read_bytes() == data
        write_rankings(table, tmp_path / "three.csv.gz")
        assert gzip.decompress((tmp_path / "three.csv.gz").read_bytes()) == data
        assert read_rankings(tmp_path / "three.csv.gz") == table

    @pytest.mark.parametrize("text", ["a\nb", "a\rb", "a\0b", "\ud800"])
    def test_what_a_line_cannot_hold_is_refused_before_anything_is_written(
        self, text: str, tmp_path: Path
    ) -> None:
        line = "cze,eng,1,1,j,A,5,B,-1,1".split(",")
        table = RankingTable.of(PAIRS.split(","), [line, [*line[:4], text, *line[5:]]])
        with pytest.raises(InputError) as caught:
            write_rankings(table, tmp_path / "out.csv")
        assert (caught.value.code, caught.value.line) == ("MP189", 3)
        assert not list(tmp_path.iterdir())

    def test_each_format_recognises_its_own(self) -> None:
        found = {
            text: [known.name for known in FORMATS if known.recognises(Head("f", (text,)))]
            for text in (PAIRS, FIVE, "source\treference\tsystem", "")
        }
        assert list(found.values()) == [["ranking-pairs"], ["ranking-five"], [], []]
        assert not any(known.recognises(Head("f", (), ("a",))) for known in FORMATS)

    def test_a_data_set_is_called_after_its_file(self, tmp_path: Path) -> None:
        write_rankings(
            five(line_of_five("A B C D E", "1 2 3 4 5")), tmp_path / "wmt13.cs-en.csv.gz"
        )
        judged = read_rankings(tmp_path / "wmt13.cs-en.csv.gz").judgements(CORPUS)
        assert judged.name == "wmt13.cs-en"
        assert np.isnan(judged.human).all()
