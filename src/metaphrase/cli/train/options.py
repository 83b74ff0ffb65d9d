"""The arguments of ``metaphrase train``: a flag for every option of an edit machine, with its presets."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from metaphrase.cli.arguments import add_language, add_threads, natural, positive

#: What the published machines differ in.
PRESETS: dict[str, tuple[str, dict[str, Any]]] = {
    "pfsm": (
        "insertions, deletions and substitutions of words and stems",
        {"max_jump": 0, "synonyms": "none", "paraphrases": "none", "dependencies": False},
    ),
    "ppda": (
        "pfsm with jumps",
        {"max_jump": 5, "synonyms": "none", "paraphrases": "none", "dependencies": False},
    ),
    "ppda+f": (
        "ppda with synonyms, paraphrases and dependencies",
        {
            "max_jump": 5,
            "synonyms": "wordnet",
            "paraphrases": "paraphrases",
            "dependencies": True,
        },
    ),
}
#: Fields of MachineOptions with their defaults; written out, for help must not wait for imports.
MACHINE: dict[str, tuple[int | bool | str, str]] = {
    "max_jump": (0, "longest jump in words; 0: none"),
    "edit_block": (1, "words that one insertion or deletion may take, 1 or 2"),
    "free_jumped": (True, "insertions and deletions where a jump has landed"),
    "jump_first": (True, "a jump may be the first edit"),
    "jump_after_jump": (True, "a jump may follow on the end of another"),
    "exact_length": (150, "in pairs with a side of more words, jumps have a window"),
    "jump_window": (40, "words of that window"),
}
#: Those of SubstitutionOptions.
SUBSTITUTIONS: dict[str, tuple[int | bool | str, str]] = {
    "max_block": (2, "words that one substitution may take of a side, 1 or 2"),
    "overlapping": (False, "all substitutions that hold, instead of the first"),
    "case_sensitive": (False, "words that differ in case are different"),
    "lemmas": ("stem", "stem (Porter2), porter (Porter's first), lemma or none"),
    "punctuation": (True, "punctuation has a substitution of its own"),
    "dependencies": (False, "dependencies that both sides share"),
    "same_direction": (True, "of such dependencies, head and modifier stand in the same order"),
}
#: Options that have no influence on the model, and those that have a place of their own.
_IMMATERIAL = frozenset(
    "data output card format threads checkpoint resume cross_validate folds".split()
)


def add_data_files(parser: argparse.ArgumentParser, text: str) -> argparse._ArgumentGroup:
    """Where the judgements are; ``text`` is the help."""
    group = parser.add_argument_group("data")
    group.add_argument(
        "--data", nargs="+", action="extend", required=True, metavar="FILE", help=text
    )
    return group


def add_data(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Where the scores are."""
    group = add_data_files(
        parser, "tables of human scores as `metaphrase meta` reads them (TSV); gzip too"
    )
    group.add_argument(
        "--standardise",
        action="store_true",
        help="turn the scores of each data set and language pair into z-scores",
    )
    return group


def add_output(
    parser: argparse.ArgumentParser,
    text: str = "write there instead of the screen",
    *,
    required: bool = False,
) -> argparse._ArgumentGroup:
    """Where the model goes, and what it says about itself; ``text`` is the help of the former."""
    group = parser.add_argument_group("output")
    group.add_argument("--name", help="of the model (default: that of the file)")
    group.add_argument("--licence", default="", metavar="TEXT", help="a note to keep in the model")
    group.add_argument("-o", "--output", metavar="FILE", required=required, help=text)
    add_threads(group)
    return group


