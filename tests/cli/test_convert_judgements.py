"""``metaphrase convert FILE --to judgements``: every file that ``meta`` reads, in a format of ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.bundled import EXAMPLES, Answers, Fails
from corpus.mtme_trees import write_tree
from metaphrase.cli import main

TEXTS = "seg\tdoc\tsource\treference\tsystem\thypothesis\n" + "".join(
    f"{n}\td{n}\ts{n}\tthe word {n}\t{system}\tthe {word} {n}\n"
    for n in (1, 2, 3)
    for system, word in (("A", "word"), ("B", "weird"))
)
PAIRS = (
    "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID\n"
    "deu,eng,1,1,j1,A,1,B,2,1\ndeu,eng,1,1,j2,A,2,B,1,2\ndeu,eng,2,2,j1,A,1,B,1,3\n"
)
MEANS = "SYS SID RAW.SCR Z.SCR N \nA 1 80 0.7 15 \nB 1 40 -0.5 15 \nA 3 33.3 -0.1 2 \n"
SINGLE = (
    "HITId\tWorkerId\tInput.src\tInput.trg\tInput.item\thit\tsys_id\trid\ttype\tsid\tscore\ttime\n"
    "h\tj1\tde\ten\tad\t1\tA\t1\tSYSTEM\t1\t80\t9\nh\tj1\tde\ten\tad\t1\tB\t2\tSYSTEM\t1\t30\t9\n"
    "h\tj2\tde\ten\tad\t1\tA\t1\tSYSTEM\t2\t50\t9\nh\tj2\tde\ten\tad\t1\tB\t2\tSYSTEM\t2\t10\t9\n"
)
ESA = "j1,A,0,TGT,deu,eng,90,d1,False,[],1,2\nj1,B,0,TGT,deu,eng,60,d1,False,[],1,2\n"
MQM = (
    "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    "A\td1\t1\t1\tr\ts1\tthe word 1\tNo-error\tNo-error\n"
    "B\td1\t1\t1\tr\ts1\tthe <v>weird</v> 1\tStyle\tMinor\n"
)


@pytest.fixture
def texts(tmp_path: Path) -> list[str]:
    (tmp_path / "texts.tsv").write_text(TEXTS)
    return ["--texts", str(tmp_path / "texts.tsv")]


@pytest.mark.parametrize(
    ("content", "more"),
    [
        (PAIRS, []),
        (MEANS, ["--language-pair", "de-en"]),
        (MEANS, ["--language-pair", "de-en", "--human", "raw", "--min-judgements", "15"]),
        (SINGLE, []),
        (SINGLE, ["--human", "raw"]),
        (ESA, []),
        (MQM, ["--language-pair", "de-en"]),
    ],
)
def test_what_is_converted_agrees_as_it_did(
    content: str, more: list[str], texts: list[str], tmp_path: Path, answers: Answers
) -> None:
    file, converted = str(tmp_path / "judged.csv"), str(tmp_path / "ours")
    Path(file).write_text(content)
    measure = ["-m", "chrf", "--resamples", "0"]
    before = answers("meta", file, *texts, *more, *measure)
    assert main(["convert", file, *texts, *more, "--to", "judgements", "-o", converted]) == 0
    after = answers("meta", converted, *measure)
    assert after == before


def test_a_tree_with_domains(tmp_path: Path, answers: Answers) -> None:
    root, converted = str(write_tree(tmp_path)), str(tmp_path / "scores.tsv")
    asked = ["--references", "refA", "--human", "mqm"]
    assert main(["convert", root, *asked, "--to", "judgements-tsv", "-o", converted]) == 0
    measure = ["-m", "chrf", "--by", "domain", "--resamples", "0"]
    before = answers("meta", root, *asked, *measure)
    after = answers("meta", converted, *measure)
    assert after == before
    assert [column["data"] for column in after["columns"]] == ["wmt99 news", "wmt99 chat"]


def test_our_own_files_become_themselves(tmp_path: Path) -> None:
    ours = str(EXAMPLES / "judgements.tsv")
    first, second = tmp_path / "first.tsv", tmp_path / "second.tsv"
    assert main(["convert", ours, "--to", "judgements", "-o", str(first)]) == 0
    assert main(["convert", str(first), "--to", "judgements", "-o", str(second)]) == 0
    assert first.read_bytes() == second.read_bytes()
    some = tmp_path / "some.tsv"
    asked = ["--pairs", "fr-en", "--to", "judgements", "-o", str(some)]
    assert main(["convert", ours, *asked]) == 0
    assert {line.split("\t")[1] for line in some.read_text().splitlines()[1:]} == {"fr-en"}


@pytest.mark.parametrize(
    ("content", "arguments", "code"),
    [
        (PAIRS, ["--to", "judgements-tsv"], "MP777"),
        (MEANS, ["--to", "rankings-jsonl", "--language-pair", "de-en"], "MP777"),
        (MEANS, ["--to", "judgements"], "MP187"),
        (MEANS, ["--to", "judgements", "--language-pair", "de-en", "--set", "a=b"], "MP614"),
        (MEANS, ["--to", "jsonl", "--language-pair", "de-en"], "MP614"),
        (SINGLE, ["--to", "judgements", "--pairs", "cs-en"], "MP784"),
        (PAIRS, ["--to", "nonsense"], "MP614"),
    ],
)
def test_mistakes(
    content: str,
    arguments: list[str],
    code: str,
    texts: list[str],
    tmp_path: Path,
    fails: Fails,
) -> None:
    file = tmp_path / "judged.csv"
    file.write_text(content)
    fails(None, code, "convert", str(file), *texts, *arguments, "-o", str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_texts_are_no_judgements(tmp_path: Path, fails: Fails) -> None:
    reference, system = str(EXAMPLES / "reference.txt"), str(EXAMPLES / "system-a.txt")
    out = ["--to", "judgements", "-o", str(tmp_path / "out")]
    fails(2, ("MP609", "texts cannot become judgements"), "convert", reference, "-i", system, *out)
    fails(1, "MP150", "convert", reference, *out)
    fails(2, "MP602", "convert", *out)
