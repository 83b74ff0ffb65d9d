"""Which bytes end a line, which files are refused, and how exactly the place is named."""

from __future__ import annotations

import gzip
import io
import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.corpus import lines as lines_module
from metaphrase.corpus.lines import LineReader

Refused = Callable[..., AbstractContextManager[None]]


def lines_of(path: Path | str) -> list[str]:
    with LineReader(path) as reader:
        return [text for _, text in reader]


@pytest.fixture
def file(tmp_path: Path) -> Callable[[bytes], Path]:
    def write(data: bytes) -> Path:
        path = tmp_path / "text"
        path.write_bytes(data)
        return path

    return write


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a\nb\n", ["a", "b"]),
        (b"a\nb", ["a", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\r\r\n", ["a\r"]),
        (b"a\rb\nc\r", ["a\rb", "c\r"]),
        (b"\n", [""]),
        (b"\r\n", [""]),
        (b"\n\n", ["", ""]),
        (b"a\n\n", ["a", ""]),
        (b"\xef\xbb\xbfa\n", ["a"]),
        (b"\xef\xbb\xbf\n", [""]),
        (b"a\xef\xbb\xbf\n\xef\xbb\xbfb\n", ["a\ufeff", "\ufeffb"]),
        (b"\xef\xbb\xbf\xef\xbb\xbfa\n", ["\ufeffa"]),
    ],
)
def test_only_a_line_feed_ends_a_line(
    file: Callable[[bytes], Path], data: bytes, expected: list[str]
) -> None:
    assert lines_of(file(data)) == expected


@pytest.mark.parametrize("character", "\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e\r")
def test_other_line_breaks_are_text(file: Callable[[bytes], Path], character: str) -> None:
    text = f"a{character}b"
    assert lines_of(file(f"{text}\n{text}\n".encode())) == [text, text]


@given(st.lists(st.text(alphabet="aé\r\u2028"), min_size=1), st.integers(1, 9), st.booleans())
def test_blocks_of_any_size_give_the_same_lines(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], block: int, compress: bool
) -> None:
    path = tmp_path_factory.mktemp("blocks") / "text"
    data = "".join(text + "\r\n" for text in texts).encode()
    path.write_bytes(gzip.compress(data) if compress else data)
    with pytest.MonkeyPatch.context() as patch:
        # Two bytes are what it takes to recognise gzip.
        patch.setattr(lines_module, "BLOCK", block + 1)
        assert lines_of(path) == texts


def test_lines_are_taken_as_many_as_asked_for(file: Callable[[bytes], Path]) -> None:
    with LineReader(file(b"1\n2\n3\n4\n5\n")) as reader:
        assert reader.take(2) == ["1", "2"]
        assert reader.take(0) == []
        assert reader.count() == 5
        assert reader.take(2) == []


def test_a_line_of_many_blocks_is_one_line(file: Callable[[bytes], Path]) -> None:
    text = "ä" * (1 << 20)
    assert lines_of(file(f"{text}\n.\n".encode())) == [text, "."]


class TestGzip:
    def test_is_recognised_by_content_not_by_name(self, tmp_path: Path) -> None:
        (tmp_path / "packed.txt").write_bytes(gzip.compress(b"a\nb\n"))
        (tmp_path / "plain.gz").write_bytes(b"a\nb\n")
        assert lines_of(tmp_path / "packed.txt") == lines_of(tmp_path / "plain.gz") == ["a", "b"]

    def test_may_have_several_members_and_padding(self, file: Callable[[bytes], Path]) -> None:
        data = gzip.compress(b"a\nb") + gzip.compress(b"") + gzip.compress(b"c\n") + bytes(99)
        assert lines_of(file(data)) == ["a", "bc"]

    def test_may_be_much_larger_than_a_block(self, file: Callable[[bytes], Path]) -> None:
        assert len(lines_of(file(gzip.compress(b"a\n" * 1_000_000)))) == 1_000_000

    @pytest.mark.parametrize("keep", [2, 9, 15, -9, -1])
    def test_is_refused_when_truncated(
        self, file: Callable[[bytes], Path], refused: Refused, keep: int
    ) -> None:
        path = file(gzip.compress(os.urandom(5000).hex().encode())[:keep])
        with refused("MP114", "too early", path=path):
            lines_of(path)

    def test_is_refused_when_damaged(self, file: Callable[[bytes], Path], refused: Refused) -> None:
        good = gzip.compress(b"a\nb\n" * 100)
        for bad in (good[:-5] + b"\xff" + good[-4:], good[:10] + b"\xff" * 9, good + b"garbage"):
            path = file(bad)
            with refused("MP114", "damaged", path=path):
                lines_of(path)

    def test_is_refused_when_there_is_nothing_in_it(
        self, file: Callable[[bytes], Path], refused: Refused
    ) -> None:
        path = file(gzip.compress(b""))
        with refused("MP113", path=path):
            lines_of(path)


