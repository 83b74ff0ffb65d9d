"""A release has one version, in the tag, in the package and in the changelog."""

from __future__ import annotations

import pytest

release = pytest.importorskip("release.version", reason="a source distribution has no release/")

CHANGELOG = "# Changelog\n\n## 1.2.0 (2026-12-01)\n\n- New.\n\n## 1.1.0 (2026-11-01)\n"


def test_what_belongs_together_is_fine() -> None:
    assert release.disagreement("v1.2.0", "1.2.0", CHANGELOG) is None


@pytest.mark.parametrize(
    ("tag", "version", "changelog", "complaint"),
    [
        ("v1.2.1", "1.2.0", CHANGELOG, "the tag is v1.2.1"),
        ("1.2.0", "1.2.0", CHANGELOG, "the tag is 1.2.0"),
        ("v1.1.0", "1.1.0", CHANGELOG, "does not begin with 1.1.0"),
        ("v1.2.0", "1.2.0", CHANGELOG.replace("2026-12-01", "unreleased"), "where the date"),
        ("v1.2.0", "1.2.0", "", "does not begin"),
    ],
)
def test_what_does_not_is_said(tag: str, version: str, changelog: str, complaint: str) -> None:
    assert complaint in str(release.disagreement(tag, version, changelog))
