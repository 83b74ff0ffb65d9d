"""``metaphrase score --format wmt16|wmt17|wmt20|wmt23|mtme``: files that read back as the scores."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from metaphrase.cli import main
from metaphrase.corpus.mtme_scores import read_score_file
from metaphrase.corpus.submissions import read_submission

EXAMPLES = Path(__file__).parents[2] / "examples"
SYSTEMS = [str(EXAMPLES / "system-a.txt"), str(EXAMPLES / "system-b.txt")]
TEXTS = ["score", str(EXAMPLES / "reference.txt"), "-i", *SYSTEMS]
NAMES = ["--pair", "de-en", "--test-set", "newstest2099", "--reference-name", "refA"]
Fails = Callable[..., tuple[int, str]]


@pytest.fixture
def ids(tmp_path: Path) -> list[str]:
    (tmp_path / "documents").write_text("d1\n" * 5 + "d2\n" * 7)
    (tmp_path / "domains").write_text("news\n" * 12)
    return ["--documents", str(tmp_path / "documents"), "--domains", str(tmp_path / "domains")]


@pytest.fixture
def expected(ids: list[str], capsys: pytest.CaptureFixture[str]) -> dict:
    """What the same command prints as JSON, by system."""
    levels = ["--level", "system", "document", "segment"]
    assert main([*TEXTS, *ids, "-m", "chrf", "ter", *levels, "--format", "json"]) == 0
    systems = json.loads(capsys.readouterr().out)["systems"]
    return {system["name"]: system for system in systems}


def write(tmp_path: Path, ids: list[str], form: str, *levels: str) -> Path:
    out = tmp_path / "out"
    command = [*TEXTS, *ids, "-m", "chrf", "ter", "--level", *levels, "--format", form]
    assert main([*command, *NAMES, "-o", str(out)]) == 0
    return out


class TestSubmissions:
    @pytest.mark.parametrize("form", ["wmt16", "wmt17", "wmt20", "wmt23"])
    def test_files_have_the_scores_of_every_level(
        self, form: str, tmp_path: Path, ids: list[str], expected: dict
    ) -> None:
        levels = {"sys": "system", "seg": "segment"} | (
            {"doc": "document"} if form == "wmt20" else {}
        )
        out = write(tmp_path, ids, form, *levels.values())
        gz = "" if form == "wmt23" else ".gz"
        files = {f"{m}.{level}.score{gz}" for m in ("chrf", "ter") for level in levels}
        assert {path.name for path in out.iterdir()} == files
        for metric, sign in (("chrf", 1), ("ter", -1)):
            whole = read_submission(out / f"{metric}.sys.score{gz}", systems=expected)
            assert (whole.layout.name, whole.metrics) == (f"{form}-sys", (metric,))
            for record in whole.records:
                assert sign * record.value == expected[record.system]["scores"][metric]
            segments = read_submission(out / f"{metric}.seg.score{gz}", systems=expected)
            assert len(segments.records) == 24
            for record in segments.records:
                row = expected[record.system]["segments"][record.segment - 1]
                assert sign * record.value == row["scores"][metric]
                assert (record.language_pair, record.test_set) == ("de-en", "newstest2099")
                if form in ("wmt20", "wmt23"):
                    assert (record.reference, record.document) == ("refA", row["document"])
        if form == "wmt20":
            documents = read_submission(out / "chrf.doc.score.gz")
            found = [(record.document, record.value) for record in documents.records[:2]]
            rows = expected["system-a"]["documents"]
            assert found == [(row["document"], row["scores"]["chrf"]) for row in rows]

    def test_2017_asks_for_times_and_where_the_metric_is(self, tmp_path: Path) -> None:
        out = str(tmp_path / "out")
        more = ["--ensemble", "--available", "https://example.org", "--format", "wmt17", "-o", out]
        assert main([*TEXTS, "-m", "chrf", *NAMES, *more]) == 0
        record = read_submission(tmp_path / "out" / "chrf.sys.score.gz").records[0]
        assert (record.ensemble, record.available) == ("ensemble", "https://example.org")
        assert 1_700_000_000 < int(record.begin or 0) <= int(record.end or 0)

    def test_turned_signs_are_announced(
        self, tmp_path: Path, ids: list[str], capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(tmp_path, ids, "wmt16", "system")
        assert "ter are better: their signs were turned" in capsys.readouterr().err

    def test_specifications_become_file_names(self, tmp_path: Path) -> None:
        out = tmp_path / "out"
        metrics = ["-m", "chrf:word_order=1", "chrf:word_order=2"]
        assert main([*TEXTS, *metrics, *NAMES, "--format", "wmt23", "-o", str(out)]) == 0
        names = {"chrf_word_order=1.sys.score", "chrf_word_order=2.sys.score"}
        assert {path.name for path in out.iterdir()} == names


class TestTree:
    def test_score_files_of_a_tree(self, tmp_path: Path, ids: list[str], expected: dict) -> None:
        out = write(tmp_path, ids, "mtme", "system", "document", "segment")
        folder = out / "metric-scores" / "de-en"
        for level, count in (("sys", 1), ("doc", 2), ("seg", 12)):
            scores = read_score_file(folder / f"chrf-refA.{level}.score").by_system()
            assert {name: len(column) for name, column in scores.items()} == {
                "system-a": count,
                "system-b": count,
            }
        segments = read_score_file(folder / "ter-refA.seg.score").by_system()["system-b"]
        rows = expected["system-b"]["segments"]
        assert (-segments).tolist() == [row["scores"]["ter"] for row in rows]


class TestMistakes:
    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            (["--format", "wmt16", "--pair", "de-en", "--test-set", "x"], "MP174"),
            (["--format", "wmt16", "--test-set", "x", "-o", "OUT"], "MP174"),
            (["--format", "wmt16", "--pair", "de-en", "-o", "OUT"], "MP174"),
            (["--format", "wmt20", "--pair", "de-en", "--test-set", "x", "-o", "OUT"], "MP174"),
            (["--format", "wmt20", *NAMES, "--level", "segment", "-o", "OUT"], "MP174"),
            (["--format", "wmt23", *NAMES, "--level", "document", "-o", "OUT"], "MP174"),
            (["--format", "wmt16", *NAMES, "--wins", "-o", "OUT"], "MP174"),
            (["--format", "wmt16", *NAMES, "--paired-bs", "-o", "OUT"], "MP174"),
            (["--format", "json", "--pair", "de-en"], "MP174"),
            (["--ensemble"], "MP174"),
            (["--format", "wmt16", "--pair", "german", "--test-set", "x", "-o", "OUT"], "MP162"),
            (
                ["--format", "mtme", "--pair", "de-en", "--reference-name", "a-b", "-o", "OUT"],
                "MP172",
            ),
            (["--format", "wmt16", *NAMES, "-o", "OUT/nowhere/x"], "MP173"),
            (["--format", "wmt16", *NAMES, "-o", str(EXAMPLES / "README.md")], "MP173"),
            (["--format", "wmt16", *NAMES, "--test-set", "a\tb", "-o", "OUT"], "MP172"),
        ],
    )
    def test_nothing_is_written(
        self, arguments: list[str], code: str, tmp_path: Path, fails: Fails
    ) -> None:
        out = str(tmp_path / "out")
        given = [argument.replace("OUT", out) for argument in arguments]
        _, message = fails(*TEXTS, "-m", "chrf", *given)
        assert code in message
        assert list(tmp_path.iterdir()) == []

    def test_a_system_name_with_a_blank_in_a_tree(self, tmp_path: Path, fails: Fails) -> None:
        texts = [*TEXTS[:2], "-i", f"my system={SYSTEMS[0]}", "-m", "chrf"]
        out = str(tmp_path / "out")
        _, message = fails(*texts, "--format", "mtme", *NAMES, "-o", out)
        assert "MP172" in message
        assert list(tmp_path.iterdir()) == []
