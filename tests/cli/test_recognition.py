"""No format is taken for plain text, wherever texts are named and whatever they come through."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from metaphrase.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
REFERENCE, SYSTEM = str(EXAMPLES / "reference.txt"), str(EXAMPLES / "system-a.txt")
Fails = Callable[..., tuple[int, str]]


@pytest.fixture
def pipe() -> Iterator[Callable[[Path | str], str]]:
    """The name of a pipe that a file comes through, as the shell's ``<(cat FILE)`` has it."""
    opened: list[int] = []

    def through(path: Path | str) -> str:
        end, start = os.pipe()
        opened.append(end)
        os.write(start, Path(path).read_bytes())  # less than a pipe holds
        os.close(start)
        return f"/dev/fd/{end}"

    yield through
    for end in opened:
        os.close(end)


@pytest.fixture
def sgml(tmp_path: Path) -> Path:
    texts = [REFERENCE, "-i", SYSTEM, "--sources", REFERENCE]
    assert main(["convert", *texts, "--to", "sgml", "-o", str(tmp_path / "sgml")]) == 0
    return tmp_path / "sgml"


def bleu(capsys: pytest.CaptureFixture[str], *texts: str | Path) -> tuple[int, float]:
    capsys.readouterr()
    assert main(["score", *map(str, texts), "-m", "bleu", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    return found["segments"], found["systems"][0]["scores"]["bleu"]


class TestPipes:
    def test_plain_text_scores_as_from_files(self, pipe, capsys) -> None:
        assert bleu(capsys, pipe(REFERENCE), "-i", f"A={pipe(SYSTEM)}") == bleu(
            capsys, REFERENCE, "-i", SYSTEM
        )

    def test_sgml_scores_as_from_files(self, pipe, sgml: Path, capsys) -> None:
        files = sgml / "reference.sgm", sgml / "system.system-a.sgm"
        expected = bleu(capsys, files[0], "-i", files[1])
        assert expected == bleu(capsys, REFERENCE, "-i", SYSTEM)
        assert bleu(capsys, pipe(files[0]), "-i", f"A={pipe(files[1])}") == expected

    def test_one_side_of_sgml_is_refused(self, pipe, sgml: Path, fails: Fails) -> None:
        code, message = fails("score", pipe(sgml / "reference.sgm"), "-i", SYSTEM)
        assert (code, "MP606" in message) == (2, True)

    def test_standard_input_is_looked_at(
        self,
        sgml: Path,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
        fails: Fails,
    ) -> None:
        expected = bleu(capsys, REFERENCE, "-i", SYSTEM)

        def given(path: Path | str) -> None:
            data = io.BytesIO(Path(path).read_bytes())
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data))

        given(SYSTEM)
        assert bleu(capsys, REFERENCE) == expected
        given(sgml / "system.system-a.sgm")
        assert bleu(capsys, sgml / "reference.sgm") == expected
        given(sgml / "system.system-a.sgm")
        code, message = fails("score", REFERENCE)
        assert (code, "MP606" in message) == (2, True)
        given(sgml / "system.system-a.sgm")
        assert main(["convert", "--identify", "-"]) == 0
        assert capsys.readouterr().out.startswith("standard input: sgml-system (texts)")

    @pytest.mark.parametrize("form", ["tsv", "jsonl", "wmt-xml"])
    def test_a_corpus_is_read_and_never_scored_as_text(
        self, form: str, pipe, tmp_path: Path, capsys, fails: Fails
    ) -> None:
        path = tmp_path / "corpus"  # the name does not say what it is
        texts = [REFERENCE, "-i", SYSTEM, "--to", form, "-o", str(path)]
        assert main(["convert", *texts]) == 0
        expected = bleu(capsys, REFERENCE, "-i", SYSTEM)
        assert bleu(capsys, "--corpus", path) == expected
        assert bleu(capsys, "--corpus", pipe(path)) == expected
        code, message = fails("score", pipe(path), "-i", SYSTEM)
        assert (code, "MP609" in message) == (1, True)

    def test_analysed_text_is_not_scored_as_text(self, pipe, tmp_path: Path, fails: Fails) -> None:
        text = "# text = a\n1\ta\ta\tX\tX\t_\t0\troot\t_\t_\n\n"
        (tmp_path / "r.conllu").write_text(text * 4)
        given = pipe(tmp_path / "r.conllu"), "-i", f"A={pipe(tmp_path / 'r.conllu')}"
        code, message = fails("score", *given, "-m", "bleu")
        assert (code, "MP609" in message, ".conllu" in message) == (1, True, True)

    def test_an_empty_pipe_is_an_empty_file(self, pipe, tmp_path: Path, fails: Fails) -> None:
        (tmp_path / "empty").touch()
        code, message = fails("score", REFERENCE, "-i", f"A={pipe(tmp_path / 'empty')}")
        assert (code, "MP113" in message) == (1, True)


