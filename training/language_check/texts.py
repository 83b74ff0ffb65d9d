"""Real texts in known languages: which of them train the character statistics, and which judge them.

Training: Europarl and news of ``parallel/``, and sources of WMT 2015 and 2016 (Finnish, Romanian, Turkish)
and of MLQE-PE (Estonian), as there is nothing else; no treebanks and no captions, whose licences ask for
more than a table of letters should. Judging: all other segments of judgements and of the test parts of
treebanks, by set, language, role and system.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from training.english.treebank import EXCLUDED_GENRES, data_path, read
from training.parallel_text import free_lines

LINES = 12_000
#: Lines of each of the smaller sets that train; the rest of them judges.
_FIRST = 400
_RAW = {
    "en": ("europarl.de-en", "news"),
    "de": ("europarl.de-en", "news"),
    "fr": ("europarl.fr-en", "news"),
    "es": ("europarl.es-en", "news"),
    "cs": ("news", "extra.cs-en"),
}
_HELD_OUT_TREEBANKS = {
    "en": ("en_ewt-test", "en_gum-all"),
    "de": ("de_gsd-test", "de_lit-test", "de_pud"),
    "fr": ("fr_sequoia-test", "fr_gsd-test"),
    "es": ("es_ancora-test", "es_gsd-test", "es_pud"),
    "cs": ("cs_fictree-test", "cs_pud"),
    "zh": ("zh_gsdsimp-test", "zh_gsdsimp-dev", "zh_pud"),
}
#: Sets of judgements whose sources train: the set, and the languages.
_SOURCES = {"daseg15.en": "fi", "daseg16.en": "fi ro tr", "mlqe_etmr.en": "et"}


def training_texts() -> dict[str, list[list[str]]]:
    """By language the texts that train, each a list of segments."""
    texts: dict[str, list[list[str]]] = {}
    for language, names in _RAW.items():
        for name in names:
            lines = islice(free_lines(name, language), LINES)
            texts.setdefault(language, []).append([line.strip() for line in lines])
    for name, languages in _SOURCES.items():
        for pair, _, role, segments in _judged(name):
            if role == "source" and pair.split("-")[0] in languages.split():
                texts.setdefault(pair.split("-")[0], []).append(segments[: _first(name)])
    return texts


def held_out_texts() -> Iterator[tuple[str, str, list[str]]]:
    """What no model was trained on: a name, the language and the segments of each file."""
    seen = {text for texts in training_texts().values() for text in chain.from_iterable(texts)}
    for name, language, segments in _judging_texts():
        if unseen := [segment for segment in segments if segment not in seen]:
            yield name, language, unseen


def _judging_texts() -> Iterator[tuple[str, str, list[str]]]:
    for language, names in _HELD_OUT_TREEBANKS.items():
        for name in names:
            segments = [
                sentence.text
                for sentence in read(name)
                if not any(f"_{genre}_" in sentence.document for genre in EXCLUDED_GENRES)
            ]
            yield name, language, segments
    for path in sorted((data_path() / "judgements").iterdir()):
        name = path.name.removesuffix(".gz").removesuffix(".tsv").removesuffix(".jsonl")
        for pair, system, role, segments in _judged(name):
            source, target = pair.split("-")
            language = source if role == "source" else target
            yield f"{name} {pair} {role} {system}".strip(), language, segments


def _first(name: str) -> int | None:
    """All of the earlier Finnish set trains: the later one judges."""
    return None if name == "daseg15.en" else _FIRST


def _judged(name: str) -> Iterator[tuple[str, str, str, list[str]]]:
    """The language pair, the system, the role and the segments of each text in a set of judgements."""
    columns: dict[tuple[str, str, str], dict[str, None]] = {}

    def add(pair: str, system: str, role: str, segment: str) -> None:
        columns.setdefault((pair, system, role), {})[segment] = None

    path = data_path() / "judgements" / name
    if name.endswith(".rank"):
        with gzip.open(f"{path}.jsonl.gz", "rt", encoding="utf-8") as file:
            for line in file:
                row = json.loads(line)
                add(row["lp"], "", "source", row["source"])
                add(row["lp"], "", "reference", row["ref"])
                for item in row["items"]:
                    for system in item["systems"]:
                        add(row["lp"], system, "hypothesis", item["hyp"])
    else:
        with gzip.open(Path(f"{path}.tsv.gz"), "rt", encoding="utf-8") as file:
            header = next(file).rstrip("\n").split("\t")
            for line in file:
                cells = dict(zip(header, line.rstrip("\n").split("\t"), strict=True))
                add(cells["lp"], "", "source", cells["source"])
                for number, reference in enumerate(cells["references"].split(" ||| "), 1):
                    add(cells["lp"], str(number), "reference", reference)
                add(cells["lp"], cells["system"], "hypothesis", cells["hypothesis"])
    for (pair, system, role), segments in columns.items():
        yield pair, system, role, list(segments)
