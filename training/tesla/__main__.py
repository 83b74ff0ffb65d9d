"""Trains what TESLA needs: pivot tables and language models, and the weights of its features.

METAPHRASE_DATA=... python -m training.tesla LANGUAGE RESOURCES MODEL [--paper]

RESOURCES is a directory; what is in it already is not trained again. Into English that is
packages/metaphrase-pivots/src/metaphrase_pivots/data, and MODEL is src/metaphrase/models/tesla/en.json, or
with --paper, which learns the weights as the paper does, en-paper.json beside it. The other languages have
English as their only pivot. Every step is a ``metaphrase train`` that is printed before it runs. The same
data give the same bytes. Takes some minutes a table on one core.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from training.english.treebank import data_path
from training.parallel_text import free_lines

from metaphrase.cli import main as metaphrase

LICENCE = (
    "Weights from rankings of the Workshops on Statistical Machine Translation 2008, 2010 and 2012; "
    "tables and language models from Europarl and news text."
)
#: What is kept of phrases; written out, so that the tables stay those that the weights were learnt with.
PRUNING = (
    *("--least-count", "2"),
    *("--least-phrase-count", "6"),
    *("--least-probability", "0.02"),
    *("--most-alternatives", "8"),
)
#: The loss of SVM-rank, log P divided by n, and texts as they are.
PAPER = ("--loss", "hinge", "--lm-divisor", "n", "--as-given")
#: What is rare says little about fluency and takes much room. Europarl repeats itself in every language pair.
NEWS = ("--cut-offs", "0,0,1")
EUROPARL = ("--unique", "--cut-offs", "0,1,3")


@dataclass(frozen=True)
class Target:
    """A language, its pivots and the rankings that weights are learnt from."""

    code: str
    pivots: tuple[str, ...]
    rankings: tuple[str, ...]

    @property
    def analyser(self) -> str:
        """TESLA cuts German compounds, so that its tables and language models know their parts."""
        return f"builtin:{self.code}{'+compounds' if self.code == 'de' else ''}"

    @property
    def texts(self) -> dict[str, tuple[list[str], tuple[str, ...]]]:
        """What language models are made of, and how: news, and Europarl or what there is in its stead."""
        pairs = ("de-en", "fr-en", "es-en") if self.code == "en" else (f"{self.code}-en",)
        other = [parts(pair)[0] for pair in pairs]
        return {"news": (["news"], NEWS), other[0].partition(".")[0]: (other, EUROPARL)}


TARGETS = {
    "en": Target("en", ("de", "fr", "es", "cs"), ("wmt12", "wmt10deen", "wmt08deen")),
    **{code: Target(code, ("en",), ("wmt12",)) for code in ("de", "fr", "es", "cs")},
}


def parts(pair: str) -> list[str]:
    """What a parallel text consists of: Europarl (for Czech other news), then news."""
    return [f"{'extra' if pair == 'cs-en' else 'europarl'}.{pair}", "news"]


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("language", choices=TARGETS)
    parser.add_argument("resources", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("--paper", action="store_true", help="learn weights as the paper does")
    arguments = parser.parse_args(argv)
    target = TARGETS[arguments.language]
    arguments.resources.mkdir(parents=True, exist_ok=True)
    arguments.model.parent.mkdir(parents=True, exist_ok=True)
    tables = [_table(target, pivot, arguments.resources) for pivot in target.pivots]
    models = []
    for name, (texts, options) in target.texts.items():
        models.append(arguments.resources / f"{name}.{target.code}.lm")
        with TemporaryDirectory() as folder:
            text = Path(folder) / f"text.{target.code}"
            if not models[-1].exists():
                _write_text(texts, target.code, text)
            command = ["language-model", str(text), "--analyser", target.analyser]
            _train([*command, "--lowercase", *options, "-o", str(models[-1])], models[-1])
    rankings = [data_path() / "judgements" / f"{name}.rank.jsonl.gz" for name in target.rankings]
    command = ["tesla", "--language", target.code, "--data", *map(str, rankings)]
    command += ["--pivots", *map(str, tables), "--language-models", *map(str, models)]
    command += [*PAPER] if arguments.paper else []
    name = f"tesla-{target.code}{'-paper' if arguments.paper else ''}"
    command += ["--name", name, "--licence", LICENCE]
    _train([*command, "-o", str(arguments.model)], None)


def _table(target: Target, pivot: str, resources: Path) -> Path:
    path = resources / f"{target.code}-{pivot}.pivots"
    pair = f"{target.code if pivot == 'en' else pivot}-en"
    with TemporaryDirectory() as folder:
        sides = []
        for language in (target.code, pivot):
            sides.append(Path(folder) / f"text.{language}")
            if not path.exists():
                _write_text(parts(pair), language, sides[-1])
        command = ["phrases", *map(str, sides), "--target-language", target.code]
        _train([*command, "--pivot-language", pivot, *PRUNING, "-o", str(path)], path)
    return path


def _write_text(names: Sequence[str], language: str, output: Path) -> None:
    """One side of parallel texts, one after the other."""
    with output.open("w", encoding="utf-8", newline="") as stream:
        for name in names:
            stream.writelines(free_lines(name, language))


def _train(command: Sequence[str], made: Path | None) -> None:
    if made is not None and made.exists():
        return
    print(shlex.join(["metaphrase", "train", *command]), file=sys.stderr, flush=True)
    if metaphrase(["train", *command]) != 0:
        sys.exit(1)


if __name__ == "__main__":
    main()
