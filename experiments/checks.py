"""How often checks find something in translations that people made, and how often they find what is wrong.

``python -m experiments.checks`` with METAPHRASE_DATA set writes the tables of docs/results/checks.md:
findings in professional references, by language pair, and errors of DEMETR that are found. ``--sample CODE``
prints twenty findings instead, to be looked at; ``--texts`` says of which texts.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from experiments.frame import data_directory, replace_section
from metaphrase.checks import KINDS, Finding, Pair, check_pairs, file_pairs
from metaphrase.checks.tally import Tally
from metaphrase.corpus.lines import LineReader
from metaphrase.corpus.opening import read_units
from metaphrase.corpus.opening.challenges import files_in_order

#: A source and its translation, with their languages: en-de.
Row = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Texts:
    """A file of ``judgements/`` or a parallel text, and which of its rows are taken."""

    file: str
    pairs: tuple[str, ...] = ()
    lines: tuple[int, int] = (0, 1_000_000)
    #: Which half of the sources, 0 or 1; every second one is in the same.
    half: int | None = None

    def rows(self) -> Iterator[Row]:
        """Each source once, with its first reference."""
        read = _parallel if self.file.startswith(("europarl", "news", "extra")) else _judged
        seen: dict[tuple[str, str], int] = {}
        for pair, source, target in islice(read(self.file), *self.lines):
            if (pair, source) in seen or (self.pairs and pair not in self.pairs):
                continue
            number = seen[pair, source] = len(seen)
            if self.half is None or number % 2 == self.half:
                yield pair, source, target


#: What the rules were made with; nothing of it is in the tables.
TUNING = (
    Texts("wmt15.rank.jsonl.gz"),
    Texts("daseg16.en.tsv.gz", ("ro-en", "tr-en")),
    Texts("mlqepe.zh.tsv.gz", lines=(0, 3000)),
    Texts("mlqe_etmr.en.tsv.gz"),
    Texts("tedmqm.en.tsv.gz"),
    Texts("wmt21da.en.tsv.gz", half=0),
    Texts("biomqm.en.tsv.gz", half=0),
    Texts("biomqm.zh.tsv.gz", half=0),
    *(Texts(f"europarl.{code}-en", lines=(60_000, 62_000)) for code in ("de", "fr", "es")),
)
REPORTED = (
    Texts("wmt12.rank.jsonl.gz"),
    Texts("wmt13fren.rank.jsonl.gz"),
    Texts("wmt21da.en.tsv.gz", half=1),
    Texts("wmt17da.zh.tsv.gz"),
    Texts("daseg13.en.tsv.gz"),
    Texts("biomqm.en.tsv.gz", half=1),
    Texts("biomqm.zh.tsv.gz", half=1),
    *(Texts(f"europarl.{code}-en", lines=(100_000, 103_000)) for code in ("de", "fr", "es")),
    *(Texts(f"news.{code}") for code in ("cs", "de", "es", "fr")),
)
#: Looked at after the last change of a rule.
UNTOUCHED = (
    Texts("extra.cs-en"),
    *(Texts(f"europarl.{code}-en", lines=(130_000, 135_000)) for code in ("de", "fr", "es")),
)
_TEXTS = {"tuning": TUNING, "reported": REPORTED, "untouched": UNTOUCHED}
#: Kinds of errors in DEMETR, and the codes that should tell.
ERRORS: Mapping[str, tuple[str, ...]] = {
    "critical_id10_numbers_replaced": ("numbers", "dates"),
    "minor_id1_repeat2": ("doubled-words",),
    "minor_id28_final_punc_removed": ("punctuation",),
}
_LANGUAGES = {
    "chinese_simple": "zh",
    "czech": "cs",
    "french": "fr",
    "german": "de",
    "hindi": "hi",
    "italian": "it",
    "japanese": "ja",
    "polish": "pl",
    "russian": "ru",
    "spanish": "es",
}
_SAMPLE, _SEED = 20, 7


def _judged(file: str) -> Iterator[Row]:
    csv.field_size_limit(1 << 30)
    with gzip.open(data_directory() / "judgements" / file, "rt", encoding="utf-8") as stream:
        if file.endswith(".jsonl.gz"):
            for row in map(json.loads, stream):
                yield row["lp"], row["source"], row["ref"]
            return
        for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield row["lp"], row["source"], row["references"].split(" ||| ")[0]


def _parallel(name: str) -> Iterator[Row]:
    """Parallel text, as if it were translated from English."""
    kind, language = name.removesuffix("-en").split(".")
    prefix = kind if kind == "news" else name
    folder = data_directory() / "parallel"
    paths = [folder / f"{prefix}.{code}.gz" for code in ("en", language)]
    with LineReader(paths[0]) as sources, LineReader(paths[1]) as targets:
        for (_, source), (_, target) in zip(sources, targets, strict=True):
            yield f"en-{language}", source, target


def found(texts: Sequence[Texts]) -> Iterator[tuple[str, str, Pair, tuple[Finding, ...]]]:
    """File, language pair, texts and findings of each row."""
    for one in texts:
        rows = list(one.rows())
        pairs = [
            Pair(source, target, *languages.split("-"), segment=number)
            for number, (languages, source, target) in enumerate(rows, 1)
        ]
        for (languages, _, _), (pair, findings) in zip(rows, check_pairs(pairs), strict=True):
            yield one.file.partition(".")[0], languages, pair, findings


def alarm_tables(texts: Sequence[Texts]) -> tuple[list[str], list[str]]:
    """Findings per thousand segments: by code over all, and by language pair."""
    counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    segments: Counter[tuple[str, str]] = Counter()
    for file, languages, _, findings in found(texts):
        segments[file, languages] += 1
        counts[file, languages].update({finding.code for finding in findings})
    total = sum(segments.values())
    codes = [code for code in KINDS if any(count[code] for count in counts.values())]
    by_code = ["| finding | segments with it | per 1,000 |", "| --- | ---: | ---: |"]
    for code in codes:
        number = sum(count[code] for count in counts.values())
        by_code.append(f"| `{code}` | {number:,} | {1000 * number / total:.1f} |")
    families = list(dict.fromkeys(code.partition("/")[0] for code in codes))
    by_pair = [
        "| texts | pair | segments | " + " | ".join(f"`{family}`" for family in families) + " |",
        "| --- | --- | ---: | " + " | ".join(["---:"] * len(families)) + " |",
    ]
    for (file, languages), number in sorted(segments.items()):
        cells = []
        for family in families:
            those = counts[file, languages]
            count = sum(those[code] for code in codes if code.partition("/")[0] == family)
            cells.append(f"{1000 * count / number:.1f}" if count else "0")
        by_pair.append(f"| {file} | {languages} | {number:,} | {' | '.join(cells)} |")
    return [f"{total:,} segments.", "", *by_code], by_pair


def error_table() -> list[str]:
    """Of the errors that DEMETR put in, those that a check finds and did not find before."""
    lines = ["| error | items | found | found before |", "| --- | ---: | ---: | ---: |"]
    files = files_in_order(str(data_directory() / "challenge" / "demetr"))
    for path in (file for file in files if file.endswith(".json.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            rows = [row for row in json.load(stream) if row["pert_check"]]
        wanted = ERRORS.get(rows[0]["pert_name"])
        if wanted is None:
            continue
        shares = []
        for key in ("pert_sent", "mt_sent"):
            pairs = [
                Pair(row["src_sent"], row[key], _LANGUAGES[row["lang_tag"]], "en") for row in rows
            ]
            hits = sum(any(f.check in wanted for f in fs) for _, fs in check_pairs(pairs))
            shares.append(f"{100 * hits / len(rows):.1f} %")
        title = rows[0]["pert_name"].split("_", 2)[2].replace("_", " ")
        lines.append(f"| {title} | {len(rows):,} | {shares[0]} | {shares[1]} |")
    return lines


def catalogue_table(folder: Path) -> list[str]:
    """Findings in gettext catalogues below ``folder``, in the languages that no rule was made with.

    The language is the folder before ``LC_MESSAGES``; every second one, by name, was looked at for the rules.
    """
    files = sorted(folder.rglob("LC_MESSAGES/*.po"))
    languages = sorted({file.parents[1].name for file in files})
    kept = set(languages[1::2])
    tally = Tally()
    for file in files:
        code = file.parents[1].name
        if code in kept:
            pairs = file_pairs(
                read_units(str(file)), source_language="en", target_language=code.replace("_", "-")
            )
            for _, findings in check_pairs(pair for pair in pairs if pair.target):
                tally.add(findings)
    lines = [f"{tally.segments:,} messages in {len(kept)} languages.", ""]
    lines += ["| finding | number | per 1,000 |", "| --- | ---: | ---: |"]
    for code in KINDS:
        number = sum(count for _, given, count in tally.rows() if given == code)
        if number:
            lines.append(f"| `{code}` | {number:,} | {1000 * number / tally.segments:.2f} |")
    return lines


def print_sample(code: str, texts: Sequence[Texts]) -> None:
    """Findings drawn at random, to be looked at."""
    those = [
        (file, languages, pair, finding)
        for file, languages, pair, findings in found(texts)
        for finding in findings
        if finding.code == code
    ]
    print(f"{code}: {len(those)} findings")
    chosen = random.Random(_SEED).sample(those, min(_SAMPLE, len(those)))
    for file, languages, pair, finding in chosen:
        print(f"\n{file} {languages}: {finding.message}\n  {pair.source}\n  {pair.target}")


def main(arguments: Sequence[str]) -> None:
    """Write the tables, or print a sample."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", metavar="CODE", choices=list(KINDS))
    parser.add_argument("--texts", choices=list(_TEXTS), default="untouched")
    parser.add_argument("--catalogues", type=Path, metavar="FOLDER", help="of .po files, instead")
    options = parser.parse_args(arguments)
    if options.sample:
        print_sample(options.sample, _TEXTS[options.texts])
        return
    if options.catalogues:
        replace_section("check catalogues", catalogue_table(options.catalogues))
        return
    for name in ("reported", "untouched"):
        by_code, by_pair = alarm_tables(_TEXTS[name])
        replace_section(f"check codes {name}", by_code)
        replace_section(f"check pairs {name}", by_pair)
    replace_section("check errors", error_table())


if __name__ == "__main__":
    main(sys.argv[1:])
