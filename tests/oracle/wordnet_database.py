"""Tiny WordNets in the format of the real one, written by hand or drawn by hypothesis."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import strategies as st

from oracle.wordnet_raw import FILES

PREAMBLE = "  1 This stands for the licence, which opens every file.\r\n"


@dataclass(frozen=True)
class Entry:
    """A synset; hypernyms are positions in the list of entries and have the same part of speech."""

    part: str
    lemmas: tuple[str, ...]
    hypernyms: tuple[int, ...] = ()
    instance: bool = False
    count: int = 0
    satellite: bool = False


@dataclass(frozen=True)
class Database:
    entries: tuple[Entry, ...]
    exceptions: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    # Sense order: lemmas in this set list their synsets last to first.
    reversed_senses: frozenset[str] = field(default_factory=frozenset)

    def write(self, directory: Path) -> tuple[Path, Path]:
        """The database directory and the file of counts that the builder takes."""
        for part, name in FILES:
            self._write_part(directory, part, name)
        counts = "wnver::made-up\r\n"
        for offset, entry in enumerate(self.entries):
            if entry.part in "nv":
                root = "" if entry.hypernyms else " ROOT"
                counts += f"{offset}{entry.part} {entry.count}{root}\r\n"
        path = directory / "ic-test.dat"
        path.write_bytes(counts.encode())
        return directory, path

    def _write_part(self, directory: Path, part: str, name: str) -> None:
        data, senses = PREAMBLE, {}
        for offset, entry in enumerate(self.entries):
            if entry.part != part:
                continue
            kind = "s" if entry.satellite else part
            words = " ".join(f"{lemma} 0" for lemma in entry.lemmas)
            symbol = "@i" if entry.instance else "@"
            pointers = [f"~ {offset:08} {part} 0000"]
            pointers += [f"{symbol} {above:08} {part} 0000" for above in entry.hypernyms]
            frames = " 01 + 02 00" if part == "v" else ""
            data += (
                f"{offset:08} 05 {kind} {len(entry.lemmas):02x} {words} "
                f"{len(pointers):03} {' '.join(pointers)}{frames} | a gloss | with @ signs  \r\n"
            )
            for lemma in entry.lemmas:
                key = lemma.partition("(")[0].lower()
                if offset not in senses.setdefault(key, []):
                    senses[key].append(offset)
        index = PREAMBLE
        for lemma in sorted(senses):
            offsets = senses[lemma][:: -1 if lemma in self.reversed_senses else 1]
            listed = " ".join(f"{offset:08}" for offset in offsets)
            index += f"{lemma} {part} {len(offsets)} 2 @ ~ {len(offsets)} 0 {listed}  \r\n"
        irregular = "".join(
            f"{form} {' '.join(bases)}\r\n" for own, form, bases in self.exceptions if own == part
        )
        for filename, text in (
            (f"data.{name}", data),
            (f"index.{name}", index),
            (f"{name}.exc", irregular),
        ):
            (directory / filename).write_bytes(text.encode())


SMALL = Database(
    entries=(
        Entry("n", ("entity",), count=100),
        Entry("n", ("animal", "beast"), (0,), count=60),
        Entry("n", ("dog", "domestic_dog", "Canis_familiaris"), (1,), count=20),
        Entry("n", ("cat",), (1,), count=10),
        Entry("n", ("chap", "dog"), (0,), count=0),
        Entry("n", ("Lassie",), (2,), instance=True, count=1),
        Entry("n", ("box",), (0,), count=4),
        Entry("n", ("boxful", "box"), (0, 6), count=2),
        Entry("v", ("chase", "dog"), count=8),
        Entry("v", ("go", "move"), count=5),
        Entry("v", ("box",), (9,), count=1),
        Entry("a", ("big", "large")),
        Entry("a", ("huge(a)", "massive(p)", "galore(ip)"), satellite=True),
        Entry("r", ("away", "off")),
        Entry("a", ("off",)),
    ),
    exceptions=(
        ("v", "went", ("go",)),
        ("n", "beasties", ("beast", "beastie")),
        ("a", "bigger", ("big",)),
    ),
    reversed_senses=frozenset({"box"}),
)

# Of every length that the hash function treats in its own way.
_LEMMAS = st.sampled_from(
    ["a", "B", "ab", "abcd", "Abcde", "abcdefgh", "abcdefghi", "x-ray", "o'clock", "New_York"]
)
_FORMS = _LEMMAS.map(str.lower)
_EXCEPTIONS = st.lists(
    st.tuples(st.sampled_from("nvar"), _FORMS, st.lists(_FORMS, min_size=1, max_size=3).map(tuple)),
    max_size=6,
)


@st.composite
def databases(draw: st.DrawFn) -> Database:
    """Any small WordNet whose hypernyms point to earlier synsets of the same part of speech."""
    entries: list[Entry] = []
    for part in draw(st.lists(st.sampled_from("nvar"), min_size=1, max_size=14)):
        above = [i for i, entry in enumerate(entries) if entry.part == part]
        hypernyms = (
            st.lists(st.sampled_from(above), unique=True, max_size=3) if above else st.just([])
        )
        entries.append(
            Entry(
                part,
                tuple(draw(st.lists(_LEMMAS, min_size=1, max_size=4, unique=True))),
                tuple(draw(hypernyms)),
                instance=draw(st.booleans()),
                count=draw(st.integers(0, 5)),
                satellite=part == "a" and draw(st.booleans()),
            )
        )
    return Database(
        tuple(entries),
        exceptions=tuple(draw(_EXCEPTIONS)),
        reversed_senses=draw(st.frozensets(_FORMS)),
    )
