"""What would go wrong on Windows alone, held to here: encodings, line ends, locks, modules that it lacks.

Nothing in this file needs Windows. What only shows there is left to the workflows.
"""

from __future__ import annotations

import ast
import errno
import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from io import BytesIO, TextIOWrapper
from pathlib import Path
from types import SimpleNamespace

import pytest

from metaphrase.cli import main
from metaphrase.errors import ResourceError
from metaphrase.metrics import create

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src" / "metaphrase").rglob("*.py"))
#: Modules that Windows does not have.
UNIX_ONLY = {"fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios"}
#: Functions that open a text file in the encoding of the system, unless they are told another.
OPENING = {"open", "read_text", "write_text", "TextIOWrapper", "fdopen", "NamedTemporaryFile"}
#: What either fails where the file exists, or is not there.
UNPORTABLE_CALLS = {"fork", "mkfifo", "getloadavg", "killpg", "setsid", "sync"}


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def place(path: Path, node: ast.stmt | ast.expr) -> str:
    return f"{name_of(path)}:{node.lineno}"


@cache
def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text("utf-8")) for path in SOURCES}


def calls() -> Iterator[tuple[Path, str, ast.Call]]:
    for path, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "attr", None) or getattr(node.func, "id", None)
                yield path, str(name), node


def is_text(name: str, call: ast.Call) -> bool:
    """Whether it opens text; methods called ``open`` of our own classes take no mode."""
    modes = [
        value.value
        for value in (*call.args, *(word.value for word in call.keywords if word.arg == "mode"))
        if isinstance(value, ast.Constant) and isinstance(value.value, str)
    ]
    if any("b" in mode and set(mode) <= set("rwxab+") for mode in modes):
        return False
    if name == "open":
        ours = isinstance(call.func, ast.Attribute) and not any(
            set(mode) <= set("rwxat+") for mode in modes
        )
        return not ours
    return name != "NamedTemporaryFile" or bool(modes)


def test_text_is_opened_with_its_encoding() -> None:
    without = []
    for path, name, call in calls():
        # Functions of our own that are called so, and what an installed distribution keeps.
        ours = name == "read_text" and (isinstance(call.func, ast.Name) or path.stem == "extras")
        if name in OPENING and is_text(name, call) and not ours:
            encoding = any(word.arg == "encoding" for word in call.keywords)
            positional = any(
                isinstance(value, ast.Constant) and str(value.value).startswith(("utf", "ascii"))
                for value in call.args
            )
            if not (encoding or positional):
                without.append(place(path, call))
    assert without == []


def test_nothing_is_called_that_windows_lacks() -> None:
    lacking = [
        place(path, call)
        for path, name, call in calls()
        if isinstance(call.func, ast.Attribute)
        and getattr(call.func.value, "id", "") == "os"
        and name in UNPORTABLE_CALLS | {"rename"}
    ]
    assert lacking == []


def test_what_windows_lacks_is_imported_where_its_absence_is_met() -> None:
    """That is within a function; at the top of a module it would keep all of it from being imported."""
    imported = []
    for path, tree in trees().items():
        for node in tree.body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = {alias.name for alias in node.names} | {getattr(node, "module", None)}
                if names & UNIX_ONLY:
                    imported.append(place(path, node))
    assert imported == []


def test_everything_can_be_imported_without_what_windows_lacks() -> None:
    program = f"""
import sys
for name in {sorted(UNIX_ONLY - {"posix"})}:
    sys.modules[name] = None
import os
for name in ("fork", "getuid", "sched_getaffinity", "killpg", "setsid"):
    if hasattr(os, name):
        delattr(os, name)
from importlib import import_module
from pathlib import Path
import metaphrase
root = Path(metaphrase.__file__).parent
for path in sorted(root.rglob("*.py")):
    parts = path.relative_to(root.parent).with_suffix("").parts
    if parts[-1] == "__main__" or {{"examples", "programs", "interchange", "engines"}} & set(parts):
        continue  # other interpreters run these, and packages of others know which system this is
    try:
        import_module(".".join(parts).removesuffix(".__init__"))
    except ModuleNotFoundError as error:
        # Packages of extras that are not installed; what Windows lacks is there, and None.
        assert error.name.partition(".")[0] not in {sorted(UNIX_ONLY)}, (path, error)
from metaphrase.threads import available_cores
assert available_cores() > 0
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr


class TestStandardOutput:
    """A pipe on Windows has the encoding of the country, and writes two characters where a line ends."""

    @staticmethod
    def written(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> bytes:
        pipe = TextIOWrapper(BytesIO(), encoding="cp1252", newline="\r\n")
        with monkeypatch.context() as patch:
            patch.setattr("sys.stdout", pipe)
            assert main(arguments) == 0
        buffer = pipe.buffer
        assert isinstance(buffer, BytesIO)
        return buffer.getvalue()

    def test_programs_read_utf_8_and_line_feeds(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        text = tmp_path / "zh.txt"
        text.write_bytes("我妈妈昨天买了一把雨伞。\n".encode())
        options = ["-m", "chrf", "--format", "json", "-l", "zh"]
        found = self.written(monkeypatch, "score", str(text), "-i", f"雨={text}", *options)
        assert b"\r" not in found
        assert json.loads(found.decode("utf-8"))["systems"][0]["name"] == "雨"

    def test_people_read_the_same(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        text = tmp_path / "a.txt"
        text.write_bytes(b"The cat sat on the mat.\n")
        found = self.written(monkeypatch, "score", str(text), "-i", str(text), "-m", "chrf")
        assert "1 system · 1 segment" in found.decode("utf-8")

    def test_nobody_reading_any_more_is_no_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Windows calls a broken pipe an invalid argument."""
        from metaphrase.cli import output

        class Pipe(TextIOWrapper):
            def flush(self) -> None:
                raise OSError(errno.EINVAL, "Invalid argument")

        monkeypatch.setattr(output, "os", SimpleNamespace(name="nt"))
        monkeypatch.setattr("sys.stdout", Pipe(BytesIO()))
        with pytest.raises(BrokenPipeError):
            output.print_lines(["text"])


