"""Trains what TESLA needs: pivot tables and language models, and the weights of its features.

METAPHRASE_DATA=... python -m training.tesla LANGUAGE RESOURCES MODEL [--paper]

RESOURCES is a directory; what is in it already is not trained again. Of what ships it is
packages/metaphrase-pivots/src/metaphrase_pivots/data, and MODEL is src/metaphrase/models/tesla/LANGUAGE.json,
or with --paper, which learns the weights as the paper does, en-paper.json beside it. German, French, Spanish
and Czech have English as their only pivot. Every step is a ``metaphrase train`` that is printed before it
runs. The same data give the same bytes. Takes some minutes a table on one core.
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

#: What is kept of phrases; written out, so that the tables stay those that the weights were learnt with.
PRUNING = (
    *("--least-count", "2"),
    *("--least-phrase-count", "6"),
    *("--least-probability", "0.02"),
    *("--most-alternatives", "8"),
)
#: The loss of SVM-rank, log P divided by n, and texts as they are.
PAPER = ("--loss", "hinge", "--lm-divisor", "n", "--as-given")
#: A language that gets one table of Europarl gets less of it: the package has to stay small.
CLOSER_PRUNING = (
    *("--least-count", "3"),
    *("--least-phrase-count", "12"),
    *("--least-probability", "0.03"),
    *("--most-alternatives", "6"),
)
#: What is rare says little about fluency and takes much room. Europarl repeats itself in every language pair.
NEWS = ("--cut-offs", "0,0,1")
CLOSER_NEWS = ("--cut-offs", "0,1,1")
EUROPARL = ("--unique", "--cut-offs", "0,1,3")
CLOSER_EUROPARL = ("--unique", "--cut-offs", "3,6,14")


@dataclass(frozen=True, kw_only=True)
class Target:
    """A language, its pivots, the rankings that teach the weights, and what is left out for its size."""

    code: str
    pivots: tuple[str, ...] = ("en",)
    rankings: tuple[str, ...] = ("wmt12", "wmt15")
    pruning: tuple[str, ...] = CLOSER_PRUNING
    news: tuple[str, ...] = CLOSER_NEWS
    europarl: tuple[str, ...] = CLOSER_EUROPARL

    @property
    def analyser(self) -> str:
        """TESLA cuts German compounds, so that its tables and language models know their parts."""
        return f"builtin:{self.code}{'+compounds' if self.code == 'de' else ''}"

    @property
    def texts(self) -> dict[str, tuple[list[str], tuple[str, ...]]]:
        """What language models are made of, and how: news, and Europarl or what there is in its stead."""
        pairs = ("de-en", "fr-en", "es-en") if self.code == "en" else (f"{self.code}-en",)
        other = [parts(pair)[0] for pair in pairs]
        return {"news": (["news"], self.news), other[0].partition(".")[0]: (other, self.europarl)}

    @property
    def licence(self) -> str:
        """What the model says of its data."""
        *years, last = (f"20{name[3:5]}" for name in sorted(self.rankings))
        listed = f"{', '.join(years)} and {last}" if years else last
        texts = "news text" if self.code == "cs" else "Europarl and news text"
        return (
            f"Weights from rankings of the Workshops on Statistical Machine Translation {listed}; "
            f"tables and language models from {texts}."
        )


TARGETS = {
    "en": Target(
        code="en",
        pivots=("de", "fr", "es", "cs"),
        rankings=("wmt12", "wmt10deen", "wmt08deen"),
        pruning=PRUNING,
        news=NEWS,
        europarl=EUROPARL,
    ),
    "de": Target(code="de"),
    "fr": Target(code="fr"),
    "es": Target(code="es", rankings=("wmt12",)),
    # Of which there are so few sentence pairs that nothing more need be left out.
    "cs": Target(code="cs", pruning=PRUNING, europarl=EUROPARL),
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
    command += ["--name", name, "--licence", target.licence]
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
        _train([*command, "--pivot-language", pivot, *target.pruning, "-o", str(path)], path)
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
