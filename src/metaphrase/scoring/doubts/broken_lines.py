"""Hypotheses that are no translations: empty, looping, far too long, in another language, or the source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from metaphrase.analysis.languages.recognition import misfits
from metaphrase.corpus.normalisation import is_blank
from metaphrase.scoring.doubts.doubt import Doubt
from metaphrase.scoring.doubts.texts import PHRASE, Texts, phrases
from metaphrase.scoring.doubts.wording import joined

#: What is said of the lines of each kind.
_KINDS = {
    "empty": "empty",
    "loop": "repeating a phrase again and again",
    "too-long": "more than three times as long as the reference",
    "other-language": "in another language",
    "source": "copies of the source",
}
#: A loop is a phrase that is said so many times more often than in the reference, and all phrases that are
#: repeated are so much of the text.
_REPEATED, _OF_THE_TEXT = 4, 0.3
_TIMES, _MORE = 3, 60
#: Words of a source that is not the same in every language.
_SOURCE_WORDS = 5
#: A text that has so much of the reference's words is in its language.
_SHARED = 0.4
#: One line may be a quotation; if most lines are, a warning says so already.
_FEWEST_IN_OTHER_LANGUAGES, _MOST_BY_LINE = 3, 0.5
_MOST_LINES = 3


class BrokenLines:
    """Notes the numbers of such lines by kind and system; ``languages`` are those of the translations."""

    def __init__(self, languages: Sequence[str]) -> None:
        self._languages = tuple(dict.fromkeys(languages))
        self._lines: dict[str, dict[str, list[int]]] = {kind: {} for kind in _KINDS}
        self._counts: Counter[tuple[str, str]] = Counter()
        self._segments = 0

    def watch(self, texts: Texts) -> None:
        """Look at the next piece."""
        corpus = texts.corpus
        references = corpus.written_references
        self._segments += len(corpus)
        longest = [max(map(len, of_row)) for of_row in zip(*references, strict=True)]
        for name, column in corpus.systems.items():
            words = texts.systems[name]
            others = self._in_another_language(texts, name)
            for row, hypothesis in enumerate(column):
                line = texts.first + row + 1
                if is_blank(hypothesis):
                    if any(not is_blank(reference[row]) for reference in references):
                        self._note("empty", name, line)
                    continue
                if len(words[row]) > PHRASE * _REPEATED // 2 and _loops(texts, words[row], row):
                    self._note("loop", name, line)
                elif len(hypothesis) > _TIMES * longest[row] + _MORE:
                    self._note("too-long", name, line)
                if corpus.sources is not None and _repeats(
                    corpus.sources[row], hypothesis, words[row]
                ):
                    if all(reference[row] != hypothesis for reference in references):
                        self._note("source", name, line)
                elif row in others:
                    self._note("other-language", name, line)

    def _note(self, kind: str, system: str, line: int) -> None:
        self._counts[kind, system] += 1
        lines = self._lines[kind].setdefault(system, [])
        if len(lines) < _MOST_LINES:
            lines.append(line)

    def _in_another_language(self, texts: Texts, name: str) -> frozenset[int]:
        """The rows that are in none of the languages, where the reference may be.

        Only what shares few words with the reference is looked at.
        """
        rows = []
        for row, words in enumerate(texts.systems[name]):
            wanted = {word for reference in texts.references for word in reference[row]}
            if sum(word in wanted for word in words) < _SHARED * len(words):
                rows.append(row)
        found = self._strange(texts.corpus.systems[name], rows)
        for column in texts.corpus.written_references:
            found -= self._strange(column, sorted(found))
        return found

    def _strange(self, column: Sequence[str], rows: Sequence[int]) -> frozenset[int]:
        """Which of the rows are in none of the languages."""
        misfit = [misfits([column[row] for row in rows], one) for one in self._languages]
        return frozenset(
            row for row, found in zip(rows, zip(*misfit, strict=True), strict=False) if all(found)
        )

    def doubts(self) -> Iterator[Doubt]:
        """One for each kind, with the systems that have most of it first."""
        for kind, said in _KINDS.items():
            counts = {
                system: self._counts[kind, system]
                for system in self._lines[kind]
                if not self._is_usual(kind, self._counts[kind, system])
            }
            if not counts:
                continue
            systems = sorted(counts, key=lambda system: -counts[system])
            told = [self._told(kind, system, counts[system]) for system in systems]
            total = sum(counts.values())
            verb = "hypothesis is" if total == 1 else "hypotheses are"
            noun = said if total > 1 else said.replace("copies of", "a copy of")
            yield Doubt(
                f"hypotheses-{kind}",
                f"{total:,} {verb} {noun}: {joined(told, 'more systems')}.",
                tuple(systems),
                counts,
            )

    def _is_usual(self, kind: str, count: int) -> bool:
        """Whether nobody has to be told, or has been told by a warning."""
        if kind == "other-language" and count < _FEWEST_IN_OTHER_LANGUAGES:
            return True
        by_warning = count > _MOST_BY_LINE * self._segments
        return kind in ("other-language", "source") and by_warning

    def _told(self, kind: str, system: str, count: int) -> str:
        lines = ", ".join(map(str, self._lines[kind][system]))
        more = " …" if count > _MOST_LINES else ""
        return f"{count:,} of {system} (line{'' if count == 1 else 's'} {lines}{more})"


def _loops(texts: Texts, words: list[str], row: int) -> bool:
    said = Counter(phrases(words))
    if not said or max(said.values()) < _REPEATED:
        return False
    wanted = Counter[tuple[str, ...]]()
    for reference in texts.references:
        wanted |= Counter(phrases(reference[row]))
    repeated = sum(
        count for phrase, count in said.items() if count >= _REPEATED and phrase not in wanted
    )
    return repeated >= _OF_THE_TEXT * said.total()


def _repeats(source: str, hypothesis: str, words: list[str]) -> bool:
    return len(words) >= _SOURCE_WORDS and source.split() == hypothesis.split()
