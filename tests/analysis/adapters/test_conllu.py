"""CoNLL-U in and out."""

import contextlib
import gzip
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metaphrase.analysis.adapters.conllu import read_conllu, write_conllu
from metaphrase.analysis.sentence import Sentence
from metaphrase.errors import InputError

# A sentence in the shape of the examples at https://universaldependencies.org/format.html
TWO_SENTENCES = """\
# sent_id = 1
# text = They don't buy books.
1\tThey\tthey\tPRON\tPRP\tCase=Nom\t4\tnsubj\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\tdo\tAUX\tVBP\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_
4\tbuy\tbuy\tVERB\tVBP\t_\t0\troot\t_\t_
4.1\tread\tread\tVERB\t_\t_\t_\t_\t_\t_
5\tbooks\tbook\tNOUN\tNNS\t_\t4\tobj\t_\tNER=WORK|Chunk=B-NP|SpaceAfter=No
6\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

# sent_id = 2
# text = Au  revoir
1-2\tAu\t_\t_\t_\t_\t_\t_\t_\t_
1\tà\tà\tADP\tIN\t_\t3\tcase\t_\t_
2\tle\tle\tDET\tDT\t_\t3\tdet\t_\t_
3\trevoir\trevoir\tNOUN\tNN\t_\t0\troot\t_\t_

"""


@pytest.fixture
def read(tmp_path):
    def read_text(content):
        path = tmp_path / "sample.conllu"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_conllu(path)

    return read_text


def line(number, form, *, lemma="_", head="_", relation="_", misc="_"):
    return "\t".join([str(number), form, lemma, "_", "_", "_", str(head), relation, "_", misc])


def test_columns_are_read_by_name(read):
    first, second = read(TWO_SENTENCES)
    assert first == Sentence(
        text="They don't buy books.",
        form=("They", "do", "n't", "buy", "books", "."),
        start=(0, 5, 7, 11, 15, 20),
        end=(4, 7, 10, 14, 20, 21),
        lemma=("they", "do", "not", "buy", "book", "."),
        tag=("PRP", "VBP", "RB", "VBP", "NNS", "."),
        upos=("PRON", "AUX", "PART", "VERB", "NOUN", "PUNCT"),
        head=(4, 4, 4, 0, 4, 4),
        relation=("nsubj", "aux", "advmod", "root", "obj", "punct"),
        entity=("O", "O", "O", "O", "WORK", "O"),
        chunk=("O", "O", "O", "O", "B-NP", "O"),
    )
    assert second.columns == first.columns


def test_words_that_do_not_spell_their_multiword_token_share_its_span(read):
    second = read(TWO_SENTENCES)[1]
    assert (second.start, second.end) == ((0, 0, 4), (2, 2, 10))


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.encode("utf-8-sig"),
        lambda text: gzip.compress(text.encode()),
        lambda text: text.rstrip("\n").encode(),
        lambda text: ("\n\n" + text.replace("\n\n", "\n \n\n")).encode(),
    ],
    ids=["CRLF", "byte order mark", "gzip", "no empty line at the end", "more empty lines"],
)
def test_the_wrapping_of_a_file_does_not_matter(read, encode):
    assert read(encode(TWO_SENTENCES)) == read(TWO_SENTENCES)


def test_without_a_text_it_is_made_from_the_forms(read):
    block = [
        line("1-2", "can't", misc="SpaceAfter=No"),
        line(1, "ca"),
        line(2, "n't"),
        line(3, "!"),
    ]
    (row,) = read("\n".join(block))
    assert row.text == "can't!"
    assert (row.start, row.end) == ((0, 2, 5), (2, 5, 6))
    assert read("\n".join([line(1, "a"), line(2, "b")]))[0].text == "a b"


