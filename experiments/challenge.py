"""How often metrics prefer the good translation of ``examples/challenge``, by kind and language.

``python -m experiments.challenge [METRIC …]``: the metrics named, or else all of METRICS, that know a
language. It writes docs/results/challenge.md, or with ``--print`` nothing. METEOR needs the extra
``paraphrases``, Chinese the extra ``zh``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from experiments.frame import fingerprint, replace_section
from experiments.probe_tables import kind_lines
from experiments.probes import data_lines, known_metrics, seen_lines
from metaphrase.metrics import Metric
from metaphrase.probing import Challenge, Probed, probe, read_challenges

DIRECTORY = Path(__file__).parents[1] / "examples" / "challenge"
LANGUAGES = ("en", "de", "fr", "es", "cs", "zh")
METRICS = (
    "accord",
    "accord:context",
    "bleu",
    "chrf",
    "ter",
    "tesla-m",
    "cobalt",
    "pbe",
    "ppda+f",
    "meteor",
)
#: As on the other pages: TER finds words by spaces otherwise.
CHINESE = {"ter": "ter:normalized=yes:asian_support=yes"}
#: How far the good translation is from the reference; the middle of an id.
DISTANCES = ("mild", "free")
#: The kind whose good translation is the reference in another typography.
EQUAL = "equal"

Sets = Mapping[str, Sequence[Challenge]]


def read_sets() -> dict[str, list[Challenge]]:
    """The items of each language."""
    return {language: read_challenges(DIRECTORY / f"{language}.tsv") for language in LANGUAGES}


def distance(item: Challenge) -> str:
    """``mild`` or ``free``."""
    return item.id.split("-")[1]


def item_lines(sets: Sets) -> Iterator[str]:
    """How many items each kind and each distance has."""
    rows = [(item.severity, item.kind) for items in sets.values() for item in items]
    yield f"| severity | kind | {' | '.join(sets)} |"
    yield f"| --- | --- |{' ---: |' * len(sets)}"
    for severity, kind in dict.fromkeys(rows):
        counts = [sum(item.kind == kind for item in items) for items in sets.values()]
        yield f"| {severity} | {kind} | {' | '.join(map(str, counts))} |"
    for name in DISTANCES:
        counts = [sum(distance(item) == name for item in items) for items in sets.values()]
        yield f"| | *{name}* | {' | '.join(map(str, counts))} |"
    yield f"| | *all* | {' | '.join(str(len(items)) for items in sets.values())} |"


def mean_lines(probed: Mapping[str, Probed]) -> Iterator[str]:
    """Per cent of items right, mild and free; a dash where the metric does not know the language."""
    yield f"| metric | {' | '.join(probed)} |"
    yield f"| --- |{' ---: |' * len(probed)}"
    for family in _families(probed):
        cells = [_right(one, family) for one in probed.values()]
        yield f"| `{family}` | {' | '.join(cells)} |"


def same_lines(probed: Mapping[str, Probed]) -> Iterator[str]:
    """Per cent of typographic variants that tie with the reference itself."""
    yield f"| metric | {' | '.join(probed)} |"
    yield f"| --- |{' ---: |' * len(probed)}"
    for family in _families(probed):
        cells = [
            f"{100 * np.mean(one.tied(name)):.0f}" if (name := _member(one, family)) else "—"
            for one in probed.values()
        ]
        yield f"| `{family}` | {' | '.join(cells)} |"


def pooled(probed: Mapping[str, Probed]) -> Probed:
    """All languages as one set, for the metrics that know all of them."""
    parts = list(probed.values())
    families = [name for name in _families(probed) if all(_member(one, name) for one in parts)]
    places = [[_names(one).index(_member(one, name)) for name in families] for one in parts]
    return Probed(
        items=tuple(item for one in parts for item in one.items),
        metrics=tuple(
            replace(parts[0].metrics[place], name=name)
            for place, name in zip(places[0], families, strict=True)
        ),
        good=np.hstack([one.good[rows] for one, rows in zip(parts, places, strict=True)]),
        bad=np.hstack([one.bad[rows] for one, rows in zip(parts, places, strict=True)]),
    )


def variants(items: Sequence[Challenge]) -> list[Challenge]:
    """The reference itself against its typographic variant: a metric that compares text has a tie."""
    return [
        replace(item, good=item.reference, bad=item.good) for item in items if item.kind == EQUAL
    ]


def _families(probed: Mapping[str, Probed]) -> list[str]:
    return list(dict.fromkeys(_family(name) for one in probed.values() for name in _names(one)))


def _family(name: str) -> str:
    """What a metric is called in languages that need no options."""
    return next((usual for usual, special in CHINESE.items() if special == name), name)


def _names(probed: Probed) -> list[str]:
    return [info.name for info in probed.metrics]


def _member(probed: Probed, family: str) -> str:
    """The metric's name with its options; empty if it was not measured."""
    return next((name for name in _names(probed) if _family(name) == family), "")


def _right(probed: Probed, family: str) -> str:
    name = _member(probed, family)
    if not name:
        return "—"
    distances = np.array([distance(item) for item in probed.items])
    right = probed.right(name)
    return " / ".join(f"{100 * np.mean(right[distances == one]):.1f}" for one in DISTANCES)


def _metrics(language: str, names: Sequence[str]) -> list[Metric]:
    special = CHINESE if language == "zh" else {}
    return list(known_metrics(language, [special.get(name, name) for name in names]))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m experiments.challenge", description=__doc__)
    parser.add_argument("metrics", nargs="*", metavar="METRIC", default=METRICS)
    parser.add_argument("--print", action="store_true", help="write nothing")
    options = parser.parse_args(arguments)
    sets = read_sets()
    probed: dict[str, Probed] = {}
    same: dict[str, Probed] = {}
    for language, items in sets.items():
        metrics = _metrics(language, options.metrics)
        # One word says too little about its language.
        probed[language] = probe(items, metrics, check_language=False)
        same[language] = probe(variants(items), metrics, check_language=False)
    all_items = pooled(probed)
    mark = fingerprint(*(DIRECTORY / f"{language}.tsv" for language in LANGUAGES))
    sections = {
        "challenge-items": list(item_lines(sets)),
        "challenge": list(mean_lines(probed)),
        "challenge-equal": list(same_lines(same)),
        "challenge-kinds": list(kind_lines(all_items, all_items.kinds)),
        "challenge-languages": list(seen_lines(probed))[:-1],
        "challenge-data": list(data_lines(probed, f"examples/challenge ({mark})")),
    }
    for name, lines in sections.items():
        print("\n".join([*lines, ""]))
        if not options.print:
            replace_section(name, lines)


if __name__ == "__main__":
    main()
