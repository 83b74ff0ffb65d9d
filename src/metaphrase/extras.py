"""How an extra of this package is installed here: from where the package itself came, if that is still there.

Whoever has a clone has no package of that name on a registry. pip notes where it found what it installs
(``direct_url.json``, PEP 610).
"""

from __future__ import annotations

import json
import shutil
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from shlex import join
from urllib.parse import urlsplit
from urllib.request import url2pathname

from metaphrase.errors import ResourceError

#: Extras that are packages of ours, which a clone has as folders.
_PACKAGES = {
    "cs": "metaphrase-czech",
    "encoder": "metaphrase-encoder",
    "pivots": "metaphrase-pivots",
}
#: What every installation has, so that no extra is called like it.
_OWN = {"analysers": "metaphrase-analysers"}


def install_command(extra: str, *flags: str) -> str:
    """What to type for an extra, or for ``analysers``; ``flags`` are pip's."""
    return join([*_pip(), "install", *flags, *_requirement(extra)])


def not_installed(message: str, extra: str, do: str = "Run") -> ResourceError:
    """The error for a package that is not here; ``do`` says what else helps."""
    return ResourceError("MP970", message, hint=f"{do}: {install_command(extra)}")


def _pip() -> list[str]:
    """The pip of the interpreter that runs this, which need not be the first one on the path."""
    pip = shutil.which("pip")
    if pip is not None and Path(pip).parent == Path(sys.executable).parent:
        return ["pip"]
    return [sys.executable, "-m", "pip"]


def _requirement(extra: str) -> list[str]:
    source, editable = _source()
    package = (_PACKAGES | _OWN).get(extra)
    if source is not None and package is not None:
        for clone in (source, source.parent.parent):  # where dist/ has the wheel
            if (clone / "packages" / package).is_dir():
                return [str(clone / "packages" / package)]
    if extra in _OWN:
        return [_OWN[extra]]
    if source is None:
        return [f"metaphrase[{extra}]"]
    return [*(["--editable"] if editable else []), f"{source}[{extra}]"]


def _source() -> tuple[Path | None, bool]:
    """The folder, wheel or archive that this package was installed from, and if it is used in place."""
    try:
        noted = json.loads(distribution("metaphrase").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return None, False
    url = urlsplit(noted.get("url", ""))
    path = Path(url2pathname(url.path))
    if url.scheme != "file" or not path.exists():
        return None, False
    return path, bool(noted.get("dir_info", {}).get("editable"))