def test_consecutive_sentences_of_a_segment_are_one_row(read):
    block = [line(1, "Go", head=0), line(2, "on", head=1), ""]
    alone = [line(1, "No", head=0), ""]
    content = [
        "# seg_id = 7",
        *block,
        "# seg_id = 7",
        *block,
        *alone,
        *alone,
        "# seg_id = 7",
        *alone,
    ]
    rows = read("\n".join(content))
    assert [row.text for row in rows] == ["Go on Go on", "No", "No", "No"]
    assert rows[0].head == (0, 1, 0, 3)
    assert rows[0].start == (0, 3, 6, 9)
    assert rows[0].end == (2, 5, 8, 11)


def test_a_column_without_values_is_not_there(read):
    (row,) = read(line(1, "a"))
    assert row.columns == {"form", "start", "end"}


def test_an_underscore_may_be_a_word(read):
    first, second = read("\n".join([line(1, "_", lemma="_"), "", line(1, "cats", lemma="cat")]))
    assert (first.form, first.lemma) == (("_",), ("_",))
    assert second.lemma == ("cat",)


def test_a_text_without_tokens_is_a_row(read):
    assert read("# newdoc\n\n# text = \n\n# text =\n") == [Sentence("", (), (), ())] * 2


def test_line_separators_of_unicode_do_not_end_a_line(read):
    (row,) = read(f"# text = a\u2028b\n{line(1, 'a')}\n{line(2, 'b')}\n")
    assert row.text == "a\u2028b"
    assert row.start == (0, 2)


@pytest.mark.parametrize(
    ("content", "code", "number"),
    [
        (b"1\t\xff", "MP271", 1),
        ("é\n".encode() + b"\n\xe9", "MP271", 3),
        ("é".encode("utf-16"), "MP271", 1),
        (b"\x1f\x8b\x08garbage", "MP270", None),
        (gzip.compress(TWO_SENTENCES.encode())[:-9], "MP270", None),
        ("# c\n1\tform\tlemma\n", "MP272", 2),
        ("no columns at all\n", "MP272", 1),
        (line(1, "a") + "\textra", "MP272", 1),
        (line(1, ""), "MP272", 1),
        (line("x", "a"), "MP273", 1),
        (line("9" * 5000, "a"), "MP273", 1),
        (line("١", "a"), "MP273", 1),
        (line(2, "a"), "MP273", 1),
        (line(0, "a"), "MP273", 1),
        (line(1, "a") + "\n" + line(1, "b"), "MP273", 2),
        (line("2-3", "a"), "MP273", 1),
        (line("1-2", "ab") + "\n" + line(1, "a"), "MP273", 1),
        (line("1-2", "ab") + "\n" + line(1, "a") + "\n" + line("2-3", "b"), "MP273", 3),
        (line("3-1", "ab"), "MP273", 1),
        (line(1, "a", head=2), "MP274", 1),
        (line(1, "a", head=1), "MP274", 1),
        (line(1, "a", head=-1), "MP274", 1),
        (line(1, "a", head="9" * 5000), "MP274", 1),
        (line(1, "a", head=0) + "\n" + line(2, "b"), "MP274", 2),
        ("\n".join([line(1, "a", head=0), line(2, "b", head=3), line(3, "c", head=2)]), "MP274", 2),
        ("# text = b\n" + line(1, "a"), "MP275", 2),
        ("# text = a\n" + line(1, "a") + "\n" + line(2, "b"), "MP275", 3),
        ("# text = a\n" + line(1, "a", misc="Span=0:2"), "MP276", 2),
        ("# text = a\n" + line(1, "a", misc="Span=1:0"), "MP276", 2),
        ("# text = a\n" + line(1, "a", misc="Span=x"), "MP276", 2),
    ],
)
def test_what_is_wrong_is_said_with_file_and_line(read, content, code, number):
    with pytest.raises(InputError) as caught:
        read(content)
    assert (caught.value.code, caught.value.line) == (code, number)
    assert caught.value.path.endswith("sample.conllu")


@pytest.mark.parametrize("name", ["missing.conllu", "."])
def test_a_file_that_cannot_be_opened_is_named(tmp_path, name):
    with pytest.raises(InputError, match="MP270"):
        read_conllu(tmp_path / name)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200) | st.text("1-2._#\t\r\n texsgid=a", max_size=200))
