"""Files that are no systems, taken for some: ``-i *.txt`` takes all there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metaphrase.scoring.doubts.doubt import Doubt
from metaphrase.scoring.doubts.texts import Texts

_NAMES = frozenset(
    "reference references ref refs source sources src document documents docs domain domains".split()
)


class FileNames:
    """Looks at the names of systems, and whether their texts are the ids of documents or domains."""

    def __init__(self) -> None:
        self._named: list[str] = []
        self._ids: dict[tuple[str, str], bool] = {}

    def watch(self, texts: Texts) -> None:
        """Compare the next piece."""
        corpus = texts.corpus
        self._named = [name for name in corpus.systems if _stem(name) in _NAMES]
        columns: dict[str, Sequence[str] | None] = {
            "documents": corpus.documents,
            "domains": corpus.domains,
        }
        for what, ids in columns.items():
            for name, column in corpus.systems.items() if ids is not None else ():
                self._ids[name, what] = self._ids.get((name, what), True) and column == ids

    def doubts(self) -> Iterator[Doubt]:
        """Who is no system, by its name or by its text."""
        found = {name: what for (name, what), equal in self._ids.items() if equal}
        for name, what in found.items():
            yield Doubt("not-a-system", f"{name} is the file of {what}, and no system.", (name,))
        for name in self._named:
            if name not in found:
                yield Doubt(
                    "not-a-system", f"{name} is called like a file that is no system's.", (name,)
                )


def _stem(name: str) -> str:
    return name.replace("\\", "/").rpartition("/")[2].partition(".")[0].casefold()
