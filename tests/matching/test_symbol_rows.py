"""Rows that are taken are the rows that were there, as often and in the order they are named."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.analysis.metric_text.sacrebleu_tokens import tokenise
from metaphrase.matching.symbol_rows import SymbolRows

lines = st.lists(st.text("abc ", max_size=8), min_size=1, max_size=6)


def written(rows: SymbolRows) -> list[list[int]]:
    return (
        [part.tolist() for part in np.split(rows.symbols, rows.offsets[1:-1])] if len(rows) else []
    )


@given(data=st.data(), texts=lines)
def test_rows_are_taken_in_any_order_and_any_number(data: st.DataObject, texts: list[str]) -> None:
    chosen = data.draw(st.lists(st.integers(0, len(texts) - 1), max_size=12))
    taken = SymbolRows.of_characters(texts).take(np.array(chosen, dtype=np.int32))
    assert written(taken) == [[ord(symbol) for symbol in texts[row]] for row in chosen]
    assert taken.lengths.tolist() == [len(texts[row]) for row in chosen]
    assert taken.symbols.dtype == np.int32
    assert taken.offsets.dtype == np.int64


@given(data=st.data(), texts=lines)
def test_tokenised_texts_are_taken_likewise(data: st.DataObject, texts: list[str]) -> None:
    chosen = data.draw(st.lists(st.integers(0, len(texts) - 1), max_size=12))
    taken = tokenise(texts, "13a").take(np.array(chosen, dtype=np.int32))
    assert taken.texts() == [tokenise([texts[row]], "13a").texts()[0] for row in chosen]
