"""Several threads of Python score at once, each with threads of the core, and share metrics and analysers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from metaphrase import Corpus, analysis, score
from small_metrics import NAMES, small

WORDS = "the heavy rain has caused floods in several small villages and nobody remembers who said it".split()


def sentences(step: int, count: int) -> list[str]:
    """Enough of them that every kernel gives each of its threads something to do."""
    return [
        " ".join(WORDS[(i * step + j * (1 + i % 3)) % len(WORDS)] for j in range(2 + i % 7))
        + f" {i % 11} ."
        for i in range(count)
    ]


REFERENCES = sentences(5, 300)
SYSTEMS = {"a": sentences(3, 300), "b": sentences(7, 300)}


@pytest.mark.parametrize("name", NAMES)
def test_scores_are_those_of_one_thread(name: str) -> None:
    metric = small(name)
    corpus = Corpus(SYSTEMS, [REFERENCES])

    def found(threads: int) -> object:
        return score(corpus, [metric], levels=["system", "segment"], threads=threads).to_dict()

    alone = found(1)
    with ThreadPoolExecutor(3) as pool:
        assert all(scores == alone for scores in pool.map(found, [4, 2, 3]))


@pytest.mark.parametrize("language", ["en", "de", "de+compounds", "fr", "es", "cs"])
def test_analyses_are_those_of_one_thread(language: str) -> None:
    columns = ["lemma", "tag", "upos", "head", "relation"]
    alone = list(analysis.load(f"builtin:{language}").analyse(REFERENCES, columns, threads=1))
    shared = analysis.load(f"builtin:{language}")
    with ThreadPoolExecutor(3) as pool:
        for found in pool.map(
            lambda n: list(shared.analyse(REFERENCES, columns, threads=n)), [4, 2, 3]
        ):
            assert found == alone
