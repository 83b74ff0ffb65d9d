"""The tree of mt-metrics-eval: what is read, what is written, and what it says to metrics and people."""

from __future__ import annotations

import gzip
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.mtme_trees import TREE, read_tree, write_tree
from metaphrase.corpus.formats import Head
from metaphrase.corpus.formats.mtme.recognition import FORMATS
from metaphrase.corpus.formats.mtme.scores import ScoreFile, read_score_file, write_score_file
from metaphrase.corpus.formats.mtme.test_set import MtmeSet, read_mtme
from metaphrase.corpus.formats.mtme.tree import language_pairs
from metaphrase.corpus.formats.mtme.writing import write_mtme
from metaphrase.errors import InputError


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_tree(tmp_path)


class TestReading:
    def test_texts_documents_and_names(self, root: Path) -> None:
        mtme = read_mtme(root)
        assert (mtme.name, mtme.language_pair) == ("wmt99", "en-de")
        assert list(mtme.references) == ["refA", "refB"]
        assert list(mtme.outputs) == ["refB", "sysA", "sysC"]
        assert mtme.documents == ("d1", "d1", "d2", "d2")
        assert mtme.domains == ("news", "news", "chat", "chat")
        assert mtme.sources[0] == "One cat ."

    def test_a_translation_that_was_not_supplied_is_none(self, root: Path) -> None:
        mtme = read_mtme(root)
        assert mtme.outputs["sysC"][1] is None
        assert mtme.incomplete == ("sysC",)

    def test_the_corpus_has_complete_systems_that_are_no_references(self, root: Path) -> None:
        corpus = read_mtme(root).corpus
        assert list(corpus.systems) == ["sysA"]
        assert len(corpus.references) == 2
        assert corpus.documents == ("d1", "d1", "d2", "d2")

    def test_a_reference_that_is_not_chosen_is_a_system(self, root: Path) -> None:
        mtme = read_mtme(root, references=["refA"])
        assert list(mtme.corpus.systems) == ["refB", "sysA"]
        assert len(mtme.corpus.references) == 1

    def test_scores_by_name_reference_and_level(self, root: Path) -> None:
        mtme = read_mtme(root)
        assert set(mtme.human) == {("mqm", "seg"), ("mqm", "sys"), ("mqm", "domain")}
        assert ("QE-x", "src", "seg") in mtme.metrics
        assert ("M", "refA.refB", "sys") in mtme.metrics
        scores = mtme.metrics["BLEU", "refA", "seg"].by_system()
        np.testing.assert_array_equal(scores["sysA"], [100, 50, 30, 100])
        judged = mtme.human["mqm", "seg"].by_system()
        np.testing.assert_array_equal(judged["refB"], [0, -1, np.nan, 0])

    def test_metrics_with_other_references_are_left_out(self, root: Path) -> None:
        mtme = read_mtme(root, references=["refB"])
        assert {name for name, _, _ in mtme.metrics} == {"QE-x"}
        assert not read_mtme(root, metric_scores=False).metrics

    def test_blanks_of_any_kind_separate_columns(self, tmp_path: Path) -> None:
        """The README of mt-metrics-eval: "Blanks designate any amount of whitespace"."""
        changed = {
            "documents/en-de.docs": b"news d1\nnews  d1\nchat d2\r\nchat d2\n",
            "human-scores/en-de.mqm.sys.score": b"sysA  -3.775 \r\nsysC\t None\n",
        }
        mtme = read_mtme(write_tree(tmp_path, TREE | changed))
        assert mtme.documents == ("d1", "d1", "d2", "d2")
        assert mtme.human["mqm", "sys"].scores == ("-3.775", "None")

    def test_other_files_do_not_matter(self, root: Path) -> None:
        (root / "references" / "README").write_text("hello")
        (root / "references" / "cs-en.ref-x.txt").write_text("hello")
        (root / "human-scores" / ".hidden.score").write_text("hello")
        assert list(read_mtme(root).references) == ["refA", "refB"]

    def test_several_language_pairs(self, root: Path, refused) -> None:
        (root / "sources" / "cs-en.txt").write_text("x\n")
        assert language_pairs(root) == ("cs-en", "en-de")
        assert read_mtme(root, language_pair="en-de").language_pair == "en-de"
        with refused("MP169", "cs-en", "en-de", path=root):
            read_mtme(root)
        with refused("MP169", "fr-en", path=root):
            read_mtme(root, language_pair="fr-en")

    def test_an_unknown_reference_and_no_folder(self, root: Path, refused) -> None:
        with refused("MP170", "refZ", "refA, refB", path=root / "references"):
            read_mtme(root, references=["refZ"])
        with refused("MP110", path=root / "x"):
            read_mtme(root / "x")
        with refused("MP167", path=root / "sources" / "en-de.txt"):
            read_mtme(root / "sources" / "en-de.txt")


