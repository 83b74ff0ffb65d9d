"""``metaphrase convert``, and formats on the command line."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from cli.bundled import EXAMPLES, TEXTS, Answers, Fails, Prints
from corpus.mtme_trees import write_tree
from metaphrase.cli import main
from metaphrase.corpus import Corpus, read_jsonl, read_plain, write_jsonl
from metaphrase.errors import InputError


def run(*arguments: str | Path) -> int:
    return main([str(argument) for argument in arguments])


@pytest.fixture
def scores(answers: Answers) -> Answers:
    def of(*texts: str | Path) -> dict[str, float]:
        systems = answers("score", *texts, "-m", "bleu", "--no-language-check")["systems"]
        return {system["name"]: system["scores"]["bleu"] for system in systems}

    return of


def test_every_format_of_texts_scores_the_same(tmp_path: Path, scores: Answers) -> None:
    plain = scores(*TEXTS)
    for name in ("tsv", "jsonl", "wmt-xml"):
        path = tmp_path / f"corpus.{name.removeprefix('wmt-')}"
        assert run("convert", *TEXTS, "--to", name, "-o", path) == 0
        assert scores("--corpus", path) == plain
    assert run("convert", *TEXTS, "--to", "sgml", "-o", tmp_path / "sgml") == 0
    files = sorted((tmp_path / "sgml").iterdir())
    assert [file.name for file in files] == [
        "reference.sgm",
        "system.system-a.sgm",
        "system.system-b.sgm",
    ]
    assert scores(files[0], "-i", *files[1:]) == plain
    renamed = scores(files[0], "-i", f"new={files[1]}")
    assert renamed == {"new": plain["system-a"]}


class TestNormalise:
    def test_a_file_of_plain_text_stays_one(self, tmp_path: Path) -> None:
        path, clean = tmp_path / "typed.txt", tmp_path / "clean.txt"
        path.write_text("\ufeff“I can’t”…\n\u200b\ncafe\u0301\n", encoding="utf-8")
        assert run("convert", path, "--normalise", "-o", clean) == 0
        assert clean.read_text(encoding="utf-8") == '"I can\'t"...\n\ncafé\n'

    def test_all_texts_of_a_corpus(self, tmp_path: Path) -> None:
        corpus = Corpus({"a": ["can’t"]}, [["“r”"]], sources=["«q»"], documents=["d’1"])
        write_jsonl(corpus, tmp_path / "in.jsonl")
        out = tmp_path / "out.jsonl"
        assert (
            run(
                "convert",
                "--corpus",
                tmp_path / "in.jsonl",
                "--normalise",
                "--to",
                "jsonl",
                "-o",
                out,
            )
            == 0
        )
        assert read_jsonl(out) == Corpus(
            {"a": ["can't"]}, [['"r"']], sources=['"q"'], documents=["d’1"]
        )

    def test_what_is_not_a_text_is_refused(self, tmp_path: Path, fails: Fails) -> None:
        path = tmp_path / "typed.txt"
        path.write_text("can’t\n", encoding="utf-8")
        fails(2, "MP612", "convert", path, "--normalise")
        fails(2, "MP607", "convert", path, "--normalise", "-o", path)
        units = EXAMPLES / "localisation" / "mt.xlf"
        out = tmp_path / "out.csv"
        fails(2, "MP614", "convert", units, "--normalise", "--to", "csv", "-o", out)
        assert not out.exists()


def test_plain_text_is_a_folder(tmp_path: Path) -> None:
    corpus = Corpus(
        {"a": ["x", "y"]},
        [["r", "s"], ["t", "u"]],
        sources=["q", "p"],
        documents=["1", "2"],
        domains=["n", "n"],
    )
    write_jsonl(corpus, tmp_path / "in.jsonl")
    folder = tmp_path / "out"
    assert run("convert", "--corpus", tmp_path / "in.jsonl", "--to", "plain", "-o", folder) == 0
    read = read_plain(
        [folder / "reference.txt", folder / "reference2.txt"],
        {"a": folder / "system.a.txt"},
        sources=folder / "source.txt",
        documents=folder / "documents.txt",
        domains=folder / "domains.txt",
    )
    assert read == corpus


def test_xml_goes_there_and_back(tmp_path: Path) -> None:
    first, second = tmp_path / "1.xml", tmp_path / "2.xml"
    languages = ["--source-language", "de", "--target-language", "en", "--set-id", "test"]
    assert run("convert", *TEXTS, "--to", "wmt-xml", *languages, "-o", first) == 0
    assert run("convert", "--corpus", first, "--to", "jsonl", "-o", tmp_path / "c.jsonl") == 0
    assert read_jsonl(tmp_path / "c.jsonl").documents == ("all",) * 12
    again = ["convert", "--corpus", tmp_path / "c.jsonl", "--to", "wmt-xml", *languages]
    assert run(*again, "-o", second) == 0
    assert second.read_bytes() == first.read_bytes()


def test_a_tree_goes_there_and_back(
    tmp_path: Path, scores: Answers, prints: Prints, fails: Fails
) -> None:
    texts = [*TEXTS, "--sources", TEXTS[0], "--to", "mtme", "-o", tmp_path / "tree"]
    fails(2, "[MP609]", "convert", *texts)
    assert run("convert", *texts, "--source-language", "de", "--target-language", "en") == 0
    assert scores("--corpus", tmp_path / "tree") == scores(*TEXTS)
    assert ": mtme (texts)" in prints("convert", "--identify", tmp_path / "tree")
    fails(1, "[MP173]", "convert", *texts, "--source-language", "de", "--target-language", "en")


def test_scores_go_from_one_year_to_another(tmp_path: Path, prints: Prints, fails: Fails) -> None:
    path = tmp_path / "m.seg.score"
    path.write_text("".join(f"M\tde-en\tnewstest\tsys-A\t{n}\t0.{n}\n" for n in (1, 2)))
    assert run("convert", path, "--to", "wmt16-seg", "-o", tmp_path / "copy.gz") == 0
    assert prints("convert", "--identify", tmp_path / "copy.gz", path).count("wmt16-seg") == 2
    to = ["--to", "wmt20-seg", "-o", tmp_path / "new"]
    fails(2, "--set reference=… document=…", "convert", path, *to)
    assert run("convert", path, *to, "--set", "reference=refA", "document=d", "domain=x") == 2
    assert run("convert", path, *to, "--set", "reference") == 2
    assert run("convert", path, "--to", "wmt20-sys", "-o", tmp_path / "new") == 2
    assert run("convert", path, "--to", "mtme-scores", "-o", tmp_path / "new") == 2
    assert not (tmp_path / "new").exists()
    assert run("convert", path, *to, "--set", "reference=refA", "document=d") == 0
    lines = (tmp_path / "new").read_text().splitlines()
    assert lines[0] == "M\tde-en\tnewstest\trefA\tsys-A\td\t1\t0.1"
    back = ["convert", tmp_path / "new", "--from", "wmt20-seg", "--to", "wmt16-seg"]
    assert run(*back, "-o", tmp_path / "back") == 0
    assert (tmp_path / "back").read_bytes() == path.read_bytes()


def test_identify(tmp_path: Path, prints: Prints, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.xml"
    assert run("convert", *TEXTS, "--to", "wmt-xml", "-o", path) == 0
    judgements = EXAMPLES / "judgements.tsv"
    stdin = io.TextIOWrapper(io.BytesIO(path.read_bytes()))
    monkeypatch.setattr(sys, "stdin", stdin)
    lines = prints("convert", "--identify", path, judgements, TEXTS[0], "-", tmp_path).splitlines()
    assert lines[3].startswith("standard input: ")
    assert [line.split(": ")[1] for line in lines] == [
        "wmt-xml (texts)",
        "judgements-tsv (judgements)",
        "plain text",
        "wmt-xml (texts)",
        "a folder of no format that is known",
    ]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([*TEXTS, "--to", "word", "-o", "OUT"], "MP608"),
        ([*TEXTS, "--to", "rankings-jsonl", "-o", "OUT"], "MP609"),
        ([*TEXTS, "-o", "OUT"], "MP612"),
        ([*TEXTS, "--to", "tsv"], "MP612"),
        (["--identify"], "MP602"),
        (["--identify", "nothing"], "MP110"),
        ([TEXTS[0], "--to", "tsv", "-o", "OUT"], "MP609"),
        ([str(EXAMPLES / "judgements.tsv"), "--to", "tsv", "-o", "OUT"], "MP609"),
        ([str(EXAMPLES / "judgements.tsv"), "-i", TEXTS[0], "--to", "tsv", "-o", "OUT"], "MP609"),
        ([*TEXTS, "--to", "plain", "-o", str(EXAMPLES)], "MP130"),
    ],
)
def test_wrong_conversions(arguments: list[str], code: str, tmp_path: Path, fails: Fails) -> None:
    given = (tmp_path / "out" if a == "OUT" else a for a in arguments)
    fails(None, f"[{code}]", "convert", *given)
    assert not list(tmp_path.iterdir())


def test_a_system_cannot_leave_its_folder(tmp_path: Path, fails: Fails) -> None:
    write_jsonl(Corpus({"../../evil": ["x"]}, [["r"]]), tmp_path / "in.jsonl")
    for name in ("plain", "sgml"):
        arguments = ["--corpus", tmp_path / "in.jsonl", "--to", name, "-o", tmp_path / "out"]
        fails(1, "[MP131]", "convert", *arguments)
    assert [entry.name for entry in tmp_path.iterdir()] == ["in.jsonl"]


def lines(path: Path, *texts: str) -> str:
    path.write_text("".join(f"{text}\n" for text in texts))
    return str(path)


class TestTrees:
    LANGUAGES = ("--source-language", "de", "--target-language", "en", "--to", "mtme")

    def test_a_document_of_two_domains_is_refused(self, tmp_path: Path, fails: Fails) -> None:
        texts = lines(tmp_path / "t", "a", "b", "c")
        ids = ["--documents", lines(tmp_path / "d", "d1", "d1", "d2")]
        ids += ["--domains", lines(tmp_path / "n", "news", "sport", "news")]
        command = (texts, "-i", texts, "--sources", texts, *ids, *self.LANGUAGES)
        fails(1, ("MP171", "line 2"), "convert", *command, "-o", str(tmp_path / "tree"))
        assert not (tmp_path / "tree").exists()

    def test_no_system_is_called_like_a_reference(self, tmp_path: Path, fails: Fails) -> None:
        texts = lines(tmp_path / "t", "a", "b", "c")
        command = (texts, "-i", f"refA={texts}", "--sources", texts, *self.LANGUAGES)
        fails(2, "MP155", "convert", *command, "-o", str(tmp_path / "tree"))
        assert not (tmp_path / "tree").exists()

    def test_empty_references_are_refused_unless_kept(self, tmp_path: Path, fails: Fails) -> None:
        tree = write_tree(tmp_path)
        (tree / "references" / "en-de.refA.txt").write_text("Eine\n\nDrei\nVier\n")
        meta = ("meta", str(tree), "--references", "all", "-m", "bleu", "--resamples", "0")
        fails(1, "MP105", *meta)
        assert main([*meta, "--empty-references", "keep"]) == 0


def test_errors_name_the_folder_that_was_asked_for(tmp_path: Path, fails: Fails) -> None:
    texts = lines(tmp_path / "t", "a\x01")
    folder = tmp_path / "out"
    command = ("convert", texts, "-i", texts, "--to", "sgml", "-o", folder)
    fails(1, f"[MP131] {folder / 'reference.sgm'}: ", *command)
    assert not folder.exists()


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="the system has no such folder")
def test_a_file_that_is_open_already_is_not_replaced(tmp_path: Path, fails: Fails) -> None:
    texts = lines(tmp_path / "t", "a")
    with (tmp_path / "combined").open("w") as stream:
        stream.write("header\n")
        stream.flush()
        (tmp_path / "link").symlink_to(f"/dev/fd/{stream.fileno()}")
        for path in (f"/dev/fd/{stream.fileno()}", str(tmp_path / "link")):
            command = ("convert", texts, "-i", f"A={texts}", "--to", "tsv", "-o", path)
            fails(1, "MP132", *command)
        with pytest.raises(InputError, match="MP132"):
            write_jsonl(Corpus({"a": ["b"]}, [["c"]]), f"/proc/self/fd/{stream.fileno()}")
        stream.write("tail\n")
    assert (tmp_path / "combined").read_text() == "header\ntail\n"


class TestScores:
    SCORES = "bleu\tde-en\tt\ta\t0.5\nbleu\tde-en\tt\tb\t0.25\nbleu\tde-en\tt\tc\t1\n"

    def test_a_bad_cell_is_named_with_its_line(self, tmp_path: Path, fails: Fails) -> None:
        path = tmp_path / "bleu.sys.score"
        path.write_text(self.SCORES.replace("0.25", "many"))
        out = ("--to", "wmt16-sys", "-o", str(tmp_path / "new.sys.score"))
        fails(1, ("MP161", f"{path}, line 2"), "convert", str(path), *out)
        fails(1, "MP609", "score", str(path), "-i", str(path), "-m", "bleu")

    def test_a_bad_line_of_a_tree_is_named(self, tmp_path: Path, fails: Fails) -> None:
        path = tmp_path / "bleu-refA.seg.score"
        path.write_text("a\t1\na\tmany\na\t3\na\t4\n")
        out = ("--to", "mtme-scores", "-o", str(tmp_path / "new-refA.seg.score"))
        fails(1, ("MP161", f"{path}, line 2"), "convert", str(path), *out)

    def test_a_name_without_a_level_is_refused(self, tmp_path: Path, fails: Fails) -> None:
        path = tmp_path / "bleu-refA.seg.score"
        path.write_text("a\t1\na\t2\n")
        for name in ("yyy", "yyy.sys.score"):
            out = ("--to", "mtme-scores", "-o", str(tmp_path / name))
            fails(1, "MP168", "convert", str(path), *out)
        assert [entry.name for entry in tmp_path.iterdir()] == [path.name]

    def test_what_cannot_be_written_is_said_of_the_line_that_was_read(
        self, tmp_path: Path, fails
    ) -> None:
        path = tmp_path / "bleu.sys.score"
        line = "bleu\tde-en\tt\t{}\trefA\ta\t0.5\n"
        path.write_text(line.format("news") + line.format("sport"))  # 2020 knows no domains
        out = ("--to", "wmt20-sys", "-o", str(tmp_path / "new.sys.score"))
        fails(1, ("MP163", f"{path}, line 2"), "convert", str(path), *out)

    def test_the_end_is_not_before_the_beginning(self, tmp_path: Path, fails: Fails) -> None:
        path = tmp_path / "bleu.sys.score"
        path.write_text(self.SCORES)
        added = ("--set", "begin=5", "end=0", "ensemble=non-ensemble", "available=no")
        out = ("--to", "wmt17-sys", "-o", str(tmp_path / "new.sys.score"))
        fails(1, "MP160", "convert", str(path), *added, *out)

    def test_only_what_is_possible_is_offered(self, tmp_path: Path, fails: Fails) -> None:
        path = tmp_path / "bleu-refA.seg.score"
        path.write_text("a\t1\na\t2\n")
        words = "mtme-scores cannot become wmt16-seg. Choose mtme-scores.\n"
        message = fails(2, words, "convert", path, "--to", "wmt16-seg", "-o", tmp_path / "x")
        assert message.endswith(words)


@pytest.mark.parametrize(
    ("options", "form"),
    [
        (["--from", "wmt16-sys"], "tsv"),
        (["--set", "reference=refA"], "tsv"),
        (["--set-id", "x"], "tsv"),
        (["--source-language", "de"], "jsonl"),
        (["--target-language", "de"], "plain"),
    ],
)
def test_options_that_say_nothing_are_refused(
    options: list[str], form: str, tmp_path: Path, fails: Fails
) -> None:
    out = ["--to", form, "-o", str(tmp_path / "out")]
    fails(2, "MP614", "convert", *TEXTS, *options, *out)
    scores = tmp_path / "bleu.sys.score"
    scores.write_text(TestScores.SCORES)
    if options[0] in ("--set-id", "--source-language", "--target-language"):
        out = ["--to", "wmt16-sys", "-o", str(tmp_path / "out")]
        fails(2, "MP614", "convert", str(scores), *options, *out)
    assert [entry.name for entry in tmp_path.iterdir()] == [scores.name]
