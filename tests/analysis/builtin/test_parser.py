"""The parser as it is used: trees for batches, whatever is in them."""

from __future__ import annotations

import pickle
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase._core import parsing
from metaphrase.analysis.builtin import BuiltinAnalyser
from metaphrase.analysis.builtin.parser import Parser
from metaphrase.analysis.sentence import Batch, Sentence
from metaphrase.errors import InputError, OptionError, ResourceError
from metaphrase.shipped import shipped_file
from oracle.parser import OracleParser, best_tree, is_tree

MODEL_BYTES = shipped_file("english-parser.bin").read_bytes()
ORACLE = OracleParser(MODEL_BYTES)
TEXTS = [
    "The quick brown fox jumps over the lazy dog.",
    "She was given a book by her brother, who had read it twice before he left for Paris in 1998.",
    'I came. I saw! "Did you conquer?" he asked.',
    "",
    "Yes",
    "the commission has not taken into account the opinion of the parliament regarding that matter",
    "Prices rose 3.5% in May, according to U.S. officials; nobody (not even Mr. Smith) knows why...",
]


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser.shipped()


def analysed(texts: list[str]) -> Batch:
    return BuiltinAnalyser.shipped("en").analyse(texts, ["tag", "upos"])


def rows(batch: Batch, heads: np.ndarray) -> list[tuple[int, ...]]:
    return [tuple(heads[a:b].tolist()) for a, b in pairwise(batch.offsets.tolist())]


def test_a_plain_sentence_is_parsed_as_a_person_would(parser: Parser) -> None:
    sentence = parser.add_to(analysed(["The old man gave her a book."]))[0]
    assert sentence.head == (3, 3, 4, 0, 4, 7, 4, 4)
    expected = ("det", "amod", "nsubj", "root", "iobj", "det", "obj", "punct")
    assert sentence.relation == expected


def test_subtypes_of_relations_are_told_apart(parser: Parser) -> None:
    sentence = parser.add_to(analysed(["The house was built by my father."]))[0]
    assert sentence.relation is not None
    assert {"nsubj:pass", "aux:pass"} <= set(sentence.relation)


def test_the_compiled_parser_gives_what_the_slow_one_gives(parser: Parser) -> None:
    batch = analysed([text for text in TEXTS if text])
    heads, relations = parser.parse(batch, split=False)
    for row, (sentence, tree) in enumerate(zip(batch, rows(batch, heads), strict=True)):
        expected = ORACLE.parse(
            list(sentence.form), list(sentence.tag), list(sentence.upos), parsing.maximum_tree
        )
        first = int(batch.offsets[row])
        names = [parser.relations[i] for i in relations[first : first + len(tree)]]
        assert list(zip(tree, names, strict=True)) == expected


FORMS = st.text(alphabet="abstTHE019-.,'", min_size=1, max_size=8)
TAGS = st.sampled_from(["NN", "VBD", "IN", "DT", "?", "PUNCT", "NOUN"])


@settings(max_examples=60)
@given(st.lists(st.tuples(FORMS, TAGS, TAGS), min_size=1, max_size=4))
def test_small_sentences_agree_with_trying_all_trees(tokens: list[tuple[str, str, str]]) -> None:
    parser = Parser.shipped()
    forms, tags, upos = (tuple(column) for column in zip(*tokens, strict=True))
    spans = (0,) * len(forms)
    batch = Batch.pack([Sentence("", forms, spans, spans, tag=tags, upos=upos)])
    heads, relations = parser.parse(batch, split=False)
    found = [(h, parser.relations[r]) for h, r in zip(heads.tolist(), relations, strict=True)]
    assert found == ORACLE.parse(list(forms), list(tags), list(upos), best_tree)


@settings(max_examples=60)
@given(st.lists(st.lists(st.tuples(st.text(max_size=6), TAGS, TAGS), max_size=40), max_size=5))
def test_every_piece_of_every_row_is_a_tree(sentences: list[list[tuple[str, str, str]]]) -> None:
    columns = [tuple(zip(*tokens, strict=True)) or ((), (), ()) for tokens in sentences]
    batch = Batch.pack(
        Sentence("", f, (0,) * len(f), (0,) * len(f), tag=t, upos=u) for f, t, u in columns
    )
    if not sentences:
        return
    heads, relations = Parser.shipped().parse(batch)
    assert relations.min(initial=0) >= 0
    for (forms, _, _), row in zip(columns, rows(batch, heads), strict=True):
        first = 0
        for size in parsing.sentence_sizes(list(forms)):
            piece = tuple(h and h - first for h in row[first : first + size])
            assert is_tree(piece)
            first += size
        assert first == len(row)


