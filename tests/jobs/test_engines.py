"""Engines call a function for numbers, whoever dies meanwhile; here processes of this machine."""

from __future__ import annotations

import errno
import os
import pickle
import subprocess
import sys
from operator import neg
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from jobs.faults import Faulty, Waiting, loud
from jobs.troubled_jobs import has_ended, until
from metaphrase.errors import MetaphraseError
from metaphrase.jobs import Dask, Local, Ray, named_engine
from metaphrase.jobs.engines import engine as engines
from metaphrase.jobs.engines import registry

SCRIPT = """
from operator import neg
from metaphrase.jobs import Local
print(sorted(Local(2).map(neg, range(4))))
"""


class TestLocal:
    def test_a_number_that_kills_is_given_up_and_the_others_are_done(self, tmp_path: Path) -> None:
        found = dict(Local(2).map(Faulty(str(tmp_path)), [4, 0, 1, 2, 3, 5, 6, 7, 8]))
        fine = (0, 1, 3, 6, 7)
        assert {number: found.pop(number) for number in fine} == {number: number for number in fine}
        assert isinstance(found[2], ValueError)
        assert str(found[5]) == "UnsendableError: 1 and 2"
        assert str(found[8]) == "OnlyThereError: eight"
        died = found[4]
        assert isinstance(died, MetaphraseError)
        assert died.code == "MP941"
        assert "exit code 9" in died.message

    def test_results_come_when_they_are_done(self, tmp_path: Path) -> None:
        results = Local(2).map(Waiting(str(tmp_path)), range(6))
        assert [next(results)[0] for _ in range(5)] == [1, 2, 3, 4, 5]
        (tmp_path / "go").touch()
        assert list(results) == [(0, 0)]

    def test_thousands_of_numbers_once_each(self) -> None:
        found = list(Local(2).map(neg, range(5000)))
        assert sorted(found) == [(number, -number) for number in range(5000)]

    def test_whoever_stops_listening_stops_the_processes(self, tmp_path: Path) -> None:
        results = Local(2).map(Waiting(str(tmp_path)), range(6))
        next(results)
        waiting = tmp_path / "waiting"
        until(waiting.exists)
        results.close()
        assert has_ended(int(waiting.read_text()))

    def test_what_is_printed_is_no_answer(self, capfd: pytest.CaptureFixture[str]) -> None:
        assert sorted(Local(2).map(loud, range(3))) == [(0, 0), (1, 1), (2, 2)]
        output, errors = capfd.readouterr()
        assert output == ""
        assert sorted(errors.split("\n")) == [
            "",
            *["number 0", "number 1", "number 2"],
            *["written"] * 3,
        ]

    def test_scripts_need_no_guard(self, tmp_path: Path) -> None:
        """As they would where processes are those of multiprocessing, which run the script again."""
        path = tmp_path / "script.py"
        path.write_text(SCRIPT)
        expected = "[(0, 0), (1, -1), (2, -2), (3, -3)]\n"
        for arguments in ([str(path)], ["-"]):
            command = [sys.executable, *arguments]
            assert subprocess.check_output(command, input=SCRIPT, text=True) == expected

    def test_processes_that_do_not_start(
        self, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        module = ModuleType("only_here")
        exec("def function(number): return number", module.__dict__)
        monkeypatch.setitem(sys.modules, "only_here", module)
        assert pickle.loads(pickle.dumps(module.function)) is module.function
        with pytest.raises(MetaphraseError) as raised:
            list(Local(2).map(module.function, range(4)))
        assert raised.value.code == "MP944"
        assert "No module named 'only_here'" in capfd.readouterr().err

    def test_no_room_for_processes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """With one at least it goes on, if slowly."""
        started = []
        popen = subprocess.Popen

        def start(*arguments: Any, **options: Any) -> Any:
            if len(started) == most:
                raise OSError(errno.EAGAIN, "Resource temporarily unavailable")
            started.append(popen(*arguments, **options))
            return started[-1]

        monkeypatch.setattr(subprocess, "Popen", start)
        most = 1
        assert sorted(Local(2).map(neg, range(3))) == [(0, 0), (1, -1), (2, -2)]
        with pytest.raises(MetaphraseError, match="Resource temporarily") as raised:
            list(Local(2).map(neg, range(3)))
        assert raised.value.code == "MP944"

    def test_one_worker_is_this_process(self) -> None:
        processes = Local(1).map(lambda number: os.getpid(), [1, 2])
        assert list(processes) == [(1, os.getpid()), (2, os.getpid())]

    @pytest.mark.parametrize("workers", [0, -1, True, 1.5])
    def test_numbers_of_workers_that_make_no_sense(self, workers: int) -> None:
        with pytest.raises(MetaphraseError):
            list(Local(workers).map(abs, [1]))


class TestNames:
    def test_each_engine_has_one(self) -> None:
        assert named_engine("local", workers=3) == Local(3)
        pytest.importorskip("distributed")
        assert named_engine("dask", address="tcp://head:8786") == Dask("tcp://head:8786")
        pytest.importorskip("ray")
        assert named_engine("ray", workers=2) == Ray(None, 2)

    @pytest.mark.parametrize(
        ("name", "options", "code"),
        [
            ("slurm", {}, "MP939"),
            ("local", {"address": "here"}, "MP939"),
            ("dask", {"address": "tcp://head:8786", "workers": 2}, "MP939"),
            ("ray", {"workers": 0}, "MP519"),
        ],
    )
    def test_what_makes_no_sense(self, name: str, options: dict[str, int], code: str) -> None:
        with pytest.raises(MetaphraseError) as raised:
            named_engine(name, **options)  # type: ignore[arg-type]
        assert raised.value.code == code

    @pytest.mark.parametrize(("name", "made"), [("dask", Dask()), ("ray", Ray())])
    def test_what_is_not_installed(
        self, name: str, made: Dask | Ray, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def missing(module: str) -> None:
            raise ImportError(module)

        monkeypatch.setattr(registry, "find_spec", lambda module: None)
        monkeypatch.setattr(engines, "import_module", missing)
        for ask in (lambda: named_engine(name), lambda: list(made.map(abs, [1]))):
            with pytest.raises(MetaphraseError, match=rf"\[{name}\]") as raised:
                ask()
            assert raised.value.code == "MP970"
