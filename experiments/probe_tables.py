"""What metrics see of errors as tables of a page: means by severity, and kinds one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from metaphrase.probing import ErrorKind, MeanSeen, Probed


def mean_lines(probed: Probed, severities: Sequence[str]) -> Iterator[str]:
    """Means by severity with intervals; bold is the best and what does not differ from it."""
    names = [info.name for info in probed.metrics]
    columns = [[probed.mean(name, severity) for name in names] for severity in severities]
    heads = [f"{name} ({means[0].kinds})" for name, means in zip(severities, columns, strict=True)]
    ties = [f"{severity} ties" for severity in severities]
    yield f"| metric | {' | '.join([*heads, *ties])} |"
    yield f"| --- |{' ---: |' * (2 * len(severities))}"
    for row, name in enumerate(names):
        cells = [_mean(means[row], max(means, key=lambda mean: mean.accuracy)) for means in columns]
        cells += [f"{100 * means[row].ties:.1f}" for means in columns]
        yield f"| `{name}` | {' | '.join(cells)} |"


def _mean(mean: MeanSeen, best: MeanSeen) -> str:
    low, high = (100 * end for end in mean.interval)
    text = f"{100 * mean.accuracy:.1f}"
    # 95 % of the resamples leave open which of them is better.
    level = np.nanpercentile(best.draws - mean.draws, 2.5) <= 0.0
    return f"{f'**{text}**' if level else text} ({low:.1f}–{high:.1f})"


def kind_lines(probed: Probed, kinds: Sequence[ErrorKind]) -> Iterator[str]:
    """A table of kinds by metrics; ties in brackets."""
    names = [info.name for info in probed.metrics]
    yield f"| kind | items | {' | '.join(f'`{name}`' for name in names)} |"
    yield f"| --- | ---: |{' ---: |' * len(names)}"
    for kind in kinds:
        cells = []
        for name in names:
            seen = probed.seen(name, kind)
            ties = f"{100 * seen.ties:.0f}"
            cells.append(f"{100 * seen.accuracy:.1f}" + ("" if ties == "0" else f" ({ties})"))
        yield f"| {kind.name} | {len(kind.items)} | {' | '.join(cells)} |"


def signature_lines(probed: Probed) -> Iterator[str]:
    """What produced the numbers."""
    yield from (f"- {info.name}: `{info.signature}`" for info in probed.metrics)
    yield ""
