"""``metaphrase serve``: evaluations in the browser, for one's own files."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path

from metaphrase.cli.arguments import positive
from metaphrase.cli.command import command
from metaphrase.errors import OptionError
from metaphrase.extras import not_installed
from metaphrase.serve.limits import Limits, default_workers

_TOKEN_VARIABLE = "METAPHRASE_TOKEN"

EXAMPLES = """\
examples:
  metaphrase serve --open
  metaphrase serve --port 9000 --store none
  metaphrase serve --workers 4 --time-limit 3600 --max-megabytes 500
  METAPHRASE_TOKEN=... metaphrase serve --allow-host metrics.example.org
"""


@command(
    place=70,
    help="evaluate in the browser",
    description="Serve a page on which files are dropped, scored, browsed and explained.\n"
    'It is for this machine alone unless --host says otherwise.\nNeeds "metaphrase[serve]".',
    epilog=EXAMPLES,
    formatter_class=argparse.RawDescriptionHelpFormatter,
)
def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare its arguments."""
    standard = Limits()
    parser.add_argument(
        "--port", type=_port, default=8765, metavar="N", help="default: 8765; 0: any"
    )
    parser.add_argument("--host", default="127.0.0.1", metavar="NAME", help="default: 127.0.0.1")
    parser.add_argument(
        "--allow-host",
        type=_host_name,
        action="append",
        default=[],
        metavar="NAME",
        help="a further name under which it answers, that of a proxy for instance; may be repeated",
    )
    parser.add_argument(
        "--token",
        help="answer only to whoever has it (default: the environment variable METAPHRASE_TOKEN, which other "
        "users of this machine cannot see)",
    )
    parser.add_argument("--open", action="store_true", help="open the page in a browser")
    group = parser.add_argument_group("store")
    group.add_argument(
        "--store",
        metavar="DIR",
        help="where evaluations are kept, a new or empty folder at first; none: as long as the server runs "
        "(default: the user's state folder)",
    )
    _add_number(group, "--keep", standard.keep, "finished evaluations that are kept")
    _add_number(group, "--keep-megabytes", standard.keep_megabytes, "disk for all of them")
    group = parser.add_argument_group("limits")
    _add_number(group, "--workers", default_workers(), "evaluations at a time")
    _add_number(group, "--queue", standard.queue, "evaluations that run or wait")
    _add_number(group, "--max-megabytes", standard.megabytes, "size of the files of one")
    _add_number(group, "--max-segments", standard.segments, "segments of one")
    _add_number(group, "--max-systems", standard.systems, "systems and references of one")
    _add_number(group, "--time-limit", int(standard.seconds), "seconds for one")
    _add_number(group, "--worker-megabytes", standard.worker_megabytes, "memory for one")
    parser.set_defaults(run=run)


def _port(text: str) -> int:
    """A port, for argparse."""
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: a whole number up to 65535")
    return int(text)


def _host_name(text: str) -> str:
    """The name or address of a host, for argparse."""
    if not re.fullmatch(r"[\w.-]+|\[?[0-9a-fA-F:.]*:[0-9a-fA-F:.]*:[0-9a-fA-F:.]*\]?", text):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a host: a name such as metrics.example.org, without port or path"
        )
    return text


def _token(given: str | None) -> str | None:
    """The token of the command line or else of the environment, from which workers would inherit it."""
    inherited = os.environ.pop(_TOKEN_VARIABLE, None)
    token = inherited if given is None else given
    if token is not None and not re.fullmatch(r"[!-~]+", token):
        # An empty one, of a variable that was not set, must not open the server to everybody.
        raise OptionError(
            "MP838",
            "the token is empty, or has spaces or characters beyond ASCII.",
            hint="Make one with `openssl rand -hex 32`.",
        )
    return token


def _add_number(group: argparse._ArgumentGroup, flag: str, default: int, text: str) -> None:
    group.add_argument(
        flag, type=positive, default=default, metavar="N", help=f"{text} (default: {default})"
    )


def run(options: argparse.Namespace) -> int:
    """Serve until stopped."""
    try:
        from metaphrase.serve.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("starlette", "uvicorn", "anyio", "h11"):
            raise
        raise not_installed(
            f"the package {error.name!r}, which serving needs, is not installed.", "serve"
        ) from None
    from metaphrase.serve.store import default_folder

    limits = Limits(
        megabytes=options.max_megabytes,
        segments=options.max_segments,
        systems=options.max_systems,
        seconds=options.time_limit,
        queue=options.queue,
        workers=options.workers,
        worker_megabytes=options.worker_megabytes,
        keep=options.keep,
        keep_megabytes=options.keep_megabytes,
        explanation_seconds=min(Limits().explanation_seconds, options.time_limit),
    )
    store = default_folder() if options.store is None else Path(options.store)
    serve(
        host=options.host,
        port=options.port,
        store=None if options.store == "none" else store,
        limits=limits,
        allowed_hosts=options.allow_host,
        token=_token(options.token),
        open_browser=options.open,
    )
    return 0
