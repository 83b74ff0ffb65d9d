"""What metrics see of errors: kinds down, metrics across, and translations about which they are wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from metaphrase.probing import ErrorKind, Failure, MeanSeen, Probed, Seen
from metaphrase.report.terminal.columns import Cell, Columns, one_line, visible
from metaphrase.report.terminal.score_tables import counted
from metaphrase.scoring import MetricInfo

NOTE = (
    "per cent of items whose good translation scores higher than the bad one, with 95 % intervals (of a "
    "kind: Wilson's; of means: a bootstrap over sentences); ties are not right, and counted apart"
)
COLUMNS = (
    "severity",
    "kind",
    "metric",
    "items",
    "right",
    "tied",
    "wrong",
    "accuracy",
    "low",
    "high",
    "ties",
)


def probe_view(probed: Probed, *, examples: int = 0) -> list[RenderableType]:
    """The table, what it says, and so many failures of each metric and kind."""
    parts: list[RenderableType] = [
        Text(probe_title(probed), style="bold"),
        "",
        probe_table(probed),
        "",
    ]
    parts.append(one_line(NOTE, "dim"))
    if probed.left_out:
        text = f"without {counted(probed.left_out, 'item')} of which a metric refused a text"
        parts.append(Text(text, style="yellow"))
    for kind in probed.kinds if examples else ():
        for info in probed.metrics:
            failures = probed.failures(info.name, kind, examples)
            if failures:
                parts += ["", *_failures(kind, info, failures)]
    parts.append("")
    parts += [one_line(info.signature, "dim") for info in probed.metrics]
    return parts


def probe_title(probed: Probed) -> str:
    """How much was probed."""
    return " · ".join(
        (
            counted(len(probed.items), "item"),
            counted(len(probed.kinds), "kind") + " of error",
            counted(len(probed.metrics), "metric"),
        )
    )


def probe_table(probed: Probed) -> Columns:
    """Kinds by severity, and the means over them."""
    rows = []
    for severity in probed.severities:
        kinds = [kind for kind in probed.kinds if kind.severity == severity]
        for kind in kinds:
            cells = [
                cell for info in probed.metrics for cell in _cells(probed.seen(info.name, kind))
            ]
            rows.append([Cell(severity), Cell(kind.name), Cell(f"{len(kind.items):,}"), *cells])
        if len(kinds) > 1:
            rows.append(_mean_row(probed, severity))
    if len(probed.kinds) > 1 and len(probed.severities) > 1:
        rows.append(_mean_row(probed, None))
    header = ["severity" if any(probed.severities) else "", "kind", "items"]
    for info in probed.metrics:
        header += [info.name, "ties"]
    return Columns(header, rows, [False, False, *[True] * (len(header) - 2)], keys=3)


def _mean_row(probed: Probed, severity: str | None) -> list[Cell]:
    means = [probed.mean(info.name, severity) for info in probed.metrics]
    cells = [Cell(cell.text, "bold") for mean in means for cell in _cells(mean)]
    title = f"mean of {means[0].kinds}"
    return [
        Cell(severity or ("" if severity is not None else "all"), "bold"),
        Cell(title, "bold"),
        Cell(""),
        *cells,
    ]


def _cells(seen: Seen | MeanSeen) -> list[Cell]:
    low, high = (100 * end for end in seen.interval)
    share = f"{100 * seen.accuracy:.1f} ({low:.1f}–{high:.1f})"
    return [Cell(share), Cell(f"{100 * seen.ties:.1f}")]


def _failures(
    kind: ErrorKind, info: MetricInfo, failures: list[Failure]
) -> Iterator[RenderableType]:
    named = " ".join(filter(None, (kind.severity, kind.name)))
    yield one_line(f"{named} · {info.name}", "bold")
    for one in failures:
        item = one.item
        where = (
            f"{item.path}, line {item.line}" if item.path else f"item {item.id}" if item.id else ""
        )
        told = "sees no difference" if one.is_tie else "prefers the bad one"
        yield one_line(f"{told}{f' · {where}' if where else ''}", "dim")
        rows = [
            [Cell("reference"), Cell(""), Cell(visible(item.reference))],
            [Cell("good"), Cell(info.shown(one.good)), Cell(visible(item.good))],
            [Cell("bad"), Cell(info.shown(one.bad)), Cell(visible(item.bad))],
        ]
        yield Columns([""] * 3, rows, [False, True, False], keys=2)


def probe_json(probed: Probed, *, examples: int = 0) -> str:
    """All numbers, with so many failures of each metric and kind."""
    return json.dumps(
        probed.to_dict(examples=examples), ensure_ascii=False, indent=1, allow_nan=False
    )


def probe_tsv(probed: Probed) -> Iterator[str]:
    """A line for each kind and metric, after a header."""
    yield "\t".join(COLUMNS)
    for kind in probed.kinds:
        for info in probed.metrics:
            seen = probed.seen(info.name, kind)
            counts = len(kind.items), seen.right, seen.tied, seen.wrong
            shares = seen.accuracy, seen.low, seen.high, seen.ties
            names = kind.severity, kind.name, info.name
            yield "\t".join([*map(visible, names), *map(repr, (*counts, *shares))])
