"""Install our packages of data from their folders, as a registry that does not have them yet would."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PACKAGES = Path(__file__).resolve().parents[1] / "packages"


def folders() -> list[str]:
    """All but the trainers, which are no data and which no release has."""
    found = sorted(path.parent for path in PACKAGES.glob("*/pyproject.toml"))
    return [str(folder) for folder in found if not folder.name.endswith("-training")]


if __name__ == "__main__":
    sys.exit(subprocess.run([sys.executable, "-m", "pip", "install", *folders()]).returncode)