class TestJudgements:
    def test_human_scores_of_systems_and_segments(self, root: Path) -> None:
        judged = read_mtme(root, references=["refA"]).judgements("mqm")
        assert (judged.name, judged.language_pair, judged.target) == ("wmt99", "en-de", "de")
        assert judged.systems == ("refB", "sysA", "sysC")
        assert judged.segments == ("d1:1", "d1:2", "d2:3", "d2:4")
        nan = np.nan
        expected = [[0, -1, nan, 0], [0, -5, -10, -0.1], [-20, nan, nan, -15]]
        np.testing.assert_array_equal(judged.human, expected)
        assert judged.text_of[2, 1] == -1
        text = judged.texts[judged.text_of[1, 2]]
        assert (text.hypothesis, text.references) == ("Drei .", ("Drei Katzen .",))

    def test_references_are_not_judged_by_themselves(self, root: Path) -> None:
        judged = read_mtme(root).judgements()
        assert judged.systems == ("sysA", "sysC")
        assert judged.texts[0].references == ("Eine Katze .", "Ein Kater .")

    def test_a_segment_without_any_reference_has_no_text(self, tmp_path: Path) -> None:
        none = b"Eine Katze .\n[No translation supplied]\nDrei Katzen .\nVier Katzen .\n"
        root = write_tree(tmp_path, TREE | {"references/en-de.refA.txt": none})
        judged = read_mtme(root, references=["refA"]).judgements()
        assert judged.text_of[:, 1].tolist() == [-1, -1, -1]
        both = read_mtme(root)
        assert both.judgements().texts[1].references == ("Eine Katze .", "Ein Kater .")
        assert len(both.corpus.references) == 1

    def test_scores_that_are_not_there(self, root: Path, refused) -> None:
        with refused("MP170", "wmt-z", "mqm"):
            read_mtme(root).judgements("wmt-z")
        (root / "human-scores" / "en-de.mqm.seg.score").unlink()
        with refused("MP170"):
            read_mtme(root).judgements("mqm")

    def test_only_references_judged(self, root: Path, refused) -> None:
        path = root / "human-scores" / "en-de.mqm.seg.score"
        path.write_text("refB\t1\n" * 4)
        with refused("MP170", "references only"):
            read_mtme(root).judgements("mqm")


