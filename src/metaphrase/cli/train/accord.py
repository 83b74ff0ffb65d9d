"""``metaphrase train accord``: weights from people's scores and rankings, or a model adapted to them."""

from __future__ import annotations

import argparse
import math
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metaphrase.cli.interruption import Terminated
from metaphrase.cli.output import check_output, print_lines, print_view, progress_line
from metaphrase.cli.train.checks import check_checkpoint, interrupted, remove_checkpoint
from metaphrase.cli.train.options import (
    add_checkpoint,
    add_data_files,
    add_output,
    retraining_command,
)
from metaphrase.errors import InputError, OptionError, ResourceError
from metaphrase.languages import canonical_language

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rich.console import RenderableType

    from metaphrase.arrays import FloatArray
    from metaphrase.learning.accord import JudgedLosses, Recipe, Untrained, Validation
    from metaphrase.learning.accord.training import FoldsBy
    from metaphrase.learning.judged_sets import JudgedSets
    from metaphrase.trained.accord_model import AccordModel, Scale

EXAMPLES = """\
examples:
  metaphrase train accord --data scores.tsv rankings.jsonl -o mine.json
  metaphrase train accord --data scores.tsv --adapt -o adapted.json
  metaphrase train accord --data a.tsv b.tsv --weights a=2 --cross-validate
  metaphrase score ref.txt -i system.txt -m accord:model=file:mine.json
"""


@dataclass(frozen=True, slots=True, eq=False)
class _Training:
    """What there is to learn from, and how; ``given`` has its weights if it goes with the losses."""

    options: argparse.Namespace
    metric: Untrained
    data: JudgedSets
    sets: Sequence[JudgedLosses]
    recipe: Recipe
    given: tuple[AccordModel, FloatArray] | None
    tell: Callable[[str], None] | None

    @property
    def scale(self) -> Scale:
        """That of the given model, or of English, which is that of all models that ship."""
        from metaphrase.trained.accord_model import AccordModel

        return self.given[0].scale if self.given else AccordModel.find("en").scale

    def account(self, recipe: Recipe, validation: Validation) -> dict[str, Any]:
        from metaphrase.learning.accord.account import training_account

        return training_account(
            self.data,
            self.sets,
            recipe,
            validation,
            self.scale,
            vectors=self.metric.vector_name,
            command=retraining_command(self.options),
        )


#: Fewer judgements tell neither a scale nor whether a model that was adapted is better.
_FEWEST, _FEWEST_TO_ADAPT = 50, 20


