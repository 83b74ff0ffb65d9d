"""mbrs' own decoders on our metrics; it brings torch, so that few machines have it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import metaphrase
from metaphrase.errors import InputError, OptionError
from metaphrase.metrics import create

torch = pytest.importorskip("torch")
mbrs_metrics = pytest.importorskip("mbrs.metrics")

from mbrs.decoders import DecoderAggregateMBR, DecoderMBR, DecoderPruningMBR  # noqa: E402
from mbrs.selectors import get_selector  # noqa: E402

from metaphrase.interchange.mbrs_metric import MbrsMetric, MbrsSelector  # noqa: E402

SAMPLES = [
    "The cat sat on the mat .",
    "A cat is sitting on the mat .",
    "The cat sat on a mat .",
    "The cat sat on the mat .",
    "Cat mat .",
    "The feline rested upon a rug .",
    "The cats sat on the mats .",
    "",
]
LOGARITHMS = [-1.0, -2.5, -1.5, -1.0, -7.0, -4.0, -3.0, -9.0]
NAMES = [
    "accord",
    "bleu",
    "chrf",
    "chrf++",
    "cobalt",
    "meteor:paraphrases=none",
    "nist",
    "ter",
    "tesla-m",
]
OF_COUNTS = ["bleu", "chrf", "chrf++", "nist"]


def ours(name: str) -> MbrsMetric:
    return MbrsMetric(MbrsMetric.Config(name=name, threads=1))


def decoder(kind: type, name: str) -> DecoderMBR:
    return kind(kind.Config(), ours(name), MbrsSelector(MbrsSelector.Config()))  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", NAMES)
def test_scores_are_ours(name: str) -> None:
    metric, theirs = create(name), ours(name)
    texts, references = SAMPLES[:-1], SAMPLES[-2::-1]
    expected = metric.segment_scores(texts, [references])
    assert theirs.scores(texts, references).tolist() == expected.tolist()
    matrix = theirs.pairwise_scores(SAMPLES, references[:3])
    assert matrix.tolist() == metaphrase.pairwise(metric, SAMPLES, references[:3]).tolist()
    single = metric.sentence_score(texts[0], [texts[1]]).score
    assert theirs.score(texts[0], texts[1]) == single
    whole = metric.corpus_score(texts, [references, texts]).score
    assert theirs.corpus_score(texts, [references, texts]) == whole
    assert metric.higher_is_better == theirs.HIGHER_IS_BETTER


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("weighted", [False, True])
def test_its_decoder_chooses_what_select_chooses(name: str, weighted: bool) -> None:
    logarithms = torch.tensor(LOGARITHMS, dtype=torch.float32) if weighted else None
    found = decoder(DecoderMBR, name).decode(
        SAMPLES, SAMPLES, nbest=len(SAMPLES), reference_lprobs=logarithms
    )
    weights = metaphrase.selection.probabilities(LOGARITHMS) if weighted else None
    expected = metaphrase.select(SAMPLES, name, weights=weights)
    assert found.idx == expected.order.tolist()
    assert found.sentence[0] == expected.text
    assert found.score == expected.utilities[expected.order].tolist()


@pytest.mark.parametrize("name", NAMES)
def test_expected_scores_are_what_mbrs_makes_of_the_matrix(name: str) -> None:
    logarithms = torch.tensor(LOGARITHMS)
    metric = ours(name)
    found = metric.expected_scores(SAMPLES, SAMPLES, reference_lprobs=logarithms)
    inherited = super(MbrsMetric, metric).expected_scores(
        SAMPLES, SAMPLES, reference_lprobs=logarithms
    )
    np.testing.assert_allclose(found, inherited, rtol=1e-5)


@pytest.mark.parametrize("name", OF_COUNTS)
def test_its_decoder_aggregates_as_select_does(name: str) -> None:
    found = decoder(DecoderAggregateMBR, name).decode(SAMPLES, SAMPLES, nbest=len(SAMPLES))
    expected = metaphrase.select(SAMPLES, name, aggregate=True)
    assert found.idx == expected.order.tolist()
    assert found.score == expected.utilities[expected.order].tolist()


def test_only_counts_are_aggregated() -> None:
    with pytest.raises(OptionError, match="MP852"):
        decoder(DecoderAggregateMBR, "accord").decode(SAMPLES, SAMPLES)


@pytest.mark.parametrize(("name", "theirs"), [("chrf", "MetricChrF"), ("bleu", "MetricBLEU")])
def test_scores_are_those_of_its_own_metric(name: str, theirs: str) -> None:
    """Its tensors have 32 bits."""
    kind = getattr(mbrs_metrics, theirs)
    options = {"num_workers": 1}
    expected = kind(kind.Config(**options)).pairwise_scores(SAMPLES[:-1], SAMPLES[:-1])
    found = ours(name).pairwise_scores(SAMPLES[:-1], SAMPLES[:-1])
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_samples_may_be_empty() -> None:
    assert ours("chrf").scores(["a", "", ""], ["", "a", ""]).tolist() == [0.0, 0.0, 0.0]
    assert ours("ter").score("a", "") == metaphrase.pairwise("ter", ["a"], [""])
    assert ours("ter").scores([], []).tolist() == []


def test_its_pruning_decoder_runs() -> None:
    found = decoder(DecoderPruningMBR, "ter").decode(SAMPLES * 4, SAMPLES * 4)
    assert found.sentence == [metaphrase.select(SAMPLES, "ter").text]


def test_of_equal_ones_the_first_comes_first() -> None:
    selector = MbrsSelector(MbrsSelector.Config())
    scores = torch.tensor([1.0, 2.0, 1.0, 2.0] * 50)
    assert selector.select(["a"] * 200, scores, nbest=3).idx == [1, 3, 5]
    assert selector.select(["a"] * 200, scores, nbest=3, maximize=False).idx == [0, 2, 4]


def test_its_registries_know_both_by_name() -> None:
    assert mbrs_metrics.get_metric("metaphrase") is MbrsMetric
    assert get_selector("metaphrase") is MbrsSelector


def test_its_command_takes_them(tmp_path: Path) -> None:
    (tmp_path / "plugins_of_mbrs").mkdir()
    line = "import metaphrase.interchange.mbrs_metric\n"
    (tmp_path / "plugins_of_mbrs" / "__init__.py").write_text(line)
    samples, best = tmp_path / "samples.txt", tmp_path / "best.txt"
    samples.write_text("".join(f"{text}\n" for text in SAMPLES))
    chosen = f"{samples} -n 4 -o {best} --plugin_dir {tmp_path / 'plugins_of_mbrs'} --quiet True"
    chosen += " --metric metaphrase --metric.name chrf --selector metaphrase"
    # A process of its own: the command leaves files open.
    subprocess.run([sys.executable, "-m", "mbrs.cli.decode", *chosen.split()], check=True)
    expected = metaphrase.select([SAMPLES[:4], SAMPLES[4:]], "chrf")
    assert best.read_text().splitlines() == [one.text for one in expected]


def test_what_cannot_be_measured_is_refused() -> None:
    with pytest.raises(OptionError, match="MP570"):
        ours("pbe:tfidf")
    with pytest.raises(InputError, match="MP850"):
        ours("chrf").expected_scores([], [])
    with pytest.raises(InputError, match="MP851"):
        ours("chrf").expected_scores(["a"], ["a"], reference_lprobs=torch.tensor([0.0, 0.0]))
