"""The built front end, which ships with the package: scripts and style sheets from ``web/``."""

from __future__ import annotations

from importlib.resources import files

from metaphrase.errors import ResourceError


def asset(name: str) -> str:
    """The text of one built file, such as ``report.js``, with line ends as browsers read them."""
    try:
        text = files("metaphrase.report").joinpath(f"assets/{name}").read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise ResourceError(
            "MP643",
            f"{name}, a part of the page, is not installed or damaged.",
            hint="Install metaphrase again; from sources, run `make web` first.",
        ) from None
    return text.replace("\r\n", "\n")
