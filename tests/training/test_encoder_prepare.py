"""What is known of words before anything is learnt from text."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("training.encoder", reason="a source distribution has no training")

from training.encoder import prepare
from training.encoder.prepare import Lexicon, Reader, usable_lines
from training.encoder.translations import Translated

from metaphrase.lexicon import WordVectors


@pytest.fixture
def reader() -> Reader:
    found = Reader()
    found.read(["The sale of a house."], "en")
    found.read(["Une maison sale."], "fr")
    return found


def test_a_form_is_another_one_in_another_language(reader: Reader) -> None:
    assert reader.numbers["en", "sale"] != reader.numbers["fr", "sale"]
    forms, numbers = reader.forms("fr")
    assert forms == ["", "Une", "maison", "sale", "."]
    assert numbers.tolist() == [0, *(reader.numbers["fr", form] for form in forms[1:])]


def test_a_piece_starts_with_what_its_word_means(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = WordVectors.default()
    house, dirty = table.vectors(["house", "dirty"])
    known = Translated(["maison", "sale"], np.stack([house, dirty]), [])
    monkeypatch.setattr(prepare, "translated", lambda *_, **__: known)
    monkeypatch.setattr(prepare, "ppdb_pairs", lambda: iter(()))
    counts = np.zeros(len(reader.numbers), dtype=np.int64)
    counts[reader.numbers["fr", "maison"]] = 5
    counts[reader.numbers["fr", "sale"]] = 3
    counts[reader.numbers["en", "sale"]] = 1
    counts[reader.numbers["en", "house"]] = 2
    lexicon = Lexicon(reader, table, counts)
    for lang in ("en", "fr"):
        lexicon.add(lang, 1)
    pieces = ["", "\u2581maison", "\u2581sale", "\u2581house", "maison", "\u2581unseen"]
    found = lexicon.of_pieces(pieces)
    own, sale = table.vectors(["maison", "sale"])
    # Each word enters with the vector of its spelling, whatever its language.
    assert found[1] == pytest.approx(house - own, abs=1e-6)
    assert found[2] == pytest.approx(0.75 * (dirty - sale), abs=1e-6)
    assert not found[[0, 3, 4, 5]].any()


def test_lines_that_judged_texts_share_are_left_out(
    reader: Reader, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["Elle a vu la maison verte hier soir avec lui.", "Une autre maison est sale.", "Oui."]
    monkeypatch.setattr(prepare, "data_path", lambda: prepare.Path("."))
    monkeypatch.setattr(prepare, "plain_lines", lambda _: lines)
    [judged] = reader.read(["Qui ? Elle a vu la maison verte hier soir."], "fr")
    seen = np.unique(prepare.runs(judged, 8))
    kept = usable_lines("fr", reader, seen, WordVectors.default(), most=6)
    # Three lines for six come twice; one is too short and one shares eight words.
    assert len(kept) == 2
    assert "'judged': 1" in capsys.readouterr().out
