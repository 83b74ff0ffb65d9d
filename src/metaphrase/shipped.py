"""Where the models, lexicons and lists are that ship: here, or in a package for the sake of its licence.

The folder ``models`` has what may be used and passed on like this package itself. What was made from data
that ask to share alike is in ``metaphrase-analysers``, which is always installed beside it; what was made
from data for non-commercial use is in a package that nobody gets without asking. ``LICENSES.md`` lists all.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from metaphrase.extras import not_installed

MODELS = Path(__file__).parent / "models"

#: Which package has a file that is not in ``MODELS``.
_PACKAGES = {
    "czech.bin": "metaphrase_czech",
    "czech-parser.bin": "metaphrase_czech",
    "czech-fluency.bin": "metaphrase_czech",
    "english-minilm.encoder": "metaphrase_encoder",
    **dict.fromkeys(
        (
            "english.bin",
            "english-fluency.bin",
            "french-fluency.bin",
            "german-fluency.bin",
            "spanish-fluency.bin",
            "english-parser.bin",
            "english-chunks.bin",
            "english-entities.bin",
            "french.bin",
            "french-parser.bin",
            "german.bin",
            "german-parser.bin",
            "meteor-words.json",
            "spanish.bin",
            "spanish-parser.bin",
        ),
        "metaphrase_analysers",
    ),
}
#: How to ask for a package: the name of the extra, for one that does not come by itself.
_EXTRAS = {
    "metaphrase_czech": "cs",
    "metaphrase_encoder": "encoder",
    "metaphrase_analysers": "analysers",
}
#: Why a package is not there.
_REASONS = {
    "metaphrase_czech": "is for non-commercial use and is not installed",
    "metaphrase_encoder": "comes on demand and is not installed",
    "metaphrase_analysers": "belongs to every installation and is not there",
}


def shipped_file(name: str) -> Path:
    """Where the file called ``name`` is; if it is there at all, reading it will tell."""
    if name not in _PACKAGES:
        return MODELS / name
    package = _PACKAGES[name]
    try:
        found: Path = import_module(package).path(name)
    except ImportError:
        raise not_installed(
            f"{name} is in the package {package.replace('_', '-')}, which {_REASONS[package]}.",
            _EXTRAS[package],
        ) from None
    return found


def is_installed(package: str) -> bool:
    """Whether one of the packages that nobody gets without asking is there."""
    return find_spec(package) is not None
