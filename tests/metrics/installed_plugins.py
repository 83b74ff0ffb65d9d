"""Little distributions, installed as pip leaves them: modules beside a folder of metadata."""

from __future__ import annotations

from pathlib import Path

METRIC = """\
from dataclasses import dataclass
import numpy as np
from metaphrase.metrics import Metric, option

@dataclass(frozen=True, kw_only=True)
class {kind}(Metric):
    name = "{name}"
    summary = "characters of the translation"
    citation = "nobody"
    limit: int = option(10, "how many count", low=1)

    def statistics(self, comparison, *, threads=1):
        return np.array([[min(len(text), self.limit), 1.0] for text in comparison.hypotheses])
"""


def install(
    folder: Path,
    distribution: str,
    points: dict[str, str],
    *,
    version: str = "1.2",
    group: str = "metaphrase.metrics",
    **modules: str,
) -> None:
    """Install a distribution whose entry points are ``NAME = module:attribute``."""
    metadata = folder / f"{distribution.replace('-', '_')}-{version}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n"
    )
    lines = [f"{name} = {value}\n" for name, value in points.items()]
    (metadata / "entry_points.txt").write_text(f"[{group}]\n" + "".join(lines))
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)
