"""``metaphrase serve`` before it serves: options and what is missing."""

from __future__ import annotations

import sys

import pytest

from metaphrase.cli import build_parser, main
from metaphrase.extras import install_command


def test_without_its_packages_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "metaphrase.serve.server", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["serve", "--store", "none"]) == 3
    said = capsys.readouterr().err
    assert "[MP970]" in said
    assert install_command("serve") in said


@pytest.mark.parametrize(
    "arguments",
    [
        ["--port", "65536"],
        ["--port", "-1"],
        ["--workers", "0"],
        ["--time-limit", "never"],
        ["--allow-host", "https://metrics.example"],
        ["--allow-host", "metrics.example:443"],
        ["--allow-host", "*"],
        ["--allow-host", ""],
        ["x"],
    ],
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


@pytest.mark.parametrize(
    ("host", "more", "warned"),
    [
        ("127.0.0.1", [], False),
        ("127.0.0.1", ["--allow-host", "metrics.example", "--allow-host", "::1"], True),
        ("127.0.0.1", ["--allow-host", "metrics.example", "--token", "token"], False),
        ("0.0.0.0", [], True),
        ("0.0.0.0", ["--token", "token"], False),
    ],
)
def test_whoever_lets_everybody_in_is_warned(
    host: str,
    more: list[str],
    warned: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    server = pytest.importorskip("metaphrase.serve.server")
    listen = server._listener
    monkeypatch.setattr(server, "_listener", lambda host, port: listen("127.0.0.1", port))
    monkeypatch.setattr(server._Server, "run", lambda self, sockets: None)
    assert main(["serve", "--host", host, "--port", "0", "--store", "none", *more]) == 0
    said = capsys.readouterr().err
    assert f"serving at http://{host}:" in said
    assert ("can be reached from other machines" in said) == warned


@pytest.mark.parametrize("token", ["", "two words", "schlüssel", "a\n"])
def test_a_token_that_protects_nothing_is_refused_and_not_repeated(
    token: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("uvicorn")
    assert main(["serve", "--port", "0", "--store", "none", "--token", token]) != 0
    monkeypatch.setenv("METAPHRASE_TOKEN", token)
    assert main(["serve", "--port", "0", "--store", "none"]) != 0
    said = capsys.readouterr().err
    assert said.count("[MP838]") == 2
    assert not token or token not in said


def test_it_is_for_this_machine_alone_by_default() -> None:
    options = build_parser().parse_args(["serve"])
    assert (options.host, options.port, options.open) == ("127.0.0.1", 8765, False)
