"""``metaphrase score --format wmt16|wmt17|wmt20|wmt23|mtme``: files that read back as the scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.bundled import EXAMPLES, REFERENCE, SYSTEMS, TEXTS, Answers, Fails
from metaphrase.cli import main
from metaphrase.corpus.formats.mtme.scores import read_score_file
from metaphrase.corpus.formats.submissions.files import read_submission

NAMES = ["--pair", "de-en", "--test-set", "newstest2099", "--reference-name", "refA"]


def names(form: str) -> list[str]:
    """What the format wants to know."""
    pair, test_set, reference = NAMES[:2], NAMES[2:4], NAMES[4:]
    if form == "mtme":
        return [*pair, *reference]
    return [*pair, *test_set, *(reference if form in ("wmt20", "wmt23") else [])]


@pytest.fixture
def ids(tmp_path: Path) -> list[str]:
    (tmp_path / "documents").write_text("d1\n" * 5 + "d2\n" * 7)
    (tmp_path / "domains").write_text("news\n" * 12)
    return ["--documents", str(tmp_path / "documents"), "--domains", str(tmp_path / "domains")]


@pytest.fixture
def expected(ids: list[str], answers: Answers) -> dict:
    """What the same command prints as JSON, by system."""
    levels = ["--level", "system", "document", "segment"]
    systems = answers("score", *TEXTS, *ids, "-m", "chrf", "ter", *levels)["systems"]
    return {system["name"]: system for system in systems}


def write(tmp_path: Path, ids: list[str], form: str, *levels: str) -> Path:
    out = tmp_path / "out"
    command = ["score", *TEXTS, *ids, "-m", "chrf", "ter", "--level", *levels, "--format", form]
    assert main([*command, *names(form), "-o", str(out)]) == 0
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
        assert main(["score", *TEXTS, "-m", "chrf", *names("wmt17"), *more]) == 0
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
        assert main(["score", *TEXTS, *metrics, *NAMES, "--format", "wmt23", "-o", str(out)]) == 0
        names = {"chrf_word_order=1.sys.score", "chrf_word_order=2.sys.score"}
        assert {path.name for path in out.iterdir()} == names

    def test_options_are_part_of_the_name(self, tmp_path: Path) -> None:
        out = tmp_path / "out"
        for metric in ("chrf", "chrf:word_order=1"):
            command = ["score", *TEXTS, "-m", metric, *NAMES, "--format", "wmt23", "-o", str(out)]
            assert main(command) == 0
        names = {"chrf.sys.score", "chrf_word_order=1.sys.score"}
        assert {path.name for path in out.iterdir()} == names
        (record, _) = read_submission(out / "chrf_word_order=1.sys.score").records
        assert record.metric == "chrf_word_order=1"


class TestTree:
    @pytest.fixture
    def tree(self, tmp_path: Path) -> Path:
        tree = tmp_path / "tree"
        texts = [*TEXTS, "--sources", REFERENCE]
        languages = ["--source-language", "de", "--target-language", "en"]
        assert main(["convert", *texts, *languages, "--to", "mtme", "-o", str(tree)]) == 0
        return tree

    def test_scores_of_its_texts_are_added(self, tree: Path) -> None:
        command = ["score", *TEXTS, "-m", "chrf", "--format", "mtme", "-o", str(tree)]
        assert main([*command, *names("mtme")]) == 0
        assert (tree / "metric-scores" / "de-en" / "chrf-refA.sys.score").exists()
        assert main([*command, "--pair", "de-en", "--reference-name", "all"]) == 0

    @pytest.mark.parametrize("fault", ["reference", "system", "fewer", "more", "documents"])
    def test_scores_of_other_texts_are_refused(
        self, fault: str, tree: Path, tmp_path: Path, fails: Fails
    ) -> None:
        texts = {"reference": REFERENCE, "system-a": SYSTEMS[0]}
        for name, path in texts.items():
            rows = Path(path).read_text().splitlines(keepends=True)
            if name == fault or (fault, name) == ("system", "system-a"):
                rows[3] = "Something else .\n"
            rows = {"fewer": rows[:5], "more": [*rows, "More .\n"]}.get(fault, rows)
            (tmp_path / name).write_text("".join(rows))
        documents = tmp_path / "documents"
        documents.write_text("all\n" * 3 + "other\n" * 9)
        more = ["--documents", str(documents)] if fault == "documents" else []
        given = [str(tmp_path / "reference"), "-i", str(tmp_path / "system-a"), *more]
        form = ["--format", "mtme", *names("mtme"), "-o", str(tree)]
        message = fails(1, "MP156", "score", *given, "-m", "chrf", *form)
        if fault not in ("fewer", "more"):
            assert "Segment 4 of" in message
        assert not (tree / "metric-scores").exists()

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
            (["--format", "wmt16", *names("wmt16"), "--wins", "-o", "OUT"], "MP174"),
            (["--format", "wmt16", *names("wmt16"), "--paired-bs", "-o", "OUT"], "MP174"),
            (["--format", "json", "--pair", "de-en"], "MP174"),
            (["--ensemble"], "MP174"),
            (["--format", "wmt16", *names("wmt16"), "--ensemble", "-o", "OUT"], "MP174"),
            (["--format", "wmt16", *names("wmt16"), "--available", "x", "-o", "OUT"], "MP174"),
            (["--format", "wmt17", *NAMES, "-o", "OUT"], "MP174"),
            (["--format", "mtme", *NAMES, "-o", "OUT"], "MP174"),
            (["--format", "mtme", *NAMES[:2], "--reference-name", "src", "-o", "OUT"], "MP174"),
            (["--format", "mtme", *NAMES[:2], "--reference-name", "a.b", "-o", "OUT"], "MP174"),
            (["--format", "mtme", *NAMES[:2], "--reference-name", "a.a", "-o", "OUT"], "MP172"),
            (["--format", "wmt16", "--pair", "german", "--test-set", "x", "-o", "OUT"], "MP162"),
            (
                ["--format", "mtme", "--pair", "de-en", "--reference-name", "a-b", "-o", "OUT"],
                "MP172",
            ),
            (["--format", "wmt16", *names("wmt16"), "-o", "OUT/nowhere/x"], "MP173"),
            (["--format", "wmt16", *names("wmt16"), "-o", str(EXAMPLES / "README.md")], "MP173"),
            (["--format", "wmt16", *names("wmt16"), "--test-set", "a\tb", "-o", "OUT"], "MP172"),
        ],
    )
    def test_nothing_is_written(
        self, arguments: list[str], code: str, tmp_path: Path, fails: Fails
    ) -> None:
        out = str(tmp_path / "out")
        given = [argument.replace("OUT", out) for argument in arguments]
        fails(None, code, "score", *TEXTS, "-m", "chrf", *given)
        assert list(tmp_path.iterdir()) == []

    def test_a_system_name_with_a_blank_in_a_tree(self, tmp_path: Path, fails: Fails) -> None:
        texts = ["score", REFERENCE, "-i", f"my system={SYSTEMS[0]}", "-m", "chrf"]
        out = str(tmp_path / "out")
        fails(1, "MP172", *texts, "--format", "mtme", *names("mtme"), "-o", out)
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("form", ["wmt23", "wmt16", "mtme"])
    def test_a_text_to_be_scored_is_not_replaced(
        self, form: str, tmp_path: Path, fails: Fails
    ) -> None:
        folder = tmp_path / "metric-scores" / "de-en" if form == "mtme" else tmp_path
        folder.mkdir(parents=True, exist_ok=True)
        stem = "chrf-refA" if form == "mtme" else "chrf"
        path = folder / f"{stem}.sys.score{'.gz' if form == 'wmt16' else ''}"
        path.write_bytes(Path(REFERENCE).read_bytes())
        command = ["score", str(path), "-i", SYSTEMS[0], "-m", "chrf", "--format", form]
        fails(2, "MP607", *command, *names(form), "-o", str(tmp_path))
        assert path.read_bytes() == Path(REFERENCE).read_bytes()
