"""Does our METEOR give the numbers of the Java program? Every segment that differs is printed.

Segments are the different pairs of hypothesis and reference of wmt15 into English, the first 3,000 by
default; German, French and Spanish are taken from texts of the same data, as far as it has them.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from benchmarks.meteor import MISSING, meteor_jar

from experiments.frame import Data
from metaphrase import create

CLOSE = 1e-6
#: What is compared: our metric, the options of the program, and where the segments come from.
ENGLISH, REFERENCES = Data("wmt15.rank.jsonl.gz"), Data("tradopad.en.tsv.gz")
_SCORE = re.compile(r"^(?:Segment \d+|Final) score:\s+(\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """A comparison with the program."""

    metric: str
    options: tuple[str, ...]
    data: Data
    lang: str = "en"
    references: int = 1


CASES = (
    Case("meteor", ("-norm",), ENGLISH),
    Case("meteor:paraphrases=none", ("-norm", "-m", "exact stem synonym"), ENGLISH),
    Case("meteor:modules=exact,stem", ("-norm", "-m", "exact stem"), ENGLISH),
    Case("meteor:task=adq", ("-norm", "-t", "adq"), ENGLISH),
    Case("meteor:task=hter", ("-norm", "-t", "hter"), ENGLISH),
    Case("meteor:task=li", ("-norm", "-t", "li"), ENGLISH),
    Case("meteor:task=tune", ("-norm", "-t", "tune"), ENGLISH),
    Case("meteor:task=util", ("-norm", "-t", "util"), ENGLISH),
    Case("meteor:task=util:characters=yes", ("-norm", "-t", "util", "-ch"), ENGLISH),
    Case("meteor:text=no-punctuation", ("-norm", "-noPunct"), ENGLISH),
    Case("meteor:text=lower", ("-lower",), ENGLISH),
    Case("meteor:text=none", (), ENGLISH),
    Case("meteor", ("-norm",), REFERENCES, references=4),
    *(
        Case("meteor", ("-norm", "-m", "exact stem"), Data("wmt12.rank.jsonl.gz", lang), lang)
        for lang in ("de", "fr", "es")
    ),
    Case("meteor", ("-norm", "-m", "exact"), Data("wmt12.rank.jsonl.gz", "cs"), "cs"),
    Case("meteor", ("-norm", "-m", "exact stem"), Data("wmt15.rank.jsonl.gz", "ru"), "ru"),
    Case("meteor", ("-lower", "-m", "exact stem"), Data("wmt15.rank.jsonl.gz", "fi"), "fi"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--segments", type=int, default=3000)
    parser.add_argument("--only", type=int, help="the number of one case, from 1")
    options = parser.parse_args()
    if meteor_jar() is None:
        sys.exit(MISSING)
    for number, case in enumerate(CASES, start=1):
        if options.only in (None, number):
            compare(case, options.segments)


def compare(case: Case, most: int) -> None:
    """Print how many segments agree, the largest difference, and each segment that differs."""
    pairs = list(islice(different_segments(case), most))
    if not pairs:
        print(f"{case.metric} {case.lang}: no segments in {case.data.file}")
        return
    hypotheses = [hypothesis for hypothesis, _ in pairs]
    columns = [list(column) for column in zip(*(found for _, found in pairs), strict=True)]
    *theirs, their_system = java_scores(hypotheses, columns, ("-l", case.lang, *case.options))
    metric = create(case.metric, lang=case.lang)
    ours = metric.segment_scores(hypotheses, columns).tolist()
    system = metric.corpus_score(hypotheses, columns).score
    differences = np.abs(np.subtract(ours, theirs))
    close = int((differences <= CLOSE).sum())
    print(
        f"{case.metric} | -l {case.lang} {' '.join(case.options)} | {len(columns)} references | "
        f"{close} of {len(pairs)} segments within {CLOSE} ({close / len(pairs):.2%}), "
        f"largest difference {differences.max():.2g}, system {system:.6f} - {their_system:.6f} "
        f"= {system - their_system:.2g}"
    )
    for row in np.flatnonzero(differences > CLOSE):
        print(f"  {ours[row]:.6f} here, {theirs[row]:.6f} there")
        print(f"    {hypotheses[row]}")
        for column in columns:
            print(f"    {column[row]}")


def different_segments(case: Case) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Hypotheses with their references, on one line each, every pair once."""
    seen = set()
    for judged in case.data.judgements():
        for text in judged.texts:
            plain = tuple(" ".join(t.split()) for t in (text.hypothesis, *text.references))
            if all(plain) and plain not in seen and len(plain) > case.references:
                seen.add(plain)
                yield plain[0], plain[1 : case.references + 1]


def java_scores(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], options: Sequence[str]
) -> list[float]:
    """The scores that the program prints: of each segment, then of all."""
    with TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("hypotheses", "references")]
        # The references of a segment follow one another.
        lines = [text for texts in zip(*references, strict=True) for text in texts]
        for path, texts in zip(files, (hypotheses, lines), strict=True):
            path.write_text("".join(f"{text}\n" for text in texts), "utf-8")
        command = ["java", "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", str(meteor_jar())]
        command += [*map(str, files), "-r", str(len(references)), *options]
        printed = subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout
    return [float(score) for score in _SCORE.findall(printed)]


if __name__ == "__main__":
    main()
