"""Rules are what the file says, and what it misspells is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaphrase.errors import InputError
from metaphrase.gate import FindingLimits, Limits, Rules, Settings, load_rules
from metaphrase.gate.groups import Group


def rules(tmp_path: Path, text: str | bytes) -> Rules:
    path = tmp_path / "rules.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_rules(path)


def refused(tmp_path: Path, text: str | bytes, code: str) -> str:
    with pytest.raises(InputError) as caught:
        rules(tmp_path, text)
    assert caught.value.code == code
    assert caught.value.path == str(tmp_path / "rules.toml")
    return str(caught.value)


def test_an_empty_file_is_the_default(tmp_path: Path) -> None:
    assert rules(tmp_path, "") == Rules()


def test_narrower_sections_go_before_wider_ones(tmp_path: Path) -> None:
    found = rules(
        tmp_path,
        """
        metrics = ["accord", "chrf"]
        max_drop = 1
        alpha = 0.01
        resamples = 200

        [metric.chrf]
        max_drop = 2

        [language.pt]
        max_drop = 3
        alpha = false

        [language.pt.metric.chrf]
        min_score = 40

        [language.pt-BR]
        max_drop = 4

        [document."legal/*"]
        max_segment_drop = 5

        [domain.legal]
        max_drop = 6

        [domain.legal.metric.chrf]
        max_drop = 7

        [checks]
        new_major = 2
        """,
    )
    assert found.metrics == ("accord", "chrf")
    assert found.settings == Settings(resamples=200)
    assert found.limits("accord", "en") == Limits(max_drop=1, alpha=0.01)
    assert found.limits("chrf", "en") == Limits(max_drop=2, alpha=0.01)
    assert found.limits("chrf", "pt") == Limits(max_drop=3, min_score=40)
    assert found.limits("chrf", "pt-BR") == Limits(max_drop=4, min_score=40)
    assert found.limits("accord", "pt-PT") == Limits(max_drop=3)
    assert found.limits("chrf", "por_BR") == Limits(max_drop=4, min_score=40)
    assert found.group_limits(Group("document", "legal/a"), "chrf") == Limits(max_segment_drop=5)
    assert found.group_limits(Group("domain", "legal"), "chrf") == Limits(max_drop=7)
    assert found.group_limits(Group("domain", "legal"), "ter") == Limits(max_drop=6)
    assert found.group_limits(Group("domain", "legal/a"), "ter") is None
    assert found.needs_baseline
    assert found.findings == FindingLimits(new_critical=0, new_major=2)


def test_rules_name_languages_as_they_like_but_not_none(tmp_path: Path) -> None:
    assert rules(tmp_path, "[language.German]\nmax_drop = 1").limits("chrf", "de-AT").max_drop == 1
    with pytest.raises(InputError, match=r"MP528.*\[language.jp\].*ja \(Japanese\)"):
        rules(tmp_path, "[language.jp]\nmax_drop = 1")


def test_the_command_line_goes_before_everything(tmp_path: Path) -> None:
    found = rules(tmp_path, "[metric.chrf]\nmax_drop = 1").overridden(max_drop=9)
    assert found.limits("chrf", "en").max_drop == 9


def test_rules_without_limits_of_scores_keep_the_paired_test(tmp_path: Path) -> None:
    assert rules(tmp_path, "[checks]\nnew_critical = false").limits("chrf", "en").alpha == 0.05
    assert rules(tmp_path, "max_drop = 1").limits("chrf", "en").alpha is None


def test_what_goes_together_may_stand_in_two_sections(tmp_path: Path) -> None:
    found = rules(tmp_path, "max_worse_segments = 3\n[metric.chrf]\nworse_by = 10")
    assert found.limits("chrf", "en") == Limits(max_worse_segments=3, worse_by=10)


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("max_dorp = 1", "MP908", "Did you mean max_drop?"),
        ("[metrics.chrf]\nmax_drop = 1", "MP909", "metrics"),
        ("[metric.chrf]\nmax_dropp = 1", "MP908", "[metric.chrf] has no 'max_dropp'"),
        ("[language.de]\nmetrics = ['bleu']", "MP908", "language.de"),
        ("[documents.a]\nmax_drop = 1", "MP908", "Did you mean document?"),
        ("[domains.a]\nmax_drop = 1", "MP908", "Did you mean domain?"),
        ("[domain.a]\nmax_dorp = 1", "MP908", "[domain.a]"),
        ("[checks]\nnew_crtical = 0", "MP908", "Did you mean new_critical?"),
        ("zzz = 1", "MP908", "There are:"),
        ("max_drop = '1'", "MP909", "max_drop='1' is not a number"),
        ("max_drop = true", "MP909", "max_drop"),
        ("max_drop = nan", "MP909", "max_drop"),
        ("max_drop = inf", "MP909", "max_drop"),
        ("max_drop = -1", "MP909", "at least 0"),
        ("alpha = 2", "MP909", "from 0 to 1"),
        ("max_worse_segments = 1.5", "MP909", "whole number"),
        ("min_common = 50", "MP909", "from 0 to 1"),
        ("resamples = 0", "MP909", "resamples"),
        ("metric = 1", "MP909", "metric = 1 is not a table"),
        ("metrics = 'chrf'", "MP909", "metrics"),
        ("metrics = []", "MP909", "metrics"),
        ("[checks]\nnew_critical = 0.5", "MP909", "[checks] new_critical"),
        ('[document."a b"]\nalpha = "x"', "MP909", '[document."a b"] alpha'),
        ("max_drop = ", "MP907", "not TOML"),
        ("max_drop = 1\nmax_drop = 2", "MP907", "not TOML"),
        (b"\xff", "MP907", "UTF-8"),
        (b"a" * 2_000_000, "MP907", "bytes"),
        ("a = " + "[" * 10_000, "MP907", ""),
    ],
)
def test_what_is_wrong_is_told_with_the_key(
    text: str | bytes, code: str, words: str, tmp_path: Path
) -> None:
    assert words in refused(tmp_path, text, code)


def test_a_file_of_another_system_is_read(tmp_path: Path) -> None:
    found = rules(tmp_path, b"\xef\xbb\xbfmax_drop = 1\r\nalpha = 0.1\r\n")
    assert found.limits("chrf", "en") == Limits(max_drop=1, alpha=0.1)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="MP907"):
        load_rules(tmp_path / "none.toml")
