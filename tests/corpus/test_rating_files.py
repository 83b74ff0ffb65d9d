"""What each judge said: results of tools, filled sheets, tables with judges, and the key of a sample."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from metaphrase.corpus.formats import format_of
from metaphrase.corpus.formats.judged.appraise import read_appraise
from metaphrase.corpus.formats.judged.marot import read_marot
from metaphrase.corpus.formats.judged.mqm import mqm_ratings
from metaphrase.corpus.formats.judged.pearmut import read_pearmut
from metaphrase.corpus.formats.judged.rated_judgements import rated_lines, read_rated_judgements
from metaphrase.corpus.formats.judged.rating_sheet import COLUMNS, read_rating_sheet
from metaphrase.corpus.formats.judged.sample_key import SampleKey, key_text, read_key
from metaphrase.corpus.opening.ratings import read_ratings
from metaphrase.corpus.ratings import Item, MarkedError
from metaphrase.errors import InputError

TARGET = Item(
    "7", "good+", "d", "2", source="Die Katze.", hypothesis="The cat.", references=("A cat.",)
)
WORSE = replace(TARGET, id="3", kind="degraded", of="7", hypothesis="The prices.")
AGAIN = replace(TARGET, id="9", kind="repeat", of="7")
OTHER = Item(
    "4", "bad", "d", "2", source="Die Katze.", hypothesis="Cat the.", references=("A cat.",)
)
KEY = SampleKey("mine", "de-en", "esa", (TARGET, WORSE, AGAIN, OTHER))


def written(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


class TestKey:
    def test_it_reads_back_as_it_was_written(self, tmp_path: Path) -> None:
        path = tmp_path / "key.json"
        path.write_text(key_text(KEY), "utf-8")
        assert read_key(path) == KEY

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ('"version": 1', '"version": 2'),
            ('"format": "metaphrase', '"format": "another'),
            ('"protocol": "esa"', '"protocol": "guess"'),
            ('"de-en"', '"German"'),
            ('"of": "7"', '"of": "8"'),
            ('"of": "7"', '"of": null'),
            ('"id": "3"', '"id": "7"'),
            ('"kind": "repeat"', '"kind": "copy"'),
            ('"source": "Die Katze."', '"source": 5'),
            ('"source": "Die Katze."', '"source": "\\ud800"'),
            ('"source": "Die Katze.", ', ""),
            ("]", ""),
        ],
    )
    def test_what_is_no_key_is_refused(self, old: str, new: str, tmp_path: Path) -> None:
        text = key_text(KEY)
        assert old in text
        path = tmp_path / "key.json"
        path.write_text(text.replace(old, new, 1), "utf-8")
        with pytest.raises(InputError, match="MP789"):
            read_key(path)


#: As ExportSystemScoresToCSV prints it for a campaign of documents; errors are of the first segment.
ESA_ROWS = (
    'ann,good_,1,TGT,deu,eng,80,d,False,"[{""start_i"": 4, ""end_i"": 7, ""severity"": ""minor""}]",10,22.5',
    "ann,good_,1,BAD,deu,eng,20,d#bad,False,[],22.5,30.0",
    "ann,good_,1,CHK,deu,eng,78,d#chk,False,[],30.0,41.0",
    "ann,bad,1,TGT,deu,eng,40,d,False,[],41.0,50.0",
    "ann,refA,1,REF,deu,eng,99,d,False,[],50.0,55.0",
)


class TestAppraise:
    def test_scores_errors_kinds_and_times(self, tmp_path: Path) -> None:
        found = read_appraise(written(tmp_path / "results.csv", *ESA_ROWS))
        assert found.language_pair == "de-en"
        assert found.protocol == "esa"
        first, worse, again, _ = found.ratings
        assert (first.score, first.seconds) == (80, 12.5)
        assert first.errors == (MarkedError("minor", "", (4, 7)),)
        kinds = [found.items[one.item].kind for one in (first, worse, again)]
        assert kinds == ["target", "degraded", "repeat"]
        assert found.items[worse.item].of == found.items[again.item].of == first.item
        assert {item.document for item in found.items.values()} == {"d"}

    def test_direct_assessment_has_fewer_fields_and_may_have_batches(self, tmp_path: Path) -> None:
        rows = ("ann,A,1,TGT,deu,eng,80,1.0,2.0,1,17", "ann,A,2,TGT,deu,eng,60,2.0,9.0,1,18")
        found = read_appraise(written(tmp_path / "results.csv", *rows))
        assert found.protocol == "da"
        assert [(one.score, one.seconds, one.errors) for one in found.ratings] == [
            (80, 1, None),
            (60, 7, None),
        ]

    def test_who_scores_again_means_the_last_score(self, tmp_path: Path) -> None:
        rows = ("ann,A,1,TGT,deu,eng,80,1.0,2.0", "ann,A,1,TGT,deu,eng,60,2.0,9.0")
        (only,) = read_appraise(written(tmp_path / "results.csv", *rows)).ratings
        assert only.score == 60

    def test_the_key_knows_whose_translations_they_are(self, tmp_path: Path) -> None:
        # Appraise would take "good+" for two systems, so it was written as "good_".
        path = written(tmp_path / "results.csv", *ESA_ROWS)
        (found,) = read_ratings([str(path)], key=KEY)
        assert [one.item for one in found.ratings] == ["7", "3", "9", "4"]
        judged = found.judgements()
        assert judged.systems == ("good+", "bad")
        assert judged.human.tolist() == [[80], [40]]
        assert judged.texts[0].references == ("A cat.",)


def annotation(user: str, page: int | str, *answers: tuple[str, str, str, Any]) -> dict[str, Any]:
    """What Pearmut 1.1.6 logs of a page: items as they were shown, answers by model, actions with times."""
    return {
        "annotation": [{model: answer} for _, model, _, answer in answers],
        "actions": [
            {"time": 100.0, "action": "load"},
            {"time": 110.0, "action": "score", "index": 0, "value": 70},
            {"time": 500.0, "action": "submit"},
        ],
        "item": [
            {"tgt": {model: text}, "item_id": item, "src": "Die Katze.", "doc_id": "d"}
            for item, model, text, _ in answers
        ],
        "user_id": user,
        "item_i": page,
    }


def score(value: int, *spans: tuple[int, int, str]) -> dict[str, Any]:
    return {
        "score": value,
        "error_spans": [
            {"start_i": a, "end_i": b, "severity": s, "category": None} for a, b, s in spans
        ],
    }


LOG = [
    annotation("ann", 0, ("7", "good+", "The cat.", score(10))),
    annotation("ben", 0, ("7", "good+", "The cat.", score(95))),
    {"annotation": "__RESET__", "user_id": "ben", "item_i": 0},
    annotation("ann", 0, ("7", "good+", "The cat.", score(80, (4, 6, "minor"), (9, 17, "major")))),
    annotation("ann", 1, ("3", "degraded", "The prices.", score(20))),
    annotation("ann", "welcome_0", ("0", "x", "y", score(1))),
]


class TestPearmut:
    @pytest.mark.parametrize("lines", [True, False])
    def test_the_last_word_counts_and_what_was_reset_does_not(
        self, lines: bool, tmp_path: Path
    ) -> None:
        path = tmp_path / ("c.jsonl" if lines else "annotations.json")
        text = "".join(json.dumps(one) + "\n" for one in LOG) if lines else json.dumps({"c": LOG})
        path.write_text(text, "utf-8")
        known = format_of(path)
        assert known is not None
        assert known.name == "pearmut"
        found = read_pearmut(path)
        assert [(one.judge, one.score) for one in found.ratings] == [("ann", 80), ("ann", 20)]
        # The end is inclusive, and what begins behind the text is the token for something missing.
        assert found.ratings[0].errors == (
            MarkedError("minor", "", (4, 7)),
            MarkedError("major", "", None),
        )
        # 10 seconds, and of the pause of 390 the 61 that Pearmut counts.
        assert found.ratings[0].seconds == 71

    def test_with_the_key(self, tmp_path: Path) -> None:
        path = tmp_path / "annotations.json"
        path.write_text(json.dumps({"c": LOG}), "utf-8")
        (found,) = read_ratings([str(path)], key=KEY)
        assert [found.items[one.item].kind for one in found.ratings] == ["target", "degraded"]
        assert found.name == "mine"

    def test_another_translation_than_the_key_has(self, tmp_path: Path) -> None:
        path = tmp_path / "annotations.json"
        path.write_text(
            json.dumps({"c": [annotation("ann", 0, ("7", "good+", "A dog.", score(1)))]}), "utf-8"
        )
        with pytest.raises(InputError, match="MP790"):
            read_ratings([str(path)], key=KEY)


def sheet(path: Path, *rows: dict[str, str], separator: str = ",") -> Path:
    with path.open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, restval="", delimiter=separator)
        writer.writeheader()
        writer.writerows(rows)
    return path


def row(
    item: str, text: str, score: str = "", errors: str = "", judge: str = "ann"
) -> dict[str, str]:
    return {"item": item, "translation": text, "score": score, "errors": errors, "judge": judge}


class TestSheets:
    @pytest.mark.parametrize("separator", [",", ";", "\t"])
    def test_scores_and_errors(self, separator: str, tmp_path: Path) -> None:
        path = sheet(
            tmp_path / "ann.csv",
            row("7", "The cat.", "80", "major/Accuracy/Omission: [missing]\nminor: cat"),
            row("4", "Cat the."),
            separator=separator,
        )
        (only,) = read_rating_sheet(path).ratings
        assert (only.judge, only.item, only.score) == ("ann", "7", 80)
        assert only.errors == (
            MarkedError("major", "Accuracy/Omission", None),
            MarkedError("minor", "", (4, 7)),
        )

    def test_a_workbook_is_read_like_a_table(self, tmp_path: Path) -> None:
        openpyxl = pytest.importorskip("openpyxl")
        book = openpyxl.Workbook()
        book.active.append(list(COLUMNS))
        book.active.append([7, "d", "Die Katze.", "The cat.", 80.5, None, None, "ann"])
        path = tmp_path / "ann.xlsx"
        book.save(path)
        (found,) = read_ratings([str(path)], key=KEY)
        assert [(one.item, one.score, one.errors) for one in found.ratings] == [("7", 80.5, ())]

    def test_none_is_a_judgement_and_an_empty_row_is_not(self, tmp_path: Path) -> None:
        path = sheet(tmp_path / "a.csv", row("7", "The cat.", errors="none"), row("4", "Cat the."))
        key = replace(KEY, protocol="mqm")
        (found,) = read_ratings([str(path)], key=key)
        assert [(one.item, one.score) for one in found.ratings] == [("7", 0.0)]

    def test_errors_of_mqm_cost_what_the_weights_say(self, tmp_path: Path) -> None:
        errors = "major/Accuracy/Mistranslation: The\nminor/Fluency/Punctuation: ."
        path = sheet(tmp_path / "a.csv", row("7", "The cat.", errors=errors))
        (found,) = read_ratings([str(path)], key=replace(KEY, protocol="mqm"))
        # Freitag et al. (2021): 5 for a major error, 0.1 for punctuation.
        assert found.ratings[0].score == pytest.approx(-5.1)

    def test_two_judges_are_one_campaign_and_one_judge_twice_is_none(self, tmp_path: Path) -> None:
        ann = sheet(tmp_path / "ann.csv", row("7", "The cat.", "80"))
        ben = sheet(tmp_path / "ben.csv", row("7", "The cat.", "60", judge="ben"))
        (found,) = read_ratings([str(ann), str(ben)], key=KEY)
        assert found.judges == ("ann", "ben")
        assert found.judgements().human.tolist() == [[70]]
        with pytest.raises(InputError, match="MP794"):
            read_ratings([str(ann), str(ann)], key=KEY)


class TestTablesWithJudges:
    def test_they_read_back(self, tmp_path: Path) -> None:
        path = sheet(
            tmp_path / "ann.csv",
            row("7", "The cat.", "80", "major/Accuracy: The\nminor: [missing]"),
            row("3", "The prices.", "20"),
            row("4", "Cat the.", "40"),
        )
        (found,) = read_ratings([str(path)], key=KEY)
        table = written(tmp_path / "judgements.tsv", *rated_lines(found, "judgements.tsv"))
        (again,) = read_rated_judgements(table)
        assert again.protocol == "esa"
        assert [(one.judge, one.score, one.errors) for one in again.ratings] == [
            ("ann", 80, found.ratings[0].errors),
            ("ann", 40, ()),
        ]
        assert [one.hypothesis for one in again.items.values()] == ["The cat.", "Cat the."]


#: Marot's ten columns; the second row carries metadata alone.
MAROT = (
    "A\td\t1\t1\tann\tDie Katze.\tThe <v>cat</v>.\tAccuracy/Mistranslation\tMajor\t{}",
    'A\td\t1\t1\t\tDie Katze.\tThe cat.\t\t\t{"segment": {"metrics": {"BLEU": 1}}}',
    'A\td\t1\t1\tben\tDie Katze.\tThe cat.\tno-error\tno-error\t{"timestamp": 1}',
)
MAROT_HEADER = (
    "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata"
)


class TestMarot:
    @pytest.mark.parametrize("header", [(), (MAROT_HEADER,)])
    def test_with_and_without_a_header(self, header: tuple[str, ...], tmp_path: Path) -> None:
        path = written(tmp_path / "m.tsv", *header, *MAROT)
        known = format_of(path)
        assert known is not None
        assert known.name == "marot"
        table = read_marot(path)
        judged = table.judgements([["A cat."]], language_pair="de-en")
        # A major error costs 5 with one of two raters.
        assert judged.human.tolist() == [[-2.5]]
        assert [one.line for one in table.errors] == [len(header) + 1, len(header) + 3]

    def test_raters_are_judges(self, tmp_path: Path) -> None:
        found = mqm_ratings(read_marot(written(tmp_path / "m.tsv", *MAROT)))
        assert [(one.judge, one.score) for one in found.ratings] == [("ann", -5), ("ben", 0)]
        assert found.ratings[0].errors == (MarkedError("major", "Accuracy/Mistranslation", (4, 7)),)
        assert found.ratings[1].errors == ()
