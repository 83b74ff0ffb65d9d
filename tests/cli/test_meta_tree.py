"""``metaphrase meta`` on the folder of an mt-metrics-eval test set."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from cli.bundled import Answers, Fails
from corpus.mtme_trees import TREE, read_tree, write_tree
from metaphrase.cli import main
from metaphrase.corpus.formats.mtme.test_set import read_mtme
from metaphrase.meta.given_scores import given_metrics, given_scores


@pytest.fixture
def root(tmp_path: Path) -> str:
    return str(write_tree(tmp_path))


@pytest.fixture
def table(answers: Answers) -> Answers:
    return lambda *arguments: answers("meta", *arguments, "--resamples", "0")


class TestMeta:
    def test_our_metrics_beside_those_of_the_folder(self, root: str, table: Answers) -> None:
        choice = ["--pairs", "en-de", "--human", "mqm", "--references", "refA"]
        found = table(root, *choice, "-m", "chrf", "bleu", "--given", "BLEU", "QE-x-src")
        assert [m["name"] for m in found["metrics"]] == ["chrf", "bleu", "BLEU-refA", "QE-x-src"]
        assert found["metrics"][2]["signature"] == "BLEU-refA|given:wmt99"
        (column,) = found["columns"]
        assert (column["data"], column["language_pair"]) == ("wmt99", "en-de")
        # By hand: the nine cells that people and BLEU-refA have scored.
        human = [0, -1, 0, 0, -5, -10, -0.1, -20, -15]
        metric = [20, 21, 23, 100, 50, 30, 100, 10, 30]
        assert column["values"][2] == pytest.approx(np.corrcoef(human, metric)[0, 1])

    def test_a_system_score_is_the_one_given(self, root: str, table: Answers) -> None:
        more = ["--references", "refA", "--measure", "pearson", "--level", "system"]
        found = table(root, *more, "--given", "BLEU-refA")
        (column,) = found["columns"]
        # Means of what people gave refB, sysA and sysC, against the file of system scores.
        expected = np.corrcoef([-1 / 3, -15.1 / 4, -17.5], [21.5, 70, 15])[0, 1]
        assert column["values"] == [pytest.approx(expected)]

    def test_all_that_the_folder_has(self, root: str, table: Answers) -> None:
        found = table(root, "--references", "refA", "--given")
        assert [metric["name"] for metric in found["metrics"]] == ["BLEU-refA", "QE-x-src"]
        found = table(root, "--references", "all", "--given", "-m", "chrf")
        assert [m["name"] for m in found["metrics"]] == [
            "chrf",
            "BLEU-refA",
            "M-refA.refB",
            "QE-x-src",
        ]
        # A metric without segment scores agrees with nobody on segments.
        assert found["columns"][0]["values"][2] is None

    def test_scores_written_by_score_are_found(self, root: str, table: Answers) -> None:
        """What ``score --format mtme`` writes into the folder agrees as the metric itself does."""
        (Path(root) / "system-outputs" / "en-de" / "sysC.txt").write_bytes(
            TREE["system-outputs/en-de/sysA.txt"][::-1].replace(b"\n", b"", 1) + b"\n"
        )
        systems = [f"{n}={root}/system-outputs/en-de/{n}.txt" for n in ("refB", "sysA", "sysC")]
        command = ["score", f"{root}/references/en-de.refA.txt", "-i", *systems, "-m", "chrf"]
        names = ["--pair", "en-de", "--reference-name", "refA", "--format", "mtme", "-o", root]
        assert main([*command, "-l", "de", *names, "--level", "system", "segment"]) == 0
        found = table(root, "--references", "refA", "-m", "chrf", "--given", "chrf-refA")
        ours, given = found["columns"][0]["values"]
        assert ours == pytest.approx(given, abs=1e-12)

    @pytest.mark.parametrize(
        ("name", "more", "code"),
        [
            ("sysZ", ["--reference-name", "refA"], "MP165"),
            ("sysA", ["--reference-name", "refZ"], "MP170"),
            ("sysA", ["--reference-name", "refA", "--pair", "cs-en"], "MP169"),
        ],
    )
    def test_scores_that_would_spoil_the_folder_are_refused(
        self, root: str, name: str, more: list[str], code: str, fails: Fails
    ) -> None:
        system = f"{root}/system-outputs/en-de/sysA.txt"
        command = ["score", f"{root}/references/en-de.refA.txt", "-i", f"{name}={system}"]
        tree = ["-m", "chrf", "--format", "mtme", "--pair", "en-de", "-o", root]
        fails(1, code, *command, *tree, *more)
        assert read_tree(Path(root)) == TREE

    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            (["--human", "wmt-z"], "MP170"),
            (["--references", "refZ"], "MP170"),
            (["--given", "COMET"], "MP170"),
            (["--pairs", "cs-en"], "MP784"),
            (["--references", "all", "--given", "--judges"], "MP785"),
            (["--references", "all", "--given", "BLEU", "-m", "nonsense"], "MP504"),
            (["--references", "cs-en=refA"], "MP187"),
        ],
    )
    def test_mistakes(self, root: str, arguments: list[str], code: str, fails: Fails) -> None:
        fails(None, code, "meta", root, *arguments)

    def test_two_kinds_of_human_scores(self, root: str, fails: Fails) -> None:
        other = Path(root) / "human-scores" / "en-de.wmt-z.seg.score"
        other.write_bytes(TREE["human-scores/en-de.mqm.seg.score"])
        fails(1, ("MP170", "mqm, wmt-z"), "meta", root, "--references", "refA")

    def test_no_human_scores(self, root: str, fails: Fails) -> None:
        for path in (Path(root) / "human-scores").iterdir():
            path.unlink()
        fails(1, "MP170", "meta", root)

    def test_a_metric_with_several_references(self, root: str, fails: Fails) -> None:
        other = Path(root) / "metric-scores" / "en-de" / "BLEU-refB.sys.score"
        other.write_bytes(b"sysA\t1\n")
        fails(2, "BLEU-refA, BLEU-refB", "meta", root, "--references", "all", "--given", "BLEU")

    def test_several_references_are_a_choice(self, root: str, table: Answers, fails: Fails) -> None:
        fails(2, ("MP170", "refA, refB", "en-de=refA, or all"), "meta", root)
        signatures = []
        for asked in (["refA"], ["refB", "en-de=refA"], ["all"]):
            (column,) = table(root, "-m", "chrf", "--references", *asked)["columns"]
            signatures.append(column["signatures"][0].split("|")[1])
        assert signatures == ["nrefs:1", "nrefs:1", "nrefs:2"]

    @pytest.mark.filterwarnings("default:de-en has no human scores")
    def test_pairs_without_the_scores_asked_for_are_left_out_by_name(
        self, root: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for path in sorted(Path(root).rglob("en-de*"), key=lambda path: path.is_dir()):
            other = path.with_name(path.name.replace("en-de", "de-en"))
            if path.is_dir():
                shutil.copytree(path, other)
            else:
                shutil.copy(path, other.with_name(other.name.replace(".mqm.", ".da.")))
        asked = ["-m", "chrf", "--references", "refA", "--human", "mqm", "--resamples", "0"]
        assert main(["meta", root, *asked]) == 0
        out, err = capsys.readouterr()
        assert "de-en has no human scores of segments called 'mqm' and is left out." in err
        assert "metric    en-de\n" in out

    def test_options_of_folders_without_a_folder(self, tmp_path: Path, fails: Fails) -> None:
        fails(2, "MP174", "meta", str(tmp_path / "judgements.tsv"), "--given", "BLEU")


class TestDomainsAndDocuments:
    def test_a_table_for_each_domain(self, root: str, table: Answers) -> None:
        asked = ("--references", "refA", "--by", "domain")
        found = table(root, *asked, "-m", "chrf", "--given", "BLEU")
        news, chat = found["columns"]
        assert (news["data"], chat["data"]) == ("wmt99 news", "wmt99 chat")
        # By hand: the first two segments, of which sysC lacks the second.
        human, metric = [0, -1, 0, -5, -20], [20, 21, 100, 50, 10]
        assert news["values"][1] == pytest.approx(np.corrcoef(human, metric)[0, 1])
        assert (news["basis"]["segments"], news["basis"]["judged"]) == (2, 5)

    def test_systems_of_a_domain_have_the_scores_of_its_file(
        self, root: str, table: Answers
    ) -> None:
        path = Path(root) / "metric-scores" / "en-de" / "BLEU-refA.domain.score"
        path.write_bytes(
            b"news\trefB\t1\nchat\trefB\t7\nnews\tsysA\t2\nchat\tsysA\t8\nnews\tsysC\t4\nchat\tsysC\t5\n"
        )
        asked = ("--references", "refA", "--by", "domain", "--measure", "pearson")
        news, chat = table(root, *asked, "--level", "system", "--given", "BLEU")["columns"]
        # Means of what people gave in the first two and in the last two segments.
        expected = np.corrcoef([-0.5, -2.5, -20], [1, 2, 4])[0, 1]
        assert news["values"] == [pytest.approx(expected)]
        expected = np.corrcoef([0, -5.05, -15], [7, 8, 5])[0, 1]
        assert chat["values"] == [pytest.approx(expected)]

    def test_documents_have_the_scores_of_their_file(self, root: str, table: Answers) -> None:
        asked = ("--references", "refA", "--measure", "pearson", "--level", "document")
        (column,) = table(root, *asked, "--given", "BLEU")["columns"]
        human = [-0.5, 0, -2.5, -5.05, -20, -15]
        expected = np.corrcoef(human, [1, 2, 3, 4, 5, 6])[0, 1]
        assert column["values"] == [pytest.approx(expected)]
        assert column["signatures"] == ["BLEU-refA|given:wmt99"]

    def test_documents_without_a_file_have_the_mean_of_their_segments(
        self, root: str, table: Answers
    ) -> None:
        (Path(root) / "metric-scores" / "en-de" / "BLEU-refA.doc.score").unlink()
        asked = ("--references", "refA", "--measure", "pearson")
        found = table(root, *asked, "--level", "document", "--given", "BLEU")
        (column,) = found["columns"]
        human = [-0.5, 0, -2.5, -5.05, -20, -15]
        # sysC has no translation of the second segment.
        expected = np.corrcoef(human, [20.5, 22.5, 75, 65, 10, 25])[0, 1]
        assert column["values"] == [pytest.approx(expected)]
        assert column["signatures"] == ["BLEU-refA|given:wmt99|documents:mean"]
        (column,) = table(root, *asked, "--given", "BLEU")["columns"]
        assert column["signatures"] == ["BLEU-refA|given:wmt99"]

    def test_judgements_without_domains(self, examples: Path, fails: Fails) -> None:
        file = str(examples / "judgements.tsv")
        fails(1, ("MP773", "column domain"), "meta", file, "-m", "chrf", "--by", "domain")


class TestGivenScores:
    def test_levels_are_taken_from_their_files(self, root: str) -> None:
        mtme = read_mtme(root, references=["refA"])
        judged = mtme.judgements()
        assert given_metrics(mtme) == ("BLEU-refA", "QE-x-src")
        scores = given_scores(mtme, "BLEU-refA", judged)
        assert scores is not None
        np.testing.assert_array_equal(scores.document, [[1, 2], [3, 4], [5, 6]])
        np.testing.assert_array_equal(scores.system, [21.5, 70, 15])
        assert np.isnan(scores.segment[2, 1])  # not translated
        other = given_scores(mtme, "QE-x-src", judged)
        assert other is not None
        assert np.isnan(other.segment[0]).all()
        assert np.isnan(other.system).all()
        assert given_scores(mtme, "BLEU", judged) is None
