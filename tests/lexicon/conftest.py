"""Small databases, and damaged files. The builder of WordNet is a script, so it is loaded from its file."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from metaphrase.lexicon import WordNet
from oracle.wordnet_database import SMALL, Database
from oracle.wordnet_raw import RawWordNet

SCRIPT = Path(__file__).parents[2] / "training" / "build_wordnet.py"


@pytest.fixture(scope="session")
def builder() -> ModuleType:
    specification = importlib.util.spec_from_file_location("build_wordnet", SCRIPT)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules["build_wordnet"] = module  # dataclasses look their module up
    specification.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def make(
    builder: ModuleType, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Database], tuple[WordNet, RawWordNet]]:
    """Writes a database and returns both readings of it."""

    def make(database: Database) -> tuple[WordNet, RawWordNet]:
        directory, counts = database.write(tmp_path_factory.mktemp("database"))
        builder.build(directory, counts, directory / "wordnet.bin")
        return WordNet(directory / "wordnet.bin"), RawWordNet(directory, counts)

    return make


@pytest.fixture(scope="session")
def small(make: Callable[[Database], tuple[WordNet, RawWordNet]]) -> tuple[WordNet, RawWordNet]:
    return make(SMALL)


@pytest.fixture(scope="session")
def wordnet() -> WordNet:
    return WordNet.default()


@pytest.fixture
def damaged(tmp_path: Path) -> Callable[[bytes], Iterator[Path]]:
    """The file with each byte changed in turn, but for the reserved ones, and cut off at each."""

    def files(content: bytes) -> Iterator[Path]:
        path = tmp_path / "damaged.bin"
        for at, byte in enumerate(content):
            if not 12 <= at < 16:
                path.write_bytes(content[:at] + bytes([byte ^ 0x41]) + content[at + 1 :])
                yield path
            path.write_bytes(content[:at])
            yield path

    return files
