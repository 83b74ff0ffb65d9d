"""The check of placeholders: what the program fills in must be there, once, and in a form it can read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from metaphrase.checks.check import Check, by_pair
from metaphrase.checks.copied_pieces import disagreements
from metaphrase.checks.finding import Finding, Kind
from metaphrase.checks.pair import Pair
from metaphrase.checks.placeholders.messages import Argument, Message
from metaphrase.checks.placeholders.plural_categories import plural_categories
from metaphrase.checks.placeholders.scanning import Placeholder

MISSING = Kind("placeholders/missing", "critical", "a placeholder of the source is missing")
ADDED = Kind("placeholders/added", "critical", "a placeholder that the source does not have")
CHANGED = Kind("placeholders/changed", "critical", "a placeholder is spelt otherwise")
ORDER = Kind(
    "placeholders/order",
    "critical",
    "arguments of printf without numbers stand in another order, so that they are mixed up",
)
SYNTAX = Kind("placeholders/syntax", "critical", "a message of ICU that no program can read")
PLURAL = Kind(
    "placeholders/plural", "major", "a plural without a form that the language of the target has"
)
SELECTION = Kind(
    "placeholders/selection", "critical", "the cases of a selection are not those of the source"
)
USELESS = Kind(
    "placeholders/useless-plural",
    "minor",
    "a plural form that the language of the target never uses",
)


def _find(pair: Pair) -> Iterator[Finding]:
    source, target = pair.source_placeholders, pair.target_placeholders
    if not (source.found or target.found or source.chooses or target.chooses):
        return
    if target.fault is not None and source.fault is None:
        position = min(target.fault.position, len(pair.target))
        place = position, min(position + 1, len(pair.target))
        yield SYNTAX.finding(
            "target", place, f"The message cannot be read: {target.fault.message}."
        )
        return
    if source.message is not None and target.message is not None:
        yield from _messages(pair, source.message, target.message)
        return
    yield from _compared(pair, source.found, target.found)


def _compared(
    pair: Pair, source: Sequence[Placeholder], target: Sequence[Placeholder]
) -> Iterator[Finding]:
    numbered = any(one.position is not None for one in (*source, *target))
    missing = _without(source, target, numbered)
    added = _without(target, source, numbered)
    if pair.is_plural_form and len(missing) + len(added) == 1:
        # A form for one number alone may say it in words: an hour ago.
        return
    yield from disagreements(missing, added, lacking=MISSING, superfluous=ADDED, changed=CHANGED)
    if not (missing or added or numbered):
        yield from _order(source, target)


def _without(
    these: Sequence[Placeholder], others: Sequence[Placeholder], numbered: bool
) -> list[Placeholder]:
    """Those that the others lack."""
    left = Counter(_keys(others, numbered))
    missing = []
    for one, key in zip(these, _keys(these, numbered), strict=True):
        if not left[key]:
            missing.append(one)
        elif _is_counted(one, numbered):
            left[key] -= 1
    return missing


def _is_counted(placeholder: Placeholder, numbered: bool) -> bool:
    """Whether each takes the next argument; one with a name or number may stand as often as it is needed."""
    return placeholder.key == "{}" or (placeholder.style == "printf" and not numbered)


def _keys(placeholders: Sequence[Placeholder], numbered: bool) -> list[str]:
    """Where one side has numbers, ``%s %d`` means the same as ``%1$s %2$d``."""
    keys, place = [], 0
    for one in placeholders:
        if one.style == "printf" and numbered:
            place += one.position is None
            keys.append(f"%{place if one.position is None else one.position}${one.conversion}")
        else:
            keys.append(one.key)
    return keys


def _order(source: Sequence[Placeholder], target: Sequence[Placeholder]) -> Iterator[Finding]:
    wanted = [one for one in source if one.style == "printf" or one.key == "{}"]
    found = [one for one in target if one.style == "printf" or one.key == "{}"]
    if [one.key for one in wanted] == [one.key for one in found]:
        return
    place = next(i for i, one in enumerate(found) if one.key != wanted[i].key)
    yield ORDER.finding(
        "target",
        (found[place].start, found[place].end),
        f"{found[place].text} stands where the source has {wanted[place].text}: "
        "the program would fill in the wrong arguments.",
        expected=" ".join(one.text for one in wanted),
        found=" ".join(one.text for one in found),
        suggestion="Number them, as in %2$s %1$d.",
    )


def _messages(pair: Pair, source: Message, target: Message) -> Iterator[Finding]:
    wanted = {_key(argument): argument for argument in source.walk()}
    found = {_key(argument): argument for argument in target.walk()}
    for key, argument in wanted.items():
        if key not in found:
            yield MISSING.finding(
                "source",
                _head(pair.source, argument),
                f"The argument {{{key}}} is missing in the target.",
                expected=key,
            )
    for key, argument in found.items():
        if key not in wanted:
            yield ADDED.finding(
                "target",
                _head(pair.target, argument),
                f"The argument {{{key}}} is not in the source.",
                found=key,
            )
        elif argument.chooses:
            yield from _branches(pair, wanted[key], argument)


def _key(argument: Argument) -> str:
    return f"{argument.name}, {argument.kind}" if argument.kind else argument.name


def _head(text: str, argument: Argument) -> tuple[int, int]:
    """The place of an argument, of one with branches only its beginning."""
    if not argument.chooses:
        return argument.start, argument.end
    end = text.index(argument.kind, argument.start + 1 + len(argument.name)) + len(argument.kind)
    return argument.start, end


def _branches(pair: Pair, wanted: Argument, found: Argument) -> Iterator[Finding]:
    cases = [branch.selector for branch in found.branches]
    place = _head(pair.target, found)
    if found.kind == "select":
        expected = [branch.selector for branch in wanted.branches]
        if set(cases) != set(expected):
            yield SELECTION.finding(
                "target",
                place,
                f"The cases of {found.name} are {', '.join(cases)}, in the source {', '.join(expected)}.",
                expected=", ".join(expected),
                found=", ".join(cases),
            )
        return
    known = plural_categories(pair.target_language) if found.kind == "plural" else None
    if known is None:
        return
    needed, possible = known
    words = [case for case in cases if case[0] != "="]
    if missing := sorted(needed - set(words)):
        yield PLURAL.finding(
            "target",
            place,
            f"The plural of {found.name} has no {', '.join(missing)}.",
            expected=", ".join(sorted(needed)),
            found=", ".join(words),
        )
    if useless := [case for case in words if case not in possible]:
        yield USELESS.finding(
            "target",
            place,
            f"The plural of {found.name} has {', '.join(useless)}, which the language never uses.",
            expected=", ".join(sorted(possible)),
            found=", ".join(words),
        )


PLACEHOLDERS = Check(
    "placeholders",
    "pattern-problem",
    "placeholders of printf, ICU, Python, i18next and others",
    (MISSING, ADDED, CHANGED, ORDER, SYNTAX, PLURAL, SELECTION, USELESS),
    by_pair(_find),
)