def test_nothing_but_a_coded_error_comes_of_garbage(read, content):
    with contextlib.suppress(InputError):
        read(content)


cells = st.text(
    st.characters(codec="utf-8", exclude_characters="\t\n\r"), min_size=1, max_size=4
) | st.sampled_from(["_", "a b", "\\p", "|", "a=b|c", "\\", "#", "1", "O", "\u2028"])


@st.composite
def tables(draw):
    """Rows that have the same columns; heads lead to a root, spans lie in the text."""
    names = draw(st.sets(st.sampled_from(["lemma", "tag", "upos", "relation", "entity", "chunk"])))
    with_heads, spelt = draw(st.booleans()), draw(st.booleans())
    rows = []
    for length in draw(st.lists(st.integers(0, 4), max_size=4)):
        column = st.lists(cells, min_size=length, max_size=length).map(tuple)
        form = draw(column)
        text = draw(st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=9))
        if not length:
            text = "".join(c for c in text if not c.isalnum())  # else it would have a token
        if spelt:
            text, spans = "", []
            for cell in form:
                text += draw(st.sampled_from(["", " ", "  "]))
                spans.append((len(text), len(text) + len(cell)))
                text += cell
        else:
            pair = st.tuples(*[st.integers(0, len(text))] * 2).map(sorted).map(tuple)
            spans = draw(st.lists(pair, min_size=length, max_size=length))
        optional = {name: draw(column) for name in names}
        if with_heads:
            optional["head"] = tuple(draw(st.integers(0, i)) for i in range(length))
        start, end = tuple(a for a, _ in spans), tuple(b for _, b in spans)
        rows.append(Sentence(text, form, start, end, **optional))
    # In a file, a column of nothing but underscores is no column, nor is one without any token.
    for name in [*names, *(["head"] if with_heads else [])]:
        values = {cell for row in rows for cell in row.column(name)}
        absent = {"_"} if name in ("lemma", "tag", "upos", "relation") else set()
        if values <= absent:
            rows = [replace(row, **{name: None}) for row in rows]
    return rows


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tables(), st.sampled_from(["rows.conllu", "rows.conllu.gz"]))
def test_reading_gives_what_was_written(tmp_path, rows, name):
    write_conllu(rows, tmp_path / name)
    assert read_conllu(tmp_path / name) == rows
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []


@pytest.mark.parametrize(
    "row",
    [
        Sentence("a\nb", (), (), ()),
        Sentence("a", ("",), (0,), (1,)),
        Sentence("a", ("a\t",), (0,), (1,)),
        Sentence("\ud800", (), (), ()),
        Sentence("a", ("a",), (0,), (2,)),
        Sentence("a", ("a",), (0,), (1,), head=(2,)),
        Sentence("a", ("a",), (0,), (1,), head=(1,)),
    ],
)
def test_what_cannot_be_read_again_is_not_written(tmp_path, row):
    target = tmp_path / "rows.conllu"
    with pytest.raises(InputError, match=r"MP277.*sentence 1"):
        write_conllu([row], target)
    assert not target.exists()


def test_sentences_with_different_columns_are_not_written(tmp_path):
    rows = [Sentence("", (), (), ()), Sentence("", (), (), (), lemma=())]
    with pytest.raises(InputError, match=r"MP277.*same columns"):
        write_conllu(rows, tmp_path / "rows.conllu")


def test_a_failed_write_leaves_the_old_file(tmp_path):
    target = tmp_path / "rows.conllu"
    write_conllu([Sentence("a", ("a",), (0,), (1,))], target)
    before = target.read_bytes()
    with pytest.raises(InputError):
        write_conllu([Sentence("\n", (), (), ())], target)
    assert target.read_bytes() == before
    assert list(tmp_path.iterdir()) == [target]


def test_a_text_whose_tokens_are_missing_is_named(tmp_path):
    path = tmp_path / "lost.conllu"
    path.write_text("# text = Two words\n\n# text =\n\n")
    with pytest.raises(InputError, match=r"MP278.*lost\.conllu.*'Two words' has no tokens"):
        read_conllu(path)
