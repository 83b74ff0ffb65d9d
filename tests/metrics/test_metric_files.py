"""A file of Python brings metrics; whatever is wrong with it is said of the file and its line."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from copy import deepcopy
from hashlib import blake2b
from multiprocessing import get_context
from pathlib import Path

import pytest

import metaphrase
from metaphrase import Bleu, create, load_metrics
from metaphrase.corpus.formats.registry import formats_of_others
from metaphrase.errors import MetaphraseError
from metaphrase.metrics import Metric, available, plugin_failure, registry, temporary_metrics

EXAMPLE = Path(__file__).parents[2] / "examples" / "word_recall.py"
PAIR = "a big house", ["the big red house"]
HEAD = """\
from dataclasses import dataclass
import numpy as np
from metaphrase.metrics import Bleu, Metric, option, register
"""
CONSTANT = """
@dataclass(frozen=True, kw_only=True)
class Constant(Metric):
    name = "constant"
    summary = "always the same"
    citation = ""

    value: float = option(0.5, "the score")

    def statistics(self, comparison, *, threads=1):
        return np.tile([self.value, 1.0], (len(comparison), 1))
"""

FORMAT = """
from metaphrase.corpus.formats import Format
LOUD = Format(name="loud", holds="texts", description="loud texts", recognises=lambda head: False)
"""

Written = Callable[[str], Path]

pytestmark = pytest.mark.usefixtures("own_registry")


@pytest.fixture
def written(tmp_path: Path) -> Written:
    def write(text: str) -> Path:
        path = tmp_path / "mine.py"
        path.write_text(HEAD + text)
        return path

    return write


def test_its_metrics_are_known_by_name() -> None:
    assert list(load_metrics(EXAMPLE)) == ["word-recall"]
    # "big" and "house" of four words.
    assert create("word-recall").sentence_score(*PAIR).score == 0.5
    assert create("word-recall").explain(*[PAIR[0], PAIR[1][0]]).score == 0.5


def test_a_temporary_metric_is_forgotten(written: Written) -> None:
    """With the formats of its file, and also if the block fails; what was there before is there again."""
    load_metrics(written(CONSTANT))
    both = written(CONSTANT.replace("0.5", "0.7") + FORMAT)
    with suppress(ZeroDivisionError), temporary_metrics():
        load_metrics(both)
        load_metrics(EXAMPLE)
        assert create("constant") != create("constant:value=0.5")
        assert formats_of_others().keys() == {"loud"}
        raise ZeroDivisionError
    assert "word-recall" not in available()
    assert create("constant") == create("constant:value=0.5")
    assert not formats_of_others()


def test_the_signature_has_the_hash_of_the_file() -> None:
    load_metrics(EXAMPLE)
    fingerprint = blake2b(EXAMPLE.read_bytes(), digest_size=6).hexdigest()
    found = str(create("word-recall").signature(1))
    assert found.endswith(f"|from:word_recall.py@{fingerprint}")
    assert "from:" not in str(create("ter").signature(1))


def test_so_does_that_of_a_metric_derived_from_one_of_ours(written: Written) -> None:
    load_metrics(
        written('@dataclass(frozen=True, kw_only=True)\nclass Mine(Bleu):\n    name = "mine"\n')
    )
    assert re.search(r"\|from:mine\.py@\w{12}$", str(create("mine").signature(1)))
    assert "from:" not in str(Bleu().signature(1))


def test_what_registers_itself_may(written: Written) -> None:
    path = written(CONSTANT.replace("\n@dataclass", "\n@register\n@dataclass"))
    assert load_metrics(path)["constant"] is registry.find("constant")
    assert registry.find("constant").origin is not None


def test_a_base_class_has_no_name_and_is_no_metric(written: Written) -> None:
    base = CONSTANT.replace('    name = "constant"\n', "").replace("Constant", "Base")
    derived = '@dataclass(frozen=True)\nclass Half(Base):\n    name = "half"\n'
    assert list(load_metrics(written(base + derived))) == ["half"]


class TestLoadedAgain:
    def test_the_same_file_is_run_once(self, written: Written) -> None:
        path = written(CONSTANT)
        assert load_metrics(path) == load_metrics(str(path))

    def test_a_changed_file_takes_the_place_of_the_old_one(self, written: Written) -> None:
        load_metrics(written(CONSTANT + CONSTANT.replace("onstant", "ther")))
        path = written(CONSTANT.replace("option(0.5", "option(0.25"))
        load_metrics(path)
        assert create("constant").sentence_score("a", ["b"]).score == 0.25
        assert "ther" not in available()

    def test_a_file_that_fails_leaves_what_there_was(self, written: Written) -> None:
        load_metrics(written(CONSTANT))
        before = available()
        with pytest.raises(MetaphraseError, match="MP521"):
            load_metrics(written(CONSTANT + "\n1 / 0\n"))
        assert available() == before


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("", "MP522", "defines no metric"),
        ("class Nameless(Metric):\n    pass\n", "MP522", "Nameless has no name"),
        ("\nthis is no Python\n", "MP521", "line 5: Python cannot run this file: SyntaxError"),
        ("\ndef f():\n    return {}['a']\n\nf()\n", "MP521", "line 6: "),
        ("import no_such_module\n", "MP521", "line 4: .*ModuleNotFoundError"),
        ("raise SystemExit(3)\n", "MP521", "line 4: .*SystemExit: 3"),
        (CONSTANT.replace('"constant"', '"bleu"'), "MP523", "'bleu' .* of metaphrase itself"),
        (CONSTANT.replace('"constant"', '"a:b"'), "MP524", "'a:b', is not made of letters"),
        (CONSTANT.replace('"constant"', "7"), "MP524", "Constant is no metric: its name, 7"),
        (CONSTANT.replace("summary", "summery"), "MP524", "the class variable summary"),
        (CONSTANT.replace("statistics", "statistic"), "MP524", "it lacks statistics"),
        (CONSTANT.replace("@dataclass(frozen=True, kw_only=True)", ""), "MP524", "@dataclass"),
        (CONSTANT.replace('option(0.5, "the score")', "-1"), None, ""),
        (CONSTANT.replace(' = option(0.5, "the score")', ""), "MP524", "value has no default"),
        (CONSTANT.replace("(0.5,", "('much',"), "MP524", "with its defaults: .*MP506"),
        (CONSTANT + "    signature = None\n", "MP524", "override signed"),
    ],
)
def test_what_is_wrong_is_said(written: Written, text: str, code: str | None, words: str) -> None:
    path = written(text)
    before = available()
    if code is None:
        assert load_metrics(path)
        return
    with pytest.raises(MetaphraseError, match=words) as caught:
        load_metrics(path)
    assert caught.value.code == code
    assert available() == before
    assert str(path) in str(caught.value)


def test_a_file_must_be_there_and_be_one(tmp_path: Path) -> None:
    for path, code in ((tmp_path / "none.py", "MP110"), (tmp_path, "MP111")):
        with pytest.raises(MetaphraseError, match=code):
            load_metrics(path)


def test_two_metrics_of_one_file_cannot_have_one_name(written: Written) -> None:
    before = available()
    with pytest.raises(MetaphraseError, match="MP523"):
        load_metrics(written(CONSTANT + CONSTANT.replace("Constant", "Again")))
    assert available() == before


def test_two_files_cannot_have_one_name(written: Written, tmp_path: Path) -> None:
    load_metrics(written(CONSTANT))
    other = tmp_path / "other.py"
    other.write_text(HEAD + CONSTANT)
    with pytest.raises(MetaphraseError, match=r"MP523.* of mine\.py@"):
        load_metrics(other)


class TestPickling:
    """Whoever gets such a metric runs the file, if it is still the same."""

    def test_in_the_same_process(self) -> None:
        load_metrics(EXAMPLE)
        metric = create("word-recall:lowercase=no")
        assert pickle.loads(pickle.dumps(metric)) == metric
        assert deepcopy(metric) == metric

    def test_in_another_process(self, tmp_path: Path) -> None:
        load_metrics(EXAMPLE)
        file = tmp_path / "metric.pickle"
        file.write_bytes(pickle.dumps(create("word-recall:lowercase=no")))
        code = (
            "import pickle, pathlib, sys\n"
            "metric = pickle.loads(pathlib.Path(sys.argv[1]).read_bytes())\n"
            f"print(metric, metric.sentence_score(*{PAIR}).score)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, file], capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == "WordRecall(lowercase=False) 0.5"

    def test_in_a_pool_of_fresh_processes(self) -> None:
        load_metrics(EXAMPLE)
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            assert pool.submit(create("word-recall").segment_scores, ["a"], [["a"]]).result() == [1]

    def test_in_threads(self) -> None:
        with temporary_metrics():
            load_metrics(EXAMPLE)
            content = pickle.dumps(create("word-recall"))
        with ThreadPoolExecutor(8) as pool:
            kinds = {type(metric) for metric in pool.map(pickle.loads, [content] * 16)}
        assert len(kinds) == 1

    def test_a_changed_file_is_refused(self, written: Written) -> None:
        load_metrics(written(CONSTANT))
        content = pickle.dumps(create("constant"))
        assert pickle.loads(content) == create("constant")
        load_metrics(written(CONSTANT.replace("always", "nearly always")))
        with pytest.raises(MetaphraseError, match="MP527"):
            pickle.loads(content)

    def test_what_others_derive_from_it_is_theirs(self) -> None:
        load_metrics(EXAMPLE)
        kind = registry.find("word-recall")
        derived = type("Derived", (kind,), {"name": "derived", "__module__": __name__})
        globals()["Derived"] = derived
        assert isinstance(pickle.loads(pickle.dumps(derived())), derived)


def test_a_failure_is_said_of_the_file(written: Written) -> None:
    path = written(CONSTANT.replace("[self.value, 1.0]", "[self.value, 1 / 0]"))
    load_metrics(path)
    assert create("constant").value == 0.5  # type: ignore[attr-defined]
    with pytest.raises(ZeroDivisionError) as caught:
        create("constant").sentence_score("a", ["b"])
    failure = plugin_failure(caught.value)
    assert failure is not None
    assert re.search(rf"^\[MP526\] {path}, line 14: .*constant of mine\.py@", str(failure))
    with pytest.raises(TypeError) as ours:
        Bleu().sentence_score(3)  # type: ignore[call-arg,arg-type]
    assert plugin_failure(ours.value) is None


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("[1.0, 1.0]", r"segments 1, shape \(2,\)"),
        ("np.ones((3, 2))", r"segments 1, shape \(3, 2\)"),
        ("[[np.nan, 1.0]]", "finite numbers for each segment"),
    ],
)
def test_what_it_computes_is_checked(written: Written, rows: str, words: str) -> None:
    load_metrics(
        written(CONSTANT.replace("np.tile([self.value, 1.0], (len(comparison), 1))", rows))
    )
    with pytest.raises(MetaphraseError, match=rf"MP524.* of constant \(mine\.py@.*{words}"):
        create("constant").sentence_score("a", ["b"])


def test_lists_will_do(written: Written) -> None:
    load_metrics(
        written(CONSTANT.replace("np.tile([self.value, 1.0], (len(comparison), 1))", "[[1, 2]]"))
    )
    assert create("constant").segment_scores(["a"], [["b"]]).tolist() == [0.5]


def test_scoring_takes_it_like_any_other() -> None:
    load_metrics(EXAMPLE)
    corpus = metaphrase.Corpus({"one": ["a b", "c d"], "two": ["a x", "y z"]}, [["a b", "c d"]])
    scores = metaphrase.score(corpus, ["word-recall", "ter"], keep_statistics=True)
    assert scores.systems[1].system["word-recall"] == 0.25
    tested = metaphrase.resample(scores, ["word-recall", "ter"], confidence=20)
    assert tested.systems[0].resampled["word-recall"].interval is not None
    assert isinstance(create("word-recall"), Metric)
