"""What is odd about the languages of a corpus: a wrong file scores like a bad translation, only more quietly.

Some of the segments are looked at, spread over the whole text, so that it costs the same for any size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from metaphrase.analysis.languages.codes import base_language
from metaphrase.analysis.languages.recognition import NAMES, Reading, read
from metaphrase.corpus import Corpus

#: At most so many segments are looked at; if there are more, every third of them is kept, again and again.
#: (Of every second one, texts that come in fours or tens would show one kind of line.)
_SAMPLE, _THINNED = 200, 3
#: Segments, and the share of them, that must repeat the source before anything is said.
_FEWEST, _REPEATED = 5, 0.5
#: How well the source must fit the language, beside the references: Slovak is two thirds Czech.
_AS_WELL = 0.9
_MOST_NAMES = 5

Columns = dict[str, list[str]]


class LanguageCheck:
    """Watches a corpus go by, piece by piece, and says in the end what is odd about it.

    ``languages`` are those that its translations are said to be in, mostly one; ``option`` is where somebody
    could say another.
    """

    def __init__(self, languages: Sequence[str], *, option: str | None = "-l") -> None:
        self._languages = tuple(dict.fromkeys(languages))
        self._option = option
        self._references: Columns = {}
        self._systems: Columns = {}
        self._source: list[str] = []
        self._segments = 0
        self._stride = 1

    def watch(self, piece: Corpus) -> None:
        """Keep some segments of the next piece."""
        one = len(piece.references) == 1
        references = {
            "the reference" if one else f"reference {number}": column
            for number, column in enumerate(piece.written_references, 1)
        }
        systems = {f"system {name}": column for name, column in piece.systems.items()}
        self._watch(len(piece), references, systems, piece.sources)

    def watch_text(self, name: str, text: str, source: str | None) -> None:
        """Keep a translation of the next sentence, maybe; ``name`` is what messages call all of them."""
        self._watch(1, {}, {name: [text]}, None if source is None else [source])

    def _watch(
        self,
        segments: int,
        references: Mapping[str, Sequence[str]],
        systems: Mapping[str, Sequence[str]],
        sources: Sequence[str] | None,
    ) -> None:
        first = -self._segments % self._stride
        self._segments += segments
        for kept, columns in ((self._references, references), (self._systems, systems)):
            for name, column in columns.items():
                kept.setdefault(name, []).extend(column[first :: self._stride])
        if sources is not None:
            self._source.extend(sources[first :: self._stride])
        while -(-self._segments // self._stride) > _SAMPLE:
            self._stride *= _THINNED
            for texts in (*self._references.values(), *self._systems.values(), self._source):
                texts[:] = texts[::_THINNED]

    def warnings(self) -> list[str]:
        """What readers of the scores must know, each with its code."""
        repeated = self._repeated(self._references), self._repeated(self._systems)
        references, systems = (
            {name: read(column) for name, column in columns.items() if name not in found}
            for columns, found in zip((self._references, self._systems), repeated, strict=True)
        )
        misfits = list(self._misfits(references | systems))
        return [
            *(misfits or self._strangers(references | systems)),
            *_source_as("MP582", "Give what people translated as the reference.", repeated[0]),
            *_source_as("MP583", "It is not translated, or the wrong file.", repeated[1]),
            *([] if any(repeated) else self._source_in_target(references)),
        ]

    def _misfits(self, readings: Mapping[str, Reading]) -> Iterator[str]:
        found: dict[tuple[str, str | None], list[str]] = {}
        for name, reading in readings.items():
            misfits = [reading.misfit(language) for language in self._languages]
            if misfits and all(misfits):
                found.setdefault((str(misfits[0]), reading.looks_like()), []).append(name)
        given = " or ".join(map(_named, self._languages))
        for (misfit, language), names in found.items():
            remedy = "Check the file." if len(names) == 1 else "Check the files."
            if len(names) == len(readings) and self._option is not None:
                remedy = f"If that is right, give {self._option} {language or 'LANG'}."
            yield f"[MP580] the language given is {given}, but this {misfit}: {_listed(names)}. {remedy}"

    def _strangers(self, readings: Mapping[str, Reading]) -> Iterator[str]:
        """Texts in different languages, where that of the corpus is not known."""
        if any(base_language(language) in NAMES for language in self._languages):
            return
        found: dict[str, list[str]] = {}
        for name, reading in readings.items():
            if (language := reading.looks_like()) is not None:
                found.setdefault(language, []).append(name)
        if len(found) > 1:
            parts = [f"{NAMES[code]} ({_listed(names)})" for code, names in found.items()]
            yield (
                f"[MP581] references and translations look like different languages: {', '.join(parts)}. "
                "Check the files."
            )

    def _repeated(self, columns: Columns) -> dict[str, float]:
        """The columns that are mostly the source, and the shares of their segments that are."""
        rows = [row for row, text in enumerate(self._source) if any(map(str.isalpha, text))]
        if len(rows) < _FEWEST:
            return {}
        shares = {
            name: sum(self._source[row].strip() == column[row].strip() for row in rows) / len(rows)
            for name, column in columns.items()
        }
        return {name: share for name, share in shares.items() if share > _REPEATED}

    def _source_in_target(self, references: Mapping[str, Reading]) -> Iterator[str]:
        source = read(self._source)
        found = source.looks_like()
        for language in self._languages:
            if found != base_language(language):
                continue
            fits = [
                reading.fit_of(language)
                for reading in references.values()
                if not reading.misfit(language)
            ]
            enough = [fit * _AS_WELL for fit in fits if fit is not None]
            fit = source.fit_of(language)
            if fit is None or not enough or fit >= min(enough):
                yield (
                    f"[MP584] the source looks like {NAMES[found]}, the language of the translations. "
                    "Check that source and references are not swapped."
                )
                return


def _source_as(code: str, remedy: str, shares: Mapping[str, float]) -> Iterator[str]:
    if shares:
        yield (
            f"[{code}] this repeats the source in {'at least ' if len(set(shares.values())) > 1 else ''}"
            f"{min(shares.values()):.0%} of the segments: {_listed(list(shares))}. {remedy}"
        )


def _named(language: str) -> str:
    name = NAMES.get(base_language(language))
    return language if name is None else f"{language} ({name})"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_MOST_NAMES])
    return shown if len(names) <= _MOST_NAMES else f"{shown} and {len(names) - _MOST_NAMES} more"
