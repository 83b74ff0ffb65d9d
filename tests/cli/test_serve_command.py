"""``metaphrase serve`` before it serves: options and what is missing."""

from __future__ import annotations

import sys

import pytest

from metaphrase.cli import build_parser, main


def test_without_its_packages_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "metaphrase.serve.server", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["serve", "--store", "none"]) == 3
    said = capsys.readouterr().err
    assert "[MP820]" in said
    assert 'pip install "metaphrase[serve]"' in said


@pytest.mark.parametrize(
    "arguments",
    [["--port", "65536"], ["--port", "-1"], ["--workers", "0"], ["--time-limit", "never"], ["x"]],
)
def test_options_that_make_no_sense_are_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        build_parser().parse_args(["serve", *arguments])
    assert caught.value.code == 2


def test_an_address_of_another_machine_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("uvicorn")
    # 192.0.2.0/24 is for documentation: no machine has such an address.
    assert main(["serve", "--host", "192.0.2.1", "--port", "0", "--store", "none"]) == 3
    assert "[MP821]" in capsys.readouterr().err


@pytest.mark.parametrize(("host", "warned"), [("127.0.0.1", False), ("0.0.0.0", True)])
def test_whoever_lets_other_machines_in_is_warned(
    host: str, warned: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    server = pytest.importorskip("metaphrase.serve.server")
    listen = server._listener
    monkeypatch.setattr(server, "_listener", lambda host, port: listen("127.0.0.1", port))
    monkeypatch.setattr(server._Server, "run", lambda self, sockets: None)
    assert main(["serve", "--host", host, "--port", "0", "--store", "none"]) == 0
    said = capsys.readouterr().err
    assert f"serving at http://{host}:" in said
    assert ("can be reached from other machines" in said) == warned


def test_it_is_for_this_machine_alone_by_default() -> None:
    options = build_parser().parse_args(["serve"])
    assert (options.host, options.port, options.open) == ("127.0.0.1", 8765, False)