class TestOtherFiles:
    @pytest.mark.parametrize("option", ["sources", "documents", "domains"])
    def test_columns_are_plain_text(
        self, option: str, tmp_path: Path, sgml: Path, fails: Fails
    ) -> None:
        lines = (sgml / "source.sgm").read_text().splitlines(keepends=True)[:12]
        (tmp_path / "twelve").write_text("".join(lines))
        texts = [REFERENCE, "-i", SYSTEM, f"--{option}", str(tmp_path / "twelve")]
        code, message = fails("convert", *texts, "--to", "tsv", "-o", str(tmp_path / "out"))
        assert code in (1, 2)
        assert ("MP606" if option == "sources" else "MP609") in message
        assert not (tmp_path / "out").exists()

    @pytest.mark.parametrize("analyser", [[], ["--analyser", "builtin:en"]])
    def test_markup_does_not_stand_beside_analysed_text(
        self, analyser: list[str], tmp_path: Path, sgml: Path, fails: Fails
    ) -> None:
        (tmp_path / "r.conllu").write_text("1\ta\ta\tX\tX\t_\t0\troot\t_\t_\n\n")
        texts = [str(tmp_path / "r.conllu"), "-i", str(sgml / "system.system-a.sgm")]
        code, message = fails("score", *texts, "-m", "bleu", *analyser)
        assert (code, "MP606" in message) == (2, True)
        code, message = fails("convert", *texts, "--to", "tsv", "-o", str(tmp_path / "out"))
        assert (code, "MP606" in message) == (2, True)


class TestNames:
    @pytest.mark.parametrize("name", ["r.sgm.txt", "r.xml.txt", "r.sgm.txt.gz"])
    def test_only_the_last_ending_counts(self, name: str, tmp_path: Path, capsys) -> None:
        (tmp_path / name).write_bytes(Path(REFERENCE).read_bytes())
        assert bleu(capsys, tmp_path / name, "-i", SYSTEM) == bleu(capsys, REFERENCE, "-i", SYSTEM)

    def test_an_ending_before_gz_counts(self, tmp_path: Path, capsys) -> None:
        (tmp_path / "r.sgm.gz").write_text("damaged\n")
        assert main(["convert", "--identify", str(tmp_path / "r.sgm.gz")]) == 0
        assert "sgml-reference" in capsys.readouterr().out

    def test_a_folder_is_no_plain_text(self, tmp_path: Path, capsys) -> None:
        assert main(["convert", "--identify", str(tmp_path)]) == 0
        assert "a folder of no format" in capsys.readouterr().out


class TestPlainTextThatLooksLikeSomethingElse:
    def test_objects_without_references_are_text(self, tmp_path: Path, capsys) -> None:
        (tmp_path / "r").write_text('{"a": 1}\nb\n')
        assert bleu(capsys, tmp_path / "r", "-i", tmp_path / "r")[0] == 2

    def test_an_option_says_that_it_is_text(self, tmp_path: Path, capsys, fails: Fails) -> None:
        (tmp_path / "r").write_text('{"reference": "a b c d"}\nb\n')
        code, message = fails("score", str(tmp_path / "r"), "-i", str(tmp_path / "r"))
        assert (code, "MP609" in message) == (1, True)
        assert bleu(capsys, tmp_path / "r", "-i", tmp_path / "r", "--plain")[0] == 2
        code, message = fails("score", "--corpus", str(tmp_path / "r"), "--plain")
        assert (code, "MP601" in message) == (2, True)


class TestRolesOfSgml:
    @pytest.mark.parametrize(
        "roles",
        [("system.system-a", "reference", "source"), ("reference", "system.system-a", "reference")],
    )
    def test_a_file_stands_where_its_role_belongs(
        self, roles: tuple[str, ...], sgml: Path, fails: Fails
    ) -> None:
        first, system, source = (str(sgml / f"{name}.sgm") for name in roles)
        code, message = fails("score", first, "-i", system, "--sources", source, "-m", "bleu")
        assert (code, "MP190" in message) == (1, True)
        assert "stands where a" in message

    def test_systems_are_told_apart_by_sysid(self, sgml: Path, tmp_path: Path, capsys) -> None:
        text = (sgml / "system.system-a.sgm").read_text()
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
            (tmp_path / name / "t.sgm").write_text(text.replace("system-a", name))
        files = [str(tmp_path / name / "t.sgm") for name in ("one", "two")]
        texts = [str(sgml / "reference.sgm"), "-i", *files]
        assert main(["score", *texts, "-m", "bleu", "--format", "json"]) == 0
        systems = json.loads(capsys.readouterr().out)["systems"]
        assert [system["name"] for system in systems] == ["one", "two"]
