"""What a file format is to the rest of the program, whatever it looks like."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from metaphrase.corpus.lines import FilePath

if TYPE_CHECKING:
    from metaphrase.corpus.corpus import Corpus
    from metaphrase.corpus.formats.judged.mqm_weights import MqmWeights
    from metaphrase.corpus.formats.judged.request import JudgementFiles
    from metaphrase.corpus.formats.mtme.test_set import MtmeSet
    from metaphrase.corpus.judgements import Judgements
    from metaphrase.corpus.ratings import Ratings
    from metaphrase.corpus.units import UnitFile

#: What is in a file: texts to be scored, units of localisation, what people said of texts, what each judge
#: said, what metrics or people gave them, or errors that metrics should see.
Holds = Literal["texts", "units", "judgements", "ratings", "scores", "challenges"]


@dataclass(frozen=True, slots=True)
class Head:
    """What is known of a file before it is read: its name and its first lines, or a folder's entries.

    ``lines`` are decoded leniently and cut short, for they are only looked at to recognise the format; a file
    that is not text has none, and ``magic`` are its first bytes.
    """

    name: str
    lines: tuple[str, ...]
    entries: tuple[str, ...] | None = None
    magic: bytes = b""

    @property
    def is_folder(self) -> bool:
        """Whether the format is one of folders."""
        return self.entries is not None

    @property
    def columns(self) -> set[str]:
        """The cells of the first line of a table."""
        return set(self.lines[0].split("\t")) if self.lines else set()

    @property
    def fields(self) -> set[str]:
        """The fields of the JSON object in the first line; none if there is no such thing."""
        try:
            row = json.loads(self.lines[0]) if self.lines else None
        except (ValueError, RecursionError):
            row = None
        return set(row) if isinstance(row, dict) else set()


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format by name: how its files are recognised, and what can be done with them.

    ``recognises`` is strict: at most one format recognises a file, besides one that ``is_general``, which is
    taken where no other does. A file with one of the ``endings`` is of
    the format even if it is so damaged that its beginning does not tell. ``read`` gives what ``holds`` says,
    as the module of the format documents; ``write`` is its inverse and atomic.

    The rest are capabilities, ``None`` where the format has them not. ``options`` are those by which somebody
    says what a file leaves unsaid, such as ``columns``: a capability is given these alone, by keyword, and
    where one says nothing about any file that was given, it is refused. ``needed`` are options without which
    judgements cannot be read.

    ``open_corpus(path, empty_references=…)`` gives pieces of a corpus, or None if the file is none.
    ``open_units(path)`` gives a ``UnitFile``. ``open_judgements(path, files)`` gives ``Judgements`` of each
    data set and language pair, ``files`` being the ``JudgementFiles`` that the file was named among;
    ``open_test_sets``, instead, test sets that have judgements. ``open_ratings(path, weights)`` gives what
    each judge said, ``of_items`` of a sample that a key knows.
    ``write_corpus`` and ``write_units`` are what ``convert`` writes, in a folder if ``writes_folder``.
    """

    name: str
    holds: Holds
    description: str
    recognises: Callable[[Head], bool] = lambda head: False
    read: Callable[[FilePath], Any] | None = None
    write: Callable[[Any, FilePath], None] | None = None
    endings: tuple[str, ...] = ()
    is_general: bool = False
    options: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    open_corpus: Callable[..., Iterator[Corpus] | None] | None = None
    open_units: Callable[..., UnitFile] | None = None
    open_judgements: Callable[[str, JudgementFiles], Iterable[Judgements]] | None = None
    open_test_sets: Callable[[str, JudgementFiles], list[MtmeSet]] | None = None
    open_ratings: Callable[[str, MqmWeights], list[Ratings]] | None = None
    of_items: bool = False
    write_corpus: Callable[..., None] | None = None
    write_units: Callable[[UnitFile, FilePath], None] | None = None
    writes_folder: bool = False

    def given(self, **options: object) -> dict[str, Any]:
        """Those of the options that say something about files of the format."""
        return {name: value for name, value in options.items() if name in self.options}
