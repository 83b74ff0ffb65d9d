"""How often metrics see an error that was put into a translation, by kind of error.

``python -m experiments.demetr [METRIC …]`` with METAPHRASE_DATA set: the metrics of the English tables of
results, and those named, on ``challenge/demetr``. With ``--print`` the tables of the named metrics alone are
printed, and the page is left alone. TESLA needs metaphrase-pivots, METEOR the extra ``paraphrases``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from experiments.frame import data_directory, fingerprint, replace_section
from experiments.probe_tables import kind_lines, mean_lines, signature_lines
from experiments.result_plan import ENGLISH
from metaphrase import __version__
from metaphrase.corpus.opening.challenges import files_in_order
from metaphrase.errors import MetaphraseError
from metaphrase.probing import Probed, probe, read_challenges

METRICS = (*dict.fromkeys(row.metric for row in ENGLISH), "accord:context")
#: Baselines of DEMETR are no errors and not averaged.
BASELINES = "base"
SEED = 1


def sections(probed: Probed, data: str) -> dict[str, list[str]]:
    """The generated parts of the page by the names that mark them there."""
    severities = [name for name in probed.severities if name != BASELINES]
    resampled = f"{probed.resamples} resamples"
    return {
        "demetr": list(mean_lines(probed, severities)),
        "demetr-kinds": list(_kinds(probed))[:-1],
        "demetr-data": [
            *signature_lines(probed),
            f"metaphrase {__version__}, {resampled}; data: {len(probed.kinds)} files of DEMETR ({data}).",
        ],
    }


def _kinds(probed: Probed) -> Iterator[str]:
    """A table for each severity, the baselines first."""
    order = sorted(probed.kinds, key=lambda kind: kind.severity != BASELINES)
    for severity, kinds in groupby(order, lambda kind: kind.severity):
        yield from (f"**{severity}**", "", *kind_lines(probed, list(kinds)), "")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m experiments.demetr", description=__doc__)
    parser.add_argument("metrics", nargs="*", metavar="METRIC", help="beside those of the page")
    parser.add_argument("--print", action="store_true", help="only these metrics, write nothing")
    options = parser.parse_args(arguments)
    folder = data_directory() / "challenge" / "demetr"
    files = [Path(file) for file in files_in_order(str(folder)) if file.endswith(".json.gz")]
    usual = () if options.print and options.metrics else METRICS
    try:
        names = list(dict.fromkeys([*usual, *options.metrics]))
        probed = probe(
            read_challenges(folder),
            names,
            seed=SEED,
            check_language=False,
            progress=lambda done: print(f"{done:,} texts", file=sys.stderr, flush=True),
        )
    except MetaphraseError as error:
        sys.exit(str(error))
    for name, lines in sections(probed, fingerprint(*files)).items():
        print("\n".join([*lines, ""]))
        if not options.print:
            replace_section(name, lines)


if __name__ == "__main__":
    main()
