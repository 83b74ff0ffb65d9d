"""Why a candidate was chosen, for the terminal: who supports it, and which words they share."""

from __future__ import annotations

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from metaphrase.report.terminal.columns import Cell, Columns, rounded, visible
from metaphrase.selection import Selection, Support

#: Shares are sums of weights, which may fall short of 1 by a rounding.
_ALL = 1 - 1e-9
_SHARED, _RARE, _ALONE = "green", "yellow", "bold red"


def support_view(
    selection: Selection, support: Support, *, system: str = ""
) -> list[RenderableType]:
    """The chosen candidate beside the runner-up, the samples that it is closest to, and words."""
    sentence = selection.candidates
    heading = Text(f"sentence {visible(sentence.name)}", style="bold")
    which = f"   candidate {selection.index + 1} of {len(sentence)}"
    which += f", {visible(system)}" if system else ""
    heading.append(f"{which}: {_utility(selection, support)}", style="not bold")
    texts = Table.grid(padding=(0, 2, 0, 0))
    if sentence.source is not None:
        texts.add_row("source", Text(visible(sentence.source), overflow="fold"))
    texts.add_row(Text("chosen", style="bold"), Text(visible(support.text), overflow="fold"))
    if support.second is not None and support.lead is not None:
        behind = (
            "equal: the first of them is taken"
            if not support.lead
            else f"{support.lead:.4f} behind"
        )
        runner_up = Text(visible(support.second), overflow="fold")
        texts.add_row("runner-up", runner_up.append(f"  ({behind})", style="dim"))
    views: list[RenderableType] = [heading, "", texts]
    if rows := _supporters(support):
        others = "reference" if sentence.references else "other sample"
        header = [f"closest {others}s", "share", support.metric]
        views += ["", Columns(header, rows, [False, True, True])]
    if words := _words(support, "references" if sentence.references else "samples"):
        views += ["", words]
    return views


def _utility(selection: Selection, support: Support) -> str:
    if len(selection.metrics) == 1:
        return f"{support.metric} {support.utility:.4f}"
    parts = (
        f"{metric.label} {value:.4f}"
        for metric, value in zip(
            selection.metrics, selection.by_metric[:, selection.index].tolist(), strict=True
        )
    )
    return f"{rounded(support.utility, '+.4f')} ({', '.join(parts)})"


def _supporters(support: Support) -> list[list[Cell]]:
    rows = [
        [Cell(visible(one.text)), Cell(_percent(one.share)), Cell(rounded(one.score, ".4f"))]
        for one in support.supporters
    ]
    if support.copies and rows:
        rows.append([Cell("the same text", "dim"), Cell(_percent(support.copies)), Cell("")])
    return rows


def _words(support: Support, others: str) -> Table | None:
    """The candidate's words by how many have them, and those that it has not."""
    table = Table.grid(padding=(0, 2, 0, 0))
    shared = [one for one in support.words if one.share > support.copies and _says(one.word)]
    lacking = {one.word.lower() for one in support.lacking}
    instead = [one for one in support.second_words if one.word.lower() not in lacking]
    for name, words, style in (
        (f"in all {others}", [one for one in shared if one.share >= _ALL], _SHARED),
        ("in half or more", [one for one in shared if 0.5 <= one.share < _ALL], _SHARED),
        ("in fewer", [one for one in shared if one.share < 0.5], _RARE),
        ("only here", [one for one in support.words if one.share <= support.copies], _ALONE),
        ("not here, but in half or more", support.lacking, _RARE),
        ("not here, but in the runner-up", instead, ""),
    ):
        if words:
            told = dict.fromkeys(visible(one.word) for one in words)
            table.add_row(Text(name), Text(" ".join(told), style=style, overflow="fold"))
    return table if table.row_count else None


def _says(word: str) -> bool:
    """Whether it is more than the punctuation that all share."""
    return any(map(str.isalnum, word))


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
