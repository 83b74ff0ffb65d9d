"""``metaphrase meta FOLDER --task``: a whole metrics task, and what was published beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.bundled import Answers, Fails, Prints
from meta.task_trees import PAIRS_2023, write_task_tree

QUICK = ("--resamples", "0")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_task_tree(tmp_path_factory.mktemp("tree")))


def test_primary_submissions_and_ours(root: str, answers: Answers) -> None:
    found = answers("meta", root, "--task", "wmt24", "-m", "chrf", *QUICK)
    kinds = {metric["name"]: metric["kind"] for metric in found["metrics"]}
    assert kinds == {
        "YiSi-1": "baseline",
        "CometKiwi[noref]": "baseline",
        "BLEU": "baseline",
        "chrF": "baseline",
        "chrf": "ours",
    }
    ours = next(metric for metric in found["metrics"] if metric["kind"] == "ours")
    assert ours["signature"].startswith("chrf|nrefs:1|")
    assert [task["name"] for task in found["tasks"]][:2] == ["en-de sys spa", "en-de seg acc-eq"]
    assert found["tasks"][0]["systems"] == 6
    assert found["tasks"][0]["segments"] == 10


def test_all_submissions_of_some_pairs(root: str, answers: Answers) -> None:
    asked = ("--pairs", "ja-zh", "--submissions", "all")
    found = answers("meta", root, "--task", "wmt24", *asked, *QUICK)
    assert found["metrics"][0] == {
        "name": "Mine",
        "kind": "contrastive",
        "signature": "Mine|given:wmt",
    }
    assert [task["weight"] for task in found["tasks"]] == [0.5, 0.5]


def test_2023_on_its_own_tree(tmp_path: Path, prints: Prints) -> None:
    tree = str(write_task_tree(tmp_path, PAIRS_2023))
    printed = prints("meta", tree, "--task", "wmt23", "--resamples", "50")
    header, first = printed.splitlines()[1:3]
    assert header.startswith("metric            submission  average  all sys accuracy  en-de sys")
    assert first.startswith("YiSi-1            baseline     0.9")
    assert "¹" in first
    printed = prints("meta", tree, "--task", "wmt24-on-wmt23", *QUICK)
    assert "he-en sys spa" in printed


def test_published_numbers_stand_beside_ours(
    root: str, tmp_path: Path, answers: Answers, prints: Prints
) -> None:
    table = ("meta", root, "--task", "wmt24", *QUICK)
    found = answers(*table)
    best = found["average"]["values"][0]
    published = tmp_path / "published.tsv"
    published.write_text(
        "metric\taverage\trank\ten-es sys spa\n"
        f"YiSi-1\t{best:.3f}\t1\t0.1\nBLEU\t0.5\t4\t\nSomebody\t0.4\t5\t0.3\n"
    )
    printed = prints(*table, "--published", str(published))
    lines = printed.splitlines()
    assert lines[1].split()[2:4] == ["average", "published"]
    assert lines[2].split()[2:4] == [f"{best:.3f}", f"{best:.3f}¹"]
    assert (
        "published: 1 of 3 numbers are ours to three digits; the largest difference is" in printed
    )
    assert "published, but not in this table: Somebody" in printed
    again = answers(*table, "--published", str(published))
    assert again["published"]["average"] == {"YiSi-1": round(best, 3), "BLEU": 0.5}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("metric\tscore\nBLEU\t1\n", ("MP771", "'score'", "average, rank, en-de sys spa")),
        ("metric\nBLEU\n", ("MP771", "lacks metric")),
        ("metric\taverage\n", ("MP771", "no metric")),
        ("metric\taverage\nBLEU\t1\nBLEU\t1\n", ("MP771", "line 3")),
        ("metric\taverage\nBLEU\tgood\n", ("MP152", "line 2")),
    ],
)
def test_a_published_table_that_is_none(
    root: str, tmp_path: Path, content: str, message: tuple[str, ...], fails: Fails
) -> None:
    path = tmp_path / "published.tsv"
    path.write_text(content)
    fails(1, message, "meta", root, "--task", "wmt24", "--published", str(path), *QUICK)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--task", "wmt22"], ("MP769", "wmt23, wmt24")),
        (["--task", "wmt24", "--pairs", "cs-uk"], ("MP769", "ja-zh")),
        (["--task", "wmt24", "--measure", "pearson"], ("MP772", "--measure")),
        (["--task", "wmt24", "--references", "refA"], ("MP772", "--references")),
        (["--task", "wmt24", "--judges"], ("MP772", "--judges")),
        (["--task", "wmt24", "--on-error", "skip"], "MP772"),
        (["--task", "wmt24", "-m", "chrf", "chrf"], "MP515"),
        (["--published", "table.tsv"], ("MP772", "--task wmt24")),
        (["--submissions", "all"], "MP772"),
    ],
)
def test_mistakes(
    root: str, arguments: list[str], message: str | tuple[str, ...], fails: Fails
) -> None:
    fails(2, message, "meta", root, *arguments)


def test_a_task_needs_its_folder(root: str, tmp_path: Path, fails: Fails) -> None:
    file = tmp_path / "judgements.tsv"
    file.write_text("x\n")
    fails(2, ("MP772", "FOLDER"), "meta", str(file), "--task", "wmt24")
    # The tree of 2024 has no he-en.
    fails(2, ("MP769", "he-en", "--pairs en-de"), "meta", root, "--task", "wmt23")


def test_submissions_that_nobody_made(tmp_path: Path, fails: Fails) -> None:
    root = write_task_tree(tmp_path)
    for path in (root / "metric-scores").rglob("*.score"):
        if not path.name.startswith("Mine"):
            path.unlink()
    fails(2, ("MP769", "--submissions all"), "meta", str(root), "--task", "wmt24")
