"""How often metrics see errors that ``metaphrase probe --make`` puts into translations in six languages.

``python -m experiments.probes`` with METAPHRASE_DATA set: of each of the first 300 segments of wmt12 that
people ranked, the translation that the first judge put first; of wmt17da, for Chinese, the one that people
liked best. It writes docs/results/probes.md: what was made of them, and what the metrics that know the
language see of it; and how often treebanks confirm that a word whose agreement was broken has other features
than before. TESLA needs metaphrase-pivots, METEOR the extra ``paraphrases``, Chinese the extra ``zh``.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from experiments.frame import data_directory, fingerprint, replace_section
from experiments.probe_tables import kind_lines, signature_lines
from experiments.result_plan import CHINESE, ENGLISH
from experiments.treebank_features import agreement_lines
from metaphrase import __version__
from metaphrase.errors import MetaphraseError
from metaphrase.meta import read_judgements
from metaphrase.metrics import Metric, create
from metaphrase.probing import KINDS, Made, Probed, make_challenges, probe

FILE = "judgements/wmt12.rank.jsonl.gz"
CHINESE_FILE = "judgements/wmt17da.zh.tsv.gz"
#: Into which language, and from which; texts into English come from German.
PAIRS = {"en": "de-en", "de": "en-de", "fr": "en-fr", "es": "en-es", "cs": "en-cs"}
METRICS = tuple(dict.fromkeys(row.metric for row in ENGLISH))
#: Others find words by spaces.
CHINESE_METRICS = tuple(dict.fromkeys(row.metric.partition(":synonyms")[0] for row in CHINESE))
SEGMENTS = 300


@dataclass(frozen=True, slots=True)
class Texts:
    """References, and translations that somebody ranked first."""

    references: list[str]
    translations: list[str]


def read_texts() -> dict[str, Texts]:
    """The first segments of each pair."""
    languages = {pair: language for language, pair in PAIRS.items()}
    found: dict[str, dict[str, str]] = {language: {} for language in PAIRS}
    with gzip.open(data_directory() / FILE, "rt", encoding="utf-8") as stream:
        for row in map(json.loads, stream):
            language = languages.get(row["lp"])
            if language is None or len(found[language]) == SEGMENTS:
                continue
            best = min(row["items"], key=lambda item: item["rank"])
            found[language].setdefault(row["ref"], best["hyp"])
    texts = {language: Texts(list(some), list(some.values())) for language, some in found.items()}
    return {**texts, "zh": _chinese()}


def _chinese() -> Texts:
    (judged,) = read_judgements(data_directory() / CHINESE_FILE).values()
    best: dict[str, str] = {}
    for segment in range(len(judged.segments)):
        human = judged.human[:, segment]
        if len(best) < SEGMENTS and not np.isnan(human).all():
            text = judged.texts[judged.text_of[int(np.nanargmax(human)), segment]]
            best.setdefault(text.references[0], text.hypothesis)
    return Texts(list(best), list(best.values()))


def known_metrics(language: str, names: Sequence[str]) -> Iterator[Metric]:
    """The metrics, of those named, that run in a language with what is installed."""
    for name in names:
        try:
            metric = create(name, lang=language)
            metric.signature(1)
        except MetaphraseError as error:
            print(f"{language} without {name}: {error}", file=sys.stderr)
            continue
        yield metric


def made_lines(made: Mapping[str, Made]) -> Iterator[str]:
    """How many texts each kind of error could be put into."""
    yield f"| kind | {' | '.join(made)} | what was done |"
    yield f"| --- |{' ---: |' * len(made)} --- |"
    for kind in KINDS.values():
        counts = [str(one.counts.get(kind.name, "—")) for one in made.values()]
        yield f"| {kind.name} | {' | '.join(counts)} | {kind.description} |"


def seen_lines(probed: Mapping[str, Probed]) -> Iterator[str]:
    """A table for each language."""
    for language, one in probed.items():
        yield from (f"**{language}**", "", *kind_lines(one, one.kinds), "")


def data_lines(probed: Mapping[str, Probed], data: str) -> Iterator[str]:
    for language, one in probed.items():
        yield from (f"**{language}**", "", *signature_lines(one))
    yield f"metaphrase {__version__}; data: {data}."


def _with(made: Mapping[str, Made], kind: str) -> dict[str, Made]:
    return {language: one for language, one in made.items() if kind in one.counts}


def main() -> None:
    made: dict[str, Made] = {}
    probed: dict[str, Probed] = {}
    for language, texts in read_texts().items():
        print(language, file=sys.stderr, flush=True)
        made[language] = make_challenges(
            texts.references, texts.translations, lang=language, threads=os.cpu_count() or 1
        )
        names = CHINESE_METRICS if language == "zh" else METRICS
        metrics = list(known_metrics(language, names))
        probed[language] = probe(made[language].items, metrics, check_language=False)
    files = {name: fingerprint(data_directory() / name) for name in (FILE, CHINESE_FILE)}
    data = ", ".join(f"{name} ({mark})" for name, mark in files.items())
    sections = {
        "probes-made": list(made_lines(made)),
        "probes-agreement": list(agreement_lines(_with(made, "agreement"))),
        "probes": list(seen_lines(probed))[:-1],
        "probes-data": list(data_lines(probed, data)),
    }
    for name, lines in sections.items():
        print("\n".join([*lines, ""]))
        replace_section(name, lines)


if __name__ == "__main__":
    main()
