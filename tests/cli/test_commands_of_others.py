"""A command is found by the name of its module; one of a distribution, by that of its entry point."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.bundled import EXAMPLES, Fails, Prints
from metaphrase.cli import main
from metaphrase.cli.command import own_commands
from metrics.installed_plugins import install

COMMAND = """\
from metaphrase.cli.command import command

@command(help="say a word")
def add_arguments(parser):
    parser.add_argument("word")
    parser.set_defaults(run=run)

def run(options):
    code = 7 // len(options.word)
    print(options.word.upper())
    return code
"""
Offers = Callable[..., None]


@pytest.fixture
def offers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Offers:
    """Installs a distribution with commands ``NAME=ATTRIBUTE`` of one module."""

    def installed(code: str = COMMAND, **points: str) -> None:
        monkeypatch.delitem(sys.modules, "said_of_tests", raising=False)
        values = {name: f"said_of_tests:{value}" for name, value in points.items()}
        folder = tmp_path / "site"
        install(folder, "say-it", values, group="metaphrase.commands", said_of_tests=code)
        monkeypatch.syspath_prepend(folder)

    return installed


def test_runs_as_ours_do(offers: Offers, capsys: pytest.CaptureFixture[str]) -> None:
    offers(say="add_arguments")
    assert main(["say", "yes"]) == 2  # what it returned: 7 // 3
    assert capsys.readouterr().out == "YES\n"


def test_that_of_the_example_is_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prints: Prints
) -> None:
    code = (EXAMPLES / "length_command.py").read_text()
    assert len(code.splitlines()) <= 60
    points = {"lengths": "length_command_of_tests:add_arguments"}
    group = "metaphrase.commands"
    install(tmp_path, "lengths", points, group=group, length_command_of_tests=code)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "length_command_of_tests", raising=False)
    texts = [tmp_path / "reference.txt", tmp_path / "mt.txt"]
    texts[0].write_text("four\nfour\nfour\n")
    texts[1].write_text("four\nsix\nfourteen\n")
    # 4, 3 and 8 characters of 4, of which more than 2/3 and less than 3/2 are right.
    shown = prints("lengths", texts[0], "-i", texts[1])
    assert shown.splitlines() == ["system\tsegment\tshare", "mt\t3\t2.00"]


def test_is_listed_after_ours_without_being_imported(
    offers: Offers, capsys: pytest.CaptureFixture[str]
) -> None:
    offers("raise ValueError", say="add_arguments")
    with pytest.raises(SystemExit):
        main(["--help"])
    listed = capsys.readouterr().out
    assert listed.index("    demo ") < listed.index("    say       from say-it@1.2\n")
    assert "said_of_tests" not in sys.modules


def test_cannot_take_the_name_of_one_of_ours(
    offers: Offers, capsys: pytest.CaptureFixture[str]
) -> None:
    offers(doctor="add_arguments")
    with pytest.raises(SystemExit):
        main(["doctor", "--help"])
    assert "Check the installation" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "say-it" not in capsys.readouterr().out


def test_is_in_the_diagnosis(offers: Offers, capsys: pytest.CaptureFixture[str]) -> None:
    offers(say="add_arguments", doctor="add_arguments", none="missing")
    assert main(["doctor", "--format", "json"]) == 1
    checks = {one["subject"]: one for one in json.loads(capsys.readouterr().out)}
    assert checks["command say"]["finding"] == "from say-it@1.2"
    assert checks["command say"]["state"] == "ok"
    for name, code in {"doctor": "[MP523]", "none": "[MP525]"}.items():
        assert checks[f"command {name}"]["state"] == "fail"
        assert code in checks[f"command {name}"]["finding"]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("raise ValueError('no')", ("[MP525]", "say-it@1.2", "ValueError: no")),
        ("add_arguments = print", ("[MP524]", "say-it@1.2", "is no function under")),
        (COMMAND.replace("parser.set", "parser.fret"), ("[MP526]", "say-it@1.2", "fret_defaults")),
    ],
)
def test_what_is_no_command_is_told_when_it_is_asked_for(
    code: str, words: tuple[str, ...], offers: Offers, fails: Fails
) -> None:
    offers(code, say="add_arguments")
    fails(3, words, "say", "yes")


def test_one_that_fails_is_no_bug_of_ours(offers: Offers, fails: Fails) -> None:
    offers(say="add_arguments")
    fails(3, ("[MP526]", "say of say-it@1.2", "ZeroDivisionError"), "say", "")


def test_only_what_is_asked_for_is_imported() -> None:
    """Whoever scores does not wait for the modules of other commands; nobody for those of the version."""
    found = "sorted(name for name in sys.modules if name.startswith('metaphrase.cli.'))"
    for arguments in (["--version"], ["doctor", "--help"]):
        code = f"""
import sys
from metaphrase.cli import main
try:
    main({arguments})
except SystemExit:
    pass
print(*{found})
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        imported = {name.split(".")[2] for name in done.stdout.splitlines()[-1].split()}
        assert imported & set(own_commands()) == {"doctor"} & set(arguments)


def test_a_module_without_a_command_is_none() -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["output"])
