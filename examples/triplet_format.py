"""A file format of one's own: three lines a segment, its source, reference and translation, each marked."""

from collections.abc import Iterator

from metaphrase.corpus import Corpus
from metaphrase.corpus.formats import Format, Head
from metaphrase.corpus.lines import LineReader
from metaphrase.corpus.writing import atomic_writer, encoded_lines
from metaphrase.errors import InputError

MARKS = ("SRC ", "REF ", "MT ")


def recognises(head: Head) -> bool:
    """Whether a file begins like one; the first lines of a file are all that is known of it."""
    first = head.lines[:3]
    return len(first) == 3 and all(map(str.startswith, first, MARKS))


def open_triplets(path: str, *, empty_references: str) -> Iterator[Corpus]:
    """The corpus of a file, in one piece; errors name the line."""
    columns: dict[str, list[str]] = {mark: [] for mark in MARKS}
    with LineReader(path) as reader:
        for line, text in reader:
            mark = MARKS[(line - 1) % 3]
            if not text.startswith(mark):
                raise InputError(
                    "MP142", f"The line has no mark {mark.strip()}.", path=path, line=line
                )
            columns[mark].append(text.removeprefix(mark))
    sources, reference, system = columns.values()
    yield Corpus({"mt": system}, [reference], sources=sources, empty_references=empty_references)


def write_triplets(corpus: Corpus, path: str) -> None:
    """Write the first system of a corpus: completely or not at all."""
    system = next(iter(corpus.systems.values()))
    columns = (corpus.sources or [""] * len(corpus), corpus.references[0], system)
    rows = zip(*columns, strict=True)
    lines = (mark + text for row in rows for mark, text in zip(MARKS, row, strict=True))
    with atomic_writer(path) as stream:
        stream.writelines(encoded_lines(lines, path))


TRIPLETS = Format(
    name="triplets",
    holds="texts",
    description="segments of three marked lines",
    recognises=recognises,
    open_corpus=open_triplets,
    write_corpus=write_triplets,
    endings=(".triplets",),
)
