"""Files as somebody names them become a corpus; no format is taken for plain text, whatever it comes in."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from corpus.conftest import Refused
from corpus.mtme_trees import write_tree
from metaphrase.corpus import Corpus, write_jsonl, write_plain, write_tsv
from metaphrase.corpus.formats import format_of
from metaphrase.corpus.formats.markup.sgml import sgml_of, write_sgml
from metaphrase.corpus.formats.markup.test_set import Role
from metaphrase.corpus.formats.markup.wmt_xml import wmt_xml_of, write_wmt_xml
from metaphrase.corpus.opening import CorpusFiles, open_corpus, read

CONLLU = "# text = a\n1\ta\ta\tX\tX\t_\t0\troot\t_\t_\n\n"
CORPUS = Corpus({"A": ["a cat", "the dog"]}, [["a cat", "a dog"]], sources=["ein", "der"])
Files = dict[str, Path]
Pipe = Callable[[Path], str]


def opened(*references: Path | str, **files: Any) -> Corpus:
    return Corpus.join(open_corpus(CorpusFiles(references=[*map(str, references)], **files)))


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    """The name of a pipe that a file comes through, as the shell's ``<(cat FILE)`` has it."""
    opened: list[int] = []

    def through(path: Path) -> str:
        end, start = os.pipe()
        opened.append(end)
        os.write(start, path.read_bytes())  # less than a pipe holds
        os.close(start)
        return f"/dev/fd/{end}"

    yield through
    for end in opened:
        os.close(end)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """The texts by role and format: plain text without any ending, and SGML."""
    plain = {name: tmp_path / name for name in ("reference", "system", "source")}
    write_plain(
        CORPUS,
        references=[plain["reference"]],
        systems={"A": plain["system"]},
        sources=plain["source"],
    )
    roles: tuple[tuple[Role, str], ...] = (("reference", "1"), ("system", "A"), ("source", ""))
    sgml = {f"sgml-{role}": tmp_path / f"sgml-{role}" for role, _ in roles}
    for role, name in roles:
        write_sgml(sgml_of(CORPUS, role, name), sgml[f"sgml-{role}"])
    return plain | sgml


def columns(corpus: Corpus) -> tuple[object, object]:
    return list(corpus.systems.items()), corpus.references


class TestPipes:
    def test_plain_text_is_read_as_from_files(self, pipe: Pipe, files: Files) -> None:
        read = opened(pipe(files["reference"]), hypotheses=[f"A={pipe(files['system'])}"])
        assert columns(read) == columns(CORPUS)

    def test_sgml_is_read_as_from_files(self, pipe: Pipe, files: Files) -> None:
        for through in (str, pipe):
            names = [through(files[f"sgml-{role}"]) for role in ("reference", "system", "source")]
            read = opened(names[0], hypotheses=[f"A={names[1]}"], sources=names[2])
            assert columns(read) == columns(CORPUS)
            assert read.sources == CORPUS.sources

    def test_standard_input_is_looked_at(
        self, files: Files, refused: Refused, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def given(path: Path) -> None:
            data = io.BytesIO(path.read_bytes())
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data))

        given(files["system"])
        assert opened(files["reference"]).systems == {"stdin": CORPUS.systems["A"]}
        given(files["sgml-system"])
        assert columns(opened(files["sgml-reference"])) == columns(CORPUS)
        given(files["sgml-system"])
        with refused("MP606", "reference is not SGML, but standard input is"):
            opened(files["reference"])

    @pytest.mark.parametrize(
        "write",
        [write_tsv, write_jsonl, lambda corpus, path: write_wmt_xml(wmt_xml_of(corpus), path)],
        ids=["tsv", "jsonl", "wmt-xml"],
    )
    def test_a_corpus_is_read_and_never_taken_for_text(
        self, write, pipe: Pipe, tmp_path: Path, files: Files, refused: Refused
    ) -> None:
        path = tmp_path / "corpus"  # the name does not say what it is
        write(CORPUS, path)
        for name in (str(path), pipe(path)):
            assert columns(opened(corpus=name)) == columns(CORPUS)
        name = pipe(path)
        with refused("MP609", f"--corpus {name}", path=name):
            opened(name, hypotheses=[str(files["system"])])

    def test_analysed_text_is_not_read_as_text(
        self, pipe: Pipe, tmp_path: Path, refused: Refused
    ) -> None:
        (tmp_path / "r.conllu").write_text(CONLLU * 4)
        name = pipe(tmp_path / "r.conllu")
        with refused("MP609", ".conllu", path=name):
            opened(name, hypotheses=[f"A={pipe(tmp_path / 'r.conllu')}"])

    def test_an_empty_pipe_is_an_empty_file(
        self, pipe: Pipe, tmp_path: Path, files: Files, refused: Refused
    ) -> None:
        (tmp_path / "empty").touch()
        name = pipe(tmp_path / "empty")
        with refused("MP113", path=name):
            opened(files["reference"], hypotheses=[f"A={name}"])