def add_parser(kinds: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the kind of training."""
    parser = kinds.add_parser(
        "accord",
        help="the weights of accord, or those of a model adapted to your judgements",
        description="Learn what each loss of accord weighs, what a score means and how far to trust it; and "
        "say how well each data set is predicted by the others.",
        epilog=EXAMPLES,
    )
    group = add_data_files(
        parser,
        "scores (TSV) and rankings (JSONL) as `metaphrase meta` reads them; gzip too",
    )
    group.add_argument(
        "-l",
        "--language",
        type=canonical_language,
        default="en",
        metavar="LANG",
        help="of the translations (default: en)",
    )
    group.add_argument(
        "--weights",
        nargs="+",
        action="extend",
        type=_weight,
        default=[],
        metavar="SET=W",
        help="what a data set counts, besides the square root of its size (default: 1)",
    )
    group.add_argument(
        "--vectors",
        metavar="NAME",
        help="word vectors: glove, file:PATH, spacy:NAME or none (default: those of the language)",
    )
    group = parser.add_argument_group("how it is learnt")
    group.add_argument(
        "--adapt",
        nargs="?",
        const="",
        metavar="MODEL",
        help="stay near a model, by its name or file:PATH (default: the one of the language that ships); "
        "for few judgements",
    )
    group.add_argument(
        "--lambda",
        dest="penalty",
        type=_positive_number,
        metavar="X",
        help="ridge per judgement (default: 0.01; with --adapt, what agrees best with held-out segments)",
    )
    add_checkpoint(group)
    group = parser.add_argument_group("cross-validation")
    group.add_argument(
        "--cross-validate",
        action="store_true",
        help="only say how it goes; a model is written only if there is an --output for it",
    )
    group.add_argument(
        "--folds-by",
        choices=("set", "pair", "segment"),
        help="leave out data sets, language pairs, or fifths of the segments of each set "
        "(default: set; with --adapt, segment)",
    )
    group = add_output(parser, "the model")
    group.add_argument("--card", metavar="FILE", help="a page about the model, in Markdown")
    parser.set_defaults(
        run=run,
        preset="accord",
        defaults={action.dest: action.default for action in parser._actions},
    )


def _weight(text: str) -> str:
    """``NAME=W``, for argparse, which keeps it as it is."""
    name, _, number = text.rpartition("=")
    if not name:
        raise argparse.ArgumentTypeError(f"{text!r} is not SET=W")
    _positive_number(number)
    return text


def _positive_number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return number


def run(options: argparse.Namespace) -> int:
    """Read, compute losses, validate, learn, write, and say how well it went."""
    from metaphrase.learning.accord import Untrained
    from metaphrase.learning.accord.resumption import losses_of_sets
    from metaphrase.learning.judged_sets import read_judged_sets

    _check(options)
    metric = Untrained(lang=options.language, vectors=options.vectors)
    _check_vectors(options, metric)
    given = _given_model(options, metric)
    data = read_judged_sets(options.data, lang=options.language, code="MP844")
    recipe = _recipe(options, data)
    try:
        with progress_line() as tell:
            sets = losses_of_sets(
                data,
                metric,
                threads=options.threads,
                checkpoint=options.checkpoint,
                resume=options.resume,
                progress=None
                if tell is None
                else lambda done, total: tell(f"losses of {done:,} of {total:,} texts"),
            )
            _check_number(sets, metric, options)
            training = _Training(options, metric, data, sets, recipe, given, tell)
            model, parts = _learn(training) if options.adapt is None else _adapt(training)
    except (KeyboardInterrupt, Terminated) as error:
        return interrupted(options.checkpoint, error)
    except InputError as error:
        raise error if error.path else error.at(", ".join(options.data)) from None
    print_view(parts)
    lines = []
    if options.output is not None:
        lines += _write(model, options)
    if data.left_out:
        lines.append(
            f"{data.left_out:,} judgements of translations into other languages were left out"
        )
    print_lines(lines)
    return 0


def _check(options: argparse.Namespace) -> None:
    """Refuse what cannot be done before hours of work are lost."""
    named = [options.adapt or "", options.vectors or ""]
    files = [one.removeprefix("file:") for one in named if one.startswith("file:")]
    inputs = [*options.data, *files]
    for output, others in (
        (options.output, [options.checkpoint, options.card]),
        (options.checkpoint, [options.card]),
        (options.card, []),
    ):
        check_output(output, [*inputs, *others])
    check_checkpoint(options)
    fault, hint = "", "Leave one out, or give both."
    if options.output is None and not options.cross_validate:
        fault, hint = "The model has no file to go to.", "Name one with -o, or --cross-validate."
    elif options.output is None and options.card is not None:
        fault = "--card is about a model, and there is no --output for it."
    elif options.adapt is not None and options.folds_by not in (None, "segment"):
        fault = f"--adapt is validated by segment, not by {options.folds_by}."
        hint = "Leave --folds-by out."
    elif not _name(options).isprintable() or "|" in _name(options):
        fault = f"{_name(options)!r} cannot be the name of a model."
        hint = "Give it a --name without | and control characters."
    if fault:
        raise OptionError("MP642", fault, hint=hint)


def _name(options: argparse.Namespace) -> str:
    return options.name or ("accord" if options.output is None else Path(options.output).stem)


def _check_vectors(options: argparse.Namespace, metric: Untrained) -> None:
    """Open the vectors, which may be refused; and refuse them for a language that has no use for them."""
    from metaphrase import lexicon

    lexicon.load_vectors(options.vectors or metric.vector_name)
    if options.vectors not in (None, metric.vector_name):
        raise OptionError(
            "MP642",
            f"accord does not look at vectors of {options.language!r}.",
            hint="Leave --vectors out.",
        )


def _given_model(
    options: argparse.Namespace, metric: Untrained
) -> tuple[AccordModel, FloatArray] | None:
    """The model to adapt; or the one that ships, to compare with, if one fits. With its weights."""
    from metaphrase.metrics.accord.metric import Accord

    try:
        model = Accord(lang=options.language, model=options.adapt or None).trained
        return model, model.weights(metric.loss_names)
    except ResourceError as error:
        if options.adapt is None:
            return None
        kind, _, path = options.adapt.partition(":")
        raise error.at(path, error.line) if kind == "file" else error from None


def _recipe(options: argparse.Namespace, data: JudgedSets) -> Recipe:
    from metaphrase.learning.accord import Recipe
    from metaphrase.learning.accord.training import PENALTY

    known = list(dict.fromkeys(judged.name for judged in data.judgements))
    weights = {}
    for text in options.weights:
        name, _, number = text.rpartition("=")
        if name not in known:
            raise OptionError(
                "MP642",
                f"--weights {text}: the data have no set called {name!r}.",
                hint=f"They have: {', '.join(known)}.",
            )
        weights[name] = float(number)
    scratch = options.adapt is None and options.penalty is not None
    return Recipe(penalty=options.penalty if scratch else PENALTY, set_weights=weights)


def _check_number(
    sets: Sequence[JudgedLosses], metric: Untrained, options: argparse.Namespace
) -> None:
    total, losses = sum(one.count for one in sets), len(metric.loss_names)
    if total < (_FEWEST if options.adapt is None else _FEWEST_TO_ADAPT):
        raise InputError(
            "MP846",
            f"There are {total} judgements, which is too few to learn from.",
            hint=f"With {_FEWEST_TO_ADAPT} or more, --adapt the model that ships; {_FEWEST} make a model of "
            "their own.",
        )
    if options.adapt is None and total < losses:
        warnings.warn(
            f"there are {total} judgements for {losses} losses: --adapt the model that ships instead.",
            stacklevel=1,
        )


def _learn(training: _Training) -> tuple[AccordModel, list[RenderableType]]:
    """A model of the judgements alone, and how it is validated."""
    from metaphrase.learning.accord import train_accord, validate
    from metaphrase.learning.accord.calibration import calibrate

    options, sets, recipe = training.options, training.sets, training.recipe
    by: FoldsBy = options.folds_by or "set"
    validation = validate(sets, recipe, by=by, progress=training.tell)
    model = train_accord(
        sets,
        training.metric.loss_names,
        *calibrate(validation.held_out, training.scale),
        recipe,
        name=_name(options),
        lang=options.language,
        licence=options.licence,
        training=training.account(recipe, validation),
    )
    columns = {"held out": validation}
    if training.given is not None:
        columns["shipped"] = validate(sets, weights=training.given[1], by=by)
    return model, _table(training, columns, by)


def _adapt(training: _Training) -> tuple[AccordModel, list[RenderableType]]:
    """The given model, adapted, and whether that helped."""
    from dataclasses import replace

    from metaphrase.learning.accord.account import adaptation_account
    from metaphrase.learning.accord.adaptation import STRENGTHS, adapt, calibrated_weights
    from metaphrase.learning.accord.training import named_weights
    from metaphrase.report.terminal.held_out_view import verdict_view
    from metaphrase.trained.accord_model import AccordModel

    assert training.given is not None
    given, weights = training.given
    options, sets = training.options, training.sets
    strengths = STRENGTHS if options.penalty is None else (options.penalty,)
    found = adapt(sets, weights, training.recipe, strengths=strengths, progress=training.tell)
    adapted, interval = calibrated_weights(sets, found, weights, given.scale)
    model = replace(
        given,
        name=_name(options),
        lang=options.language,
        features=named_weights(training.metric.loss_names, adapted),
        interval=interval or given.interval,
        licence=options.licence or given.licence,
        training=training.account(found.recipe, found.adapted)
        | adaptation_account(found, given, kept_interval=interval is None),
    )
    label = "shipped" if options.adapt in ("", *AccordModel.shipped()) else "given"
    columns = {"adapted": found.adapted, label: found.given, "from scratch": found.scratch}
    return model, [
        *_table(training, columns, "segment"),
        *verdict_view(found, sets, label, kept_interval=interval is None),
    ]


def _table(
    training: _Training, columns: Mapping[str, Validation], by: FoldsBy
) -> list[RenderableType]:
    """Agreement where held out, with chrF as the one to beat."""
    import numpy as np

    from metaphrase.learning.accord import validate
    from metaphrase.learning.accord.account import learnt_from
    from metaphrase.report.terminal.held_out_view import held_out_view

    sets = training.sets
    chrf = np.array([float(name == "chrf") for name in training.metric.loss_names])
    given = None if training.given is None else training.given[0]
    return held_out_view(
        sets,
        {**columns, "chrf": validate(sets, weights=chrf, by=by)},
        given,
        set() if given is None else learnt_from(given),
    )


def _write(model: AccordModel, options: argparse.Namespace) -> list[str]:
    from metaphrase.learning.accord.account import card

    model.save(options.output)
    if options.card is not None:
        print_lines(card(model).splitlines(), options.card)
    if options.checkpoint is not None:
        remove_checkpoint(options.checkpoint)
    judgements = sum(model.training["judgements"].values())
    reach = ""
    if model.interval is not None:
        reach = (
            f"; {model.interval.coverage:.0%} of segments are within ±{model.interval.segment:.0f}"
        )
    lines = [
        f"{options.output}: {len(model.features)} weights from {judgements:,} judgements{reach}"
    ]
    if options.vectors not in (None, "none"):
        lines.append(
            f"It goes with its vectors: -m accord:model=file:{options.output}:vectors={options.vectors}"
        )
    return lines
