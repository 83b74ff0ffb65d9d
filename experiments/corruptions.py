"""How often accord scores a corrupted text above what it was made from.

Also what references score when broken, and how often it sees a change of meaning in good translations.

``python -m experiments.corruptions [METRIC …]`` with METAPHRASE_DATA set; accord if nothing is named.
Texts are output of real systems of sets into English and out of it, one error is put in at a time
(``training/accord`` makes the same kinds of errors from other draws). A corruption that brings a word,
a pair of words or a fact nearer to the reference has repaired something and is left out.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from training.accord.corruption import (
    Corrupted,
    generator,
    gross_corruptions,
    is_error,
    penalties_of,
    single_corruptions,
)

from experiments.frame import RESULTS, Data, replace_section
from metaphrase.corpus import Corpus
from metaphrase.errors import ResourceError
from metaphrase.learning.accord import Untrained
from metaphrase.metrics import Metric, compare, create
from metaphrase.metrics.accord.facts import FACTS
from metaphrase.metrics.accord.meaning import CERTAIN, MEANING

SETS = (
    Data("daseg16.en.tsv.gz"),
    Data("wmt21da.en.tsv.gz"),
    Data("wmt15.rank.jsonl.gz", "de"),
    Data("wmt15.rank.jsonl.gz", "fr"),
    Data("wmt15.rank.jsonl.gz", "cs"),
    Data("wmt12.rank.jsonl.gz", "es"),
    Data("wmt15.rank.jsonl.gz", "ru"),
    Data("wmt17da.zh.tsv.gz", "zh"),
)
#: Translations of each set, and references of English that are broken.
TEXTS, REFERENCES = 200, 300
#: Systems of each language pair whose translations are good, and translations of theirs.
BEST, GOOD = 3, 1500
SEED = "experiment"


def texts_of(data: Data) -> tuple[list[str], list[str]]:
    """Hypotheses and references, drawn evenly from all language pairs."""
    hypotheses, references = [], []
    judged = data.judgements()
    for one in judged:
        random = generator(SEED, one.name, one.language_pair)
        rows = [
            text for text in one.texts if text.hypothesis.strip() and text.references[0].strip()
        ]
        for text in random.sample(rows, min(len(rows), TEXTS // len(judged))):
            hypotheses.append(text.hypothesis)
            references.append(text.references[0])
    return hypotheses, references


def real_errors(pairs: Sequence[Corrupted], lang: str) -> list[Corrupted]:
    """Those that damage something and repair nothing."""
    metric = Untrained(lang=lang)
    better, worse = (
        penalties_of([(getattr(one, side), one.reference) for one in pairs], metric)
        for side in ("better", "worse")
    )
    errors = is_error(worse - better, metric.families)
    return [one for one, error in zip(pairs, errors, strict=True) if error]


def single(names: Sequence[str]) -> Iterator[str]:
    """A row for each language: pairs, how many score higher, and how many the same."""
    yield f"| texts | pairs | {' | '.join(f'`{name}` higher | equal' for name in names)} |"
    yield f"| --- | ---: |{' ---: | ---: |' * len(names)}"
    for data in SETS:
        hypotheses, references = texts_of(data)
        pairs = real_errors(
            single_corruptions(hypotheses, references, data.target, SEED), data.target
        )
        cells = []
        for name in names:
            try:
                metric = create(name, lang=data.target)
                metric.signature(1)
            except ResourceError:  # accord:context out of English
                cells += ["–", "–"]
                continue
            gained = _scores(metric, [p.worse for p in pairs], pairs) - _scores(
                metric, [p.better for p in pairs], pairs
            )
            gained = np.round(gained, 9)
            kinds = Counter(p.kind for p, more in zip(pairs, gained, strict=True) if more > 0)
            print(data.file, data.target, name, kinds.most_common(8), file=sys.stderr, flush=True)
            cells += [f"{(gained > 0).mean():.2%}", f"{(gained == 0).mean():.2%}"]
        yield f"| {data.file.partition('.')[0]} {data.target} | {len(pairs):,} | {' | '.join(cells)} |"


def _scores(metric: Metric, texts: Sequence[str], pairs: Sequence[Corrupted]) -> np.ndarray:
    found = metric.segment_scores(list(texts), [[pair.reference for pair in pairs]])
    return found if metric.higher_is_better else -found


def gross(names: Sequence[str]) -> Iterator[str]:
    """What references score that were broken in one way, in the mean."""
    _, references = texts_of(Data("wmt21da.en.tsv.gz"))
    references = list(dict.fromkeys(references))[:REFERENCES]
    found: dict[str, list[tuple[str, str]]] = {}
    for kind, row, text in gross_corruptions(references, "en", SEED):
        found.setdefault(kind, []).append((text, references[row]))
    found["twenty times"] = [(" ".join([text] * 20), text) for text in references]
    found["nothing"] = [("", text) for text in references]
    yield f"| the reference … | texts | {' | '.join(f'`{name}`' for name in names)} |"
    yield f"| --- | ---: |{' ---: |' * len(names)}"
    for kind, pairs in found.items():
        cells = []
        for name in names:
            metric = create(name, lang="en")
            scores = metric.segment_scores([text for text, _ in pairs], [[ref for _, ref in pairs]])
            cells.append(f"{scores.mean():.1f}")
        yield f"| {kind} | {len(pairs)} | {' | '.join(cells)} |"


def flags() -> Iterator[str]:
    """How often each change of meaning is seen in the translations of the best systems of wmt21da."""
    metric = Untrained(lang="en")
    found: dict[str, list[float]] = {}
    human: list[float] = []
    for judged in Data("wmt21da.en.tsv.gz").judgements():
        best = np.argsort(-np.nanmean(judged.human, axis=1))[:BEST]
        cells = [
            (int(system), segment)
            for system in best
            for segment in np.flatnonzero(~np.isnan(judged.human[system])).tolist()
        ]
        cells = generator(SEED, judged.language_pair).sample(cells, min(len(cells), GOOD))
        texts = [judged.texts[judged.text_of[cell]] for cell in cells]
        scores = np.array([judged.human[cell] for cell in cells])
        human += scores.tolist()
        corpus = Corpus(
            {"best": [text.hypothesis for text in texts]}, [[text.references[0] for text in texts]]
        )
        (comparison,) = compare(corpus, metric)
        seen = {(kind, row): words for row, kind, words in metric.shifts(comparison)}
        for (kind, row), words in seen.items():
            found.setdefault(kind, []).append(float(scores[row]))
            if kind in (*CERTAIN, "number"):
                print(
                    f"{words}\n  {texts[row].hypothesis}\n  {texts[row].references[0]}",
                    file=sys.stderr,
                )
    yield "| penalty | segments in a thousand | mean z of raters | less than all |"
    yield "| --- | ---: | ---: | ---: |"
    mean = float(np.mean(human))
    for kind in (*CERTAIN, *FACTS, *(kind for kind in MEANING if kind not in CERTAIN)):
        of = found.get(kind, [])
        rated = f"{np.mean(of):+.2f} | {mean - np.mean(of):+.2f}" if of else "– | –"
        yield f"| `{kind}` | {1000 * len(of) / len(human):.1f} | {rated} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m experiments.corruptions", description=__doc__)
    parser.add_argument(
        "metrics", nargs="*", default=["accord", "accord:context", "bleu", "chrf"], metavar="METRIC"
    )
    parser.add_argument("--print", action="store_true", help="write nothing")
    options = parser.parse_args()
    for name, lines, folder in (
        ("corruptions-gross", list(gross(options.metrics)), RESULTS.parent),
        ("corruptions-single", list(single(options.metrics)), RESULTS),
        ("accord-flags", list(flags()), RESULTS),
    ):
        print("\n".join([*lines, ""]))
        if not options.print:
            replace_section(name, lines, folder=folder)


if __name__ == "__main__":
    main()
