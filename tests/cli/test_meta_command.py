"""``metaphrase meta`` on judgements small enough to know the outcome."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.bundled import Answers, Fails, Prints


class TestMeta:
    @pytest.fixture
    def judgements(self, tmp_path: Path, examples: Path) -> str:
        """Two systems, twelve segments; people prefer the fluent one, more so in later segments."""
        names = ("reference.txt", "system-a.txt", "system-b.txt")
        texts = [(examples / name).read_text().splitlines() for name in names]
        lines = ["set\tlp\tsystem\tdoc\tseg\tsource\treferences\thypothesis\thuman"]
        for number, (reference, fluent, clumsy) in enumerate(zip(*texts, strict=True)):
            for system, text, score in (("a", fluent, 80 + number), ("b", clumsy, 40 - number)):
                row = ("set", "de-en", system, "d", str(number), "s", reference, text, str(score))
                lines.append("\t".join(row))
        path = tmp_path / "judgements.tsv"
        path.write_text("\n".join(lines) + "\n")
        return str(path)

    def test_a_table_with_clusters(self, judgements: str, prints: Prints) -> None:
        out = prints("meta", judgements, "-m", "tesla-m", "chrf", "--resamples", "50")
        assert "pearson, segment level" in out
        assert "de-en" in out
        assert "tesla-m|nrefs:1" in out

    def test_json_and_other_measures(self, judgements: str, answers: Answers) -> None:
        command = ["meta", judgements, "-m", "chrf", "--resamples", "0"]
        (column,) = answers(*command, "--measure", "acc-eq", "--group-by", "segment")["columns"]
        # chrF prefers the fluent system in all twelve segments but one (segment 3: 64.73 to 65.37).
        assert column["values"] == [pytest.approx(11 / 12)]

    def test_systems_are_compared_by_wins(self, judgements: str, answers: Answers) -> None:
        command = ["meta", judgements, "-m", "chrf", "--resamples", "0", "--wins"]
        (column,) = answers(*command)["columns"]
        assert column["measure"] == "pearson, system level, by wins"
        assert column["values"] == [pytest.approx(1.0)]
        (column,) = answers(*command, "share", "--measure", "system-accuracy")["columns"]
        assert (column["measure"], column["values"]) == ("system-accuracy, by shared wins", [1.0])

    @pytest.mark.parametrize(
        ("more", "exit_code", "code"),
        [
            (["--wins", "--level", "segment"], 2, "MP781"),
            (["--wins", "--measure", "tau"], 2, "MP781"),
            (["--pairs", "cs-en"], 1, "MP784"),
            (["--measure", "rouge"], 2, "MP710"),
            (["--measure", "pearson", "--level", "system", "--group-by", "system"], 2, "MP781"),
            (["-m", "nonsense"], 2, "MP504"),
            (["--variant", "wmt12"], 2, "MP781"),
            (["--threshold", "10"], 2, "MP781"),
            (["--measure", "tau", "--level", "system"], 2, "MP781"),
            (["--judges", "-m", "bleu"], 2, "MP785"),
            (["--judges"], 1, "MP785"),
            (["--resamples", "1000000000000"], 2, "MP740"),
        ],
    )
    def test_mistakes(
        self,
        judgements: str,
        fails: Fails,
        more: list[str],
        exit_code: int,
        code: str,
    ) -> None:
        fails(exit_code, code, "meta", judgements, *more)

    def test_the_same_judgements_twice(self, judgements: str, fails: Fails) -> None:
        fails(1, "MP784", "meta", judgements, judgements)

    def test_a_file_that_is_no_judgements(self, examples: Path, fails: Fails) -> None:
        fails(1, "MP150", "meta", str(examples / "reference.txt"))

    def test_judges(self, tmp_path: Path, prints: Prints, answers: Answers) -> None:
        rows = []
        for judge, ranks in (("one", (1, 2)), ("two", (1, 2)), ("two", (2, 1))):
            items = [
                {"systems": [s], "rank": r, "hyp": s} for s, r in zip("AB", ranks, strict=True)
            ]
            row = {"set": "w", "lp": "de-en", "seg": 1, "judge": judge, "source": "", "ref": "r"}
            rows.append(json.dumps(row | {"items": items}))
        path = tmp_path / "rankings.jsonl"
        path.write_text("\n".join(rows) + "\n")
        (record,) = answers("meta", str(path), "--judges")
        # "one" meets both judgements of "two", agrees once; "two" contradicts itself.
        assert record["different_judges"]["comparisons"] == 2
        assert record["different_judges"]["observed"] == 0.5
        assert record["same_judge"]["observed"] == 0.0
        assert "kappa, between judges" in prints("meta", str(path), "--judges")
