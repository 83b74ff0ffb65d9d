"""``metaphrase score`` of several systems: order, ranks, differences and tests of all pairs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from screen import answered


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """40 segments; systems that translate 10, 25, 30 and 40 of them right."""
    monkeypatch.chdir(tmp_path)
    right = [f"the cat number {row} sat on the old mat" for row in range(40)]
    wrong = [f"a dog number {row} slept on some new rug" for row in range(40)]
    texts = {"ref": right}
    for count in (10, 25, 30, 40):
        texts[f"s{count}"] = right[:count] + wrong[count:]
    texts["documents"] = [f"d{row // 4}" for row in range(40)]
    texts["domains"] = ["news"] * 30 + ["talks"] * 10
    for name, lines in texts.items():
        Path(f"{name}.txt").write_text("\n".join(lines) + "\n", "utf-8")
    return tmp_path


def said(monkeypatch: pytest.MonkeyPatch, *arguments: str, systems: str = "10 40 25 30") -> str:
    given = [f"s{name}=s{name}.txt" for name in systems.split()]
    code, text = answered(
        monkeypatch, "score", "ref.txt", "-i", *given, "-m", "ter", "chrf", *arguments
    )
    assert code == 0, text
    return text


@pytest.mark.usefixtures("files")
class TestMany:
    def test_the_best_comes_first_with_its_rank(self, monkeypatch: pytest.MonkeyPatch) -> None:
        lines = said(monkeypatch).splitlines()
        rows = [line.split()[:2] for line in lines[3:7]]
        assert [row[1] for row in rows] == ["s40", "s30", "s25", "s10"]
        # 30 and 25 differ in five segments, too few to differ significantly.
        assert [row[0] for row in rows] == ["1", "2–3", "2–3", "4"]
        text = " ".join(" ".join(lines).split())
        assert "approximate randomisation of 6 pairs, 1,000 resamples, Holm's correction" in text
        assert "seed 12345" in text
        assert "case:lc" in lines[-1] or "case:lc" in lines[-2]
        assert "(--signatures for all)" in text

    def test_the_given_order_can_be_kept(self, monkeypatch: pytest.MonkeyPatch) -> None:
        lines = said(monkeypatch, "--order", "given").splitlines()
        assert [line.split()[1] for line in lines[3:7]] == ["s10", "s40", "s25", "s30"]
        assert [line.split()[0] for line in lines[3:7]] == ["4", "1", "2–3", "2–3"]

    def test_programs_get_the_given_order_and_the_ranks(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        found = json.loads(said(monkeypatch, "--format", "json"))
        assert [system["name"] for system in found["systems"]] == ["s10", "s40", "s25", "s30"]
        ranking, _ = found["rankings"]
        assert ranking["metric"] == "ter"
        assert ranking["correction"] == "holm"
        ranges = {row["name"]: (row["best"], row["worst"]) for row in ranking["systems"]}
        assert ranges == {"s40": (1, 1), "s30": (2, 3), "s25": (2, 3), "s10": (4, 4)}
        assert ranking["pairs"] == []
        ordered = json.loads(said(monkeypatch, "--format", "json", "--order", "score"))
        assert ordered["systems"][0]["name"] == "s40"

    def test_all_pairs_are_shown(self, monkeypatch: pytest.MonkeyPatch) -> None:
        text = said(monkeypatch, "--all-pairs", "500")
        assert (
            "ter: differences (row − column) above, corrected p-values below the diagonal" in text
        )
        found = json.loads(said(monkeypatch, "--all-pairs", "500", "--format", "json"))
        assert [len(ranking["pairs"]) for ranking in found["rankings"]] == [6, 6]
        assert found["rankings"][0]["resamples"] == 500
        header, *rows = (
            line.split("\t")
            for line in said(monkeypatch, "--all-pairs", "--format", "tsv").splitlines()
        )
        pairs = [dict(zip(header, row, strict=True)) for row in rows if row[0] == "pair"]
        assert len(pairs) == 12
        assert pairs[0]["system"] == "s40"
        assert pairs[0]["other"] == "s30"
        assert float(pairs[0]["corrected_p"]) >= float(pairs[0]["p_value"])

    def test_there_may_be_no_correction(self, monkeypatch: pytest.MonkeyPatch) -> None:
        text = said(monkeypatch, "--correction", "none")
        assert "no correction for their number" in " ".join(text.split())

    def test_old_flags_keep_their_table(self, monkeypatch: pytest.MonkeyPatch) -> None:
        lines = said(monkeypatch, "--paired-ar", "100").splitlines()
        assert lines[2].split()[0] == "system"
        assert lines[3].split()[0] == "s10"
        assert "baseline" in lines[4]

    def test_whole_signatures_can_be_asked_for(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert "chrf|nrefs:1" in said(monkeypatch, "--signatures")

    def test_documents_are_resampled_whole(self, monkeypatch: pytest.MonkeyPatch) -> None:
        more = ("--documents", "documents.txt", "--unit", "document")
        text = " ".join(said(monkeypatch, *more).split())
        assert "Whole documents were exchanged and drawn." in text
        # 30 and 40 right differ in three documents of ten: no test tells them apart.
        assert "1–3 s40" in text

    def test_two_hundred_are_ranked(self, monkeypatch: pytest.MonkeyPatch) -> None:
        names = [f"x{k}=s{(10, 25, 30, 40)[k % 4]}.txt" for k in range(200)]
        code, text = answered(
            monkeypatch,
            *("score", "ref.txt", "-i", *names, "-m", "ter", "--all-pairs", "20"),
        )
        assert code == 0
        assert "the first 20 of 200 systems" in " ".join(text.split())


@pytest.mark.usefixtures("files")
class TestTwo:
    def test_the_difference_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        text = " ".join(said(monkeypatch, systems="10 40").split())
        assert "ter: s40 scores lower than s10 by" in text
        assert "chrf: s40 scores higher than s10 by" in text
        assert "p < .001, approximate randomisation" in text
        assert "; wins 30 segments, loses 0, 10 equal" in text
        assert "better than" not in text

    def test_a_difference_may_be_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        code, text = answered(
            monkeypatch, *("score", "ref.txt", "-i", "a=s10.txt", "b=s10.txt", "-m", "ter")
        )
        text = " ".join(text.split())
        assert code == 0
        assert "a and b have the same score" in text
        assert "no segment differs" in text

    def test_few_segments_are_too_few_to_test(self, monkeypatch: pytest.MonkeyPatch) -> None:
        text = " ".join(said(monkeypatch, systems="25 30").split())
        assert "too few segments to test" in text
        assert "significant" not in text

    def test_of_few_units_ranks_are_not_tested(self, monkeypatch: pytest.MonkeyPatch) -> None:
        arguments = ("--domains", "domains.txt", "--unit", "domain")
        text = " ".join(said(monkeypatch, *arguments, systems="10 25 40").split())
        assert "Ranks were not tested: too few domains to test." in text


@pytest.mark.usefixtures("files")
class TestDoubts:
    FILES = ("score", "ref.txt", "-i", "s10.txt", "ref.txt", "twin=s10.txt", "-m", "ter")

    def test_they_are_told_in_text_and_json(self, monkeypatch: pytest.MonkeyPatch) -> None:
        _, text = answered(monkeypatch, *self.FILES)
        flat = " ".join(text.split())
        assert "! ref is called like a file that is no system's." in flat
        assert "! ref equals the reference in all 40 segments" in flat
        assert "! s10 and twin are equal in all 40 segments" in flat
        _, text = answered(monkeypatch, *self.FILES, "--format", "json")
        found = json.loads(text[: text.rindex("}") + 1])
        assert [doubt["kind"] for doubt in found["doubts"]] == [
            "not-a-system",
            "reference-as-system",
            "equal-systems",
        ]

    def test_they_can_be_left_out(self, monkeypatch: pytest.MonkeyPatch) -> None:
        _, text = answered(monkeypatch, *self.FILES, "--no-doubts")
        assert "\n! " not in text


@pytest.mark.usefixtures("files")
def test_systems_of_different_lengths_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("s10.txt").open("a", encoding="utf-8") as stream:
        stream.write("one more line\n")
    code, text = answered(
        monkeypatch, *("score", "ref.txt", "-i", "s10.txt", "s40.txt", "s30.txt", "-m", "ter")
    )
    assert code == 1
    assert "s10.txt" in text
    assert "[MP1" in text


@pytest.mark.usefixtures("files")
def test_one_name_twice_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    code, text = answered(monkeypatch, "score", "ref.txt", "-i", "s10.txt", "s10.txt", "-m", "ter")
    assert code != 0
    assert "MP" in text


@pytest.mark.usefixtures("files")
def test_one_system_is_only_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    text = said(monkeypatch, systems="10")
    assert "rank" not in text
    assert "resamples" not in text


@pytest.mark.usefixtures("files")
def test_domains_are_a_level(monkeypatch: pytest.MonkeyPatch) -> None:
    more = ("--domains", "domains.txt", "--level", "system", "domain")
    text = said(monkeypatch, *more, systems="10 40")
    assert "news" in text
    header, *rows = (
        line.split("\t") for line in said(monkeypatch, *more, "--format", "tsv").splitlines()
    )
    domains = [dict(zip(header, row, strict=True)) for row in rows if row[0] == "domain"]
    assert {row["domain"] for row in domains} == {"news", "talks"}


@pytest.mark.usefixtures("files")
def test_domains_that_nothing_uses_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    unused = said(monkeypatch, "--domains", "domains.txt")
    assert "--domains changes nothing here" in unused
    used = said(monkeypatch, "--domains", "domains.txt", "--unit", "domain")
    assert "changes nothing" not in used


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--all-pairs", "--paired-ar"), "MP765"),
        (("--correction", "holm", "--level", "segment"), "MP765"),
        (("--unit", "document"), "MP766"),
        (("--weight", "length"), "MP767"),
        (("--order", "score", "--level", "segment"), "MP756"),
        (("--level", "domain"), "MP516"),
    ],
)
def test_what_makes_no_sense_is_refused(
    monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: str
) -> None:
    given = ["score", "ref.txt", "-i", "s10.txt", "s40.txt", "s30.txt", "-m", "chrf"]
    result, text = answered(monkeypatch, *given, *arguments)
    assert result != 0
    assert code in text


@pytest.mark.usefixtures("files")
def test_all_pairs_of_one_system_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    result, text = answered(
        monkeypatch, "score", "ref.txt", "-i", "s10.txt", "-m", "ter", "--all-pairs"
    )
    assert result == 1
    assert "MP741" in text
