"""The builder refuses what is not WordNet and writes the same bytes every time."""

from __future__ import annotations

import dataclasses

import pytest

from oracle.wordnet_database import SMALL, Entry


@pytest.fixture
def source(tmp_path):
    return SMALL.write(tmp_path)


def run(builder, source, output, *options):
    directory, counts = source
    arguments = [directory, "--information-content", counts, "--output", output, *options]
    return builder.main([str(argument) for argument in arguments])


def test_the_command_checks_the_counts_of_wordnet_3(builder, source, tmp_path, capsys):
    assert run(builder, source, tmp_path / "out.bin") == 1
    assert "147306" in capsys.readouterr().err
    assert not (tmp_path / "out.bin").exists()


def test_the_command_accepts_another_database_when_told(builder, source, tmp_path, capsys):
    assert run(builder, source, tmp_path / "out.bin", "--any-size") == 0
    assert "15 synsets" in capsys.readouterr().out


def test_the_output_depends_only_on_the_input(builder, source, tmp_path):
    run(builder, source, tmp_path / "a.bin", "--any-size")
    run(builder, source, tmp_path / "b.bin", "--any-size")
    assert (tmp_path / "a.bin").read_bytes() == (tmp_path / "b.bin").read_bytes()


def test_line_ends_do_not_matter(builder, source, tmp_path):
    run(builder, source, tmp_path / "a.bin", "--any-size")
    for path in [*tmp_path.glob("*.*n*"), *tmp_path.glob("*.exc"), *tmp_path.glob("*.ad*")]:
        if path.suffix != ".bin":
            path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n"))
    run(builder, source, tmp_path / "b.bin", "--any-size")
    assert (tmp_path / "a.bin").read_bytes() == (tmp_path / "b.bin").read_bytes()


def test_an_index_that_contradicts_the_data_is_refused(builder, source, tmp_path, capsys):
    index = tmp_path / "index.verb"
    index.write_text(index.read_text().replace("chase", "chaste"))
    assert run(builder, source, tmp_path / "out.bin", "--any-size") == 1
    assert "disagree on lemma 'chas" in capsys.readouterr().err


def test_counts_of_another_wordnet_are_refused(builder, source, tmp_path, capsys):
    with (tmp_path / "ic-test.dat").open("a") as file:
        file.write("4711n 3\n")
    assert run(builder, source, tmp_path / "out.bin", "--any-size") == 1
    assert "4711" in capsys.readouterr().err


def test_a_list_too_long_for_the_format_is_refused(builder, tmp_path, capsys):
    crowded = [Entry("n", ("set",)) for _ in range(256)]
    source = dataclasses.replace(SMALL, entries=tuple(crowded)).write(tmp_path)
    assert run(builder, source, tmp_path / "out.bin", "--any-size") == 1
    assert "256" in capsys.readouterr().err


def test_a_failed_write_leaves_the_old_file(builder, tmp_path, monkeypatch):
    path = tmp_path / "out.bin"
    path.write_bytes(b"old")

    def fail(*_):
        raise OSError

    monkeypatch.setattr(builder.Path, "replace", fail)
    with pytest.raises(OSError):  # noqa: PT011
        builder.write_atomically(path, b"new")
    assert [p.name for p in tmp_path.iterdir()] == ["out.bin"]
    assert path.read_bytes() == b"old"
