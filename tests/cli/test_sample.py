"""``metaphrase sample``: from texts to segments, to judges, and back to judgements to learn from."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from cli.bundled import EXAMPLES, REFERENCE, SYSTEMS, TEXTS, Answers, Fails, Prints
from metaphrase.cli import main
from metaphrase.meta import read_judgements

CHRF = ("-m", "chrf")
FILLED = [str(EXAMPLES / "judged-sample" / f"{name}.csv") for name in ("ana", "ben", "cem")]
KEY = str(EXAMPLES / "judged-sample" / "key.json")
SOURCES = ("--sources", str(EXAMPLES / "source.txt"))
DOCUMENTS = ("--documents", str(EXAMPLES / "documents.txt"))


EXPORT = ("-n", "2", "--export", "csv", "-o", "x", "--language-pair", "de-en", "--judges")


class TestChoosing:
    def test_segments_with_reasons(self, prints: Prints) -> None:
        printed = prints("sample", *TEXTS, "-n", "2", *CHRF)
        assert "why" in printed
        assert "2 of 12 segments" in printed

    def test_json_has_everything(self, answers: Answers) -> None:
        found = answers("sample", *TEXTS, "-n", "3", *CHRF)
        assert len(found["chosen"]) == 3
        assert found["way"] == "consistency"
        useful = [one["usefulness"] for one in found["chosen"]]
        assert useful == sorted(useful, reverse=True)

    def test_a_table(self, prints: Prints) -> None:
        header, *rows = prints("sample", *TEXTS, "-n", "2", *CHRF, "--format", "tsv").splitlines()
        assert header.split("\t")[:2] == ["segment", "document"]
        assert len(rows) == 2

    def test_whole_documents_within_words(self, answers: Answers) -> None:
        found = answers("sample", *TEXTS, *DOCUMENTS, "--words", "60", "--whole-documents", *CHRF)
        assert sum(one["words"] for one in found["chosen"]) <= 60
        documents = (EXAMPLES / "documents.txt").read_text().split()
        chosen = [one["document"] for one in found["chosen"]]
        for name in set(chosen):
            assert chosen.count(name) == documents.count(name)

    def test_one_system_of_two_for_each_segment(self, answers: Answers) -> None:
        found = answers("sample", *TEXTS, "-n", "4", "--systems-per-segment", "1", *CHRF)
        judged = [name for one in found["chosen"] for name in one["systems"]]
        assert judged.count("system-a") == judged.count("system-b") == 2

    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            (["-n", "2", "--words", "5"], "MP786"),
            ([], "MP786"),
            (["-n", "2", "--by", "random", *CHRF], "MP786"),
            (["-n", "2", "--judges", "2"], "MP786"),
            (["-n", "2", "--key", KEY], "MP786"),
            (["-n", "2", "--halves", "5"], "MP786"),
            (["-n", "2", "--export", "csv"], "MP786"),
            (["-n", "2", "--export", "csv", "-o", "x"], "MP786"),
            (["-n", "2", "--export", "csv", "-o", "x", "--language-pair", "German"], "MP162"),
            (
                [
                    "-n",
                    "2",
                    "--export",
                    "csv",
                    "-o",
                    "x",
                    "--language-pair",
                    "de-en",
                    "--judges",
                    "../a",
                ],
                "MP786",
            ),
            (
                [
                    "-n",
                    "2",
                    "--export",
                    "csv",
                    "-o",
                    "x",
                    "--language-pair",
                    "de-en",
                    "--judges",
                    "0",
                ],
                "MP786",
            ),
            (["-n", "2", "--by", "disagreement", *CHRF], "MP787"),
            (["-n", "2", "--whole-documents", *CHRF], "MP787"),
            (["--words", "1", *CHRF], "MP788"),
            (["-n", "2", "--systems-per-segment", "3", *CHRF], "MP788"),
        ],
    )
    def test_mistakes(
        self,
        arguments: list[str],
        code: str,
        fails: Fails,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.chdir(tmp_path)
        fails(2, code, "sample", *TEXTS, *arguments)
        assert list(tmp_path.iterdir()) == []

    def test_one_system(self, fails: Fails) -> None:
        fails(2, "MP787", "sample", REFERENCE, "-i", SYSTEMS[0], "-n", "2", *CHRF)


class TestExport:
    def test_the_folder_for_judges(self, tmp_path: Path, prints: Prints) -> None:
        folder = tmp_path / "campaign"
        arguments = ["--export", "csv", "--judges", "ana", "ben", "--language-pair", "de-en"]
        prints("sample", *TEXTS, *SOURCES, "-n", "4", *CHRF, *arguments, "-o", folder)
        assert sorted(path.name for path in folder.iterdir()) == ["ana.csv", "ben.csv", "key.json"]
        with (folder / "ana.csv").open(encoding="utf-8-sig", newline="") as stream:
            rows = list(csv.DictReader(stream))
        assert len(rows) == 8 + 5 + 5
        assert not any("system-" in cell for row in rows for cell in row.values())

    def test_a_folder_that_is_there_is_not_mixed_with(self, tmp_path: Path, fails: Fails) -> None:
        (tmp_path / "notes.txt").write_text("mine")
        arguments = ["--export", "pearmut", "--language-pair", "de-en", "-o", str(tmp_path)]
        fails(1, "MP130", "sample", *TEXTS, "-n", "4", *CHRF, *arguments)
        assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]

    def test_the_example_is_what_the_command_writes(self, tmp_path: Path, prints: Prints) -> None:
        folder = tmp_path / "again"
        arguments = ["--export", "csv", "--judges", "ana", "ben", "cem", "--language-pair", "de-en"]
        texts = [*TEXTS, *SOURCES, *DOCUMENTS, "-n", "10", "-m", "chrf", "bleu"]
        prints("sample", *texts, *arguments, "--name", "example", "-o", folder)
        assert (folder / "key.json").read_text("utf-8") == Path(KEY).read_text("utf-8")


class TestImport:
    def test_judgements_without_who_failed(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "scores.tsv"
        assert main(["sample", "--import", *FILLED, "--key", KEY, "-o", str(path)]) == 0
        assert "cem is left out: 40% of 5 degraded copies" in capsys.readouterr().err
        judged = read_judgements(path)["de-en"]
        assert judged.human.shape == (2, 10)
        assert judged.documents is not None

    def test_all_judges(self, prints: Prints) -> None:
        rows = prints("sample", "--import", *FILLED, "--key", KEY, "--all-judges").splitlines()
        assert len(rows) == 1 + 3 * 20

    def test_a_model_is_adapted_to_what_judges_said(self, tmp_path: Path, prints: Prints) -> None:
        scores, model = tmp_path / "scores.tsv", tmp_path / "mine.json"
        prints("sample", "--import", *FILLED, "--key", KEY, "-o", scores)
        printed = prints("train", "accord", "--adapt", "--data", scores, "-o", model)
        assert "from 20 judgements" in printed
        assert json.loads(model.read_text("utf-8"))

    def test_it_needs_the_key(self, fails: Fails) -> None:
        fails(2, "MP786", "sample", "--import", *FILLED)

    def test_another_key(self, fails: Fails) -> None:
        fails(1, "MP789", "sample", "--import", *FILLED, "--key", str(EXAMPLES / "reference.txt"))

    def test_a_file_that_no_judge_filled_in(self, fails: Fails) -> None:
        fails(1, "MP791", "sample", "--import", REFERENCE, "--key", KEY)

    def test_results_are_no_judgements_yet(self, fails: Fails) -> None:
        fails(1, ("MP798", "sample --import"), "meta", FILLED[0], *CHRF)
        fails(1, "MP798", "train", "accord", "--adapt", "--data", FILLED[0], "-o", "unused.json")


class TestJudges:
    def test_quality_control_is_shown(self, prints: Prints) -> None:
        printed = prints("meta", *FILLED, "--judges", "--key", KEY)
        assert "alpha of scores" in printed
        assert "left out" in printed

    def test_all_numbers(self, answers: Answers) -> None:
        (found,) = answers("meta", *FILLED, "--judges", "--key", KEY)
        assert [one["verdict"] for one in found["judges"]] == ["kept", "kept", "left out"]
        assert found["judges"][0]["seconds"] is None

    def test_without_the_key_items_are_known_by_their_ids(self, answers: Answers) -> None:
        (found,) = answers("meta", *FILLED, "--judges")
        assert (
            found["items"] == 44
        )  # 20 translations, 10 repeats and 14 degraded copies of three judges

    def test_a_table_with_judges(self, tmp_path: Path, prints: Prints, answers: Answers) -> None:
        path = tmp_path / "scores.tsv"
        prints("sample", "--import", *FILLED, "--key", KEY, "-o", path)
        (found,) = answers("meta", path, "--judges")
        assert [one["judge"] for one in found["judges"]] == ["ana", "ben"]

    def test_raters_of_mqm(self, tmp_path: Path, answers: Answers) -> None:
        path = tmp_path / "marot.tsv"
        row = "A\td\t1\t1\t{}\ts\tThe <v>cat</v>\tStyle\t{}\t{{}}"
        path.write_text(
            "".join(f"{row.format(*who)}\n" for who in (("ann", "Minor"), ("ben", "Major")))
        )
        (found,) = answers("meta", path, "--judges", "--language-pair", "de-en")
        assert (found["protocol"], found["language_pair"], found["shared"]) == ("mqm", "de-en", 1)

    def test_rankings_and_ratings_are_two_things(self, fails: Fails) -> None:
        fails(2, "MP785", "meta", FILLED[0], str(EXAMPLES / "judgements.tsv"), "--judges")

    def test_a_key_without_judges(self, fails: Fails) -> None:
        fails(2, "MP785", "meta", str(EXAMPLES / "judgements.tsv"), "--key", KEY, *CHRF)


class TestSimulation:
    @pytest.fixture
    def judged(self, tmp_path: Path) -> Path:
        path = tmp_path / "judged.tsv"
        lines = ["set\tlp\tsystem\tdoc\tseg\tsource\treferences\thypothesis\thuman"]
        for segment in range(60):
            for system in range(3):
                text = " ".join(f"w{segment * 7 + place * (1 + system)}" for place in range(5))
                score = -system + (segment * 31 + system * 17) % 7 / 3
                lines.append(
                    f"s\tde-en\tx{system}\t\t{segment}\tQ {segment}\tw1 w2 w3\t{text}\t{score}"
                )
        path.write_text("".join(f"{line}\n" for line in lines))
        return path

    def test_all_ways_beside_random(self, judged: Path, answers: Answers) -> None:
        (found,) = answers("sample", "--simulate", judged, "-m", "chrf", "bleu", "--halves", "4")
        assert {one["way"] for one in found["outcomes"]} == {
            *("variance", "disagreement", "consistency", "diversity", "coverage")
        }
        assert [size for size, _ in found["random"]] == [10]

    def test_one_way_as_a_table(self, judged: Path, prints: Prints) -> None:
        arguments = ["--by", "coverage", "--halves", "3", "--sizes", "5", "10", *CHRF]
        printed = prints("sample", "--simulate", judged, *arguments)
        assert "random needs" in printed
        assert "variance" not in printed

    def test_mistakes(self, judged: Path, fails: Fails) -> None:
        fails(2, "MP786", "sample", "--simulate", judged, "-n", "5")
        fails(2, "MP786", "sample", "--simulate", judged, "--import", judged)
        fails(2, "MP786", "sample", "--simulate", judged, "--format", "tsv")
        fails(2, "MP788", "sample", "--simulate", judged, "--sizes", "50", *CHRF)
        fails(
            1, "MP797", "sample", "--simulate", judged, "--leave-out", "x1", "--halves", "2", *CHRF
        )