class TestRefusedBytes:
    @pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
    @pytest.mark.parametrize("order", ["le", "be"])
    def test_other_encodings_are_named(
        self, file: Callable[[bytes], Path], refused: Refused, encoding: str, order: str
    ) -> None:
        path = file("\ufeffone\ntwo\n".encode(f"{encoding}-{order}"))
        with refused("MP120", encoding.upper(), path=path):
            lines_of(path)

    @pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
    @pytest.mark.parametrize("end", [b"\n", b"\r\n"])
    @pytest.mark.parametrize("lines", [0, 2, 100_000])
    def test_a_byte_that_is_not_utf8_is_named_by_line_and_position(
        self,
        file: Callable[[bytes], Path],
        refused: Refused,
        mark: bytes,
        end: bytes,
        lines: int,
    ) -> None:
        before = mark + (b"good" + end) * lines
        path = file(before + b"caf\xe9" + end + b"good" + end)
        column = 4 + (len(mark) if lines == 0 else 0)
        words = f"0xE9 is not UTF-8 (byte {column} of the line, byte {len(before) + 4} of the text)"
        with refused("MP121", words, path=path, line=lines + 1):
            lines_of(path)

    @pytest.mark.parametrize("data", [b"\xc3", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80"])
    def test_incomplete_overlong_and_surrogate_sequences_are_not_utf8(
        self, file: Callable[[bytes], Path], refused: Refused, data: bytes
    ) -> None:
        path = file(b"a\n" + data)
        with refused("MP121", path=path, line=2):
            lines_of(path)

    def test_a_nul_byte_is_named_by_line(
        self, file: Callable[[bytes], Path], refused: Refused
    ) -> None:
        path = file(b"a\nb\0c\n")
        with refused("MP122", "byte 2 of the line, byte 4 of the text", path=path, line=2):
            lines_of(path)

    @pytest.mark.parametrize("data", [b"a\rb\r", b"a\rb", b"a\r"])
    def test_carriage_returns_alone_are_not_line_ends(
        self, file: Callable[[bytes], Path], refused: Refused, data: bytes
    ) -> None:
        path = file(data)
        with refused("MP123", path=path):
            lines_of(path)


class TestRefusedFiles:
    def test_missing(self, tmp_path: Path, refused: Refused) -> None:
        with refused("MP110", path=tmp_path / "none"):
            lines_of(tmp_path / "none")

    def test_directory(self, tmp_path: Path, refused: Refused) -> None:
        with refused("MP111", path=tmp_path):
            lines_of(tmp_path)

    def test_unreadable(
        self, file: Callable[[bytes], Path], refused: Refused, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = file(b"a\n")

        # Permissions do not stop an administrator, so the refusal is the test's own.
        def denied(*_: object, **__: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "open", denied)
        with refused("MP112", "Permission denied", path=path):
            lines_of(path)

    def test_impossible_name(self, refused: Refused) -> None:
        with refused("MP112", path="a\0b"):
            lines_of("a\0b")

    @pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf"])
    def test_empty(self, file: Callable[[bytes], Path], refused: Refused, data: bytes) -> None:
        path = file(data)
        with refused("MP113", path=path):
            lines_of(path)


class TestStandardInput:
    @pytest.mark.parametrize("pack", [bytes, gzip.compress])
    def test_is_read_as_a_file_is(
        self, monkeypatch: pytest.MonkeyPatch, pack: Callable[[bytes], bytes]
    ) -> None:
        data = io.BytesIO(pack(b"\xef\xbb\xbfa\xe2\x80\xa8b\r\nc"))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data))
        assert lines_of("-") == ["a\u2028b", "c"]

    def test_is_named_in_errors(self, monkeypatch: pytest.MonkeyPatch, refused: Refused) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\n\xff\n")))
        with refused("MP121", path="<stdin>", line=2):
            lines_of("-")

    def test_may_be_missing(self, monkeypatch: pytest.MonkeyPatch, refused: Refused) -> None:
        monkeypatch.setattr(sys, "stdin", None)
        with refused("MP112", "no standard input", path="<stdin>"):
            lines_of("-")
