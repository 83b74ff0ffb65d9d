"""The command line: one module per sub-command; only here is anything printed or exited."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from metaphrase import __version__
from metaphrase.cli import doctor, explain, metrics, score
from metaphrase.errors import InputError, MetaphraseError, ResourceError

EXIT_CODES = """\
exit codes:
  0 success · 1 unusable input · 2 wrong usage or option · 3 missing resource · 70 a bug of ours
"""


def build_parser() -> argparse.ArgumentParser:
    """The parser of all sub-commands."""
    parser = argparse.ArgumentParser(
        prog="metaphrase",
        description="Measure machine translation quality and see the reason for every score.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"metaphrase {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in (score, explain, metrics, doctor):
        command.add_parser(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the return value is the exit code."""
    options = build_parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except MetaphraseError as error:
        print(f"metaphrase: {error}", file=sys.stderr)
        return 1 if isinstance(error, InputError) else 3 if isinstance(error, ResourceError) else 2
    except BrokenPipeError:
        # Whoever read our output has seen enough; nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("metaphrase: interrupted", file=sys.stderr)
        return 130
    except Exception as error:
        if os.environ.get("METAPHRASE_DEBUG"):
            raise
        print(
            f"metaphrase: [MP699] this is a bug of ours: {type(error).__name__}: {error}\n"
            "Set METAPHRASE_DEBUG=1 to see where it happened, and please report it.",
            file=sys.stderr,
        )
        return 70
