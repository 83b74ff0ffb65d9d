"""A table of paraphrases answers what was put into it, in either order, one word or several."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase.errors import InputError, OptionError, ResourceError
from metaphrase.lexicon import ParaphraseTable, compilation, load_paraphrases
from metaphrase.lexicon.paraphrase_files import Pair
from metaphrase.lexicon.paraphrases import SHIPPED, compile_pairs
from oracle.parser import checksum

PAIRS = [
    ("buy", "purchase", 0.25),
    ("purchase", "buy", 0.5),
    ("buy", "acquire", 0.125),
    ("take place", "occur", 0.5),
]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("METAPHRASE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def table_of(directory: Path, pairs: list[Pair]) -> ParaphraseTable:
    path = directory / "table.bin"
    path.write_bytes(compile_pairs(pairs))
    return ParaphraseTable(path)


def edges(graph: tuple[np.ndarray, ...], words: list[str]) -> set[tuple[str, str]]:
    offsets, neighbours = graph[:2]
    return {
        (words[i], words[k])
        for i in range(len(words))
        for k in neighbours[offsets[i] : offsets[i + 1]].tolist()
    }


def test_paraphrases_come_with_the_most_probable_first(tmp_path: Path) -> None:
    table = table_of(tmp_path, PAIRS)
    assert table.lookup("buy") == [("purchase", 0.25), ("acquire", 0.125)]
    assert table.lookup("acquire") == []  # the table is directed, as probabilities are
    assert table.lookup("sell") == []


def test_phrases_are_found_whatever_their_case_and_spaces(tmp_path: Path) -> None:
    assert table_of(tmp_path, PAIRS).lookup(" Take  place") == [("occur", 0.5)]


def test_a_graph_knows_both_orders_and_phrases(tmp_path: Path) -> None:
    words = ["acquire", "occur", "sell", "buy", "take place"]
    graph = table_of(tmp_path, PAIRS).paraphrase_graph(words)
    assert edges(graph, words) == {
        ("acquire", "buy"),
        ("buy", "acquire"),
        ("occur", "take place"),
        ("take place", "occur"),
    }


def test_an_edge_has_the_higher_probability_of_the_two_orders(tmp_path: Path) -> None:
    *_, probabilities = table_of(tmp_path, PAIRS).weighted_graph(["buy", "purchase"])
    assert probabilities.tolist() == [0.5, 0.5]


def test_words_that_differ_in_case_share_paraphrases_but_are_none_of_each_other(
    tmp_path: Path,
) -> None:
    words = ["Buy", "buy", "purchase"]
    graph = table_of(tmp_path, PAIRS).paraphrase_graph(words)
    assert edges(graph, words) == {
        (a, b) for a in words for b in words if (a == "purchase") != (b == "purchase")
    }


phrases = st.text("ab é", min_size=1, max_size=3).map(lambda t: t.strip() or "x").map(" ".join)
pair_lists = st.lists(
    st.tuples(phrases, phrases, st.sampled_from([0.125, 0.5, math.nan])), max_size=20
)


@settings(max_examples=60)
@given(pair_lists, st.lists(phrases, unique=True, max_size=8))
def test_graphs_are_those_of_a_set_of_pairs(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[Pair], words: list[str]
) -> None:
    normal = [(" ".join(a.split()), " ".join(b.split()), p) for a, b, p in pairs]
    words = list(dict.fromkeys(" ".join(word.split()) for word in words))
    table = table_of(tmp_path_factory.mktemp("graph"), normal)
    related = {(a, b) for a, b, _ in normal} | {(b, a) for a, b, _ in normal}
    expected = {(a, b) for a in words for b in words if a != b and (a, b) in related}
    assert edges(table.paraphrase_graph(words), words) == expected
    offsets, neighbours = table.paraphrase_graph(words)
    rows = [neighbours[i:j].tolist() for i, j in pairwise(offsets)]
    assert all(row == sorted(set(row)) for row in rows)


@settings(max_examples=40)
@given(pair_lists, st.randoms())
def test_the_order_of_pairs_changes_nothing(pairs: list[Pair], random: object) -> None:
    shuffled = [*pairs, *pairs[:3]]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert compile_pairs(shuffled) == compile_pairs(pairs)


def test_strange_words_are_just_not_there(tmp_path: Path) -> None:
    table = table_of(tmp_path, PAIRS)
    words = ["", "\ud800", "\0", "x" * 10_000, "buy", "purchase"]
    assert edges(table.paraphrase_graph(words), words) == {("buy", "purchase"), ("purchase", "buy")}
    assert table.lookup("\ud800") == []
    assert table.paraphrase_graph([])[0].tolist() == [0]


def test_an_empty_table_is_a_table(tmp_path: Path) -> None:
    table = table_of(tmp_path, [])
    assert (table.pair_count, table.phrase_count, table.lookup("x")) == (0, 0, [])


def test_the_shipped_table_is_the_one_that_its_card_describes() -> None:
    table = ParaphraseTable.default()
    card = SHIPPED.with_suffix(".md").read_text("utf-8")
    assert table.name == "paraphrases-en"
    assert f"`{table.fingerprint}`" in card
    assert f"{table.pair_count:,} directed pairs of {table.phrase_count:,} forms" in card
    assert "purchased" in dict(table.lookup("bought"))
    words = ["happened", "took place", "sold"]
    assert ("happened", "took place") in edges(table.paraphrase_graph(words), words)
    assert pickle.loads(pickle.dumps(table)).fingerprint == table.fingerprint


def test_tab_separated_pairs_hold_in_both_directions(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text("Buy\tpurchase\nby  way\tthrough\t0.5\n", "utf-8")
    table = load_paraphrases(f"file:{path}")
    assert isinstance(table, ParaphraseTable)
    assert table.lookup("purchase") == [("buy", None)]
    assert table.lookup("through") == [("by way", 0.5)]
    assert table.name == "mine.tsv"


def test_ppdb_lines_have_negative_logarithms(tmp_path: Path) -> None:
    path = tmp_path / "ppdb"
    path.write_text(
        "[VB] ||| buy ||| purchase ||| PPDB2.0Score=4.1 p(e|f)=0.6931472 p(f|e)=1.0 ||| 0-0 ||| Equivalence\n"
        "[VP] ||| [NP,1] bought ||| [NP,1] purchased ||| p(e|f)=1.0 ||| 0-0\n"
        "[JJ] ||| big ||| large ||| p(f|e)=1.0 ||| 0-0\n",
        "utf-8",
    )
    table = load_paraphrases(f"ppdb:{path}")
    assert isinstance(table, ParaphraseTable)
    [(paraphrase, probability)] = table.lookup("buy")
    assert paraphrase == "purchase"
    assert probability == pytest.approx(0.5)  # exp(-0.6931472)
    assert table.lookup("big") == [("large", None)]
    assert table.pair_count == 2


def test_ppdb_may_also_come_as_columns(tmp_path: Path) -> None:
    path = tmp_path / "ppdb.tsv"
    path.write_text("buy\tpurchase\n", "utf-8")
    table = load_paraphrases(f"ppdb:{path}")
    assert isinstance(table, ParaphraseTable)
    assert table.lookup("buy") == [("purchase", None)]


def test_meteor_has_three_lines_a_pair(tmp_path: Path) -> None:
    path = tmp_path / "paraphrase-en"
    path.write_text("0.25\nbuy\npurchase\n1.07\nin the event of\nif\n", "utf-8")
    table = load_paraphrases(f"meteor:{path}")
    assert isinstance(table, ParaphraseTable)
    assert table.lookup("buy") == [("purchase", 0.25)]
    assert table.lookup("in the event of") == [("if", 1.0)]


@pytest.mark.parametrize(
    ("form", "content", "code", "line"),
    [
        ("file", "a\tb\na\n", "MP345", 2),
        ("file", "a\tb\tc\td\n", "MP345", 1),
        ("file", "a\tb\ta lot\n", "MP346", 1),
        ("file", "a\tb\tnan\n", "MP346", 1),
        ("file", "a\tb\n \tb\n", "MP347", 2),
        ("file", f"a\t{'b' * 256}\n", "MP347", 1),
        ("ppdb", "[X] ||| a ||| b ||| p(e|f)=1\na\tb\n", "MP345", 2),
        ("ppdb", "[X] ||| a ||| b ||| p(e|f)=x\n", "MP346", 1),
        ("meteor", "0.5\na\nb\n0.5\na\n", "MP345", 4),
        ("meteor", "0.5\na\nb\nmuch\na\nb\n", "MP346", 4),
        ("meteor", "-1\na\nb\n", "MP346", 1),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, form: str, content: str, code: str, line: int) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError) as caught:
        load_paraphrases(f"{form}:{path}")
    assert (caught.value.code, caught.value.line) == (code, line)
    assert caught.value.path == str(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="MP110"):
        load_paraphrases(f"file:{tmp_path / 'nothing'}")
    with pytest.raises(InputError, match="MP111"):
        load_paraphrases(f"file:{tmp_path}")


def test_a_file_is_compiled_once_and_again_when_it_changes(tmp_path: Path, cache: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text("a\tb\n", "utf-8")
    first = ParaphraseTable.read(path, "file")
    [compiled] = (cache / "lexicon").iterdir()
    before = compiled.stat().st_mtime_ns
    assert ParaphraseTable.read(path, "file").fingerprint == first.fingerprint
    assert compiled.stat().st_mtime_ns == before
    path.write_text("a\tc\n", "utf-8")
    second = ParaphraseTable.read(path, "file")
    assert second.lookup("a") == [("c", None)]
    assert second.fingerprint != first.fingerprint


def test_the_hash_of_a_large_file_is_kept_until_the_file_changes(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compilation, "_LARGE", 1)
    monkeypatch.setattr(compilation, "_SETTLED", -1)
    path = tmp_path / "mine.tsv"
    path.write_text("a\tb\n", "utf-8")
    first = compilation._digest(path)
    [note] = (cache / "digests").iterdir()
    with monkeypatch.context() as patch:
        patch.setattr(compilation, "_content_digest", lambda path: pytest.fail("read again"))
        assert compilation._digest(path) == first
    path.write_text("a\tc\n", "utf-8")  # of the same size
    assert compilation._digest(path) != first
    path.write_text("a\tb\n", "utf-8")
    assert compilation._digest(path) == first
    for note in (cache / "digests").iterdir():
        note.write_text("damage", "utf-8")
    assert compilation._digest(path) == first


def test_the_hash_of_a_file_that_has_just_changed_is_not_kept(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compilation, "_LARGE", 1)
    path = tmp_path / "mine.tsv"
    path.write_text("a\tb\n", "utf-8")
    compilation._digest(path)
    assert not (cache / "digests").exists()


def test_a_damaged_cache_is_compiled_again(tmp_path: Path, cache: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text("a\tb\n", "utf-8")
    ParaphraseTable.read(path, "file")
    [compiled] = (cache / "lexicon").iterdir()
    compiled.write_bytes(b"damage")
    assert ParaphraseTable.read(path, "file").lookup("a") == [("b", None)]


def test_a_cache_that_cannot_be_written_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("where the directory should be", "utf-8")
    monkeypatch.setenv("METAPHRASE_CACHE", str(blocked))
    path = tmp_path / "mine.tsv"
    path.write_text("a\tb\n", "utf-8")
    table = ParaphraseTable.read(path, "file")
    assert table.lookup("a") == [("b", None)]
    assert pickle.loads(pickle.dumps(table)).lookup("a") == [("b", None)]


def test_every_damaged_byte_is_noticed(damaged: Callable[[bytes], Iterator[Path]]) -> None:
    for path in damaged(compile_pairs(PAIRS)):
        with pytest.raises(ResourceError, match="MP349"):
            ParaphraseTable(path)


def test_text_that_a_forger_damaged_is_shown_as_such(tmp_path: Path) -> None:
    content = bytearray(compile_pairs(PAIRS))
    content[content.index(b"purchase") + 1] = 0xFF
    content[16:24] = checksum(bytes(content[24:])).to_bytes(8, "little")
    path = tmp_path / "forged.bin"
    path.write_bytes(content)
    table = ParaphraseTable(path)
    assert "p\ufffdrchase" in list(table)
    assert ("p\ufffdrchase", 0.25) in table.lookup("buy")


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="MP348"):
        ParaphraseTable(tmp_path / "nothing.bin")


@pytest.mark.parametrize("name", ["", "wordnet", "file", "ppdb", "none:x"])
def test_unknown_names_are_refused(name: str) -> None:
    with pytest.raises(OptionError, match="MP344"):
        load_paraphrases(name)


def test_none_relates_nothing() -> None:
    offsets, neighbours = load_paraphrases("none").paraphrase_graph(["buy", "purchase"])
    assert (offsets.tolist(), neighbours.tolist()) == ([0, 0, 0], [])


def test_without_its_package_meteor_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metaphrase.lexicon.paraphrases.find_spec", lambda name: None)
    with pytest.raises(ResourceError, match=r"MP970.*\[paraphrases\]"):
        ParaphraseTable.meteor()
