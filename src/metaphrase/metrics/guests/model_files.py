"""The model that a guest reads: files of this machine, their hash, the licence, and whether they are code."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from metaphrase.corpus.lines import cannot_read
from metaphrase.errors import OptionError
from metaphrase.metrics.guests import score_cache

#: What unpickles, or is a program of TensorFlow's: loading it can run anything.
_CODE = (".ckpt", ".bin", ".pt", ".pth", ".pkl", ".pickle", ".pb", ".h5")
#: Weights that cannot; libraries take these if they are there.
_DATA = ".safetensors"
#: Folders and files that all models have, and which say nothing of this one.
_GENERIC = re.compile(r"checkpoints?|snapshots|[0-9a-f]{40}|(model|pytorch_model|last|best)\.\w+")
#: What is about the model and not part of it.
_ABOUT = re.compile(r"README|LICEN[CS]E")
_PIECE = 1 << 20
#: Bytes from which on a hash is worth remembering.
_LARGE = 1 << 26
#: How much of a card or licence is read to find out what it is.
_BEGINNING = 8192
#: Names of licences by what their texts begin with.
_LICENCES = (
    ("Apache License", "apache-2.0"),
    ("MIT License", "mit"),
    ("Attribution-NonCommercial-ShareAlike 4.0", "cc-by-nc-sa-4.0"),
    ("Attribution-NonCommercial 4.0", "cc-by-nc-4.0"),
    ("Attribution-ShareAlike 4.0", "cc-by-sa-4.0"),
    ("Attribution 4.0", "cc-by-4.0"),
)


class _Stamped(NamedTuple):
    """A file, its name in the model, its size, and what else changes when its content does."""

    path: str
    inside: str
    size: int
    changed: int
    number: int


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A model on disk; ``fingerprint`` is the hash of all files that belong to it."""

    name: str
    fingerprint: str
    licence: str


def check_local(path: str, *, guest: str, option: str = "model") -> Path:
    """The file or folder that ``path`` names; what is not on this machine is an error."""
    place = Path(path).expanduser()
    if place.exists():
        return place
    if re.fullmatch(r"[\w.-]+/[\w.-]+", path) and not place.parent.exists():
        raise OptionError(
            "MP714",
            f"{guest}: {option}={path!r} is no file or folder of this machine.",
            hint="Nothing is ever downloaded. If that is a name on a hub, download it yourself, and give the "
            f"path that `hf download {path}` prints.",
        )
    raise OptionError(
        "MP714",
        f"{guest}: there is no file or folder {path!r} for {option}.",
        hint="Nothing is ever downloaded: give the path of a model that is on this machine.",
    )


def check_trusted(place: Path, *, guest: str, trust: bool) -> None:
    """Refuse a model whose loading can run code, unless the user has said that it may."""
    files = [place] if place.is_file() else _files(place)
    if trust or any(file.suffix == _DATA for file in files):
        return
    if found := next((file for file in files if file.suffix in _CODE), None):
        raise OptionError(
            "MP715",
            f"{guest}: loading {found.name} can run whatever code is in it.",
            path=place,
            hint="If you trust those from whom you have it, as you would a program, add trust=yes; "
            "weights in .safetensors need no trust.",
        )


def model_files(places: Sequence[Path]) -> ModelFiles:
    """What the signature says of a model that is made of these files and folders; the first names it.

    >>> model_files([Path("reference.txt")])
    ModelFiles(name='reference.txt', fingerprint='...', licence='unknown')
    """
    files = [
        _Stamped(os.path.abspath(file), _inside(file, place), *_stamp(file))  # noqa: PTH100
        for place in places
        for file in ([place] if place.is_file() else _files(place))
        if not _ABOUT.match(file.name)
    ]
    return ModelFiles(model_name(places[0]), _fingerprint(tuple(files)), _licence(places[0]))


def _files(folder: Path) -> list[Path]:
    """All that the folder has, without what git and hubs keep beside it."""
    found = []
    for inside, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [Path(inside, name) for name in sorted(names) if not name.startswith(".")]
    return found


def _inside(file: Path, place: Path) -> str:
    return file.name if file == place else file.relative_to(place).as_posix()


def _stamp(file: Path) -> tuple[int, int, int]:
    """What changes if the file does."""
    try:
        status = file.stat()
    except OSError as error:
        raise cannot_read(file, str(file), error) from error
    return status.st_size, status.st_mtime_ns, status.st_ino


@lru_cache(maxsize=32)
def _fingerprint(files: tuple[_Stamped, ...]) -> str:
    """The hash, which is remembered for as long as no file changes: gigabytes take seconds to read."""
    if sum(file.size for file in files) < _LARGE:
        return _hash(files)
    return score_cache.remembered(repr(files), lambda: _hash(files))


def _hash(files: Sequence[_Stamped]) -> str:
    """Of names and contents, whichever folder they are in."""
    whole = blake2b(digest_size=6)
    for file in files:
        whole.update(f"{file.inside}\0{file.size}\0".encode("utf-8", "surrogateescape"))
        try:
            with Path(file.path).open("rb") as stream:
                while piece := stream.read(_PIECE):
                    whole.update(piece)
        except OSError as error:
            raise cannot_read(file.path, file.path, error) from error
    return whole.hexdigest()


def model_name(place: Path) -> str:
    """The first folder, from the file upwards, whose name is the model's."""
    whole = Path(os.path.abspath(place))  # noqa: PTH100
    for part in reversed(whole.parts[1:]):
        if not _GENERIC.fullmatch(part):
            return part.removeprefix("models--").replace("--", "/")
    return whole.name


def _licence(place: Path) -> str:
    """What the card or the licence of the folder says, or of those above it in which only the model is."""
    folder = place if place.is_dir() else place.parent
    candidates = [folder]
    while _GENERIC.fullmatch(candidates[-1].name):
        candidates.append(candidates[-1].parent)
    for one in candidates:
        card = re.search(r"^licen[cs]e:\s*(\S[^\n#]*)", _text(one / "README.md"), re.M)
        if card:
            return card[1].strip().strip("'\"")
        for name in ("LICENSE", "LICENSE.txt", "LICENSE.md", "LICENCE"):
            if text := _text(one / name):
                known = (short for said, short in _LICENCES if said in text)
                return next(known, text.strip().splitlines()[0].strip()[:60])
    return "unknown"


def _text(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            return stream.read(_BEGINNING).decode("utf-8", "replace")
    except OSError:
        return ""