class TestWriting:
    def test_a_tree_is_written_as_it_was_read(self, root: Path, tmp_path: Path) -> None:
        write_mtme(read_mtme(root), tmp_path / "copy")
        assert read_tree(tmp_path / "copy") == TREE

    def test_what_is_written_reads_back(self, root: Path, tmp_path: Path) -> None:
        mtme = read_mtme(root)
        write_mtme(mtme, tmp_path / "copy" / ".." / "wmt98")
        assert read_mtme(tmp_path / "wmt98") == replace(mtme, name="wmt98")

    def test_several_language_pairs(self, root: Path, tmp_path: Path) -> None:
        mtme = read_mtme(root)
        write_mtme([mtme, replace(mtme, language_pair="cs-en")], tmp_path / "two")
        assert language_pairs(tmp_path / "two") == ("cs-en", "en-de")

    def test_nothing_is_overwritten_unless_told(self, root: Path, tmp_path: Path, refused) -> None:
        mtme = read_mtme(root)
        fewer = replace(mtme, metrics={})
        with refused("MP173", path=root):
            write_mtme(fewer, root)
        assert read_tree(root) == TREE
        write_mtme(fewer, root, overwrite=True)
        assert "metric-scores" not in {path.name for path in root.iterdir()}
        assert sorted(path.name for path in tmp_path.iterdir()) == ["wmt99"]

    def test_other_folders_are_never_overwritten(self, root: Path, refused) -> None:
        (root / "notes.txt").write_text("mine")
        with refused("MP173", path=root):
            write_mtme(read_mtme(root), root, overwrite=True)
        with refused("MP173", path=root / "notes.txt"):
            write_mtme(read_mtme(root), root / "notes.txt", overwrite=True)

    def test_a_place_that_is_not_there(self, root: Path, tmp_path: Path, refused) -> None:
        (tmp_path / "file").write_text("")
        with refused("MP132", path=tmp_path / "file" / "x"):
            write_mtme(read_mtme(root), tmp_path / "file" / "x")

    @pytest.mark.parametrize(
        ("change", "code"),
        [
            ({"language_pair": "german"}, "MP162"),
            ({"documents": ("a b",) * 4}, "MP172"),
            ({"domains": ("",) * 4}, "MP172"),
            ({"references": {"ref-A": ("x",) * 4}}, "MP172"),
            ({"outputs": {"a/b": ("x",) * 4}}, "MP172"),
            ({"outputs": {"..": ("x",) * 4}}, "MP172"),
            ({"outputs": {"A": ("x",) * 3}}, "MP102"),
            ({"outputs": {"A": ("x\ny",) * 4}}, "MP131"),
            ({"outputs": {"A": ("[No translation supplied]",) * 4}}, "MP131"),
            ({"human": {("mqm", "sys"): ScoreFile("sys", ("sysA",), ("nan",))}}, "MP161"),
            ({"human": {("mqm", "sys"): ScoreFile("sys", ("sysZ",), ("1",))}}, "MP165"),
            ({"human": {("mqm", "seg"): ScoreFile("seg", ("sysA",), ("1",))}}, "MP164"),
            ({"human": {("mqm", "sys"): ScoreFile("sys", (), ())}}, "MP113"),
            ({"outputs": {"A": ("\ud800",) * 4}}, "MP131"),
            ({"outputs": {"\ud800": ("x",) * 4}}, "MP172"),
            ({"outputs": {"x" * 300: ("x",) * 4}, "human": {}, "metrics": {}}, "MP173"),
            ({"metrics": {("M", "src", "sys"): ScoreFile("sys", ("sysA",), ("None",))}}, "MP161"),
            ({"metrics": {("M", "refZ", "sys"): ScoreFile("sys", ("sysA",), ("1",))}}, "MP170"),
        ],
    )
    def test_what_would_not_read_back_is_refused(
        self, root: Path, tmp_path: Path, change: dict, code: str
    ) -> None:
        with pytest.raises(InputError) as caught:
            write_mtme(replace(read_mtme(root), **change), tmp_path / "copy")
        assert caught.value.code == code
        assert sorted(path.name for path in tmp_path.iterdir()) == ["wmt99"]


names = st.text("abc.é_-:", min_size=1, max_size=6).filter(lambda name: not name.startswith("."))
texts = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\n\0"), max_size=9
).filter(lambda text: not text.endswith("\r") and not text.startswith("\ufeff"))


@st.composite
def sets(draw: st.DrawFn) -> MtmeSet:
    """Test sets of any shape that the tree can hold."""
    segments = draw(st.integers(1, 4))
    column = st.tuples(*[texts] * segments)
    gappy = st.tuples(*[texts | st.none()] * segments)
    documents = sorted(draw(st.tuples(*[st.sampled_from("abc")] * segments)))
    outputs = draw(st.dictionaries(names, gappy, min_size=1, max_size=3))
    scores = [repr(draw(st.floats(-1e9, 1e9))) for _ in range(segments)]
    systems = [name for name in outputs for _ in range(segments)]
    file = ScoreFile("seg", tuple(systems), tuple(scores * len(outputs)))
    return MtmeSet(
        name="copy",
        language_pair="en-de",
        sources=draw(column),
        domains=tuple(f"domain-{name}" for name in documents),
        documents=tuple(documents),
        references={"refA": draw(gappy)},
        outputs=outputs,
        human={("mqm.x", "seg"): file},
        metrics={("M-x", "refA", "seg"): file, ("QE", "src", "seg"): file},
    )


@given(sets())
@settings(max_examples=40)
def test_any_set_reads_back(mtme: MtmeSet) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_mtme(mtme, Path(folder) / "copy")
        found = read_mtme(Path(folder) / "copy")
        assert found == mtme
        write_mtme(found, Path(folder) / "again")
        assert read_tree(Path(folder) / "again") == read_tree(Path(folder) / "copy")


