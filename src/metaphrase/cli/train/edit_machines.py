"""``metaphrase train ppda`` and its like: weights of edit machines from human scores, on any scale."""

from __future__ import annotations

import argparse
import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metaphrase.cli.interruption import Terminated
from metaphrase.cli.output import check_output, print_aside, print_lines, print_view, progress_line
from metaphrase.cli.train.checks import check_options, interrupted, remove_checkpoint
from metaphrase.cli.train.options import (
    MACHINE,
    PRESETS,
    SUBSTITUTIONS,
    add_data,
    add_machine,
    add_output,
    retraining_command,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from metaphrase.learning.edit_machines.data import TrainingData
    from metaphrase.learning.edit_machines.regression import Report
    from metaphrase.learning.edit_machines.training import FitOptions
    from metaphrase.matching.edit_pairs import EditPairs
    from metaphrase.trained.edit_model import EditModel


def add_parsers(kinds: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare a kind of training for each machine, and the fit to another scale."""
    for name, (summary, preset) in PRESETS.items():
        kind = kinds.add_parser(name, help=summary, description=f"Train {name}: {summary}.")
        add_machine(kind, preset)
        kind.set_defaults(run=run_train, preset=name)
    rescale = kinds.add_parser(
        "rescale",
        help="fit a model to the scale of other scores",
        description="Find slope and intercept that turn a model's predictions into other people's scores.",
    )
    rescale.add_argument("model", metavar="MODEL", help="pfsm, ppda, ppda+f or file:PATH")
    add_data(rescale)
    add_output(rescale)
    rescale.set_defaults(run=run_rescale)


def run_train(options: argparse.Namespace) -> int:
    """Cross-validate, train, or both."""
    from metaphrase.learning.edit_machines.data import read_training_data
    from metaphrase.learning.edit_machines.training import FitOptions, training_pairs
    from metaphrase.matching.edit_machine import windowed

    check_options(options)
    fit_options = FitOptions(
        penalty=options.penalty,
        cut_off=options.cut_off,
        optimiser=options.optimiser,
        most_iterations=options.iterations,
    )
    model = _untrained(options)
    data = read_training_data(
        options.data,
        lang=options.language,
        references=options.references,
        standardise=options.standardise,
    )
    with progress_line() as tell:
        if tell is not None:
            tell(f"analysing {len(data):,} pairs")
        pairs = training_pairs(model, data, threads=options.threads)
    if limited := int(windowed(pairs, options=model.machine).sum()):
        warnings.warn(
            f"{limited} of {len(pairs)} pairs have a side of more than {options.exact_length} words, or "
            f"very many repeated ones: their jumps are those within {options.jump_window} words at most.",
            stacklevel=1,
        )
    if options.cross_validate:
        _cross_validate(model, data, pairs, fit_options, options)
        if options.output is None:
            return 0
    return _train(model, data, pairs, fit_options, options)


def _untrained(options: argparse.Namespace) -> EditModel:
    from metaphrase.matching.edit_machine import MachineOptions
    from metaphrase.matching.substitutions import SubstitutionOptions
    from metaphrase.trained.edit_model import EditModel

    def given(names: Iterable[str]) -> dict[str, Any]:
        return {name: getattr(options, name) for name in names}

    return EditModel(
        name=_name(options, options.preset),
        weights={},
        alpha=0.0,
        machine=MachineOptions(**given(MACHINE)),
        substitutions=SubstitutionOptions(**given(SUBSTITUTIONS)),
        synonyms=options.synonyms,
        paraphrases=options.paraphrases,
        jump_labels=options.jump_labels,
        start_features=options.start_features,
        analyser=options.analyser or f"builtin:{options.language}",
        lang=options.language,
        references=options.combine,
        licence=options.licence,
    )


def _name(options: argparse.Namespace, otherwise: str) -> str:
    if options.name is not None:
        return str(options.name)
    return otherwise if options.output is None else Path(options.output).stem


def _train(
    model: EditModel,
    data: TrainingData,
    pairs: EditPairs,
    fit_options: FitOptions,
    options: argparse.Namespace,
) -> int:
    from metaphrase.learning.edit_machines.training import train_edit_machine, with_data_sources
    from metaphrase.learning.edit_machines.warning_signs import warning_signs

    try:
        with progress_line() as tell:
            trained = train_edit_machine(
                model,
                pairs,
                data.targets,
                options=fit_options,
                threads=options.threads,
                checkpoint=options.checkpoint,
                resume=options.resume,
                report=_reporter(tell, model.name),
            )
    except (KeyboardInterrupt, Terminated) as error:
        return interrupted(options.checkpoint, error)
    trained = with_data_sources(
        trained,
        data,
        standardised=options.standardise,
        references=options.references,
        command=retraining_command(options),
    )
    done = bool(trained.training["converged"])
    if not done:
        warnings.warn(
            f"training stopped before the minimum, after {trained.training['iterations']} iterations"
            + (": go on with --resume and more --iterations" if options.checkpoint else "")
            + ".",
            stacklevel=1,
        )
    _write(trained, options.output, _summary(trained), aside=options.format == "json")
    if options.checkpoint is not None and done:
        remove_checkpoint(options.checkpoint)
    for sign in warning_signs(trained, data, pairs, threads=options.threads):
        warnings.warn(sign, stacklevel=1)
    return 0


def _cross_validate(
    model: EditModel,
    data: TrainingData,
    pairs: EditPairs,
    fit_options: FitOptions,
    options: argparse.Namespace,
) -> None:
    from metaphrase.learning.edit_machines.validation import cross_validate, folds_by_group
    from metaphrase.report.terminal.validation_view import validation_json, validation_view

    folds = folds_by_group(data, options.cross_validate, options.folds)
    with progress_line() as tell:
        found = cross_validate(
            model,
            pairs,
            data.targets,
            folds,
            options=fit_options,
            threads=options.threads,
            report=lambda name: _reporter(tell, f"without {name}"),
        )
    if options.format == "json":
        print_lines([validation_json(found)])
    else:
        print_view(validation_view(found))


def _reporter(tell: Callable[[str], None] | None, what: str) -> Report | None:
    if tell is None:
        return None
    return lambda now: tell(
        f"training {what}: iteration {now.iteration}, objective {now.objective:,.4f}, "
        f"step {now.step:.2g}, {now.evaluations} evaluations"
    )


def _write(model: EditModel, path: str | None, summary: str, *, aside: bool = False) -> None:
    """Write the model, and say so; ``aside``, because the output is for a program."""
    if path is None:
        print_lines([model.to_json().rstrip("\n")])
        return
    model.save(path)
    line = f"{os.fsencode(path).decode(errors='replace')}: {summary}"
    if aside:
        print_aside(line)
    else:
        print_lines([line])


def _summary(model: EditModel) -> str:
    training = model.training
    return (
        f"{len(model.weights)} weights from {training['pairs']:,} pairs, "
        f"objective {training['objective']:.4f} after {training['iterations']} iterations"
    )


def run_rescale(options: argparse.Namespace) -> int:
    """Fit slope and intercept, write the model."""
    from dataclasses import replace

    from metaphrase.learning.edit_machines.data import read_training_data
    from metaphrase.learning.edit_machines.training import rescale
    from metaphrase.trained.edit_model import EditModel

    inputs: Sequence[str] = [*options.data, options.model.removeprefix("file:")]
    check_output(options.output, inputs)
    model = EditModel.find(options.model)
    # Before the work, for they may be refused.
    named = replace(
        model, name=_name(options, model.name), licence=options.licence or model.licence
    )
    data = read_training_data(
        options.data, lang=model.lang, references="each", standardise=options.standardise
    )
    fitted = rescale(model, data, threads=options.threads)
    fitted = replace(fitted, name=named.name, licence=named.licence)
    found = fitted.training["rescaled"][-1]
    _write(
        fitted,
        options.output,
        f"{found['slope']:.6g} times {model.name} plus {found['intercept']:.6g}, "
        f"Pearson's r {found['pearson']:.3f} of {found['judgements']:,} judgements",
    )
    return 0
