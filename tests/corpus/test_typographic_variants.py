"""Which lines differ from their reference by typography or Unicode alone."""

from __future__ import annotations

import pytest

from metaphrase.corpus import Corpus
from metaphrase.corpus.typographic_variants import VariantCheck


def found(hypotheses: list[str], *references: list[str], systems: int = 1) -> list[str]:
    check = VariantCheck()
    corpus = Corpus({f"s{n}": hypotheses for n in range(systems)}, references)
    for piece in corpus.pieces(2):
        check.watch(piece)
    return check.warnings(["bleu", "chrf"])


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        ("I can’t", "you can't"),
        ('"yes"', "“yes”"),
        ("„yes“", "“yes”"),
        ("wait…", "wait..."),
        ("here — there", "here - there"),
        ("here – there", "here—there"),
        ("1914-1918", "1914–1918"),
        ("cafe\u0301", "café"),
        ("co\xadop", "coop"),
        ("a", "\u200ba"),
        ("10\u00a0000", "10 000"),
    ],
)
def test_another_spelling_of_the_same_mark_is_named(hypothesis: str, reference: str) -> None:
    (warning,) = found([hypothesis], [reference])
    assert warning.startswith("[MP585] bleu, chrf compare bytes")
    assert "1 line of s0 (1)." in warning


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        ("I can’t", "you can’t"),
        ("“yes”", "“no”"),
        ("here — there", "there — here"),
        ("well-known", "known — well"),  # a hyphen is no dash
        ("I cannot", "I can’t"),
        ("cafe\u0301", "cafe\u0301s"),
        ("plain", "text"),
    ],
)
def test_the_same_spelling_is_not(hypothesis: str, reference: str) -> None:
    assert found([hypothesis], [reference]) == []


def test_lines_are_counted_over_pieces_and_the_first_are_named() -> None:
    (warning,) = found(["it’s"] * 7, ["it's"] * 4 + ["it’s"] + ["it's"] * 2)
    assert "6 lines of s0 (1, 2, 3 …)" in warning


def test_any_reference_counts() -> None:
    (warning,) = found(["it's"], ["it's"], ["it’s"])
    assert "1 line of s0 (1)" in warning


def test_of_many_systems_some_are_named() -> None:
    (warning,) = found(["it’s"], ["it's"], systems=7)
    assert "1 line of s4 (1) and 2 more systems." in warning


def test_without_metrics_that_compare_bytes_nothing_is_said() -> None:
    check = VariantCheck()
    check.watch(Corpus({"a": ["it’s"]}, [["it's"]]))
    assert check.warnings([]) == []
    assert "bleu compares bytes" in check.warnings(["bleu"])[0]
