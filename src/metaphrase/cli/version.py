"""``metaphrase --version``, and with ``--verbose`` all that somebody who mends a fault has to know.

Nothing says who or where the user is: it is made to be pasted into an issue.
"""

from __future__ import annotations

import argparse
import getpass
import json
import os
import platform
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from importlib import metadata
from pathlib import Path, PurePath
from typing import Any

from metaphrase.cli.output import print_lines
from metaphrase.version import __version__

#: What is there without an extra.
_ALWAYS = ("numpy", "sacrebleu", "rich")
_OURS = "metaphrase"
#: Files of a distribution that are no models: code, and what is said about it.
_NO_MODELS = (".py", ".pyi", ".pyc", ".so", ".pyd", ".md", ".txt", ".css", ".js", ".html", ".typed")
_SECRET = re.compile("TOKEN|SECRET|PASSWORD|KEY")
_DIGITS = 12


def asks_for_version(arguments: Sequence[str]) -> bool:
    """Whether it is the version that somebody wants, and nothing else."""
    return bool(arguments) and arguments[0] in ("--version", "--verbose")


def run(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> int:
    """Print what the arguments ask for; ``parser`` knows no command yet."""
    parser.add_argument("--version", action="store_true", help="print the version")
    parser.add_argument("--verbose", action="store_true", help="and all that a bug report needs")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    options = parser.parse_args(arguments)
    if not options.version:
        parser.error("--verbose goes with --version")
    if not options.verbose:
        if options.format == "json":
            print_lines([json.dumps({"metaphrase": __version__})])
        else:
            print_lines([f"metaphrase {__version__}"])
        return 0
    found = facts()
    if options.format == "json":
        print_lines([json.dumps(found, ensure_ascii=False, indent=1)])
    else:
        print_lines(_lines(found))
    return 0


def facts() -> dict[str, Any]:
    """Versions, platform, core, models, cache, plug-ins and environment."""
    return {
        "metaphrase": __version__,
        "python": {
            "version": platform.python_version(),
            "implementation": platform.python_implementation(),
            "compiler": platform.python_compiler(),
            "encoding": f"{sys.getfilesystemencoding()}, output {getattr(sys.stdout, 'encoding', None)}",
        },
        "platform": {
            "system": f"{platform.system()} {platform.release()}",
            "machine": platform.machine(),
            "libc": " ".join(filter(None, platform.libc_ver())) or "unknown",
            "cores": _cores(),
        },
        "packages": dict(_packages()),
        "core": _told(_core),
        "models": _told(lambda: dict(_models())),
        "cache": _told(_cache),
        "plug-ins": _told(_plugins),
        "environment": dict(_environment(os.environ)),
    }


def _told(find: Any) -> Any:
    """What was found, or why it was not: a broken installation is what bug reports are about."""
    try:
        return find()
    except Exception as error:
        return {"error": anonymous(f"{type(error).__name__}: {error}")}


def _cores() -> int:
    from metaphrase.threads import available_cores

    return available_cores()


def _packages() -> Iterator[tuple[str, str]]:
    """What the package and its extras ask for, if it is installed; and our other distributions."""
    try:
        asked = [re.split(r"[^\w.-]", one, maxsplit=1)[0] for one in metadata.requires(_OURS) or ()]
    except metadata.PackageNotFoundError:
        asked = []  # a clone that was never installed
    others = sorted({name.lower() for name in (*asked, *_distributions())} - {*_ALWAYS, _OURS})
    for name in (*_ALWAYS, *others):
        try:
            yield name, metadata.version(name)
        except metadata.PackageNotFoundError:
            if name in _ALWAYS:
                yield name, "missing"


def _distributions() -> list[str]:
    """The distributions that belong to us, such as those of models."""
    names = {one.metadata["Name"] or "" for one in metadata.distributions()}
    return sorted(name for name in names if re.match(rf"{_OURS}([-_.]|$)", name, re.IGNORECASE))


def _core() -> dict[str, Any]:
    from metaphrase import _core as core

    return {"file": PurePath(core.__file__).name, **core.build()}


def _models() -> Iterator[tuple[str, str]]:
    """Each model that is installed, in whichever distribution: its hash, and where it comes from."""
    folder = Path(__file__).parent.parent / "models"
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix and path.suffix not in (*_NO_MODELS, ".LICENSE"):
            yield path.relative_to(folder).as_posix(), f"{_hash(path)} {_OURS}"
    for name in _distributions():
        if name.lower() == _OURS:
            continue
        distribution = metadata.distribution(name)
        for file in sorted(distribution.files or (), key=str):
            path = Path(str(distribution.locate_file(file)))
            about = ".dist-info" in str(file) or file.suffix in (*_NO_MODELS, ".LICENSE", "")
            if not about and path.is_file():
                yield f"{name}/{file.name}", f"{_hash(path)} {name} {distribution.version}"


def _hash(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()[:_DIGITS]


def _cache() -> dict[str, Any]:
    from metaphrase.analysis.cache import default_directory

    folder = default_directory()
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    return {"folder": anonymous(str(folder)), "bytes": size}


def _plugins() -> dict[str, str]:
    """Metrics that distributions offer by entry points; nothing of them is imported."""
    from metaphrase.entry_points import origin_of
    from metaphrase.metrics.plugins import installed

    return {
        name: ", ".join(str(origin_of(point)) for point in points)
        for name, points in installed().items()
    }


def _environment(variables: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Our own variables; what is secret stays so."""
    for name in sorted(variables):
        if name.startswith("METAPHRASE_"):
            yield name, "(set)" if _SECRET.search(name) else anonymous(variables[name])


def anonymous(text: str) -> str:
    """``text`` without the names of the user and of the machine."""
    names: list[tuple[str, str]] = []
    for find, instead in ((Path.home, "~"), (getpass.getuser, "USER"), (platform.node, "HOST")):
        try:
            names.append((str(find()), instead))
        except Exception:  # nobody has to have a name
            continue
    for name, instead in names:
        if len(name) > 1:
            text = re.sub(rf"(?<![\w]){re.escape(name)}(?![\w])", instead, text)
    return text


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    """A line for each fact, under a heading for each group."""
    for name, value in found.items():
        if not isinstance(value, Mapping):
            yield f"{name} {value}"
            continue
        yield f"{name}:" if value else f"{name}: none"
        width = max(map(len, value), default=0)
        for key, one in value.items():
            yield f"  {key:{width}}  {_spelled(one)}".rstrip()


def _spelled(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ", ".join(map(str, value)) or "none"
    return f"{value:,}" if isinstance(value, int) else str(value)
