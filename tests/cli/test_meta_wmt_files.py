"""``metaphrase meta`` on WMT's own files: rankings as CSV, direct assessment, MQM."""

from __future__ import annotations

import io
import os
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from cli.bundled import Answers, Fails, Prints
from corpus.malformed_judgements import DA, FIVE, MQM, PAIRS
from metaphrase.corpus import read_plain, write_jsonl, write_tsv

WEIGHTS = ("--mqm-weights", "")
QUICK = ("--resamples", "0", "-m", "chrf")


@pytest.fixture
def folder(tmp_path: Path, examples: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Twelve segments of two systems of which people prefer a, in each of WMT's formats."""
    names = {"a": "system-a.txt", "b": "system-b.txt"}
    corpus = read_plain(
        [examples / "reference.txt"], {name: examples / file for name, file in names.items()}
    )
    write_tsv(corpus, tmp_path / "texts.tsv")
    write_jsonl(corpus, tmp_path / "texts.jsonl")
    (tmp_path / "reference.txt").write_bytes((examples / "reference.txt").read_bytes())
    fives, pairs, assessed, errors = [FIVE], [PAIRS], [DA], [MQM]
    for number, segment in enumerate(corpus, 1):
        ids = ",".join(f"-1,t.{name}.{number}.x" for name in "ab") + ",-1,-1" * 3
        for judge in ("one", "two"):
            fives.append(f"ger,eng,{number},-1,{number},{judge},{ids},1,2,-1,-1,-1")
        pairs.append(f"German,English,{number},{number},one,a,1,b,2,{number}")
        for name, score in (("a", 80 + number), ("b", 40 - number)):
            assessed.append(f"{name} {number} {score} {(score - 60) / 20} {number} ")
            severity = "Minor" if name == "a" else "Major"
            cells = (name, "d", number, number, "one", "s", segment.hypotheses[name], "x", severity)
            errors.append("\t".join(map(str, cells)))
    for file, lines in (
        ("five.csv", fives),
        ("pairs.csv", pairs),
        ("da.csv", assessed),
        ("mqm.tsv", errors),
    ):
        (tmp_path / file).write_text("\n".join(lines) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def column(answers: Answers) -> Answers:
    def only(*command: str) -> Any:
        (found,) = answers("meta", *command)["columns"]
        return found

    return only


@pytest.mark.usefixtures("folder")
class TestFormats:
    # chrF prefers the fluent system in all twelve segments but one (segment 3: 64.73 to 65.37).
    TAU = 10 / 12

    @pytest.mark.parametrize("texts", ["texts.tsv", "texts.jsonl", "de-en=texts.tsv"])
    def test_five_systems(self, texts: str, column: Answers) -> None:
        command = ("five.csv", "--texts", texts, "--system-pattern", "t.{system}.*.x", *QUICK)
        found = column(*command)
        assert (found["data"], found["language_pair"]) == ("five", "de-en")
        assert found["values"] == [pytest.approx(self.TAU)]

    def test_pairs(self, column: Answers) -> None:
        found = column("pairs.csv", "--texts", "texts.tsv", *QUICK)
        assert found["values"] == [pytest.approx(self.TAU)]

    def test_direct_assessment(self, column: Answers) -> None:
        command = ("da.csv", "--texts", "texts.tsv", "--language-pair", "de-en", *QUICK)
        accuracy = ("--measure", "acc-eq", "--group-by", "segment")
        assert column(*command, *accuracy)["values"] == [pytest.approx(11 / 12)]
        darr = ("--human", "raw", "--measure", "darr", "--threshold", "50")
        # Scores differ by 2 · segment + 40: by 50 from segment 5 on, where chrF is always right.
        assert column(*command, *darr)["values"] == [1]
        few = ("--min-judgements", "3", "--human", "raw", "--measure", "darr")
        assert column(*command, *few)["values"] == [pytest.approx(8 / 10)]

    @pytest.mark.parametrize(
        "references", [("--references", "reference.txt"), ("--texts", "texts.tsv")]
    )
    def test_mqm(self, references: tuple[str, ...], column: Answers) -> None:
        command = ("mqm.tsv", *references, "--language-pair", "de-en", *QUICK)
        accuracy = ("--measure", "acc-eq", "--group-by", "segment")
        assert column(*command, *accuracy)["values"] == [pytest.approx(11 / 12)]
        # Where each error counts as much, all scores are equal and correlate with nothing.
        assert column(*command, "--mqm-weights", "count")["values"] == [None]

    def test_weights_from_a_file(self, folder: Path, column: Answers) -> None:
        (folder / "weights.json").write_text('{"Major": 0, "Minor": 3}')
        command = ("mqm.tsv", "--references", "reference.txt", "--language-pair", "de-en", *QUICK)
        accuracy = ("--measure", "acc-eq", "--group-by", "segment")
        found = column(*command, *accuracy, "--mqm-weights", "weights.json")
        assert found["values"] == [pytest.approx(1 / 12)]

    @pytest.mark.parametrize(
        "command", [("pairs.csv",), ("five.csv", "--system-pattern", "t.{system}.*.x")]
    )
    def test_judges_without_texts(self, command: tuple[str, ...], prints: Prints) -> None:
        assert prints("meta", *command, "--judges", "--format", "json")

    def test_judges_who_agree_always(self, prints: Prints) -> None:
        assert '"comparisons": 12' in prints("meta", "five.csv", "--judges", "--format", "json")

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
    def test_a_pipe_is_read_once(self, folder: Path, fails: Fails) -> None:
        os.mkfifo(folder / "pipe")
        write = (folder / "pipe").write_text
        writer = threading.Thread(target=write, args=("set\tlp\n",), daemon=True)
        writer.start()
        fails(1, "MP150", "meta", "pipe")
        writer.join(10)

    @pytest.mark.parametrize("file", ["da.csv", "pairs.csv", "mqm.tsv"])
    def test_standard_input_is_of_any_format(
        self,
        file: str,
        folder: Path,
        column: Answers,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        pair = () if file == "pairs.csv" else ("--language-pair", "de-en")
        options = ("--texts", "texts.tsv", *pair, *QUICK)
        expected = column(file, *options)
        data = io.BytesIO((folder / file).read_bytes())
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data))
        found = column("-", *options)
        assert found["values"] == expected["values"]

    @pytest.mark.parametrize("references", ["texts.tsv", "mqm.tsv", "marked"])
    def test_references_of_mqm_are_plain_text(
        self, references: str, folder: Path, fails: Fails
    ) -> None:
        (folder / "marked").write_text('<refset setid="a" srclang="b" trglang="c">\n' * 12)
        command = ("mqm.tsv", "--references", references, "--language-pair", "de-en")
        fails(1, "MP609", "meta", *command)


@pytest.mark.usefixtures("folder")
class TestEmptyReferences:
    """One rule, whatever the judgements come from."""

    @pytest.mark.parametrize("file", ["da.csv", "pairs.csv", "five.csv", "mqm.tsv", "jj.tsv"])
    def test_they_are_refused_unless_kept(
        self,
        file: str,
        folder: Path,
        column: Answers,
        fails: Fails,
    ) -> None:
        header, *rows = (folder / "texts.tsv").read_text().splitlines()
        at = header.split("\t").index("reference")
        cells = rows[2].split("\t")
        cells[at] = " "
        rows[2] = "\t".join(cells)
        (folder / "texts.tsv").write_text("\n".join([header, *rows]) + "\n")
        judged = "x\tde-en\ta\td\t{}\ts\t{}\th {}\t{}\n"
        (folder / "jj.tsv").write_text(
            "set\tlp\tsystem\tdoc\tseg\tsource\treferences\thypothesis\thuman\n"
            + "".join(judged.format(n, "" if n == 3 else "r", n, n) for n in range(1, 6))
        )
        pair = ("--language-pair", "de-en") if file in ("da.csv", "mqm.tsv") else ()
        pattern = ("--system-pattern", "t.{system}.*.x") if file == "five.csv" else ()
        texts = () if file == "jj.tsv" else ("--texts", "texts.tsv")
        command = (file, *texts, *pair, *pattern, *QUICK)
        fails(1, ("MP105", file, "3' is empty"), "meta", *command)
        column(*command, "--empty-references", "keep")


@pytest.mark.usefixtures("folder")
class TestMistakes:
    @pytest.mark.parametrize(
        "command",
        [
            "pairs.csv",
            "da.csv --language-pair de-en",
            "da.csv --texts texts.tsv",
            "mqm.tsv --language-pair de-en",
            "mqm.tsv --references reference.txt",
            "mqm.tsv --language-pair de-en --references reference.txt --texts texts.tsv",
            "pairs.csv --texts texts.tsv --human z",
            "pairs.csv --texts texts.tsv --min-judgements 15",
            "pairs.csv --texts texts.tsv --references reference.txt",
            "pairs.csv --texts texts.tsv --language-pair de-en",
            "pairs.csv --texts texts.tsv --mqm-weights google",
            "pairs.csv --texts texts.tsv --segment-ids reference.txt",
            "pairs.csv --texts texts.tsv --system-pattern t.*",
            "pairs.csv --texts cs-en=texts.tsv",
            "pairs.csv --texts de-en=texts.tsv de-en=texts.jsonl",
            "pairs.csv --texts texts.tsv --judges",
            "da.csv --language-pair de-en --texts texts.tsv --differing-texts first",
            "da.csv --language-pair de-en --judges",
            "mqm.tsv --language-pair de-en --references reference.txt --judges",
            "mqm.tsv --language-pair de-en --references reference.txt --unknown-systems leave-out",
        ],
    )
    def test_options_that_do_not_go_together(self, command: str, fails: Fails) -> None:
        fails(2, "MP187", "meta", *command.split(), "-m", "chrf")

    @pytest.mark.parametrize(
        ("command", "error"),
        [
            ("five.csv --texts texts.tsv", "MP180"),
            ("pairs.csv --texts texts.tsv --pairs cs-en", "MP784"),
            ("pairs.csv pairs.csv --texts texts.tsv", "MP784"),
            ("pairs.csv --texts missing.tsv", "MP110"),
            ("five.csv --texts texts.tsv --unknown-systems leave-out", "MP179"),
            ("da.csv --language-pair de-en --texts texts.tsv --min-judgements 99", "MP179"),
            ("da.csv --language-pair de-en --texts texts.tsv --segment-ids reference.txt", "MP181"),
            (
                "mqm.tsv --language-pair de-en --references reference.txt --mqm-weights no.json",
                "MP186",
            ),
        ],
    )
    def test_files_that_do_not_go_together(self, command: str, error: str, fails: Fails) -> None:
        fails(1, error, "meta", *command.split(), "-m", "chrf")

    def test_an_input_is_not_overwritten(self, fails: Fails) -> None:
        fails(2, "MP607", "meta", "pairs.csv", "--texts", "texts.tsv", "-o", "texts.tsv")

    def test_a_header_alone(self, folder: Path, fails: Fails) -> None:
        (folder / "empty.csv").write_text(PAIRS + "\n")
        fails(1, "MP179", "meta", "empty.csv", "--texts", "texts.tsv")


@pytest.mark.usefixtures("folder")
class TestMessages:
    DA = ("meta", "da.csv", "--texts", "texts.tsv", "--language-pair")

    @pytest.mark.parametrize(
        ("command", "code", "words"),
        [
            ((*DA, "xx yy"), "MP162", "Write it like de-en"),
            (("meta", "pairs.csv", "--texts", "texts.tsv", "--pairs", "fr-en"), "MP784", "other"),
            (
                ("meta", "mqm.tsv", "--texts", "texts.tsv", "--language-pair", "de-en", *WEIGHTS),
                "MP186",
                "google",
            ),
        ],
    )
    def test_they_say_what_to_do(
        self,
        command: tuple[str, ...],
        code: str,
        words: str,
        fails: Fails,
    ) -> None:
        fails(None, (code, words), *command)

    def test_of_assessments(self, folder: Path, fails: Fails) -> None:
        (folder / "da.csv").write_text(f"{DA}\n")
        fails(1, ("MP179", "Add some lines"), *self.DA, "de-en")
        (folder / "da.csv").write_text(f"{DA}\na 1 many 0.1 1\n")
        fails(1, ("MP152", "Write NA where"), *self.DA, "de-en")
