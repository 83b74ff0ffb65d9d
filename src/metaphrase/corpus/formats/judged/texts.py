"""The texts that people judged, where a file of judgements names systems and segments only."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.score_text import shown
from metaphrase.corpus.judgements import JudgedText
from metaphrase.errors import InputError, OptionError
from metaphrase.languages import find_language

#: What to do about a judged system that the texts do not have.
UnknownSystems = Literal["error", "leave-out"]
#: Which segments numbers mean: as the texts stand, or with documents in the order of their ids.
SegmentOrder = Literal["test-set", "sorted-documents"]
#: What to do where a system has several texts for one segment.
DifferingTexts = Literal["error", "first"]
_SYSTEM = "{system}"
#: What stands between the names of systems that said the same (WMT 2015 and 2016).
JOINT = "+"
#: No system has a longer name, and no text was produced by more systems; it keeps bad files cheap.
_LONGEST, _MOST = 4096, 1000
#: What WMT calls a human translation that is judged like a system.
REFERENCE = re.compile(r"ref[A-Z]")
_BREAKS = re.compile(r"[\t\n\r]+")
#: What WMT's rankings of 2013 call a language that nobody else calls so.
_OWN_CODES = {"esn": "es"}


def on_one_line(text: str) -> str:
    """A text of several paragraphs as our tables hold it."""
    return _BREAKS.sub(" ", text)


def language_in_pair(name: str) -> str:
    """A language that a file calls by any code or name, as it stands in a language pair; others stay."""
    found = find_language(_OWN_CODES.get(name.lower(), name))
    return name if found is None else found.tag.replace("-", "_")


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemNames:
    """From ids such as ``newstest2015.online-A.0.de-en`` to the names that systems have in a corpus.

    ``pattern`` has ``{system}`` once, and ``*`` for what varies and has no full stop in it:
    ``newstest2015.{system}.*.de-en``. An id that does not fit it is an error, not a name; so is a name
    without texts, unless ``unknown`` ones are left out.
    """

    pattern: str = "{system}"
    unknown: UnknownSystems = "error"

    def __post_init__(self) -> None:
        """Refuse a pattern that names nothing."""
        if not isinstance(self.pattern, str) or self.pattern.count("{system}") != 1:
            raise OptionError(
                "MP187",
                f"the pattern {self.pattern!r} does not have {{system}} once.",
                hint="Write for example newstest2015.{system}.*.de-en",
            )
        if self.unknown not in ("error", "leave-out"):
            raise OptionError(
                "MP187",
                f"unknown systems are {self.unknown!r}.",
                hint='Choose "error" or "leave-out".',
            )

    def of(
        self, ids: str, known: Mapping[str, object] | None, *, path: str | None, line: int
    ) -> tuple[str, ...]:
        """The systems that ``ids`` stands for: one, or several that said the same, joined by +.

        A + is part of a name where a known system has it in its name. Names are sorted, so that the first of
        them is the same wherever the same text is judged.
        """
        whole = self._name(ids)
        if whole is not None and known is not None and whole in known:
            return (whole,)
        names = []
        if ids.count(JOINT) >= _MOST:
            raise self._unknown(ids, None, path, line)
        for part in ids.split(JOINT):
            name = self._name(part)
            if name is not None and (known is None or name in known):
                names.append(name)
            elif self.unknown == "error":
                raise self._unknown(part, name, path, line)
        return tuple(sorted(set(names)))

    def _name(self, text: str) -> str | None:
        if not text or len(text) > _LONGEST:
            return None
        return text if self.pattern == _SYSTEM else _fitted(self.pattern, text)

    def _unknown(self, part: str, name: str | None, path: str | None, line: int) -> InputError:
        fault = f"The texts have no system {shown(part)}."
        if name is None:
            fault = f"The system {shown(part)} does not fit the pattern {self.pattern!r}."
        elif name != part:
            fault = f"The texts have no system {shown(name)}, for which {shown(part)} stands."
        return InputError(
            "MP180",
            fault,
            path=path,
            line=line,
            hint="Say what ids look like by a pattern such as newstest2015.{system}.*.de-en "
            "(--system-pattern), or leave unknown systems out (--unknown-systems leave-out).",
        )


def _fitted(pattern: str, text: str) -> str | None:
    """What stands for the system where the text fits the pattern, each part as long as it can be.

    For each part of the pattern it is found out, from the last one to the first, at which positions
    the rest of the text fits the rest of the pattern: the time is the product of both lengths, where a
    regular expression may take one that grows with a power of the number of stars.
    """
    parts = [part for part in re.split(r"(\{system\}|\*+)", pattern) if part]
    size = len(text)
    fits = [[False] * size + [True]]
    for part in reversed(parts):
        after, here = fits[-1], [False] * (size + 1)
        for position in range(size, -1, -1):
            following = position < size and here[position + 1]
            if part[0] == "*":
                free = position < size and text[position] != "."
                here[position] = after[position] or (free and following)
            elif part == _SYSTEM:
                here[position] = position < size and (after[position + 1] or following)
            elif text.startswith(part, position):
                here[position] = after[position + len(part)]
        fits.append(here)
    fits.reverse()
    if not fits[0][0]:
        return None
    start = 0
    for number, part in enumerate(parts):
        if part == _SYSTEM:
            end = max(p for p in range(start + 1, size + 1) if fits[number + 1][p])
            return text[start:end]
        if part[0] != "*":
            start += len(part)
            continue
        while start < size and text[start] != "." and fits[number][start + 1]:
            start += 1
    return None


def judged_text(
    corpus: Corpus, system: str, position: int, *, path: str | None, line: int
) -> tuple[str, JudgedText]:
    """What a system said in the segment at ``position``, counted from 1, and its document."""
    if position > len(corpus):
        raise InputError(
            "MP181",
            f"Segment {position} was judged, but the texts have {len(corpus)}.",
            path=path,
            line=line,
            hint="Give the texts of the whole test set in its order.",
        )
    row = position - 1
    text = JudgedText(
        corpus.systems[system][row],
        corpus[row].references,
        "" if corpus.sources is None else corpus.sources[row],
    )
    return "" if corpus.documents is None else corpus.documents[row], text


def data_name(path: str | None) -> str:
    """What a report calls the judgements of a file: its name without endings."""
    stem = Path(path or "judgements").name
    for ending in (".gz", ".csv", ".tsv", ".txt"):
        stem = stem.removesuffix(ending)
    return stem or "judgements"


def none_counts(path: str | None, hint: str) -> InputError:
    """The error for a file of judgements that leaves nothing to measure."""
    return InputError("MP179", "No judgement of the file counts.", path=path, hint=hint)


def checked_differing_texts(given: DifferingTexts) -> DifferingTexts:
    """The choice, if it is one."""
    if given not in get_args(DifferingTexts):
        raise OptionError(
            "MP187", f"differing texts are {given!r}.", hint='Choose "error" or "first".'
        )
    return given
