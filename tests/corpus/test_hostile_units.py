"""Whatever bytes a localisation file has, it is read or refused by a code; and sizes are bounded."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.conftest import Refused
from corpus.malformed_units import SEGMENT, SHEET, TU, UNIT, po, tmx, xliff1, xliff2
from metaphrase.corpus.formats.units import file_bytes
from metaphrase.corpus.lines import BLOCK
from metaphrase.corpus.opening import read_units
from metaphrase.errors import MetaphraseError

SOUND = [
    ("xlf", xliff1(UNIT)),
    ("xlf", xliff2(SEGMENT)),
    ("tmx", tmx(TU)),
    ("po", po('#, fuzzy\nmsgctxt "c"\nmsgid "a"\nmsgid_plural "b"\nmsgstr[0] "x\\n"\n"y"\n')),
    ("csv", b'id;source;target\n1;"a\nb";c\n'),
    ("xlsx", SHEET),
    ("properties", b"a = b\\u00e9 \\\n c\n"),
    ("json", b'{\n"a": {"b": "c"}\n}\n'),
]
TOKENS = [
    b"<", b">", b"&", b'"', b"\\", b"\n", b"\r", b"\0", b"\xff", b"<!--", b"<![CDATA[", b"]]>", b"/>", b"</",
    b"msgid", b"msgstr[0]", b"#~", b"\\u", b"{", b"}", b"[", b",", b"\xff\xfe", b"<mrk mtype='seg' mid='1'>",
]  # fmt: skip
edits = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 20), st.sampled_from(TOKENS) | st.binary(max_size=4)),
    min_size=1,
    max_size=5,
)


@settings(max_examples=300, deadline=None)
@given(sample=st.sampled_from(SOUND), edits=edits)
def test_damaged_files_are_read_or_refused(
    sample: tuple[str, bytes],
    edits: list[tuple[float, int, bytes]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    ending, data = sample
    for place, removed, added in edits:
        at = int(place * len(data))
        data = data[:at] + added + data[at + removed :]
    path = tmp_path_factory.mktemp("damaged") / f"file.{ending}"
    path.write_bytes(data)
    assert _read_or_refused(str(path)) == str(path)


def _read_or_refused(path: str) -> str | None:
    """The file that was read, or that the error is about."""
    try:
        return read_units(path).path
    except MetaphraseError as error:
        return error.path


def test_a_gzipped_bomb_ends_at_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: Refused
) -> None:
    monkeypatch.setattr(file_bytes, "MOST_BYTES", 1 << 20)
    path = tmp_path / "file.xlf.gz"
    path.write_bytes(gzip.compress(xliff1(UNIT.replace("Save", "a" * (1 << 22)))))
    with refused("MP863", "1 MiB", path=path):
        read_units(str(path))


@pytest.mark.parametrize(
    ("content", "size"),
    [
        (b"", 0),
        (b"a" * 1000, 1000),
        (SHEET, sum(entry.file_size for entry in zipfile.ZipFile(io.BytesIO(SHEET)).infolist())),
        (b"PK\x03\x04 and no more", 16),
    ],
)
def test_sizes_are_of_what_files_unpack_to(tmp_path: Path, content: bytes, size: int) -> None:
    path = tmp_path / "file"
    members = gzip.compress(content[:1]) + gzip.compress(content[1:])
    for packed in (content, gzip.compress(content), members):
        path.write_bytes(packed)
        assert file_bytes.unpacked_size(path, enough=1 << 30) == size


def test_nothing_is_unpacked_beyond_what_is_enough(tmp_path: Path) -> None:
    path = tmp_path / "file.gz"
    path.write_bytes(gzip.compress(bytes(1 << 24)))
    assert 1000 < file_bytes.unpacked_size(path, enough=1000) <= BLOCK


def test_gzip_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "file.xlf.gz"
    path.write_bytes(gzip.compress(xliff1(UNIT)))
    assert [unit.id for unit in read_units(str(path)).units] == ["1"]


def test_many_units_take_time_in_proportion(tmp_path: Path) -> None:
    """Twenty thousand ids, tags and lines; anything that grew with their square would take minutes."""
    path = tmp_path / "file.xlf"
    body = "\n".join(
        f'<trans-unit id="{n}"><source>a<x id="1"/></source></trans-unit>' for n in range(20_000)
    )
    path.write_bytes(xliff1(body))
    assert len(read_units(str(path)).units) == 20_000
