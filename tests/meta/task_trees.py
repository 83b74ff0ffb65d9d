"""Small test sets in the tree of mt-metrics-eval, with all that the metrics tasks of 2023 and 2024 need."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

SYSTEMS = ("sysA", "sysB", "sysC", "sysD", "sysE")
SEGMENTS = 12
#: How far each metric's scores are from people's, in deviations of theirs.
METRICS = {
    "BLEU-{ref}": 2.0,
    "chrF-{ref}": 1.5,
    "YiSi-1-{ref}": 0.5,
    "CometKiwi-src": 1.0,
    "Mine-{ref}": 0.2,
}
#: Of 2024: references of each pair, the one that metrics use, and systems beside the usual ones.
PAIRS_2024 = {
    "en-de": (("refA", "refB"), "refB", ("refA", "MSLC")),
    "en-es": (("refA",), "refA", ("MSLC",)),
    "ja-zh": (("refA",), "refA", ("MSLC",)),
}
#: Of 2023, where en-de has a synthetic reference among its systems.
PAIRS_2023 = {
    "en-de": (("refA", "synthetic_ref"), "refA", ("synthetic_ref",)),
    "he-en": (("refA", "refB"), "refB", ("refA",)),
    "zh-en": (("refA", "synthetic_ref"), "refA", ("synthetic_ref",)),
}
Pairs = Mapping[str, tuple[tuple[str, ...], str, tuple[str, ...]]]


def write_task_tree(folder: Path, pairs: Pairs = PAIRS_2024, *, seed: int = 1) -> Path:
    """A tree whose human scores are MQM in steps of 1, of all but two segments."""
    root = folder / "wmt"
    random = np.random.default_rng(seed)
    for pair, (references, used, more) in pairs.items():
        systems = (*SYSTEMS, *more)
        texts = {name: [f"{name} {n}" for n in range(SEGMENTS)] for name in (*systems, *references)}
        _write(root / f"sources/{pair}.txt", [f"source {n}" for n in range(SEGMENTS)])
        rows = [("news" if n < 6 else "chat", f"d{n // 3}") for n in range(SEGMENTS)]
        _write(root / f"documents/{pair}.docs", ["\t".join(row) for row in rows])
        for name in references:
            _write(root / f"references/{pair}.{name}.txt", texts[name])
        for name in systems:
            _write(root / f"system-outputs/{pair}/{name}.txt", texts[name])
        quality = {name: place for place, name in enumerate(systems)}
        human = {
            name: np.round(-quality[name] - random.exponential(2, SEGMENTS)) for name in systems
        }
        judged = np.arange(SEGMENTS) >= 2
        _write(
            root / f"human-scores/{pair}.mqm.seg.score",
            [
                f"{name}\t{score if known else 'None'}"
                for name in systems
                for score, known in zip(human[name], judged, strict=True)
            ],
        )
        _write(
            root / f"human-scores/{pair}.mqm.sys.score",
            [f"{name}\t{human[name][judged].mean()}" for name in systems],
        )
        for form, noise in METRICS.items():
            scores = {
                name: human[name] + noise * random.normal(0, 2, SEGMENTS)
                for name in systems
                if name != used
            }
            stem = root / "metric-scores" / pair / form.format(ref=used)
            lines = [f"{name}\t{score}" for name in scores for score in scores[name]]
            _write(Path(f"{stem}.seg.score"), lines)
            _write(
                Path(f"{stem}.sys.score"),
                [f"{name}\t{scores[name].mean()}" for name in scores],
            )
    return root


def _write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines))