class TestScoreFiles:
    def test_bytes_come_back(self, tmp_path: Path) -> None:
        for name, data in TREE.items():
            if name.endswith(".score"):
                path = tmp_path / Path(name).name
                path.write_bytes(data)
                write_score_file(read_score_file(path), path)
                assert path.read_bytes() == data

    def test_gzip_is_read_and_written(self, tmp_path: Path) -> None:
        path = tmp_path / "M.seg.score.gz"
        path.write_bytes(gzip.compress(b"A\t1\nA\t2\n"))
        scores = read_score_file(path)
        write_score_file(scores, path)
        assert gzip.decompress(path.read_bytes()) == b"A\t1\nA\t2\n"

    def test_columns_belong_together(self, refused) -> None:
        for columns in (("domain", ("A",), ("1",)), ("seg", ("A",), ("1", "2")), ("word", (), ())):
            with refused("MP160"):
                ScoreFile(*columns)
        with refused("MP160"):
            ScoreFile("seg", ("A",), ("1",), ("news",))

    def test_a_name_without_level(self, tmp_path: Path, refused) -> None:
        path = tmp_path / "scores.txt"
        path.write_text("A\t1\n")
        with refused("MP168", path=path):
            read_score_file(path)
        assert read_score_file(path, level="sys").systems == ("A",)

    @given(
        st.dictionaries(
            st.text("abcé.-_", min_size=1, max_size=5),
            st.lists(st.floats(-1e9, 1e9).map(repr) | st.just("None"), min_size=3, max_size=3),
            min_size=1,
            max_size=4,
        )
    )
    def test_whatever_is_written_reads_back(self, blocks: dict[str, list[str]]) -> None:
        systems = tuple(name for name, scores in blocks.items() for _ in scores)
        file = ScoreFile("seg", systems, tuple(s for scores in blocks.values() for s in scores))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "M.seg.score"
            write_score_file(file, path)
            assert read_score_file(path) == file


class TestFormats:
    def test_a_tree_is_recognised_by_its_folders(self, root: Path) -> None:
        tree, scores = FORMATS
        head = Head("wmt99", (), tuple(path.name for path in root.iterdir()))
        assert tree.recognises(head)
        assert not scores.recognises(head)
        assert not tree.recognises(Head("x", (), ("sources", "documents")))
        assert list(tree.read(root).systems) == ["sysA"]

    def test_score_files_are_recognised_by_name_and_content(self) -> None:
        _, scores = FORMATS
        assert scores.recognises(Head("BLEU-refA.seg.score", ("A\t1", "A\tNone")))
        assert scores.recognises(Head("x.mqm.domain.score", ("news\tA\t1",)))
        assert not scores.recognises(Head("BLEU-refA.seg.score", ("M\tde-en\tnt\tA\t1\t2",)))
        assert not scores.recognises(Head("BLEU.txt", ("A\t1",)))


def test_sets_are_equal_if_all_they_hold_is(root: Path) -> None:
    one: MtmeSet = read_mtme(root)
    assert one == read_mtme(root)
    assert one != read_mtme(root, references=["refA"])


class TestReferencesScoredAsSystems:
    def test_one_that_differs_from_its_reference_is_refused(self, tmp_path: Path, refused) -> None:
        tree = write_tree(tmp_path)
        path = tree / "system-outputs" / "en-de" / "refB.txt"
        path.write_bytes(path.read_bytes().replace(b"Drei", b"3"))
        for references in (None, ["refA"]):
            with refused("MP155", "'refB'", path=path, line=3):
                read_mtme(tree, references=references)

    def test_it_is_not_written_either(self, tmp_path: Path, refused) -> None:
        mtme = read_mtme(write_tree(tmp_path))
        outputs = dict(mtme.outputs) | {"refA": mtme.outputs["sysA"]}
        path = tmp_path / "new" / "system-outputs" / "en-de" / "refA.txt"
        with refused("MP155", "'refA'", path=path, line=2):
            write_mtme(replace(mtme, outputs=outputs), tmp_path / "new")
        assert not (tmp_path / "new").exists()

    @pytest.mark.parametrize(
        ("domains", "documents", "line"),
        [(("n", "s", "n", "n"), ("d", "d", "e", "e"), 2), (("n",) * 4, ("d", "e", "d", "e"), 3)],
    )
    def test_documents_that_would_not_read_back_are_not_written(
        self,
        domains: tuple[str, ...],
        documents: tuple[str, ...],
        line: int,
        tmp_path: Path,
        refused,
    ) -> None:
        mtme = read_mtme(write_tree(tmp_path))
        path = tmp_path / "new" / "documents" / "en-de.docs"
        with refused("MP171", path=path, line=line):
            changed = replace(mtme, domains=domains, documents=documents, human={}, metrics={})
            write_mtme(changed, tmp_path / "new")
