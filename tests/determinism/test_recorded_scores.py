"""Scores are the same bytes however they are computed: docs/reliability.md, "Determinism"."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import lru_cache
from locale import LC_ALL, Error, setlocale
from pathlib import Path

import pytest

import metaphrase
from determinism.scored_bytes import (
    CORPORA,
    VARIANTS,
    apart,
    corpus_file,
    fingerprint,
    is_ours,
    metrics_of,
    recorded,
    scored,
)
from metaphrase.analysis import registry as analysers
from metaphrase.analysis.analyser import Analyser
from metaphrase.analysis.cache import CachedAnalyser
from metaphrase.corpus import read_jsonl, read_tsv
from metaphrase.errors import ResourceError
from metaphrase.metrics import available, obstacle
from metaphrase.report import score_json

pytestmark = pytest.mark.filterwarnings(r"ignore:\[MP585\]")
CHANGED = (
    "If numbers may change: PYTHONPATH=tests python -m determinism record; see docs/reliability.md"
)


def hashes(written: bytes) -> dict[str, str]:
    return {metric: fingerprint(alone) for metric, alone in apart(written).items()}


def expected(corpus: str) -> dict[str, str]:
    here = metrics_of(corpus)
    return {m: digest for (c, m), digest in recorded().items() if c == corpus and m in here}


def test_every_metric_is_scored() -> None:
    assert VARIANTS.keys() == {name for name, kind in available().items() if is_ours(kind)}


@pytest.mark.parametrize("corpus", CORPORA)
def test_what_was_recorded_can_be_scored_or_lacks_an_extra(corpus: str) -> None:
    here = set(metrics_of(corpus))
    known = {m for c, m in recorded() if c == corpus}
    assert here <= known, CHANGED
    for metric in known - here:
        assert isinstance(obstacle(metric, lang=CORPORA[corpus]), ResourceError), metric


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("threads", [1, 2, 8])
def test_scores_do_not_depend_on_threads(corpus: str, threads: int) -> None:
    assert hashes(scored(corpus, metrics_of(corpus), threads)) == expected(corpus), CHANGED


def test_scores_do_not_depend_on_other_metrics() -> None:
    for metric, digest in expected("de").items():
        assert hashes(scored("de", [metric])) == {metric: digest}, metric


@pytest.mark.parametrize("corpus", ["en", "zh"])
def test_scores_do_not_depend_on_the_order_of_metrics(corpus: str) -> None:
    backwards = metrics_of(corpus)[::-1]
    assert hashes(scored(corpus, backwards, 2)) == expected(corpus)


@pytest.mark.parametrize("corpus", ["en", "strange"])
@pytest.mark.parametrize("size", [1, 7])
def test_scores_do_not_depend_on_the_size_of_pieces(corpus: str, size: int) -> None:
    path = corpus_file(corpus)
    whole = (read_tsv if path.suffix == ".tsv" else read_jsonl)(path, empty_references="keep")
    pieces = [whole[first : first + size] for first in range(0, len(whole), size)]
    scores = metaphrase.score(
        pieces, metrics_of(corpus), levels=["system", "document", "segment"], lang=CORPORA[corpus]
    )
    assert hashes(f"{score_json(scores)}\n".encode()) == expected(corpus)


def test_scores_do_not_depend_on_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    @lru_cache
    def cached(name: str, state: tuple[int, ...]) -> Analyser:
        return CachedAnalyser(analysers.load(name), tmp_path)

    monkeypatch.setattr(analysers, "_shared", cached)
    written = [hashes(scored("en", metrics_of("en"))) for _ in ("empty", "filled")]
    assert (tmp_path / "analyses.sqlite").exists()
    assert written == [expected("en")] * 2
    for name in ("builtin:en",):
        cached(name, ()).close()  # type: ignore[attr-defined]


def has_locale(name: str) -> bool:
    before = setlocale(LC_ALL)
    try:
        setlocale(LC_ALL, name)
    except Error:
        return False
    finally:
        setlocale(LC_ALL, before)
    return True


ENVIRONMENTS = {
    "hashes of strings": {"PYTHONHASHSEED": "1", "LC_ALL": "C.UTF-8", "TZ": "Asia/Kathmandu"},
    "plain C": {"PYTHONHASHSEED": "4294967295", "LC_ALL": "C", "PYTHONUTF8": "0", "TZ": "UTC"},
    "Turkish": {"PYTHONHASHSEED": "0", "LC_ALL": "tr_TR.UTF-8"},
    "no wide registers in NumPy": {"NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL"},
}  # fmt: skip


@pytest.mark.parametrize("named", ENVIRONMENTS)
def test_scores_do_not_depend_on_the_environment(named: str) -> None:
    environment = ENVIRONMENTS[named]
    if named == "Turkish" and not has_locale(environment["LC_ALL"]):
        pytest.skip("the machine has no Turkish locale")
    checked = subprocess.run(
        [sys.executable, "-m", "determinism", "check", "en", "zh", "strange"],
        env={**os.environ, **environment, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
