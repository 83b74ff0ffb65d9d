"""Real tasks of lm-evaluation-harness on our metrics, offline; few machines have it."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import metaphrase
from metaphrase.errors import InputError, OptionError
from metaphrase.metrics import available, create

pytest.importorskip("lm_eval", reason="lm-evaluation-harness is not installed")

os.environ |= {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}

from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.api.registry import metric_registry
from lm_eval.tasks import TaskManager

from metaphrase.interchange import lm_eval_metrics
from metaphrase.interchange.lm_eval_metrics import corpus_score, metric

pytestmark = pytest.mark.filterwarnings("ignore")  # of the harness and what it imports

EXAMPLES = Path(__file__).parents[2] / "examples"
REFERENCES = (EXAMPLES / "reference.txt").read_text("utf-8").splitlines()
ANSWERS = (EXAMPLES / "system-b.txt").read_text("utf-8").splitlines()
HEAD = """
task: {name}
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{source}}}}"
generation_kwargs: {{until: ["\\n"]}}
"""


class Parrot(LM):
    """A model that knows the answers of system-b."""

    def generate_until(self, requests: list[Any], disable_tqdm: bool = False) -> list[str]:
        return [ANSWERS[request.doc_id] for request in requests]

    def loglikelihood(self, requests: list[Any], disable_tqdm: bool = False) -> Any:
        raise NotImplementedError

    def loglikelihood_rolling(self, requests: list[Any], disable_tqdm: bool = False) -> Any:
        raise NotImplementedError


@pytest.fixture(autouse=True)
def _away_from_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path)
    monkeypatch.chdir(EXAMPLES)


def run(folder: Path, name: str, **options: Any) -> Any:
    manager = TaskManager(include_path=str(folder), include_defaults=False)
    return simple_evaluate(Parrot(), tasks=[name], task_manager=manager, **options)


def task(folder: Path, name: str, rest: str, rows: list[dict[str, Any]] | None = None) -> Path:
    """A folder with one task over the twelve examples."""
    made = rows or [
        {"source": f"{i}", "reference": reference} for i, reference in enumerate(REFERENCES)
    ]
    data = folder / f"{name}.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in made), "utf-8")
    (folder / f"{name}.yaml").write_text(HEAD.format(name=name, data=data) + rest, "utf-8")
    return folder


def bootstrapped(rows: np.ndarray, metric: metaphrase.Metric) -> float:
    """The slow and obvious standard error, from the draws of our intervals."""
    draws = np.random.default_rng(12345).integers(0, len(rows), size=(1000, len(rows)))
    return float(np.std([float(metric.score(rows[one].sum(axis=0))) for one in draws], ddof=1))


def test_the_example_has_the_scores_of_the_corpus() -> None:
    found = run(EXAMPLES / "lm-eval", "german-english", log_samples=True)
    results = found["results"]["german-english"]
    for name, made in {
        "accord": create("accord"),
        "chrf++": create("chrf++"),
        "ter": create("ter:case_sensitive=yes"),
    }.items():
        label = f"metaphrase_{name}"
        assert results[f"{label},none"] == made.corpus_score(ANSWERS, [REFERENCES]).score
        samples = found["samples"]["german-english"]
        scores = made.segment_scores(ANSWERS, [REFERENCES])
        assert [sample[label] for sample in samples] == scores.tolist()
        rows = np.array([sample[f"{label}_stderr"] for sample in samples])
        assert results[f"{label}_stderr,none"] == pytest.approx(bootstrapped(rows, made))
        assert found["higher_is_better"]["german-english"][label] == made.higher_is_better
        json.dumps(samples[0])


def test_our_chrf_is_the_one_of_the_harness(tmp_path: Path) -> None:
    rest = """
doc_to_target: "{{reference}}"
metric_list:
  - metric: chrf
  - metric: metaphrase_chrf
"""
    found = run(task(tmp_path, "both", rest), "both", bootstrap_iters=100)["results"]["both"]
    assert found["metaphrase_chrf,none"] == pytest.approx(found["chrf,none"], rel=1e-12)
    assert found["metaphrase_chrf_stderr,none"] == pytest.approx(found["chrf_stderr,none"], rel=0.4)


def test_every_metric_is_registered() -> None:
    assert {f"metaphrase_{name}" for name in available()} <= set(metric_registry)


def test_options_and_language_stand_in_the_task(tmp_path: Path) -> None:
    rest = """
doc_to_target: "{{reference}}"
metric_list:
  - metric: !function metaphrase.interchange.lm_eval_metrics.bleu
    lang: de
    tokenize: char
  - metric: !function metaphrase.interchange.lm_eval_metrics.chrf:beta=3