class TestOtherFiles:
    @pytest.mark.parametrize("option", ["sources", "documents", "domains"])
    def test_columns_are_plain_text(self, option: str, files: Files, refused: Refused) -> None:
        markup = str(files["sgml-source"])
        expected = {"code": "MP606"} if option == "sources" else {"code": "MP609", "path": markup}
        with refused(**expected):
            opened(files["reference"], hypotheses=[str(files["system"])], **{option: markup})

    def test_markup_does_not_stand_beside_analysed_text(
        self, tmp_path: Path, files: Files, refused: Refused
    ) -> None:
        (tmp_path / "r.conllu").write_text(CONLLU)
        mixed = CorpusFiles(
            references=[str(tmp_path / "r.conllu")], hypotheses=[str(files["sgml-system"])]
        )
        with refused("MP606"):
            open_corpus(mixed)
        with refused("MP606"):
            _ = mixed.analyser


class TestNames:
    @pytest.mark.parametrize("name", ["r.sgm.txt", "r.xml.txt", "r.sgm.txt.gz"])
    def test_only_the_last_ending_counts(self, name: str, tmp_path: Path) -> None:
        (tmp_path / name).write_text("text\n")
        assert format_of(tmp_path / name) is None

    def test_an_ending_before_gz_counts(self, tmp_path: Path) -> None:
        (tmp_path / "r.sgm.gz").write_text("damaged\n")
        found = format_of(tmp_path / "r.sgm.gz")
        assert found is not None
        assert found.name == "sgml-reference"


class TestPlainTextThatLooksLikeSomethingElse:
    def test_objects_without_references_are_text(self, tmp_path: Path) -> None:
        (tmp_path / "r").write_text('{"a": 1}\nb\n')
        assert len(opened(tmp_path / "r", hypotheses=[str(tmp_path / "r")])) == 2

    def test_it_can_be_said_to_be_text(self, tmp_path: Path, refused: Refused) -> None:
        path = tmp_path / "r"
        path.write_text('{"reference": "a b c d"}\nb\n')
        with refused("MP609", path=path):
            opened(path, hypotheses=[str(path)])
        assert len(opened(path, hypotheses=[str(path)], plain=True)) == 2
        with refused("MP601"):
            opened(corpus=str(path), plain=True)


class TestSgml:
    @pytest.mark.parametrize(
        "roles", [("system", "reference", "source"), ("reference", "system", "reference")]
    )
    def test_a_file_stands_where_its_role_belongs(
        self, roles: tuple[str, ...], files: Files, refused: Refused
    ) -> None:
        names = [str(files[f"sgml-{role}"]) for role in roles]
        wrong = names[0] if roles[0] == "system" else names[2]
        with refused("MP190", "stands where a", path=wrong):
            opened(names[0], hypotheses=[names[1]], sources=names[2])

    def test_systems_are_told_apart_by_sysid(self, files: Files, tmp_path: Path) -> None:
        for name in ("one", "two"):
            renamed = Corpus({name: CORPUS.systems["A"]}, CORPUS.references)
            write_sgml(sgml_of(renamed, "system", name), tmp_path / f"{name}.sgm")
        names = [str(tmp_path / f"{name}.sgm") for name in ("one", "two")]
        assert list(opened(files["sgml-reference"], hypotheses=names).systems) == ["one", "two"]

    def test_it_does_not_mix_with_plain_text(self, files: Files, refused: Refused) -> None:
        with refused("MP606"):
            opened(files["sgml-reference"], hypotheses=[str(files["system"])])

    def test_it_has_documents_already(self, files: Files, refused: Refused) -> None:
        systems = [str(files["sgml-system"])]
        with refused("MP601", "SGML has its documents"):
            opened(files["sgml-reference"], hypotheses=systems, documents=str(files["source"]))


