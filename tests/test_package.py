"""What a user imports, and what importing costs."""

from __future__ import annotations

import ast
import doctest
import re
import subprocess
import sys
from importlib import import_module
from inspect import getdoc
from pathlib import Path
from types import ModuleType

import pytest

import metaphrase
from metaphrase import metrics

ROOT = Path(__file__).parents[1]
both = pytest.mark.parametrize("package", [metaphrase, metrics], ids=lambda one: one.__name__)


@both
def test_everything_promised_can_be_imported(package: ModuleType) -> None:
    for name in package.__all__:
        assert getattr(package, name) is not None
    assert set(package.__all__) <= set(dir(package))
    with pytest.raises(AttributeError):
        package.no_such_name  # noqa: B018


@both
def test_every_metric_of_ours_is_exported(package: ModuleType) -> None:
    for metric in metrics.available().values():
        if metric.__module__.startswith("metaphrase."):
            assert metric.__name__ in package.__all__
            assert getattr(package, metric.__name__) is metric


@both
def test_type_checkers_see_what_can_be_imported(package: ModuleType) -> None:
    assert package.__file__ is not None
    imports = [
        node
        for node in ast.walk(ast.parse(Path(package.__file__).read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("metaphrase")
    ]
    assert set(package.__all__) <= {alias.name for node in imports for alias in node.names}


IN_A_SUB_INTERPRETER = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
import metaphrase

code = '''
try:
    import metaphrase
    print(metaphrase.Bleu().sentence_score("a", ["a"]), flush=True)
except ImportError as error:
    print(error, flush=True)
'''
other = interpreters.create()
interpreters.run_string(other, code)
"""


def test_sub_interpreters_are_refused_before_anything_hangs() -> None:
    # They would wait forever; the limit only keeps the suite from doing so, too.
    run = subprocess.run(
        [sys.executable, "-c", IN_A_SUB_INTERPRETER], capture_output=True, text=True, timeout=120
    )
    assert run.stdout.startswith("metaphrase cannot be imported in a sub-interpreter"), run.stderr


def documented() -> dict[str, object]:
    """What users of Python call: all that can be imported, and the methods of the classes they meet."""
    found: dict[str, object] = {name: getattr(metaphrase, name) for name in metaphrase.__all__}
    for kind in (metaphrase.Metric, metaphrase.Scores, metaphrase.Corpus, metaphrase.Explanation):
        for name, member in vars(kind).items():
            function = getattr(member, "__func__", member)
            if callable(function) and not name.startswith("_"):
                found[f"{kind.__name__}.{name}"] = function
    return found


@pytest.mark.parametrize("name", documented())
def test_whatever_users_call_has_an_example(name: str) -> None:
    assert ">>>" in (getdoc(documented()[name]) or "")


def modules() -> list[str]:
    """Those that have examples."""
    found = []
    for path in sorted((ROOT / "src" / "metaphrase").rglob("*.py")):
        if re.search(r"^ *>>> ", path.read_text("utf-8"), re.M):
            parts = path.relative_to(ROOT / "src").with_suffix("").parts
            found.append(".".join(parts).removesuffix(".__init__"))
    return found


@pytest.mark.usefixtures("own_registry")
@pytest.mark.parametrize("name", modules())
def test_examples_show_what_happens(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "metaphrase.scoring.result":
        pytest.importorskip("pandas")
    monkeypatch.chdir(ROOT / "examples")
    found = doctest.testmod(
        import_module(name),
        extraglobs={"metaphrase": metaphrase},
        optionflags=doctest.ELLIPSIS,
    )
    assert found.attempted
    assert not found.failed


@pytest.mark.parametrize(
    ("code", "more"),
    [("", {"numpy"}), ("metaphrase.TeslaM().sentence_score('a', ['b'])", set())],
    ids=["import", "TESLA-M"],
)
def test_nothing_heavy_or_optional_is_imported_without_need(code: str, more: set[str]) -> None:
    heavy = {"sacrebleu", "rich", "spacy", "scipy", *more}
    code = f"import sys, metaphrase; {code}\nprint(*{heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_the_picture_of_the_tree_shows_the_contract_of_imports() -> None:
    contract = (
        (ROOT / "pyproject.toml").read_text("utf-8").partition("\nlayers = [")[2].partition("]")[0]
    )
    picture = (ROOT / "docs/architecture.md").read_text("utf-8").partition("src/metaphrase/\n")[2]
    drawn = re.findall(r"^  (\w[\w/ ]*?)(?:  |$)", picture.partition("  models/")[0], re.M)
    layers = [re.findall(r"\w+", line) for line in contract.split(",")]
    rooms = [re.findall(r"\w+", line) for line in drawn]
    assert rooms == [layer for layer in layers if layer and layer != ["__main__"]]


def test_the_citation_is_of_this_version_and_of_the_papers_that_pages_cite() -> None:
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {metaphrase.__version__}\n" in citation
    for page in ("tesla-m", "tesla", "celab", "cobalt", "ppda", "pbe"):
        cited = (ROOT / f"docs/{page}.md").read_text("utf-8").partition("\n## Cite\n")[2]
        title = re.findall(r"^ *title *= \{(.*)\},$", cited, re.M)[0]
        assert title.replace("{", "").replace("}", "") in citation