def test_complaints_reach_a_stream_that_cannot_write_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    written = BytesIO()
    monkeypatch.setattr("sys.stderr", TextIOWrapper(written, encoding="cp1252"))
    assert main(["score", str(tmp_path / "雨.txt"), "-i", str(tmp_path / "→.txt")]) == 1
    sys.stderr.flush()
    assert b"metaphrase: [MP" in written.getvalue()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_do_not_matter(
    end: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {}
    for name in ("reference.txt", "system-a.txt"):
        lines = (ROOT / "examples" / name).read_text("utf-8").splitlines()
        files[name] = tmp_path / name
        files[name].write_bytes("".join(f"{line}{end}" for line in lines).encode())
    main(["score", *map(str, [files["reference.txt"], "-i", files["system-a.txt"]]), "-m", "bleu"])
    assert "58.09" in capsys.readouterr().out  # as in README.md


def test_what_is_written_has_line_feeds_on_every_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT / "examples")
    target = tmp_path / "scores.tsv"
    command = ["score", "reference.txt", "-i", "system-a.txt", "-m", "chrf", "--format", "tsv"]
    assert main([*command, "-o", str(target)]) == 0
    assert b"\r" not in target.read_bytes()


def test_a_metric_takes_a_path_with_a_drive() -> None:
    metric = create(r"celab:dictionary=file:C:\Users\a b\synonyms.tsv")
    assert metric.dictionary == r"file:C:\Users\a b\synonyms.tsv"  # type: ignore[attr-defined]


def test_the_lock_of_a_server_is_one_on_windows_too(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("starlette")
    from metaphrase.serve.store import locked

    held: set[int] = set()

    def locking(descriptor: int, mode: int, size: int) -> None:
        if 0 in held:
            raise OSError(errno.EACCES, "Permission denied")
        held.add(0)

    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    assert locked(3)
    assert not locked(4)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("nul.txt", "_nul.txt"),
        ("COM1", "_COM1"),
        ("console.txt", "console.txt"),
        ('what? "now" <1>|*.txt', "what_ _now_ _1___.txt"),
        ("system. .", "system"),
        ("...", "unnamed"),
    ],
)
def test_files_that_are_sent_get_names_that_windows_takes(
    name: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("starlette")
    from metaphrase.serve import evaluation_request

    monkeypatch.setattr(evaluation_request, "os", SimpleNamespace(name="nt"))
    assert evaluation_request.harmless(name) == expected


def test_an_evaluation_that_somebody_is_reading_stays_on_windows(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It does not rename a folder with an open file in it."""
    pytest.importorskip("starlette")
    from faults.users import SENT
    from metaphrase.serve.store import EvaluationStore

    store = EvaluationStore(tmp_path / "store")
    record = store.create(SENT)

    def refuse(path: Path, target: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", refuse)
        with pytest.raises(ResourceError, match=r"MP822.*cannot be removed"):
            store.delete(record.id)
    assert store.path(record.id).is_dir()
    store.delete(record.id)
    assert not store.path(record.id).exists()
    store.close()


def test_a_lexicon_that_is_mapped_and_cannot_be_removed_is_no_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where the cache cannot be written, it is compiled into a temporary folder, which Windows then keeps."""
    from metaphrase.lexicon.vectors import WordVectors

    vectors = tmp_path / "vectors.txt"
    vectors.write_text("2 2\na 1 0\nb 0 1\n", encoding="utf-8")
    (tmp_path / "cache").write_text("a file, not a folder", encoding="utf-8")
    monkeypatch.setenv("METAPHRASE_CACHE", str(tmp_path / "cache"))

    def refuse(path: str, **_: object) -> None:
        raise PermissionError(errno.EACCES, "The process cannot access the file", path)

    monkeypatch.setattr("os.unlink", refuse)
    found = WordVectors.read(vectors).vectors(["a", "b"])
    assert found.shape == (2, 2)


def test_no_core_without_wide_integers_is_compiled_by_microsofts_compiler() -> None:
    """It has none, and CMake says so instead of a thousand errors."""
    options = (ROOT / "src" / "core" / "compiler_options.cmake").read_text("utf-8")
    assert 'CMAKE_CXX_COMPILER_ID STREQUAL "MSVC"' in options
    for path in sorted((ROOT / "src" / "core").rglob("*.?pp")):
        text = path.read_text("utf-8")
        systems = [name for name in ("<sys/", "<unistd.h>", "<fcntl.h>") if name in text]
        assert not systems or "_WIN32" in text, name_of(path)