def test_trees_depend_neither_on_threads_nor_on_other_rows(parser: Parser) -> None:
    batch = analysed(TEXTS * 40)
    heads, relations = parser.parse(batch)
    more_heads, more_relations = parser.parse(batch, threads=3)
    assert (heads == more_heads).all()
    assert (relations == more_relations).all()
    alone = [rows(part, parser.parse(part)[0])[0] for part in (analysed([t]) for t in TEXTS)]
    assert rows(batch, heads) == alone * 40


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("I came . I saw .", [3, 3]),
        ('" I came . " He laughed .', [5, 3]),
        ('He laughed . " I came . "', [3, 5]),
        ('" Did you ? " he asked .', [8]),
        ("he did not . we did not know", [4, 4]),
        ("Well ... he did . Well ... He did", [5, 2, 2]),
        ("( He came . ) Then he left !", [5, 4]),
        ("No end", [2]),
        ("", []),
    ],
)
def test_a_row_is_cut_where_sentences_end(text: str, sizes: list[int]) -> None:
    assert parsing.sentence_sizes(text.split()) == sizes


def test_long_pieces_are_cut_after_punctuation() -> None:
    assert parsing.sentence_sizes(["word"] * 600) == [256, 256, 88]
    assert parsing.sentence_sizes(["word"] * 199 + [","] + ["word"] * 100) == [200, 100]


def test_a_row_of_a_hundred_thousand_tokens_is_parsed(parser: Parser) -> None:
    batch = analysed(["and so on, " * 25_000])
    heads, _ = parser.parse(batch)
    assert len(heads) == 100_000
    assert (heads <= 100_000).all()
    assert (heads != np.arange(1, 100_001)).all()


def test_a_batch_keeps_its_columns_and_strings(parser: Parser) -> None:
    batch = analysed(["A root det case."])
    result = parser.add_to(batch)
    assert result[0].form == batch[0].form
    assert result[0].tag == batch[0].tag
    assert len(set(result.strings)) == len(result.strings)
    assert set(result.columns) == {*batch.columns, "head", "relation"}
    assert len(parser.add_to(analysed([]))) == 0


def test_a_batch_without_tags_is_refused(parser: Parser) -> None:
    with pytest.raises(InputError, match="MP222"):
        parser.parse(BuiltinAnalyser.shipped("en").analyse(["Yes."], []))


def test_a_lone_surrogate_is_named(parser: Parser) -> None:
    batch = Batch.pack([Sentence("", ("\ud800",), (0,), (1,), tag=("NN",), upos=("NOUN",))])
    with pytest.raises(InputError, match="MP106"):
        parser.parse(batch)


def test_no_thread_cannot_parse(parser: Parser) -> None:
    with pytest.raises(OptionError, match="MP519"):
        parser.parse(analysed(["Yes."]), threads=0)


@pytest.mark.parametrize("number", [-1, 7])
def test_a_cell_that_is_no_string_is_a_value_error(number: int) -> None:
    cells = np.array([0], dtype=np.int32)
    wrong = np.array([number], dtype=np.int32)
    core = parsing.Parser(MODEL_BYTES)
    offsets = np.array([0, 1], dtype=np.int64)
    for columns in ((wrong, cells, cells), (cells, wrong, cells), (cells, cells, wrong)):
        with pytest.raises(ValueError, match="number of a string"):
            core.parse(offsets, *columns, ["a"])


@pytest.mark.parametrize("offsets", [[], [0], [1, 1], [0, 2], [0, 1, 0], [0, -1, 1]])
def test_offsets_that_do_not_fit_are_a_value_error(offsets: list[int]) -> None:
    cells = np.array([0], dtype=np.int32)
    with pytest.raises(ValueError, match="offsets"):
        parsing.Parser(MODEL_BYTES).parse(
            np.array(offsets, dtype=np.int64), cells, cells, cells, ["a"]
        )


def test_the_shipped_model_travels_by_name_and_others_by_content(parser: Parser) -> None:
    assert pickle.loads(pickle.dumps(parser)) is parser
    other = Parser(MODEL_BYTES)
    assert len(pickle.dumps(other)) > len(MODEL_BYTES)
    assert pickle.loads(pickle.dumps(other)).fingerprint == parser.fingerprint


def test_a_missing_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="MP211") as caught:
        Parser.load(tmp_path / "none.bin")
    assert "none.bin" in str(caught.value)


def test_damaged_models_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "parser.bin"
    for size in (0, 3, 10, 16, 1000, len(MODEL_BYTES) - 1):
        path.write_bytes(MODEL_BYTES[:size])
        with pytest.raises(ResourceError, match="MP220"):
            Parser.load(path)
    for place in (0, 5, 12, 40, len(MODEL_BYTES) // 2):
        damaged = bytearray(MODEL_BYTES)
        damaged[place] ^= 0x55
        with pytest.raises(ResourceError, match="MP220"):
            Parser(bytes(damaged))
