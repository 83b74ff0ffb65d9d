"""Every Python block and every command in the documentation runs, and shows what the page says it shows."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from types import ModuleType

import pytest

from console_blocks import exchanges, fits, refreshed
from metaphrase.cli import main
from metaphrase.cli.command import own_commands
from metaphrase.corpus.writing import atomic_writer
from metaphrase.metrics import available, find
from metaphrase.metrics.signature import spell
from metrics.installed_plugins import install
from screen import answered

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
INDEX = DOCS / "index.md"
#: Set, the pages get what their commands show today: for whoever trained a model again.
REFRESH = "METAPHRASE_REFRESH"
#: Commands whose exit code 1 is an answer, no error.
ANSWERING = ("check", "gate")
#: What a test cannot run: one needs a network, the other does not end.
NOT_RUN = ("pip install", "metaphrase serve")
SECTIONS = ("What it computes", "Options", "Example", "How to read the explanation", "Cite")


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def fences(page: Path) -> list[tuple[str, str]]:
    """The language and the content of every fenced block."""
    return re.findall(r"^```(\w*)\n(.*?)^```", page.read_text("utf-8"), re.M | re.S)


def executable(page: Path) -> list[tuple[str, str]]:
    return [block for block in fences(page) if block[0] in ("sh", "python", "console")]


def output(command: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a command shows on a screen of 80 columns without colours."""
    program, *arguments = shlex.split(command)
    if program == "metaphrase":
        code, text = answered(monkeypatch, *arguments)
        monkeypatch.setenv("CODE", str(code))
        assert code == 0 or (code == 1 and arguments[0] in ANSWERING), text
    elif command == "echo $?":
        text = os.environ["CODE"]
    elif program == "cp":
        shutil.copy(*arguments)
        text = ""
    else:
        assert program in ("cat", "head"), command
        text = subprocess.run(
            [program, *arguments], check=True, capture_output=True, encoding="utf-8"
        ).stdout
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n").splitlines()