class TestTrees:
    def test_one_of_several_language_pairs_is_chosen(
        self, tmp_path: Path, refused: Refused
    ) -> None:
        tree = write_tree(tmp_path)
        for path in list(tree.rglob("*en-de*")):
            if path.is_file() and path.parent.name != "human-scores":
                path.with_name(path.name.replace("en-de", "en-fr")).write_bytes(path.read_bytes())
        outputs = tree / "system-outputs" / "en-fr"
        outputs.mkdir()
        (outputs / "only.txt").write_text("a\nb\nc\nd\n")
        with refused("MP169", f"--corpus en-de={tree}", path=tree):
            opened(corpus=str(tree))
        assert list(opened(corpus=f"en-fr={tree}").systems) == ["only"]
        assert list(opened(corpus=f"en-de={tree}").systems) == ["sysA"]
        with refused("MP169", path=tree):
            opened(corpus=f"en-ru={tree}")
        with refused("MP110", path="en-de=nowhere"):
            opened(corpus="en-de=nowhere")
        with refused("MP609", path=tmp_path / "text"):
            (tmp_path / "text").write_text("text\n")
            opened(corpus=f"en-de={tmp_path / 'text'}")

    def test_empty_references_are_refused_unless_kept(
        self, tmp_path: Path, refused: Refused
    ) -> None:
        tree = write_tree(tmp_path)
        (tree / "references" / "en-de.refA.txt").write_text("Eine\n\nDrei\nVier\n")
        with refused("MP105", "segment 2", path=tree):
            opened(corpus=str(tree))
        kept = opened(corpus=str(tree), empty_references="keep")
        assert list(kept.systems) == ["sysA"]


def test_read_takes_files_as_the_command_line_does(tmp_path: Path, refused: Refused) -> None:
    reference, system, source = (
        tmp_path / name for name in ("reference.txt", "A.txt", "source.txt")
    )
    texts = (CORPUS.references[0], CORPUS.systems["A"], CORPUS.sources or ())
    for path, column in zip((reference, system, source), texts, strict=True):
        path.write_text("".join(f"{text}\n" for text in column), encoding="utf-8")
    table = tmp_path / "all.tsv"
    write_tsv(CORPUS, table)
    assert read(table) == CORPUS
    assert read(reference, system, sources=source) == CORPUS
    assert read([str(reference)], [system], sources=str(source)) == CORPUS
    twice = read([reference, reference], {"one": system, "two": system})
    assert (list(twice.systems), len(twice.references)) == (["one", "two"], 2)
    with refused("MP101"):
        read([reference])
    with refused("MP101"):
        read(reference, {})
    with refused("MP601"):
        read(table, sources=source)


class TestCounting:
    def test_plain_text_has_a_segment_per_line(self, files: Files) -> None:
        assert CorpusFiles(references=[str(files["reference"])]).count_segments() == len(CORPUS)

    @pytest.mark.parametrize("name", ["sgml-reference", "nowhere"])
    def test_other_files_are_not_asked(self, files: Files, name: str, tmp_path: Path) -> None:
        path = files.get(name, tmp_path / name)
        assert CorpusFiles(references=[str(path)]).count_segments() is None

    def test_nor_is_a_pipe(self, files: Files, pipe: Pipe) -> None:
        path = pipe(files["reference"])
        texts = CorpusFiles(references=[path], hypotheses=[f"A={files['system']}"])
        assert texts.count_segments() is None
        assert Corpus.join(open_corpus(texts)).references == CORPUS.references

    def test_a_bad_file_is_left_to_its_reader(self, tmp_path: Path) -> None:
        path = tmp_path / "latin1"
        path.write_bytes("Käse\n".encode("latin-1"))
        assert CorpusFiles(references=[str(path)]).count_segments() is None
