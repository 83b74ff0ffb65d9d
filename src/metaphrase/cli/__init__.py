"""The command line: one module per sub-command; only here is anything printed or exited."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, NoReturn

from metaphrase.cli import version
from metaphrase.cli.command import add_all_commands, add_command, failure
from metaphrase.cli.interruption import (
    Terminated,
    open_standard_streams,
    terminable,
)
from metaphrase.cli.output import print_aside, silence, writing
from metaphrase.errors import InputError, MetaphraseError, ResourceError
from metaphrase.memory import out_of_memory
from metaphrase.version import __version__

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

EPILOG = """\
first steps:
  metaphrase demo                                 what does it show?
  metaphrase score reference.txt -i system.txt    how good is it?
  metaphrase explain reference.txt -i system.txt  why is the worst segment bad?
  metaphrase COMMAND --help                       options and examples

exit codes:
  0 success, 1 unusable input, 2 wrong usage or option, 3 missing resource,
  70 a bug of ours, 130 interrupted, 143 terminated; of `check` and `gate`
  1 says that translations are wrong or worse, and 2 unusable input, too
"""


class _HelpFormatter(argparse.HelpFormatter):
    """Folds sentences, and leaves lists of examples as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if "\n" in text:
            return "".join(f"{indent}{line}" for line in text.splitlines(keepends=True))
        return super()._fill_text(text, width, indent)


class _Parser(argparse.ArgumentParser):
    """Takes no abbreviations: the next version may have an option that begins alike.

    Sub-commands are parsers of the same class.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        always: dict[str, Any] = {"allow_abbrev": False, "formatter_class": _HelpFormatter}
        super().__init__(*args, **(always | options))

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Print help, or say why not, where argparse would say nothing."""
        if file is None or file is not sys.stdout:
            print_aside(message.rstrip("\n"))
            return
        with writing():
            file.write(message)

    def error(self, message: str) -> NoReturn:
        """Refuse the command; with the error stream closed, argparse would say so among the results."""
        if sys.stderr is None:
            sys.exit(2)
        super().error(message)

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Suggest the option that somebody may have meant; only the sub-command knows its own."""
        found, unknown = super().parse_known_args(args, namespace)
        for argument in unknown:
            name, options = argument.partition("=")[0], self._option_string_actions
            close = get_close_matches(name, options, n=1, cutoff=0.7)
            if close and name.startswith("--"):
                self.error(f"there is no {argument}: did you mean {close[0]}?")
        return found, unknown


def build_parser(name: str = "") -> argparse.ArgumentParser:
    """The parser of one sub-command, or of all if none is called so."""
    parser: argparse.ArgumentParser = _Parser(
        prog="metaphrase",
        description="Measure machine translation quality and see the reason for every score.",
        epilog=EPILOG,
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"metaphrase {__version__}",
        help="print the version; with --verbose all that a bug report needs",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    if not add_command(name, commands):
        add_all_commands(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the return value is the exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A screen that knows no arrows shows question marks instead of a traceback.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    open_standard_streams()
    options = argparse.Namespace()
    try:
        given = sys.argv[1:] if arguments is None else arguments
        if version.asks_for_version(given):
            return version.run(_Parser(prog="metaphrase"), given)
        options = build_parser(*given[:1]).parse_args(given)
        with warnings.catch_warnings(), _log_as_warnings(), terminable():
            warnings.showwarning = lambda message, *_, **__: _complain(f"warning: {message}")
            _load(getattr(options, "load", ()))
            code: int = options.run(options)
        return code
    except MetaphraseError as error:
        return _failed(error, options)
    except BrokenPipeError:
        # Whoever read our output has seen enough; nothing may be written at exit either.
        silence(sys.stdout)
        return 0
    except KeyboardInterrupt:
        _complain("interrupted")
        return 130
    except Terminated:
        _complain("terminated")
        return 143
    except Exception as error:
        if (lack := out_of_memory(error)) is not None:
            return _failed(lack, options)
        if os.environ.get("METAPHRASE_DEBUG"):
            raise
        if (fault := _plugin_failure(error, options)) is not None:
            return _failed(fault, options)
        _complain(
            f"[MP699] this is a bug of ours: {type(error).__name__}: {error}. "
            "Set METAPHRASE_DEBUG=1 to see where it happened, and please report it."
        )
        return 70


def _load(paths: Sequence[str]) -> None:
    """Run the files of metrics that the user named, before anything asks for a metric."""
    if paths:
        from metaphrase.metrics import load_metrics

        for path in paths:
            load_metrics(path)


def _plugin_failure(error: Exception, options: argparse.Namespace) -> MetaphraseError | None:
    if "metaphrase.metrics" in sys.modules:  # if it is not, that may be what failed
        from metaphrase.metrics import plugin_failure

        if (fault := plugin_failure(error)) is not None:
            return fault
    offered = getattr(options, "offered", None)
    return None if offered is None else failure(error, *offered)


def _failed(error: MetaphraseError, options: argparse.Namespace) -> int:
    """The exit code; a command whose 1 means something else has ``unusable_input``."""
    _complain(str(error))
    if isinstance(error, InputError):
        return int(getattr(options, "unusable_input", 1))
    return 3 if isinstance(error, ResourceError) else 2


class _Complaints(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        _complain(f"warning: {record.getMessage()}")


@contextmanager
def _log_as_warnings() -> Iterator[None]:
    """Print what the library logs like everything else that a user should know."""
    handler = _Complaints(logging.WARNING)
    logger = logging.getLogger("metaphrase")
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


def _complain(message: str) -> None:
    printable = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in message)
    print_aside(f"metaphrase: {printable}")
