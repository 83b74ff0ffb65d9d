"""Whether tag, version and changelog belong together: ``python -m release.version v1.0.0``."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def disagreement(tag: str, version: str, changelog: str) -> str | None:
    """What is wrong, in a sentence."""
    if tag != f"v{version}":
        return f"the tag is {tag}, but the package is {version}."
    heading = re.search(r"^## (\S+) \((.*)\)$", changelog, re.M)
    if heading is None or heading[1] != version:
        return f"the changelog does not begin with {version}."
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", heading[2]):
        return f"the changelog says ({heading[2]}) where the date belongs."
    return None


def main(tag: str) -> int:
    """Print what is wrong; 1 if anything is."""
    source = (ROOT / "src" / "metaphrase" / "version.py").read_text("utf-8")
    version = re.search(r'^__version__ = "(.+)"$', source, re.M)
    assert version is not None
    found = disagreement(tag, version[1], (ROOT / "CHANGELOG.md").read_text("utf-8"))
    if found is not None:
        print(f"release: {found}", file=sys.stderr)
    return 0 if found is None else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
