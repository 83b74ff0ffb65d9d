"""``metaphrase train tesla``: the weights of TESLA's features from people's rankings or scores."""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metaphrase.cli.arguments import add_language, positive
from metaphrase.cli.output import check_output, print_lines, progress_line
from metaphrase.cli.train.options import add_data_files, add_output, command_line
from metaphrase.errors import OptionError
from metaphrase.extras import install_command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from metaphrase.learning.tesla.training import TeslaTrainingData
    from metaphrase.metrics.tesla.features import JudgedFeatures, TeslaFeatures
    from metaphrase.trained.tesla_model import Resource, TeslaModel

EXAMPLES = """\
examples:
  metaphrase train tesla --data wmt12.rank.jsonl.gz --pivots en-de.pivots \\
      --language-models news.lm europarl.lm -o tesla.json
  metaphrase train tesla --data scores.tsv --absolute -o tesla.json
  metaphrase train tesla --data scores.tsv --absolute --pivots \\
      --language-models -o words.json
  metaphrase score ref.txt -i system.txt -m tesla:model=file:tesla.json
"""


def add_parser(kinds: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the kind of training."""
    parser = kinds.add_parser(
        "tesla",
        help="the weights of TESLA's features",
        description="Learn what each feature of TESLA weighs: by a ranking SVM from rankings, or by ridge "
        "regression from absolute scores.",
        epilog=EXAMPLES,
    )
    group = add_data_files(
        parser,
        "rankings (JSONL) as `metaphrase meta` reads them, or scores (TSV) with --absolute; gzip too",
    )
    group.add_argument(
        "--absolute", action="store_true", help="learn from scores, not from rankings"
    )
    group.add_argument(
        "--standardise",
        action="store_true",
        help="with --absolute: turn the scores of each data set and language pair into z-scores",
    )
    group = parser.add_argument_group("what features come from")
    group.add_argument(
        "--pivots",
        nargs="*",
        action="extend",
        metavar="FILE",
        help="of `metaphrase train phrases` (default: those of metaphrase-pivots; no FILE: none)",
    )
    group.add_argument(
        "--language-models",
        nargs="*",
        action="extend",
        metavar="FILE",
        help="of `metaphrase train language-model`; what stands before the first dot is its name "
        "(default: those of metaphrase-pivots; no FILE: none)",
    )
    add_language(group, "default: the built-in one")
    group.add_argument("--synonyms", metavar="NAME", help="default: those of TESLA-M")
    group.add_argument(
        "--as-given",
        action="store_true",
        help="compare texts byte by byte, for a model that is used with normalise=no",
    )
    group = parser.add_argument_group("training")
    group.add_argument(
        "--loss",
        choices=("squared-hinge", "hinge"),
        help="of a pair in the wrong order, for rankings: hinge is that of SVM-rank, the paper's program "
        "(default: squared-hinge)",
    )
    group.add_argument(
        "--lm-divisor",
        choices=("n+1", "n"),
        default="n+1",
        help="what log P of a sentence of n words is divided by: n+1 counts its end, n is the paper's "
        "(default: n+1)",
    )
    group.add_argument(
        "--folds", type=positive, default=5, metavar="N", help="of cross-validation (default: 5)"
    )
    add_output(parser, "the model", required=True)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read, compute features, learn, write, and say how well it went."""
    from metaphrase.learning.tesla.training import read_tesla_data

    taken = _take_packaged(options)
    check_output(options.output, [*options.data, *options.pivots, *options.language_models])
    if options.standardise and not options.absolute:
        raise OptionError("MP815", "--standardise is for scores.", hint="Add --absolute.")
    if options.loss and options.absolute:
        raise OptionError(
            "MP815",
            "--loss is for rankings, and --absolute for scores.",
            hint="Leave one of them out: scores are learned by ridge regression.",
        )
    features, untrained = _sources(options)
    data = read_tesla_data(options.data, lang=options.language, absolute=options.absolute)
    with progress_line() as tell:
        judged = _features(features, data, options.threads, tell)
        model = _learn(untrained, features, data, judged, options, tell)
    model.save(options.output)
    lines = [f"{options.output}: {_summary(model)}"]
    if taken:
        lines.append(f"{', '.join(taken)} of metaphrase-pivots were used")
    if data.left_out:
        kind = "scores" if options.absolute else "rankings"
        lines.append(f"{data.left_out:,} {kind} of translations into other languages were left out")
    print_lines(lines)
    return 0


def _take_packaged(options: argparse.Namespace) -> list[str]:
    """Fill in the files that nobody chose by those of the language's model, if one ships, and name them."""
    from metaphrase.metrics.tesla.resources import packaged
    from metaphrase.trained.tesla_model import TeslaModel

    lang = options.language
    shipped = TeslaModel.find(lang) if lang in TeslaModel.shipped() else None
    fits = shipped is not None and options.analyser in (None, shipped.analyser)
    taken, lacking = [], []
    for flag in ("pivots", "language_models"):
        if getattr(options, flag) is not None:
            continue
        paths = packaged(getattr(shipped, flag)) if fits else []
        if paths is None:
            lacking.append(f"--{flag.replace('_', '-')}")
        taken += [path.name for path in paths or ()]
        setattr(options, flag, list(map(str, paths or ())))
    if lacking:
        warnings.warn(
            f"TESLA is trained without {' and '.join(lacking)}: metaphrase-pivots, which has such "
            f"files, is not installed. Name files of yours, or run: {install_command('pivots')}",
            stacklevel=1,
        )
    return taken


def _sources(options: argparse.Namespace) -> tuple[TeslaFeatures, TeslaModel]:
    """Open all that features come from; a model that names it, without weights."""
    from metaphrase.metrics.tesla.features import TeslaFeatures
    from metaphrase.metrics.tesla.resources import open_language_model, open_table
    from metaphrase.metrics.tesla_m.metric import TeslaM
    from metaphrase.trained.tesla_model import Resource, TeslaModel

    model_name = options.name or Path(options.output).stem
    if not model_name.isprintable():
        raise OptionError(
            "MP815",
            f"{model_name!r} cannot be the name of a model.",
            hint="Give it a --name without control characters.",
        )
    _check_names(map(Path, [*options.pivots, *options.language_models]))
    words = TeslaM(
        lang=options.language,
        analyser=options.analyser,
        synonyms=options.synonyms,
        normalise=not options.as_given,
    )
    pivots, language_models = {}, {}
    named: tuple[dict[str, Resource], dict[str, Resource]] = {}, {}
    for path in map(Path, options.pivots):
        table = open_table(path)
        target, pivot = table.languages
        _check(target == options.language, f"is of {target!r}, not {options.language!r}", path)
        _check_words(table.analysers[0], words.analyser_name, path)
        _check(pivot not in pivots, f"is the second of {pivot!r}", path)
        pivots[pivot] = table
        named[0][pivot] = Resource(path.name, table.fingerprint)
    for path in map(Path, options.language_models):
        model, name = open_language_model(path), path.name.partition(".")[0]
        if model.form.analyser is None:
            warnings.warn(
                f"{path} does not say what its words are: they are taken for the tokens of "
                f"{words.analyser_name}, with their case.",
                stacklevel=1,
            )
        else:
            _check_words(model.form.analyser, words.analyser_name, path)
        _check(bool(name), "has no name before its first dot", path)
        _check(name not in language_models, f"is the second that is called {name!r}", path)
        language_models[name] = model
        named[1][name] = Resource(path.name, model.fingerprint)
    untrained = TeslaModel(
        name=model_name,
        lang=options.language,
        analyser=words.analyser_name,
        synonyms=options.synonyms or words.language.synonyms,
        features={},
        pivots=named[0],
        language_models=named[1],
        alpha=words.alpha,
        function_divisor=words.function_divisor,
        lm_divisor=options.lm_divisor,
        licence=options.licence,
    )
    return TeslaFeatures(words, pivots, language_models, options.lm_divisor), untrained


def _check_names(paths: Iterable[Path]) -> None:
    """A model finds its files by their names, all in one directory, and signatures spell them."""
    from metaphrase.trained.tesla_model import is_resource_name

    seen: set[str] = set()
    for path in paths:
        _check(is_resource_name(path.name), "has control characters, | or , in its name", path)
        _check(path.name not in seen, "has the same name as another one", path)
        seen.add(path.name)


def _check_words(found: str, wanted: str, path: Path) -> None:
    _check(found == wanted, f"has words of {found!r}, and the model those of {wanted!r}", path)


def _check(fits: bool, fault: str, path: Path) -> None:
    if not fits:
        raise OptionError(
            "MP815", f"The file {fault}.", path=path, hint="Choose files that go together."
        )


def _features(
    features: TeslaFeatures,
    data: TeslaTrainingData,
    threads: int,
    tell: Callable[[str], None] | None,
) -> JudgedFeatures:
    import numpy as np

    from metaphrase.metrics.tesla.features import JudgedFeatures, judged_features

    total, parts = int(data.offsets[-1]), []
    for judged, before in zip(data.judgements, data.offsets.tolist(), strict=False):

        def progress(done: int, before: int = before) -> None:
            if tell is not None:
                tell(f"features of {before + done:,} of {total:,} texts")

        parts.append(judged_features(features, judged, threads=threads, progress=progress))
    return JudgedFeatures(*map(np.concatenate, zip(*parts, strict=True)))


def _learn(
    untrained: TeslaModel,
    features: TeslaFeatures,
    data: TeslaTrainingData,
    judged: JudgedFeatures,
    options: argparse.Namespace,
    tell: Callable[[str], None] | None,
) -> TeslaModel:
    from dataclasses import replace

    from metaphrase.learning.tesla.training import learn_ranking, learn_scores, weighed
    from metaphrase.version import __version__

    settings: dict[str, Any] = {"folds": options.folds, "report": tell, "shares": judged.shares}
    if options.absolute:
        settings["standardise"] = options.standardise
        fit, account = learn_scores(data, judged.values, **settings)
    else:
        settings |= {"loss": options.loss} if options.loss else {}
        fit, account = learn_ranking(data, judged.values, **settings)
    account |= {"command": retraining_command(options), "metaphrase": __version__}
    return replace(
        untrained,
        features=weighed(features.names, fit),
        intercept=fit.intercept,
        training=account,
    )


def retraining_command(options: argparse.Namespace) -> str:
    """How to train the model again, with files by name."""
    words = ["metaphrase", "train", "tesla"]
    for flag in ("data", "pivots", "language_models"):
        files = [Path(path).name for path in getattr(options, flag)]
        # Without files an option says that there were none.
        words += [f"--{flag.replace('_', '-')}", *files]
    flags = ("absolute", "standardise", "as_given")
    words += [f"--{flag.replace('_', '-')}" for flag in flags if getattr(options, flag)]
    defaults = {"language": "en", "analyser": None, "synonyms": None, "folds": 5}
    defaults |= {"loss": None, "lm_divisor": "n+1", "name": None, "licence": ""}
    for flag, default in defaults.items():
        value = getattr(options, flag)
        words += [] if value == default else [f"--{flag.replace('_', '-')}", str(value)]
    return command_line([*words, "-o", Path(options.output).name])


def _summary(model: TeslaModel) -> str:
    training = model.training
    judged = "scores" if "scores" in training else "pairs"
    best = max(training["held_out"].values())
    return (
        f"{len(model.features)} weights from {training[judged]:,} {judged} of "
        f"{training['segments']:,} segments; {training['measure']} {training['accuracy']:.4f}, "
        f"{best:.4f} where held out"
    )
