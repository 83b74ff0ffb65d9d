"""Every mistake is one line with a code, and an exit code that says whose it is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.bundled import REFERENCE, SYSTEMS, Fails
from metaphrase.cli import main
from screen import Screen


class TestMistakes:
    def test_a_missing_file(self, fails: Fails) -> None:
        fails(1, "nowhere.txt", "score", "nowhere.txt", "-i", SYSTEMS[0])

    def test_files_of_different_length(self, tmp_path: Path, fails: Fails) -> None:
        short = tmp_path / "short.txt"
        short.write_text("One line.\n")
        fails(1, ("12", "short.txt"), "score", REFERENCE, "-i", str(short))

    def test_bad_encoding_names_file_and_line(self, tmp_path: Path, fails: Fails) -> None:
        latin = tmp_path / "latin.txt"
        latin.write_bytes(b"fine\ncaf\xe9\n")
        fails(1, "latin.txt, line 2", "score", str(latin), "-i", str(latin))

    @pytest.mark.parametrize(
        "arguments",
        [
            ["score", REFERENCE, "-i", SYSTEMS[0], "--lev", "segment"],
            ["train", "pfsm", "--dat", "x.tsv", "-o", "x.json"],
            ["--versio"],
        ],
    )
    def test_options_are_not_abbreviated(
        self, arguments: list[str], capsys: pytest.CaptureFixture[str]
    ) -> None:
        """An option of the next version may begin alike."""
        with pytest.raises(SystemExit) as error:
            main(arguments)
        assert error.value.code == 2
        assert "usage: " in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("given", "meant"),
        [
            ("--metric", "--metrics"),
            ("--metric=bleu", "--metrics"),
            ("--paired-bootstrap", "--paired-bs"),
            ("--lev", "--level"),
        ],
    )
    def test_an_option_that_resembles_another_suggests_it(
        self, given: str, meant: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(SystemExit) as error:
            main(["score", REFERENCE, "-i", SYSTEMS[0], given, "bleu"])
        assert error.value.code == 2
        said = capsys.readouterr().err
        assert "usage: metaphrase score" in said
        assert f"there is no {given}: did you mean {meant}?" in said

    def test_metrics_with_commas_between_them_are_told_apart(self, fails: Fails) -> None:
        message = fails(2, "MP504", "score", REFERENCE, "-i", SYSTEMS[0], "-m", "bleu,chrf")
        assert "Put a space between them: bleu chrf" in message

    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            (["score"], "MP602"),
            (["score", REFERENCE, "-i", SYSTEMS[0], "-m", "tesla-x"], "MP504"),
            (["score", REFERENCE, "-i", SYSTEMS[0], "-m", "tesla-m:alpha=2"], "MP508"),
            (["score", REFERENCE, "-i", SYSTEMS[0], SYSTEMS[0]], "MP603"),
            (["score", REFERENCE, "-i", SYSTEMS[0], "-l", "xx", "-m", "tesla-m"], "MP509"),
            (["score", REFERENCE, "--corpus", "x.tsv"], "MP601"),
            (["score", "--corpus", "x.tsv", "--documents", "d.txt"], "MP601"),
            (["score", REFERENCE, "-i", SYSTEMS[0], "-m", "bleu", REFERENCE], "MP602"),
            (["score", "-i", SYSTEMS[0], REFERENCE], "MP602"),
            (["score", REFERENCE, "-i", "name="], "MP603"),
            (["score", REFERENCE, "-i", SYSTEMS[0], "--level", "paragraph"], "MP512"),
            (["score", REFERENCE, "-i", SYSTEMS[0], "-o", REFERENCE], "MP607"),
            (["explain", "--reference", "x"], "MP604"),
            (["metrics", "nonsense"], "MP504"),
        ],
    )
    def test_wrong_usage_exits_with_2_and_a_code(
        self, fails: Fails, arguments: list[str], code: str
    ) -> None:
        fails(2, code, *arguments)

    @pytest.mark.parametrize("command", ["score", "explain", "report"])
    def test_a_forgotten_i_is_asked_for_instead_of_waiting_for_hypotheses(
        self, command: str, fails: Fails, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr("sys.stdin", Screen())
        output = ["-o", str(tmp_path / "report.html")] if command == "report" else []
        message = fails(2, "MP615", command, REFERENCE, SYSTEMS[0], *output)
        assert "did you forget -i?" in message
        assert f"{REFERENCE} -i {SYSTEMS[0]}." in message

    def test_no_such_segment(self, fails: Fails) -> None:
        fails(1, "12", "explain", REFERENCE, "-i", SYSTEMS[0], "--segment", "13")

    def test_document_level_without_documents(self, fails: Fails) -> None:
        fails(1, "MP", "score", REFERENCE, "-i", SYSTEMS[0], "--level", "document")

    def test_an_output_that_cannot_be_written_is_found_before_the_work(
        self, tmp_path: Path, fails: Fails
    ) -> None:
        for target in (tmp_path / "no" / "such" / "folder.json", tmp_path):
            fails(1, "MP132", "score", "missing", "-i", "missing", "-o", str(target))

    def test_a_full_disk_is_an_error(self) -> None:
        command = f"{sys.executable} -m metaphrase metrics > /dev/full"
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert "MP132" in done.stderr

    @pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
    def test_closed_streams_are_no_bug_of_ours(self, closed: str) -> None:
        command = (
            f"{sys.executable} -m metaphrase score {REFERENCE} -i {SYSTEMS[0]} -m ter {closed}"
        )
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
        assert done.returncode == (1 if closed == ">&-" else 0)
        assert "MP699" not in done.stderr + done.stdout

    @pytest.mark.parametrize("arguments", [["--help"], ["score", "--help"], ["metrics"]])
    def test_a_screen_without_arrows_is_no_bug_of_ours(self, arguments: list[str]) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "metaphrase", *arguments],
            capture_output=True,
            env=os.environ | {"PYTHONIOENCODING": "ascii"},
            check=False,
        )
        assert done.returncode == 0
        assert done.stderr == b""

    def test_too_many_threads_do_not_end_the_process(self, tmp_path: Path) -> None:
        texts = tmp_path / "texts.txt"
        texts.write_text("A cat sat on the mat again.\n" * 3000)
        command = f"ulimit -v 400000; {sys.executable} -m metaphrase score {texts} -i {texts}"
        done = subprocess.run(
            ["sh", "-c", f"{command} -m tesla-m --threads 64 --format tsv"],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},  # NumPy's own reserve a lot
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines()[1].split("\t")[5] == "1.0"

    def test_a_reader_that_closes_early_is_no_error(self) -> None:
        score = f"{sys.executable} -m metaphrase score {REFERENCE} -i {SYSTEMS[0]}"
        command = f"{score} -m bleu --level segment --format tsv | head -1"
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
        assert done.stderr == ""
