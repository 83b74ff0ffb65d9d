"""What docs/formats.md says of the files that programs read."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from metaphrase.metrics import explanation, explanation_contrast
from metaphrase.trained.edit_model import EditModel

TEXT = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
NAMES = {
    name
    for code in re.findall(r"`([^`\n]*(?:\n[^`\n]*)?)`", TEXT)
    for name in re.split(r"\W+", code)
}


@pytest.mark.parametrize(
    "part",
    [
        explanation.Word,
        explanation.Link,
        explanation.ContextRelation,
        explanation.WordPair,
        explanation.Phrase,
        explanation.Leftover,
        explanation.Feature,
        explanation.Edit,
        explanation.Jump,
        explanation.PivotPhrase,
        explanation.PivotMatch,
        explanation.Repair,
        explanation.Span,
        explanation_contrast.Contrast,
        explanation_contrast.ContrastedNumber,
        explanation_contrast.ContrastedWord,
        explanation_contrast.Rendering,
        explanation_contrast.ExtraWord,
    ],
)
def test_every_entry_of_an_explanation_is_described(part: type) -> None:
    assert {field.name for field in fields(part)} <= NAMES


def test_every_list_of_an_explanation_is_described() -> None:
    texts = {"hypothesis_text", "reference_text", "hypothesis", "reference"}  # in words
    assert {field.name for field in fields(explanation.Explanation)} - texts <= NAMES


def test_every_entry_of_an_edit_model_is_described() -> None:
    model = json.loads(EditModel.shipped("ppda+f").to_json())
    for entries in (model, model["substitutions"], model["machine"]):
        assert set(entries) <= NAMES
