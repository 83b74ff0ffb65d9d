"""``metaphrase analyse`` on text and on files that are analysed already."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.bundled import Fails
from metaphrase.analysis import read_conllu, shared
from metaphrase.cli import main

PARSED = """\
# sent_id = 1
# text = Tom likes to eat fish.
1\tTom\tTom\tPROPN\tNNP\t_\t2\tnsubj\t_\tNER=PERSON|Chunk=B-NP
2\tlikes\tlike\tVERB\tVBZ\t_\t0\troot\t_\tChunk=B-VP
3\tto\tto\tPART\tTO\t_\t4\tmark\t_\tChunk=I-VP
4\teat\teat\tVERB\tVB\t_\t2\txcomp\t_\tChunk=I-VP
5\tfish\tfish\tNOUN\tNN\t_\t4\tobj\t_\tChunk=B-NP|SpaceAfter=No
6\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

# sent_id = 2
# text = Oh!
1\tOh\toh\tINTJ\tUH\t_\t0\troot\t_\tSpaceAfter=No
2\t!\t!\tPUNCT\t.\t_\t1\tpunct\t_\t_

"""


@pytest.fixture
def parsed(tmp_path: Path) -> Path:
    path = tmp_path / "parsed.conllu"
    path.write_text(PARSED, "utf-8")
    return path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def run_command(*arguments: str) -> str:
        assert main(["analyse", *arguments]) == 0
        captured = capsys.readouterr()
        assert captured.err == ""
        return captured.out

    return run_command


def test_a_text_becomes_conllu_that_reads_back_the_same(
    run: Callable[..., str], tmp_path: Path
) -> None:
    text = "The cats' owner doesn't  care."
    path = tmp_path / "out.conllu"
    path.write_text(run("--text", text), "utf-8")
    columns = shared("en").columns
    (expected,) = shared("en").analyse([text], columns)
    assert read_conllu(path) == [expected]


def test_an_analysed_file_passes_through_unchanged(run: Callable[..., str], parsed: Path) -> None:
    again = parsed.with_name("again.conllu")
    assert run(str(parsed), "-o", str(again)) == ""
    assert read_conllu(again) == read_conllu(parsed)


def test_segments_are_numbered_over_all_files_and_empty_lines_are_kept(
    run: Callable[..., str], tmp_path: Path
) -> None:
    for name, text in (("a", "One.\n\n"), ("b", "Two.\n")):
        (tmp_path / name).write_text(text)
    out = run(str(tmp_path / "a"), str(tmp_path / "b"))
    assert [line for line in out.splitlines() if line.startswith("#")] == [
        *("# sent_id = 1", "# text = One."),
        *("# sent_id = 2", "# text = "),
        *("# sent_id = 3", "# text = Two."),
    ]


def test_standard_input_is_read_if_nothing_else_is_named(
    run: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for arguments in ((), ("-",)):
        stdin = io.TextIOWrapper(io.BytesIO(b"Go home.\n"))
        monkeypatch.setattr(sys, "stdin", stdin)
        assert "# text = Go home." in run(*arguments)


def test_collapsed_relations_stand_in_the_column_of_graphs(
    run: Callable[..., str], parsed: Path
) -> None:
    out = run(str(parsed), "--relations", "collapsed")
    graphs = [line.split("\t")[8] for line in out.splitlines() if line[:1].isdigit()]
    # xsubj(eat, Tom) is the manual's own example; punctuation has no relation.
    assert graphs == [
        *("2:nsubj|4:xsubj", "0:root", "4:aux", "2:xcomp", "4:dobj", "_"),
        "0:root",
        "_",
    ]


def test_the_parse_can_be_drawn_and_tabulated(run: Callable[..., str], parsed: Path) -> None:
    tree = run(str(parsed), "--format", "tree", "--relations", "collapsed")
    assert "segment 2" in tree
    assert "[NP {PERSON Tom}] [VP likes to eat] [NP fish] ." in tree
    assert "nsubj(likes) xsubj(eat)" in tree
    table = run(str(parsed), "--format", "table")
    assert "  NNP  " in table
    assert "\x1b" not in tree + table


def test_only_the_columns_asked_for_are_written(run: Callable[..., str]) -> None:
    (line,) = [
        line for line in run("--text", "Go", "--columns", "tag").splitlines() if "Go" in line[:6]
    ]
    assert line.split("\t")[2:5] == ["_", "_", "VB"]


def test_mistakes_are_named(fails: Fails, parsed: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain.txt"
    plain.write_text("Go.\n")
    for code, arguments in {
        "MP610": ("--text", "a", "--", str(plain)),
        "MP606": (str(plain), str(parsed)),
        "MP252": (str(plain), "--language", "de", "--columns", "chunk"),
        "MP251": (str(plain), "--columns", "nonsense"),
        "MP260": ("--text", "a", "--language", "tlh"),
        "MP607": (str(plain), "-o", str(plain)),
        "MP110": (str(tmp_path / "none.txt"),),
    }.items():
        fails(None, code, "analyse", *arguments)


def test_an_analyser_without_a_parser_says_what_it_lacks(fails: Fails, tmp_path: Path) -> None:
    tagged = tmp_path / "tagged.conllu"
    tagged.write_text("# text = Go\n1\tGo\tgo\tVERB\tVB\t_\t_\t_\t_\t_\n\n")
    fails(2, ("MP611", "has no head, relation"), "analyse", str(tagged), "--relations", "collapsed")


def test_a_file_that_fails_leaves_no_output(fails: Fails, tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_bytes(b"fine\n\xff\n")
    out = tmp_path / "out.conllu"
    fails(1, "MP121", "analyse", str(tmp_path / "bad.txt"), "-o", str(out))
    assert not out.exists()
