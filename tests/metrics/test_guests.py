"""Whatever a guest does when it is asked, scores are right or there is a coded error, and nothing is lost."""

from __future__ import annotations

import json
import os
import pickle
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import metaphrase
from metaphrase import Corpus, Exec, create, score, select
from metaphrase.cli import main
from metaphrase.errors import InputError, MetaphraseError, OptionError, ResourceError
from metaphrase.metrics import Metric
from metaphrase.metrics.guests.process import close_all
from small_metrics import SIMILARITY, similarity_guest

FAULTY = Path(__file__).with_name("faulty_guest.py")
HYPOTHESES = ["a cat", "the cat sat", "no"]
REFERENCES = ["the cat", "the cat sat", "yes"]
#: Lengths of the hypotheses over one more than those of the references.
RATIOS = [5 / 8, 11 / 12, 2 / 4]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("METAPHRASE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("GUEST_RECORD", str(tmp_path / "record"))
    yield
    close_all()


def guest(fault: str = "", **options: Any) -> Exec:
    return Exec(command=shlex.join([sys.executable, str(FAULTY), fault]), **options)


def asked(record: Path) -> list[list[str]]:
    """The hypotheses of each request."""
    lines = record.read_text("utf-8").splitlines() if record.exists() else []
    requests = [json.loads(line.partition(" ")[2]) for line in lines]
    return [[row["hypothesis"] for row in request["rows"]] for request in requests]


def processes(record: Path) -> set[str]:
    return {line.partition(" ")[0] for line in record.read_text("utf-8").splitlines()}


def is_gone(process: int) -> bool:
    """Whether there is no such process, or group if it is negative, before long."""
    for _ in range(200):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def ratios(metric: Metric) -> list[float]:
    return metric.segment_scores(HYPOTHESES, [REFERENCES]).tolist()


class TestScores:
    def test_are_the_guests(self) -> None:
        assert ratios(guest()) == RATIOS

    def test_of_a_system_are_the_mean(self) -> None:
        found = guest().corpus_score(HYPOTHESES, [REFERENCES])
        assert found.score == pytest.approx(sum(RATIOS) / 3, rel=1e-15)

    def test_of_several_references_are_the_mean_unless_the_guest_takes_all(self) -> None:
        other = ["a much longer text"] * 3
        one, two = ratios(guest()), guest().segment_scores(HYPOTHESES, [other])
        both = guest().segment_scores(HYPOTHESES, [REFERENCES, other])
        assert both.tolist() == ((np.array(one) + two) / 2).tolist()
        # similarity_guest takes the best.
        assert similarity_guest().sentence_score("a cat", ["a dog", "a cat"]).score == 1

    def test_of_a_guest_that_reads_no_references(self) -> None:
        assert guest("reads nothing").sentence_score("abcd", ["x"]).score == 4 / 5

    def test_may_be_better_if_lower(self) -> None:
        metric = guest("lower is better")
        assert not metric.higher_is_better
        assert metric.bounds == (0, np.inf)
        assert score(Corpus({"a": ["x"]}, [["y"]]), [metric]).metrics[0].higher_is_better is False

    def test_are_those_of_any_text(self) -> None:
        texts = ["\u2028 and \x85", '"quotes" \\ and \t', "", "🙂" * 500, "NaN"]
        found = similarity_guest().segment_scores(texts, [[*texts[:2], "", *texts[3:]]])
        assert found.tolist() == [1] * 5


class TestAsking:
    def test_a_row_is_asked_for_once(self, tmp_path: Path) -> None:
        record = tmp_path / "record"
        metric = guest()
        metric.segment_scores(["a", "b", "a"], [["x", "x", "x"]])
        assert asked(record) == [["a", "b"]]

    def test_a_second_table_asks_for_nothing(self, tmp_path: Path) -> None:
        record = tmp_path / "record"
        first = ratios(guest())
        close_all()
        assert ratios(guest()) == first
        assert ratios(guest(batch=1, timeout=30.0)) == first
        assert len(asked(record)) == 1
        ratios(guest(cache=False))
        assert len(asked(record)) == 2

    def test_another_reference_or_program_is_another_score(self, tmp_path: Path) -> None:
        record = tmp_path / "record"
        ratios(guest())
        guest().segment_scores(HYPOTHESES, [["x", "y", "z"]])
        assert len(asked(record)) == 2
        changed = tmp_path / "changed.py"
        changed.write_text(FAULTY.read_text("utf-8") + "# changed\n", encoding="utf-8")
        ratios(Exec(command=shlex.join([sys.executable, str(changed), ""])))
        assert len(asked(record)) == 3

    def test_rows_come_in_batches(self, tmp_path: Path) -> None:
        record = tmp_path / "record"
        assert ratios(guest(batch=2)) == RATIOS
        assert asked(record) == [HYPOTHESES[:2], HYPOTHESES[2:]]

    def test_one_process_serves_all(self, tmp_path: Path) -> None:
        record = tmp_path / "record"
        corpus = Corpus({"a": HYPOTHESES, "b": REFERENCES}, [REFERENCES])
        metric = guest()
        score(corpus, [metric])
        score(corpus, [pickle.loads(pickle.dumps(guest(batch=1, cache=False)))])
        assert len(processes(record)) == 1

    def test_a_damaged_cache_is_begun_anew(self, tmp_path: Path) -> None:
        ratios(guest())
        (path,) = (tmp_path / "cache").glob("guests.sqlite")
        path.write_bytes(b"no database" * 100)
        assert ratios(guest()) == RATIOS


MARKED = [*HYPOTHESES, "MARK"]
FAULTS = {
    "die": ("MP717", r"exit code 7.*Its last words: \"the reason is here\""),
    "kill": ("MP717", "killed by SIGKILL"),
    "hang": ("MP718", "more than 0.5 s for 1 rows"),
    "few": ("MP720", "0 scores for 1 rows"),
    "many": ("MP720", "2 scores for 1 rows"),
    "no scores": ("MP719", "neither 'scores'"),
    "other id": ("MP719", "answered request 5 when 4 was asked"),
    "no json": ("MP719", "is no JSON: 'score: 0.5'"),
    "a list": ("MP719", "no JSON object"),
    "error": ("MP722", "it says: out of memory"),
}
#: Those that are about one segment, which can be left out.
OF_SEGMENTS = {
    "nan": ("MP721", "nan, which is no finite number"),
    "infinite": ("MP721", "inf, which is no finite number"),
    "huge": ("MP721", "inf, which is no finite number"),
    "text": ("MP721", "which is no number"),
    "true": ("MP721", "true.*, which is no number"),
    "row error": ("MP723", "it says: too long"),
}
pytestmark = pytest.mark.skipif(
    os.name != "posix", reason="the guest of these tests forks and kills"
)


class TestFaults:
    @pytest.mark.parametrize("fault", FAULTS)
    def test_is_a_coded_error_and_loses_nothing(self, fault: str, tmp_path: Path) -> None:
        code, message = FAULTS[fault]
        record = tmp_path / "record"
        metric = guest(fault, batch=1, timeout=0.5 if fault == "hang" else 60)
        with pytest.raises(ResourceError, match=message) as raised:
            metric.segment_scores(MARKED, [[*REFERENCES, "x"]])
        assert raised.value.code == code
        assert "What was scored before is kept" in str(raised.value) or code == "MP718"
        before = len(asked(record))
        assert ratios(metric) == RATIOS  # from the cache, or from a guest that is started again
        assert len(asked(record)) == before

    @pytest.mark.parametrize("fault", OF_SEGMENTS)
    def test_of_a_segment_names_it_and_can_be_skipped(self, fault: str, tmp_path: Path) -> None:
        code, message = OF_SEGMENTS[fault]
        record = tmp_path / "record"
        corpus = Corpus({"mine": MARKED}, [[*REFERENCES, "x"]])
        metric = guest(fault)
        with pytest.raises(ResourceError, match=f"segment 4 of mine.*{message}") as raised:
            score(corpus, [metric])
        assert raised.value.code == code
        with pytest.warns(UserWarning, match=f"1 of 4 segments refused .{code}"):
            found = score(corpus, [metric], on_error="skip", levels=["segment"])
        scores = found.values(system="mine", metric=metric.label, level="segment")
        assert scores[:3].tolist() == RATIOS
        assert np.isnan(scores[3])
        assert len(processes(record)) == 1  # it lives on

    def test_a_hanging_guest_is_killed_with_its_children(self, tmp_path: Path) -> None:
        metric = guest("hang with child", timeout=0.5)
        with pytest.raises(ResourceError, match="MP718"):
            metric.sentence_score("MARK", ["x"])
        (process,) = processes(tmp_path / "record")
        assert is_gone(-int(process))  # nobody is left of its group

    @pytest.mark.parametrize(
        ("fault", "code", "message"),
        [
            ("gone", "MP717", 'exit code 1.*"no such model"'),
            ("mute", "MP718", "to say hello"),
            ("wordy", "MP719", "'Loading the model ...'"),
            ("protocol 2", "MP719", "speaks protocol 2, and not 1"),
            ("incomplete", "MP719", "must have 'deterministic', true or false"),
            ("no library", "MP722", "there is no torch here"),
        ],
    )
    def test_of_a_first_line(self, fault: str, code: str, message: str) -> None:
        with pytest.raises(ResourceError, match=message) as raised:
            guest(fault, timeout=0.5 if fault == "mute" else 60).signature()
        assert raised.value.code == code

    def test_a_score_out_of_its_own_bounds_is_one(self) -> None:
        with pytest.raises(ResourceError, match=r"MP721.*0.625.*from 0.0 to 0.5"):
            guest("bounded").sentence_score("a cat", ["the cat"])

    def test_a_program_that_is_not_there_is_one(self) -> None:
        with pytest.raises(ResourceError, match=r"MP716.*'/no/such/program' cannot be started"):
            create("exec:/no/such/program").signature()

    def test_sources_that_are_not_there_are_one(self) -> None:
        metric = guest("reads source")
        with pytest.raises(InputError, match=r"MP724.*reads sources, and there are none"):
            score(Corpus({"a": ["x"]}, [["y"]]), [metric])
        with pytest.raises(InputError, match="MP724"):
            metric.sentence_score("a", ["b"])
        assert metric.sentence_score("abc", ["b"], source="d").score == 3 / 2
        assert metric.segment_scores(["abc"], [["b"]], sources=["d"]).tolist() == [3 / 2]


def stopped(process: subprocess.Popen[bytes], record: Path, by: signal.Signals) -> int:
    """The exit code of a program that is sent a signal while its guest hangs; the guest must be gone then."""
    while not (record.exists() and record.read_text("utf-8")):
        time.sleep(0.05)
        assert process.poll() is None
    process.send_signal(by)
    code = process.wait(30)
    (of_guest,) = processes(record)
    assert is_gone(int(of_guest))
    return code


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_who_is_interrupted_takes_the_guest_along(by: signal.Signals, tmp_path: Path) -> None:
    for name, text in (("ref", "x"), ("hyp", "MARK")):
        (tmp_path / name).write_text(f"{text}\n", encoding="utf-8")
    record = tmp_path / "record"
    specification = guest("hang").specification
    words = ["-m", "metaphrase", "score", "ref", "-i", "hyp", "-m", specification]
    process = subprocess.Popen([sys.executable, *words], cwd=tmp_path, stderr=subprocess.DEVNULL)
    assert stopped(process, record, by) != 0


class TestSpecification:
    @pytest.mark.parametrize(
        ("given", "words"),
        [
            ("exec:prog", ("prog",)),
            ("exec:prog a:b --c=d", ("prog", "a:b", "--c=d")),
            ("exec:batch=2:prog --timeout=3", ("prog", "--timeout=3")),
            ("exec:command=timeout=3 prog", ("timeout=3", "prog")),
            ("exec:'a program' \"it's\"", ("a program", "it's")),
            ("exec:prog $HOME *.txt | cat", ("prog", "$HOME", "*.txt", "|", "cat")),
        ],
    )
    def test_is_split_into_words_without_a_shell(self, given: str, words: tuple[str, ...]) -> None:
        metric = create(given)
        assert metric.start.words == words  # type: ignore[attr-defined]
        assert create(metric.specification) == metric
        assert metric.batch == (2 if "batch" in given else 16)  # type: ignore[attr-defined]

    def test_without_a_command_or_with_half_a_quote_is_an_error(self) -> None:
        with pytest.raises(OptionError, match=r"MP713.*exec needs a command"):
            create("exec").signature()
        with pytest.raises(OptionError, match=r"MP725.*No closing quotation"):
            create("exec:prog 'a b")

    def test_label_has_files_by_their_names(self) -> None:
        assert create("exec:/usr/bin/env python3 /a/b/guest.py -x").label == (
            "exec:env python3 guest.py -x"
        )


class TestSignature:
    def test_names_program_guest_model_and_libraries(self) -> None:
        found = dict(guest("with model").signature(1).items)
        assert found["guest"] == "faulty 0.1"
        assert (found["model"], found["licence"]) == ("tiny@abc", "mit")
        assert found["libraries"] == "a 1,torch 2.0"
        assert found["deterministic"] == "yes"
        assert "faulty_guest.py@" in found["command"]
        assert str(FAULTY.parent) not in found["command"]

    def test_marks_a_guest_that_is_not_deterministic(self) -> None:
        metric = guest("random")
        assert dict(metric.signature(1).items)["deterministic"] == "no"
        with pytest.warns(UserWarning, match="is not deterministic"):
            first = metric.sentence_score("a", ["b"])
        with pytest.warns(UserWarning, match="is not deterministic"):
            assert metric.sentence_score("a", ["b"]) == first  # the cache repeats it


class TestLikeAnyOther:
    """In score, report, significance, meta, select and jobs."""

    @pytest.fixture
    def folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        for path in SIMILARITY.parent.glob("*.*"):
            (tmp_path / path.name).write_bytes(path.read_bytes())
        monkeypatch.chdir(tmp_path)
        return tmp_path

    SIMILAR = f"exec:{shlex.quote(sys.executable)} similarity_guest.py"
    TEXTS = ("reference.txt", "-i", "system-a.txt", "system-b.txt", "--sources", "source.txt")

    def test_score_with_significance(self, folder: Path) -> None:
        words = ["score", *self.TEXTS, "-m", self.SIMILAR, "bleu", "--paired-bs", "50"]
        assert main([*words, "--format", "json", "-o", "scores.json"]) == 0
        found = json.loads((folder / "scores.json").read_text("utf-8"))
        metric = next(one for one in found["metrics"] if one["name"].startswith("exec"))
        assert metric["higher_is_better"]
        scores = [system["scores"][metric["name"]] for system in found["systems"]]
        assert scores[0] > scores[1]

    def test_report(self, folder: Path) -> None:
        words = ["report", *self.TEXTS, "-m", self.SIMILAR, "chrf", "-o", "report.html"]
        assert main(words) == 0
        assert (folder / "report.html").stat().st_size > 10_000

    def test_meta(self, folder: Path) -> None:
        words = ["meta", "judgements.tsv", "-m", self.SIMILAR, "--format", "json", "-o", "m.json"]
        assert main(words) == 0
        assert "similarity_guest.py" in (folder / "m.json").read_text("utf-8")

    def test_meta_with_sources_and_without(self, folder: Path) -> None:
        words = ["meta", "-m", guest("reads source").specification, "--format", "json"]
        assert main([*words, "judgements.tsv", "-o", "m.json"]) == 0
        rows = (folder / "judgements.tsv").read_text("utf-8").splitlines()
        cells = [row.split("\t") for row in rows]
        for row in cells[1:]:
            row[cells[0].index("source")] = ""
        without = list(map("\t".join, cells))
        (folder / "without.tsv").write_text("\n".join(without) + "\n", encoding="utf-8")
        judged = next(iter(metaphrase.meta.read_judgements(folder / "without.tsv").values()))
        with pytest.raises(InputError, match="MP724"):
            metaphrase.meta.score_judged(judged, guest("reads source"))

    def test_select_asks_for_each_pair_once(self, tmp_path: Path) -> None:
        record = tmp_path / "record"
        found = select([["the cat sat", "a cat sat", "dogs"]], guest())
        assert found[0].text == "the cat sat"
        pairs = sum(map(len, asked(record)))
        assert 0 < pairs <= 9

    def test_a_job(self, folder: Path) -> None:
        table = folder / "table.tsv"
        table.write_text("reference\tmine\n" + "x y\tx z\n" * 5, encoding="utf-8")
        metaphrase.jobs.plan([table], folder / "job", metrics=[self.SIMILAR], rows_per_shard=2)
        assert metaphrase.jobs.run(folder / "job").is_complete
        totals = metaphrase.jobs.finish(folder / "job")
        label = create(self.SIMILAR).label
        assert totals.values(system="mine", metric=label) == [
            pytest.approx(2 / 3)
        ]  # 2 of 3 characters
        metric = guest("reads source")
        with pytest.raises(InputError, match=r"MP724.*--columns source=NAME"):
            metaphrase.jobs.plan([table], folder / "other", metrics=[metric])


@pytest.mark.parametrize(
    "specification",
    ["exec:ls", "exec", "exec:command=ls", "exec:batch=1:ls", "comet", "metricx:qe=yes"],
)
def test_the_server_runs_no_guests_of_strangers(specification: str) -> None:
    from metaphrase.serve.offer import check_metric, offered_metrics

    with pytest.raises(MetaphraseError, match=r"MP836.*runs no guests"):
        check_metric(specification)
    assert specification.partition(":")[0] not in {one["name"] for one in offered_metrics()}
