"""Options of ``metaphrase train`` that do not go together."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from metaphrase.cli.interruption import Terminated
from metaphrase.cli.output import check_output, print_aside
from metaphrase.errors import InputError, OptionError

#: Options about jumps, and about dependencies: idle in a machine without them.
_OF_JUMPS = "free_jumped jump_first jump_after_jump exact_length jump_window jump_labels".split()
_OF_DEPENDENCIES = ("same_direction",)


def check_options(options: argparse.Namespace) -> None:
    """Refuse what cannot be done, or would do nothing, before hours of work are lost."""
    check_output(options.output, [*options.data, options.checkpoint])
    check_output(options.checkpoint, options.data)
    if fault := _idle_option(options):
        raise OptionError("MP642", fault, hint="Leave it out.")
    fault, hint = _contradiction(options)
    if fault:
        raise OptionError("MP642", fault, hint=hint)
    if options.folds is not None and not options.cross_validate:
        fault = "--folds says how to --cross-validate, which was not asked for."
    elif options.format != "text" and not options.cross_validate:
        fault = f"--format {options.format} is for what --cross-validate finds, which was not asked for."
    elif options.folds == 1:
        fault = "--folds 1 leaves nothing to train on."
    elif options.checkpoint and options.cross_validate:
        fault = "--cross-validate trains many models, and a --checkpoint is of one."
    if fault:
        raise OptionError("MP642", fault, hint="Leave one out, or give both.")
    check_checkpoint(options)


def check_checkpoint(options: argparse.Namespace) -> None:
    """Refuse to resume from nothing, and to write over another checkpoint."""
    if options.resume and options.checkpoint is None:
        raise OptionError(
            "MP642",
            "--resume needs the --checkpoint to go on from.",
            hint="Leave one out, or give both.",
        )
    if options.checkpoint and not options.resume and os.path.exists(options.checkpoint):
        raise InputError(
            "MP130",
            "The checkpoint exists.",
            path=options.checkpoint,
            hint="Go on from it with --resume, or choose another name.",
        )


def interrupted(checkpoint: str | None, how: KeyboardInterrupt | Terminated) -> int:
    """Say how to go on from what the checkpoint has, if there is one; the exit code."""
    if checkpoint is None or not os.path.exists(checkpoint):
        raise how
    terminated = isinstance(how, Terminated)
    print_aside(
        f"metaphrase: {'terminated' if terminated else 'interrupted'}; {checkpoint} has what was done. "
        "To go on, give the same command with --resume."
    )
    return 143 if terminated else 130


def remove_checkpoint(path: str) -> None:
    """Remove what is not needed any more; the model is there, so that failing is worth a word, not an end."""
    try:
        Path(path).unlink(missing_ok=True)
    except OSError as error:
        print_aside(
            f"metaphrase: {path} is not needed any more, but cannot be removed: {error.strerror}"
        )


def _contradiction(options: argparse.Namespace) -> tuple[str, str]:
    """What would make a model that the metric of its name refuses, and what to do instead."""
    if options.preset == "pfsm" and options.max_jump > 0:
        return "pfsm has no jumps, and --max-jump gives it some.", "Train ppda."
    if options.preset != "pfsm" and options.max_jump == 0:
        return f"{options.preset} jumps, and --max-jump 0 forbids it.", "Train pfsm."
    if options.lemmas == "porter" and options.language != "en":
        return (
            f"--lemmas porter stems English words, not those of --language {options.language}.",
            "Take --lemmas lemma.",
        )
    kind, _, language = (options.analyser or "").partition(":")
    if kind == "builtin" and language.partition("+")[0] != options.language:
        return (
            f"--analyser {options.analyser} is not for --language {options.language}.",
            "Leave the analyser out, or give the language too.",
        )
    return "", ""


def _idle_option(options: argparse.Namespace) -> str:
    """What is wrong with an option about something that the machine does not have; empty if nothing is.

    It would change no score, but the model's fingerprint.
    """
    idle = {} if options.max_jump > 0 else dict.fromkeys(_OF_JUMPS, "jumps")
    if not options.dependencies:
        idle |= dict.fromkeys(_OF_DEPENDENCIES, "dependencies")
    for name, what in idle.items():
        if getattr(options, name) != options.defaults[name]:
            flag = f"--{name.replace('_', '-')}"
            return f"{flag} is about {what}, which this machine does not have."
    return ""