"""
    found = run(task(tmp_path, "options", rest), "options")["results"]["options"]
    expected = create("bleu", lang="de", tokenize="char").corpus_score(ANSWERS, [REFERENCES]).score
    assert found["metaphrase_bleu,none"] == expected
    expected = create("chrf:beta=3").corpus_score(ANSWERS, [REFERENCES]).score
    assert found["metaphrase_chrf:beta=3,none"] == expected


def test_several_references_by_a_function_of_the_task(tmp_path: Path) -> None:
    (tmp_path / "several.py").write_text(
        "from metaphrase.interchange.lm_eval_metrics import metric\n"
        "accord = metric('accord')\n"
        "def process_results(doc, results):\n"
        "    return accord(predictions=results, references=[doc['references']])\n",
        "utf-8",
    )
    rest = """
doc_to_target: "{{references[0]}}"
process_results: !function several.process_results
metric_list:
  - metric: metaphrase_accord
  - metric: metaphrase_accord_stderr
    aggregation: metaphrase_corpus_score
    higher_is_better: true
"""
    others = (EXAMPLES / "system-a.txt").read_text("utf-8").splitlines()
    rows = [
        {"source": "s", "references": [one, other]}
        for one, other in zip(REFERENCES, others, strict=True)
    ]
    found = run(task(tmp_path, "several", rest, rows), "several")["results"]["several"]
    expected = create("accord").corpus_score(ANSWERS, [REFERENCES, others]).score
    assert found["metaphrase_accord,none"] == expected
    assert found["metaphrase_accord_stderr,none"] > 0


def test_several_targets_would_be_a_yes_or_no(tmp_path: Path) -> None:
    rest = """
doc_to_target: references
metric_list:
  - metric: !function metaphrase.interchange.lm_eval_metrics.chrf
"""
    rows = [{"source": "s", "references": [one, one]} for one in REFERENCES]
    with pytest.raises(OptionError, match="MP956"):
        run(task(tmp_path, "targets", rest, rows), "targets")


def test_another_aggregation_is_refused(tmp_path: Path) -> None:
    rest = """
doc_to_target: "{{reference}}"
metric_list:
  - metric: !function metaphrase.interchange.lm_eval_metrics.chrf
    aggregation: mean
    higher_is_better: true
"""
    with pytest.raises(OptionError, match="MP955"):
        run(task(tmp_path, "mean", rest), "mean")
    with pytest.raises(OptionError, match="MP955"):
        corpus_score([1.0, 0.0])  # type: ignore[list-item]


def test_what_cannot_be_is_refused_before_a_model_answers() -> None:
    with pytest.raises(OptionError, match=r"MP504.*accord"):
        metric("acord")
    with pytest.raises(OptionError, match="MP957"):
        metric("nist")
    with pytest.raises(OptionError, match="MP957"):
        _ = lm_eval_metrics.nist


def test_an_answer_is_one_text() -> None:
    chrf = metric("chrf")
    with pytest.raises(InputError, match="MP958"):
        chrf(predictions=[["a", "b"]], references=["a"])  # type: ignore[list-item]
    with pytest.raises(InputError, match="MP958"):
        chrf(predictions=["a", "b"], references=["a", "b"])
    with pytest.raises(InputError, match="MP958"):
        chrf(predictions={"a"}, references=["a"])  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="MP501"):
        chrf(predictions=["a"], references=["a"], betta=3)
    for nothing in ("", " ", [], ["a", ""], None, 7, {"a", "b"}):
        with pytest.raises(InputError, match=r"MP958.*'a cat' has no reference"):
            chrf(predictions=["a cat"], references=[nothing])  # type: ignore[list-item]
    assert chrf(predictions=[""], references=["a cat"])["metaphrase_chrf"] == 0.0


def test_one_answer_has_no_standard_error() -> None:
    found = metric("chrf")(predictions=["a cat"], references=["a cat sat"])
    assert corpus_score([found["metaphrase_chrf_stderr"]]) == "N/A"


def test_scores_of_other_processes_are_the_same() -> None:
    found = metric("chrf")(predictions=["a cat"], references=["a cat sat"])
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    for name, value in found.items():
        assert corpus_score([again[name]] * 2) == corpus_score([value] * 2)


def test_the_page_shows_the_example() -> None:
    task = (EXAMPLES / "lm-eval" / "german-english.yaml").read_text("utf-8").partition("\n")[2]
    page = (EXAMPLES.parent / "docs" / "interchange.md").read_text("utf-8")
    assert f"```yaml\n{task}```" in page


def test_the_command_runs_the_example(tmp_path: Path) -> None:
    """As the page has it, with the harness' own model that answers the same thing to everything."""
    words = "--model dummy --include_path lm-eval --tasks german-english".split()
    done = subprocess.run(
        [sys.executable, "-m", "lm_eval", *words, "--output_path", str(tmp_path / "out")],
        cwd=EXAMPLES,
        env={**os.environ, "HF_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    (path,) = tmp_path.glob("out/**/results*.json")
    results = json.loads(path.read_text("utf-8"))["results"]["german-english"]
    expected = create("accord").corpus_score(["lol"] * 12, [REFERENCES]).score
    assert results["metaphrase_accord,none"] == expected
    assert "accord|nrefs:1|lang:en|" in done.stderr
