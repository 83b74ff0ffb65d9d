"""What single judges said: direct assessment and ESA as WMT published them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from metaphrase.corpus import Corpus
from metaphrase.corpus.formats import format_of
from metaphrase.corpus.formats.judged.da_judgements import read_da_judgements, write_da_judgements
from metaphrase.corpus.formats.judged.esa import read_esa
from metaphrase.corpus.formats.judged.texts import SystemNames
from metaphrase.corpus.opening import JudgementFiles, read_judgement_files
from metaphrase.errors import InputError, MetaphraseError, OptionError

CORPUS = Corpus(
    {"A": ["a1", "a2", "a3"], "B": ["b1", "b2", "b3"]},
    [["r1", "r2", "r3"]],
    documents=["d", "d", "e"],
)
#: The header of ygraham/direct-assessment, proc-hits/standardize-scrs.pl.
HEADER = "HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time".split()


def _line(judge: str, system: str, segment: int, score: object, kind: str = "SYSTEM") -> str:
    cells = ["H1", judge, "de", "en", "ad", "7", system, "1", kind, str(segment), str(score), "60"]
    return "\t".join(cells)


def _file(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in ("\t".join(HEADER), *lines)))
    return path


class TestDirectAssessment:
    RAW = (
        _line("j1", "A", 1, 80),
        _line("j1", "A", 1, 60, "REPEAT"),
        _line("j1", "B", 1, 20),
        _line("j1", "A", 1, 0, "BAD_REF"),
        _line("j2", "A", 1, 50),
        _line("j2", "B", 2, 90),
        _line("j3", "B", 2, 40),  # who gave one score only has no deviation
    )

    def test_it_is_recognised_and_written_as_it_was(self, tmp_path: Path) -> None:
        path = _file(tmp_path / "ad-good-raw.csv", *self.RAW)
        found = format_of(path)
        assert found is not None
        assert found.name == "da-judgements"
        table = read_da_judgements(path)
        assert table.language_pairs == ("de-en",)
        assert not table.is_standardised
        write_da_judgements(table, tmp_path / "copy.csv")
        assert (tmp_path / "copy.csv").read_bytes() == path.read_bytes()

    def test_raw_scores_are_means_of_judges(self, tmp_path: Path) -> None:
        table = read_da_judgements(_file(tmp_path / "a.csv", *self.RAW))
        judged = table.judgements(CORPUS, language_pair="de-en", human="raw")
        # A 1: j1 gave 80 and 60, j2 gave 50: (70 + 50) / 2. B 2: (90 + 40) / 2.
        assert judged.systems == ("A", "B")
        np.testing.assert_array_equal(judged.human, [[60, np.nan], [20, 65]])
        assert judged.documents == ("d", "d")

    def test_z_scores_are_standardised_by_judge_with_quality_control(self, tmp_path: Path) -> None:
        table = read_da_judgements(_file(tmp_path / "a.csv", *self.RAW))
        judged = table.judgements(CORPUS, language_pair="de-en")
        one = np.array([80, 60, 20, 0])  # all four lines of j1, of which one is no translation
        first = (one - one.mean()) / one.std(ddof=1)
        two = np.array([50, 90])
        second = (two - two.mean()) / two.std(ddof=1)
        assert judged.human[0, 0] == pytest.approx(((first[0] + first[1]) / 2 + second[0]) / 2)
        assert judged.human[1].tolist() == pytest.approx([first[2], second[1]])  # without j3

    def test_standardised_files_are_taken_as_they_are(self, tmp_path: Path) -> None:
        lines = (_line("j1", "A", 1, 0.5), _line("j2", "A", 1, -1.5), _line("j1", "B", 3, 2))
        table = read_da_judgements(_file(tmp_path / "ad-deen-good-stnd.csv", *lines))
        assert table.is_standardised
        judged = table.judgements(CORPUS, language_pair="de-en")
        np.testing.assert_array_equal(judged.human, [[-0.5, np.nan], [np.nan, 2]])
        with pytest.raises(OptionError, match="MP774"):
            table.judgements(CORPUS, language_pair="de-en", human="raw")

    def test_few_judges_and_texts_of_several_systems(self, tmp_path: Path) -> None:
        lines = (_line("j1", "A+B", 1, 10), _line("j2", "A+B", 1, 30), _line("j1", "A", 2, 5))
        table = read_da_judgements(_file(tmp_path / "a.csv", *lines))
        judged = table.judgements(CORPUS, language_pair="de-en", human="raw", min_judgements=2)
        np.testing.assert_array_equal(judged.human, [[20], [20]])
        with pytest.raises(InputError, match="MP179"):
            table.judgements(CORPUS, language_pair="de-en", human="raw", min_judgements=3)

    @pytest.mark.parametrize(
        ("lines", "code", "line"),
        [
            ([_line("j", "A", 1, "x")], "MP152", 2),
            ([_line("j", "A", 1, 5), "one\ttwo"], "MP176", 3),
            ([_line("j", "A", 9, 5)], "MP181", 2),
            ([_line("j", "A", 0, 5)], "MP177", 2),
            ([_line("j", "C", 1, 5)], "MP180", 2),
        ],
    )
    def test_faults_are_named(self, lines: list[str], code: str, line: int, tmp_path: Path) -> None:
        path = _file(tmp_path / "a.csv", *lines)
        with pytest.raises(MetaphraseError, match=f"{code}.*line {line}"):
            read_da_judgements(path).judgements(CORPUS, language_pair="de-en", human="raw")


def _esa(
    judge: str,
    system: str,
    segment: int,
    score: object,
    document: str,
    *,
    kind: str = "TGT",
    end: float = 2.0,
) -> str:
    """A row as ExportSystemScoresToCSV of Appraise prints it; the score stands behind the languages."""
    errors = '"[{""start_i"":1,""end_i"":2,""severity"":""minor""}]"'
    return f"{judge},{system},{segment},{kind},eng,jpn,{score},{document},False,{errors},1.0,{end}"


class TestEsa:
    ROWS = (
        _esa("j1", "en-tutorial1", 1000000, 0, "en-tutorial1"),
        _esa("j1", "A", 0, 90, "d"),
        _esa("j1", "A", 0, 70, "d", end=9.0),  # who changed their mind
        _esa("j2", "A", 0, 50, "d"),
        _esa("j1", "B", 2, 40, "e"),
        _esa("j1", "B", 2, 5, "e#bad", kind="BAD"),
        _esa("j1", "B", 1, 5, "d#incomplete"),
        _esa("j1", "B", 1, 5, "d#dup"),
    )

    def _read(self, path: Path, *rows: str) -> Path:
        path.write_text("".join(f"{row}\n" for row in rows or self.ROWS))
        return path

    def test_the_last_score_of_each_judge_counts_and_control_does_not(self, tmp_path: Path) -> None:
        path = self._read(tmp_path / "esa.csv")
        found = format_of(path)  # other programs read these rows, too
        assert found is not None
        assert found.open_judgements is not None
        table = read_esa(path)
        assert table.language_pairs == ("en-ja",)
        judged = table.judgements(CORPUS, language_pair="en-ja")
        np.testing.assert_array_equal(judged.human, [[60, np.nan], [np.nan, 40]])
        assert judged.segments == ("d:1", "e:3")

    def test_documents_say_whether_a_first_line_was_counted(self, tmp_path: Path) -> None:
        marked = Corpus(
            {"A": ["", "a1", "a2", "a3"], "B": ["", "b1", "b2", "b3"]},
            [["", "r1", "r2", "r3"]],
            documents=["canary", "d", "d", "e"],
        )
        table = read_esa(self._read(tmp_path / "esa.csv"))
        judged = table.judgements(marked, language_pair="en-ja")
        assert [judged.texts[0].hypothesis, judged.texts[1].hypothesis] == ["a1", "b3"]

    def test_other_documents_are_refused(self, tmp_path: Path) -> None:
        table = read_esa(self._read(tmp_path / "esa.csv"))
        others = Corpus(dict(CORPUS.systems), CORPUS.references, documents=["d", "e", "f"])
        with pytest.raises(InputError, match=r"MP775.*line 5.*document 'e'"):
            table.judgements(others, language_pair="en-ja")
        nameless = Corpus(dict(CORPUS.systems), CORPUS.references)
        with pytest.raises(InputError, match="MP775"):
            table.judgements(nameless, language_pair="en-ja")

    def test_json_lines_say_the_same(self, tmp_path: Path) -> None:
        rows = [
            {
                "langs": "en-ja", "line_id": segment, "src": "s", "tgt": "t", "doc_id": document,
                "domain": "news", "esa_spans": [], "esa_score": score, "times": ["1.0", end],
                "system": system, "annotator": judge, "speech_info": None,
            }
            for judge, system, segment, score, document, end in (
                ("j1", "A", 0, "90", "d", "2.0"),
                ("j1", "A", 0, "70", "d", "9.0"),
                ("j2", "A", 0, "50", "d", "2.0"),
                ("j1", "B", 2, "40", "e", "2.0"),
            )
        ]  # fmt: skip
        path = self._read(tmp_path / "esa.jsonl", *map(json.dumps, rows))
        found = format_of(path)
        assert found is not None
        assert found.name == "esa-jsonl"
        judged = read_esa(path).judgements(CORPUS, language_pair="en-ja")
        of_csv = read_esa(self._read(tmp_path / "esa.csv"))
        np.testing.assert_array_equal(
            judged.human, of_csv.judgements(CORPUS, language_pair="en-ja").human
        )
        assert judged.domains == ("news", "news")

    def test_json_lines_bring_their_own_texts_and_references(self, tmp_path: Path) -> None:
        rows = [
            {
                "langs": "en-ja", "line_id": segment, "src": f"s{segment}", "tgt": target,
                "doc_id": "d", "domain": "news", "esa_score": score, "system": system,
                "annotator": "j",
            }
            for system, segment, target, score in (
                ("A", 0, "a0", 70), ("B", 0, "b\n0", 50), ("refB", 0, "s0", 90), ("refA", 0, "r0", 80),
                ("A", 1, "a1", 10),  # nobody judged its reference
            )
        ]  # fmt: skip
        path = self._read(tmp_path / "esa.jsonl", *map(json.dumps, rows))
        judged = read_esa(path).own_judgements(language_pair="en-ja")
        assert judged.systems == ("A", "B")
        assert judged.segments == ("d:0",)
        np.testing.assert_array_equal(judged.human, [[70], [50]])
        assert [text.hypothesis for text in judged.texts] == ["a0", "b 0"]
        assert judged.texts[0].references == ("r0", "s0")
        (found,), _ = read_judgement_files(JudgementFiles(judgements=[str(path)]))
        np.testing.assert_array_equal(found.human, judged.human)
        path = self._read(tmp_path / "esa.jsonl", json.dumps(rows[-1]))
        with pytest.raises(InputError, match="--texts"):
            read_esa(path).own_judgements(language_pair="en-ja")

    def test_rows_without_texts_need_them(self, tmp_path: Path) -> None:
        row = {
            "langs": "en-ja", "line_id": 0, "doc_id": "d", "esa_score": 1, "system": "A", "annotator": "j",
        }  # fmt: skip
        path = self._read(tmp_path / "esa.jsonl", json.dumps(row))
        assert not read_esa(path).has_texts
        with pytest.raises(OptionError, match=r"MP187.*texts"):
            read_judgement_files(JudgementFiles(judgements=[str(path)]))

    def test_z_scores_and_systems_without_texts(self, tmp_path: Path) -> None:
        rows = (
            _esa("j1", "A", 0, 90, "d"),
            _esa("j1", "B", 0, 70, "d"),
            _esa("j1", "refA", 0, 80, "d"),
        )
        table = read_esa(self._read(tmp_path / "esa.csv", *rows))
        with pytest.raises(InputError, match="MP180"):
            table.judgements(CORPUS, language_pair="en-ja")
        known = SystemNames(unknown="leave-out")
        judged = table.judgements(CORPUS, language_pair="en-ja", human="z", systems=known)
        np.testing.assert_allclose(judged.human, [[1], [-1]])  # 90, 70, 80: deviation 10

    @pytest.mark.parametrize(
        ("row", "code"),
        [
            ("a,b,c", "MP791"),
            (_esa("j", "A", 0, 101, "d"), "MP791"),
            (_esa("j", "A", 0, "good", "d"), "MP791"),
            (_esa("j", "A", -3, 50, "d"), "MP177"),
            ('j,A,0,TGT,eng,jpn,5,d,False,"[],1,2', "MP791"),
            ('{"langs": "en-ja"}', "MP776"),
        ],
    )
    def test_faults_are_named(self, row: str, code: str, tmp_path: Path) -> None:
        first = [] if row.startswith("{") else [_esa("j", "A", 0, 50, "d")]
        path = self._read(tmp_path / "esa.csv", *first, row)
        with pytest.raises(InputError, match=f"{code}.*line {len(first) + 1}"):
            read_esa(path)

    def test_tutorials_alone_are_nothing(self, tmp_path: Path) -> None:
        path = self._read(tmp_path / "esa.csv", self.ROWS[0])
        with pytest.raises(InputError, match="MP179"):
            read_esa(path)