def add_machine(parser: argparse.ArgumentParser, preset: Mapping[str, Any]) -> None:
    """What to train, how, and how to judge it."""
    group = add_data(parser)
    group.add_argument(
        "--references",
        choices=("first", "each"),
        default="first",
        help="of several references, learn from the first, or from each as if it were the only one",
    )
    group = parser.add_argument_group("what the machine may do")
    _add_options(group, MACHINE, preset)
    group = parser.add_argument_group("what it may substitute")
    _add_options(group, SUBSTITUTIONS, preset)
    for option in ("synonyms", "paraphrases"):
        default = preset[option]
        group.add_argument(
            f"--{option}", default=default, metavar="NAME", help=f"default: {default}"
        )
    add_language(group, "default: the built-in one")
    group = parser.add_argument_group("what is learnt")
    group.add_argument(
        "--jump-labels",
        type=int,
        choices=(1, 3),
        default=1,
        help="one weight for the three jumps of a detour, or three (default: 1)",
    )
    group.add_argument(
        "--start-features",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="weights of their own for first edits",
    )
    group.add_argument(
        "--combine",
        choices=("best", "mean"),
        default="best",
        help="what the model says about several references (default: best)",
    )
    _add_fit(parser)
    group = parser.add_argument_group("cross-validation")
    group.add_argument(
        "--cross-validate",
        choices=("lp", "set", "segment"),
        help="say how each language pair, each data set or ten parts of the segments are predicted by "
        "training on all others; a model is trained only if there is an --output for it",
    )
    group.add_argument("--folds", type=positive, metavar="N", help="so many parts instead")
    group.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="of what it finds (default: text)",
    )
    add_output(parser)
    parser.set_defaults(defaults={action.dest: action.default for action in parser._actions})


def _add_fit(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("how it is learnt")
    group.add_argument(
        "--lambda",
        dest="penalty",
        type=float,
        default=5.0,
        metavar="X",
        help="penalty of the squares of the weights (default: 5)",
    )
    group.add_argument(
        "--cut-off",
        type=natural,
        default=5,
        metavar="N",
        help="drop features that fire on fewer arcs of the data's trellises (default: 5)",
    )
    group.add_argument(
        "--optimiser",
        choices=("lm", "lbfgs"),
        default="lm",
        help="Levenberg-Marquardt (default), or SciPy's L-BFGS",
    )
    group.add_argument(
        "--iterations", type=positive, default=500, metavar="N", help="at most (default: 500)"
    )
    add_checkpoint(group)


def add_checkpoint(group: argparse._ArgumentGroup) -> None:
    """Where a training that is interrupted goes on."""
    group.add_argument(
        "--checkpoint", metavar="FILE", help="keep the state of training there until it is done"
    )
    group.add_argument(
        "--resume", action="store_true", help="go on from the --checkpoint, to the same weights"
    )


def _add_options(
    group: argparse._ArgumentGroup,
    options: Mapping[str, tuple[int | bool | str, str]],
    preset: Mapping[str, Any],
) -> None:
    for name, (usual, text) in options.items():
        default = preset.get(name, usual)
        flag = f"--{name.replace('_', '-')}"
        if isinstance(usual, bool):
            group.add_argument(
                flag,
                action=argparse.BooleanOptionalAction,
                default=default,
                help=f"{text} (default: {'yes' if default else 'no'})",
            )
        else:
            number = isinstance(usual, int)
            group.add_argument(
                flag,
                type=natural if number else str,
                default=default,
                metavar="N" if number else "NAME",
                help=f"{text} (default: {default})",
            )


def retraining_command(options: argparse.Namespace) -> str:
    """How to train the model again: with files by name, and without what it does not depend on."""
    words = ["metaphrase", "train", options.preset, "--data"]
    words += [Path(path).name for path in options.data]
    for name, default in options.defaults.items():
        value = getattr(options, name, default)
        if name in _IMMATERIAL or value == default:
            continue
        flag = "lambda" if name == "penalty" else name.replace("_", "-")
        if isinstance(value, bool):
            words.append(f"--{flag}" if value else f"--no-{flag}")
        else:
            values = value if isinstance(value, list) else [value]
            words += [f"--{flag}", *(_by_name(str(one)) for one in values if one != "")]
    if options.output is not None:
        words += ["-o", Path(options.output).name]
    return command_line(words)


def _by_name(value: str) -> str:
    """A value of an option, without the folder of a file."""
    kind, colon, path = value.partition(":")
    return f"file:{Path(path).name}" if kind == "file" and colon else value


def command_line(words: Sequence[str]) -> str:
    """The words as a shell takes them, in UTF-8, which names of files need not be."""
    return os.fsencode(shlex.join(words)).decode(errors="replace")
