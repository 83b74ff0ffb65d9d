"""A verdict in Markdown, for the summary or a comment of a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from metaphrase.gate.changed_words import changed_words
from metaphrase.gate.verdict import ChangedSegment, Verdict, listed

#: Characters of a text that a summary has room for; systems cut comments of more than 65,536.
_LONGEST = 600
#: What Markdown reads in the middle of a line.
_SPECIAL = re.compile(r"([\\`*_\[\]|~^$])")
_TAGS = {"same": "", "gone": "del", "new": "ins"}


def markdown_summary(verdict: Verdict, *, worst: int = 10) -> str:
    """The verdict, a table of rules, and the segments that lost most, with what changed marked."""
    return "\n".join(_lines(verdict, worst)) + "\n"


def _lines(verdict: Verdict, worst: int) -> Iterator[str]:
    mark = "🟢" if verdict.passed else "🔴"
    yield f"## {mark} {_plain(verdict.system)}: {verdict.title}"
    yield f"\n{verdict.extent}\n"
    if verdict.outcomes:
        yield "| | rule | measured | limit |"
        yield "| --- | --- | ---: | ---: |"
        for one in sorted(verdict.outcomes, key=lambda outcome: outcome.passed):
            mark = "✅" if one.passed else "❌"
            cells = (one.title, *one.shown)
            yield f"| {mark} | {' | '.join(map(_plain, cells))} |"
        yield ""
    for one in verdict.broken:
        yield f"- {_plain(one.reason)}"
    if verdict.broken:
        yield ""
    for note in verdict.notes:
        yield f"> {_plain(note)}\n"
    worse = verdict.worse
    if worse[:worst]:
        yield f"### Segments that got worse ({min(worst, len(worse)):,} of {len(worse):,})\n"
        for change in worse[:worst]:
            yield from _segment(change)
    unscored = [one for one in verdict.new_findings if one.row is None]
    for new in unscored[:worst]:
        yield f"- {_plain(f'{new.segment}: {new.finding.message} ({new.finding.severity})')}"
    if unscored[worst:]:
        yield f"- and {len(unscored) - worst:,} more new findings"
    if unscored[:worst]:
        yield ""
    for title, names in (
        ("Added", verdict.added),
        ("Removed", verdict.removed),
        ("With another reference", verdict.rereferenced),
    ):
        if names:
            yield f"{title}: {_plain(listed(names, 20))}\n"
    if verdict.signatures:
        yield f"<sub>{'<br>'.join(map(_html, verdict.signatures.values()))}</sub>"


def _segment(change: ChangedSegment) -> Iterator[str]:
    numbers = " · ".join(
        f"{name} {one.shown[0]} → {one.shown[1]}" for name, one in change.scores.items()
    )
    yield f"<details><summary>{_html(change.name)}: {_html(numbers)}</summary>\n"
    yield "<table>"
    rows = [("source", change.source), ("reference", change.reference)]
    for name, text in rows:
        if text is not None:
            yield f"<tr><th>{name}</th><td>{_html(_short(text))}</td></tr>"
    if change.before is None:
        yield f"<tr><th>after</th><td>{_html(_short(change.after))}</td></tr>"
    else:
        changed = "".join(
            f"<{tag}>{_html(piece.text)}</{tag}>"
            if (tag := _TAGS[piece.kind])
            else _html(piece.text)
            for piece in changed_words(_short(change.before), _short(change.after))
        )
        yield f"<tr><th>changed</th><td>{changed}</td></tr>"
    for finding in change.new_findings:
        yield f"<tr><th>{_html(finding.severity)}</th><td>{_html(finding.message)}</td></tr>"
    yield "</table>\n\n</details>\n"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _plain(text: str) -> str:
    """Any text as Markdown that says just that, on one line."""
    return _html(_SPECIAL.sub(r"\\\1", text))


def _html(text: str) -> str:
    """Any text inside an element, on one line: a blank line would end the element for Markdown.

    The comment keeps a name after an at sign from being a mention, which would send somebody mail.
    """
    printable = "".join(c if c.isprintable() else _mark(c) for c in text)
    return escape(printable, quote=False).replace("@", "@<!-- -->")


def _mark(character: str) -> str:
    return " " if character.isspace() else "\N{REPLACEMENT CHARACTER}"
