"""Whether two builds gave the same: ``python -m release.compare FOLDER FOLDER`` compares their files.

The same file by name and bytes, or the list of members that differ, since that is where to look.
"""

from __future__ import annotations

import sys
import tarfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile


def members(archive: Path) -> dict[str, str]:
    """What is in a wheel or in a source distribution, by hash."""
    if archive.suffix == ".whl":
        with ZipFile(archive) as wheel:
            return {name: sha256(wheel.read(name)).hexdigest() for name in wheel.namelist()}
    with tarfile.open(archive) as source:
        return {
            item.name: sha256(stream.read()).hexdigest()
            for item in source
            if (stream := source.extractfile(item)) is not None
        }


def differences(left: Path, right: Path) -> Iterator[str]:
    """Sentences about all that differs; none if every byte is the same."""
    if left.read_bytes() == right.read_bytes():
        return
    one, other = members(left), members(right)
    for name in sorted(one.keys() | other.keys()):
        if name not in other:
            yield f"{name} is only in {left}"
        elif name not in one:
            yield f"{name} is only in {right}"
        elif one[name] != other[name]:
            yield f"{name} differs"
    if one == other:
        yield f"{left.name}: the same members, packed otherwise (order, dates, rights or compression)"


def main(left: str, right: str) -> int:
    """Print in what the files of ``right`` differ from those of ``left``; 1 if they do in anything."""
    names = [path.name for path in Path(right).iterdir()]
    found = 0
    for name in sorted(names):
        pair = Path(left) / name, Path(right) / name
        sentences = list(differences(*pair)) if pair[0].exists() else [f"{name} is not in {left}"]
        found += len(sentences)
        print("\n".join(sentences) or f"{name}: the same bytes")
    return 1 if found or not names else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
