"""The ten scores that ship with the authors' program of TESLA-CELAB, and their pairs as a test without text.

``python -m experiments.celab_authors DIRECTORY --cilin FILE [--write]``: the directory has ``ref.txt``,
``sys-tch.txt`` and ``scores-output`` as they come with the program, the file is Cilin, HIT's extended edition
(``cilin.utf8``). It compares ``celab:released`` with the scores, and the same pairs with other symbols in the
place of characters. ``--write`` puts these into the tests: neither sentences nor lines of Cilin are in the
file, only which tokens of a pair are equal and which of its spans are synonyms. The program of a pair is made
of nothing else.
"""

from __future__ import annotations

import argparse
import json
import string
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from metaphrase import Celab, create
from metaphrase.lexicon import Cilin

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "celab_program.json"
#: The program solves by an interior-point method; METRICS 4.5 has the largest difference seen.
TOLERANCE = 1.2e-8
SYMBOLS = string.ascii_letters + string.digits
ABOUT = (
    "The ten pairs that ship with the authors' program, every token replaced by a symbol of its own, with "
    "the synonyms among their spans; scores are the program's (METRICS 4.5). Written by "
    "experiments/celab_authors.py."
)


def spans(tokens: Sequence[str], *, order: int = 4) -> set[tuple[str, ...]]:
    """The sequences of up to ``order`` tokens."""
    return {
        tuple(tokens[start:end])
        for start in range(len(tokens))
        for end in range(start + 1, min(start + order, len(tokens)) + 1)
    }


def recoded(
    reference: Sequence[str], hypothesis: Sequence[str], sets: Iterable[Sequence[str]], *, seed: int
) -> dict[str, Any]:
    """The pair in symbols that say nothing of its tokens but which are equal, and its synonyms."""
    tokens = list(dict.fromkeys([*reference, *hypothesis]))
    if any(len(token) != 1 for token in tokens):
        raise ValueError(
            "a token of several characters could be cut in other ways, symbols could not"
        )
    drawn = np.random.default_rng(seed).permutation(len(SYMBOLS))[: len(tokens)].tolist()
    symbol = dict(zip(tokens, (SYMBOLS[k] for k in drawn), strict=True))

    def spelt(words: Iterable[str]) -> str:
        return "".join(symbol[token] for token in words)

    sides = spans(reference), spans(hypothesis)
    synonyms = set()
    for words in sets:
        members = {tuple(word) for word in words}
        found = [members & side for side in sides]
        if all(found) and len(found[0] | found[1]) > 1:
            synonyms.add(tuple(sorted(map(spelt, found[0] | found[1]))))
    return {
        "reference": spelt(reference),
        "hypothesis": spelt(hypothesis),
        "synonyms": sorted(synonyms),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--cilin", required=True)
    parser.add_argument("--write", action="store_true", help="write the golden file of the tests")
    options = parser.parse_args()
    references, hypotheses = (
        [line.split() for line in (options.directory / name).read_text("utf-8").splitlines()]
        for name in ("ref.txt", "sys-tch.txt")
    )
    expected = np.array(
        [float(x) for x in (options.directory / "scores-output").read_text().split()]
    )

    released = create(
        f"celab:released:presegmented=yes:dictionary=cilin:{options.cilin}", lang="zh"
    )
    texts = [[" ".join(tokens) for tokens in side] for side in (hypotheses, references)]
    scores = released.segment_scores(texts[0], [texts[1]])
    print(
        f"celab:released: {np.abs(scores - expected).max():.2g} from the program's scores at most"
    )
    for other in ("paper", "paper:level=5", "minus"):
        dictionary = "" if other == "minus" else f":dictionary=cilin:{options.cilin}"
        metric = create(f"celab:{other}:presegmented=yes{dictionary}", lang="zh")
        differ = np.abs(metric.segment_scores(texts[0], [texts[1]]) - expected) > TOLERANCE
        print(f"{metric.label}: other scores for {differ.sum()} of {len(expected)} pairs")

    sets = Cilin.read(options.cilin).sets()
    cases = [
        {**recoded(reference, hypothesis, sets, seed=seed), "score": float(score)}
        for seed, (reference, hypothesis, score) in enumerate(
            zip(references, hypotheses, expected, strict=True)
        )
    ]
    largest = max(abs(_score(case) - case["score"]) for case in cases)
    print(f"in other symbols: {largest:.2g} from the program's scores at most")
    if options.write:
        golden = {"about": ABOUT, "tolerance": TOLERANCE, "cases": cases}
        GOLDEN.write_text(json.dumps(golden, indent=1) + "\n", encoding="utf-8")


def _score(case: dict[str, Any]) -> float:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as directory:
        dictionary = "none"
        if case["synonyms"]:
            path = Path(directory, "synonyms.tsv")
            path.write_text("".join("\t".join(words) + "\n" for words in case["synonyms"]))
            dictionary = f"file:{path}"
        metric = Celab(dictionary=dictionary, presegmented=True, normalise=False, released_dp=True)
        hypothesis, reference = (" ".join(case[side]) for side in ("hypothesis", "reference"))
        return metric.sentence_score(hypothesis, [reference]).score


if __name__ == "__main__":
    main()