def unlike(page: Path, block: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands of a ``console`` block that show something else than the page says, and what they show.

    To refresh the page, what they show is written into it, except where it is not clear what to elide.
    """
    wrong, renewed, end = list[str](), "", 0
    for exchange in exchanges(block):
        if exchange.command.startswith(NOT_RUN):
            continue
        found = output(exchange.command, monkeypatch)
        if fits(exchange.expected, found):
            continue
        lines = refreshed(exchange.expected, found) if os.environ.get(REFRESH) else None
        if lines is None:
            wrong.append("\n".join([f"$ {exchange.command}", *found]))
        else:
            renewed += block[end : exchange.start] + "".join(f"{line}\n" for line in lines)
            end = exchange.end
    if end:
        text = page.read_text("utf-8").replace(block, renewed + block[end:], 1)
        with atomic_writer(page) as file:
            file.write(text.encode())
    return wrong


# A page shows what happens to refused segments, and what metrics that compare bytes say of variants.
@pytest.mark.filterwarnings("always:.*segments refused", "always:.*MP585")
@pytest.mark.usefixtures("own_registry")
@pytest.mark.parametrize("page", [p for p in PAGES if executable(p)], ids=name_of)
def test_blocks_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In their order and in one folder, so that a block may use what an earlier one has made."""
    shutil.copytree(ROOT / "examples", tmp_path, dirs_exist_ok=True)
    points = {"lengths": "length_command:add_arguments"}
    install(tmp_path, "length-command", points, version="1.0", group="metaphrase.commands")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    module = ModuleType("documentation")
    monkeypatch.setitem(sys.modules, module.__name__, module)  # dataclasses look it up there
    wrong: list[str] = []
    for language, block in executable(page):
        if language == "python":
            exec(compile(block, str(page), "exec"), vars(module))
        elif language == "sh":
            for line in block.replace("\\\n", "").splitlines():
                program, *arguments = shlex.split(line, comments=True)
                assert program == "metaphrase"
                capsys.readouterr()
                assert main(arguments) == 0, line
                printed = capsys.readouterr()
                assert printed.out or printed.err or " -o " in line
        else:
            wrong += unlike(page, block, monkeypatch)
    assert not wrong, "\n\n".join(wrong)
    capsys.readouterr()


@pytest.mark.parametrize("page", PAGES[1:], ids=name_of)
def test_every_command_is_in_a_block_that_is_executed(page: Path) -> None:
    text = page.read_text("utf-8")
    for language, block in executable(page):
        text = text.replace(f"```{language}\n{block}```", "")
    assert not re.findall(rf"^\s*(?:\$ )?metaphrase (?:{'|'.join(own_commands())})\b.*", text, re.M)


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target, heading in re.findall(
            r"\]\((?!http)([^)#]*)#?([^)]*)\)", page.read_text("utf-8")
        ):
            linked = page.parent / target if target else page
            assert linked.exists(), f"{name_of(page)}: {target}"
            if heading:
                assert heading in anchors(linked), f"{name_of(page)}: {target}#{heading}"


@pytest.mark.parametrize("index", sorted(DOCS.rglob("index.md")), ids=name_of)
def test_an_index_has_every_page_of_its_folder(index: Path) -> None:
    """In the table of contents that the site shows beside each page."""
    contents = re.findall(r"^```\{toctree\}\n(.*?)^```", index.read_text("utf-8"), re.M | re.S)
    listed = {line for block in contents for line in block.splitlines()}
    pages = {page.stem for page in index.parent.glob("*.md")} - {"index"}
    folders = {f"{page.parent.name}/index" for page in index.parent.glob("*/index.md")}
    assert pages | folders <= listed


class TestPagesOfMetrics:
    """The index says where each metric is described, and all descriptions have the same form."""

    @pytest.mark.parametrize("name", available())
    def test_has_the_usual_sections(self, name: str) -> None:
        found = sections(name)
        explained = find(name).explains()
        for section in SECTIONS:
            if explained or section != "How to read the explanation":
                assert found.get(section, "").strip(), section
        assert f"-m {name}" in found["Example"] or f" {name}" in found["Example"]
        assert re.search(r"@(inproceedings|software){", found["Cite"])
        if explained:
            assert re.search(r"^(\$ )?metaphrase explain", "".join(found.values()), re.M)

    @pytest.mark.parametrize("name", available())
    def test_names_every_option_with_its_default(self, name: str) -> None:
        rows = {
            option.strip("` "): (default.replace("`", "").strip(), meaning.strip())
            for option, default, meaning in re.findall(
                r"^\| (`\w+`) \|(.*?)\|(.*)\|$", sections(name)["Options"], re.M
            )
        }
        options = {field.name: field.default for field in fields(find(name))}
        assert set(rows) == set(options)
        for option, value in options.items():
            default, meaning = rows[option]
            assert default
            assert meaning
            if isinstance(value, (bool, int, float, str)):
                said = re.split(r"[;:, ]+", default)
                assert spell(value) in said or str(value).removesuffix(".0") in said, option


def sections(metric: str) -> dict[str, str]:
    """The sections of a metric's page, or of its part of a page that it shares with others."""
    row = re.search(
        rf"^\|.*`{re.escape(metric)}`.*\]\(([\w-]+\.md)#?([\w-]*)\)",
        INDEX.read_text("utf-8"),
        re.M,
    )
    assert row, f"docs/index.md has no page for {metric}"
    text = (INDEX.parent / row[1]).read_text("utf-8")
    if not row[2]:
        return parts(text, "##")
    return parts(
        next(p for title, p in parts(text, "##").items() if anchor(title) == row[2]), "###"
    )


def parts(text: str, level: str) -> dict[str, str]:
    """The text below each heading of a level."""
    unfenced = re.sub(
        r"^```.*?^```", lambda block: block[0].replace("#", "\0"), text, flags=re.M | re.S
    )
    pieces = re.split(rf"^{level} (.*)$", unfenced, flags=re.M)[1:]
    return {
        title: body.replace("\0", "#")
        for title, body in zip(pieces[::2], pieces[1::2], strict=True)
    }


def anchors(page: Path) -> set[str]:
    return {anchor(title) for title in re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.M)}


def anchor(title: str) -> str:
    """The name that a heading has in links, as GitHub and others form it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
