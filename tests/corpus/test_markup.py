"""NIST's SGML and WMT's XML."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.malformed_markup import MALFORMED, Malformed
from metaphrase.cli import main
from metaphrase.corpus import Corpus, write_jsonl
from metaphrase.corpus.formats.markup.sgml import read_sgml, sgml_of, write_sgml
from metaphrase.corpus.formats.markup.test_set import markup_corpus
from metaphrase.corpus.formats.markup.wmt_xml import read_wmt_xml, wmt_xml_of, write_wmt_xml
from metaphrase.corpus.normalisation import is_blank
from metaphrase.errors import InputError, MetaphraseError

# Written here after the layout of newstest2014 and of the files of WMT 2021.
SGML = """\
<refset setid="newstest" srclang="any" trglang="en">
<doc sysid="ref" docid="bbc/1" genre="news" origlang="de">
<hl>
<seg id="1">Cats &amp; dogs</seg>
</hl>
<p>
<seg id="2">1 &lt; 2</seg>
<seg id="3"></seg>
</p>
</doc>
<doc sysid="ref" docid="bbc/2" genre="news" origlang="de">
<p>
<seg id="1">"Ja"</seg>
</p>
</doc>
</refset>
"""
XML = """\
<?xml version='1.0' encoding='utf-8'?>
<dataset id="newstest2021.de-en">
  <collection id="general">
    <doc origlang="de" id="abc.1" domain="news">
      <src lang="de">
        <p>
          <seg id="1">Katzen &amp; Hunde</seg>
          <seg id="2">1 &lt; 2</seg>
        </p>
      </src>
      <ref lang="en" translator="A">
        <p>
          <seg id="1">Cats &amp; dogs</seg>
          <seg id="2">1 &lt; 2</seg>
        </p>
      </ref>
      <hyp lang="en" system="online-A">
        <p>
          <seg id="1">Cats and dogs</seg>
          <seg id="2">1 is less than 2</seg>
        </p>
      </hyp>
    </doc>
  </collection>
</dataset>
"""


@pytest.mark.parametrize(
    ("text", "read", "write"),
    [(SGML, read_sgml, write_sgml), (XML, read_wmt_xml, write_wmt_xml)],
    ids=["sgml", "xml"],
)
def test_a_canonical_file_is_written_back_byte_by_byte(text, read, write, tmp_path: Path) -> None:
    path = tmp_path / "in"
    path.write_text(text, "utf-8", newline="")
    write(read(path), tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == path.read_bytes()


texts = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=20
).filter(lambda text: not is_blank(text))


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    size = draw(st.integers(1, 6))

    def column() -> list[str]:
        return [draw(texts) for _ in range(size)]

    cut = draw(st.integers(0, size))
    names = draw(st.lists(texts, min_size=2, max_size=2, unique=True))
    documents = [names[0]] * cut + [names[1]] * (size - cut)
    systems = draw(st.lists(texts, min_size=1, max_size=3, unique=True))
    return Corpus(
        {name: column() for name in systems},
        [column() for _ in range(draw(st.integers(1, 3)))],
        sources=draw(st.sampled_from([None, column()])),
        documents=documents,
        domains=draw(st.sampled_from([None, ["news"] * size])),
    )


@given(corpora())
def test_a_corpus_survives_xml(tmp_path_factory: pytest.TempPathFactory, corpus: Corpus) -> None:
    path = tmp_path_factory.mktemp("xml") / "test.xml"
    file = wmt_xml_of(corpus, source_language="de", target_language="en")
    write_wmt_xml(file, path)
    assert read_wmt_xml(path) == file
    assert markup_corpus([file]) == corpus


@given(corpora())
def test_a_corpus_survives_sgml(tmp_path_factory: pytest.TempPathFactory, corpus: Corpus) -> None:
    folder = tmp_path_factory.mktemp("sgml")
    files = [sgml_of(corpus, "source")] if corpus.sources is not None else []
    files += [sgml_of(corpus, "reference", str(n + 1)) for n in range(len(corpus.references))]
    files += [sgml_of(corpus, "system", name) for name in corpus.systems]
    for number, file in enumerate(files):
        write_sgml(file, folder / str(number))
        assert read_sgml(folder / str(number)) == file
    assert markup_corpus(files) == corpus


def test_old_sgml_is_read(tmp_path: Path) -> None:
    """Tags in capitals, values without quotation marks, bare ampersands, segments over several lines."""
    path = tmp_path / "old.sgm"
    path.write_text(
        '<!DOCTYPE mteval SYSTEM "mteval.dtd">\n<!-- a <comment> -->\n'
        "<TSTSET SetID='s' srclang=de trglang=en>\n<DOC docid=d SYSID=online>\n"
        "<SEG ID=1>R&D &#233; AT&T\n  and so on </SEG>\n</DOC></TSTSET>\n"
    )
    file = read_sgml(path)
    assert file.column("system", "online") == {("d", "1"): "R&D é AT&T and so on"}


def test_versions_with_other_segments_are_refused(tmp_path: Path) -> None:
    corpus = Corpus({"a": ["x", "y"]}, [["x", "y"]])
    reference, system = sgml_of(corpus, "reference", "1"), sgml_of(corpus[:1], "system", "a")
    with pytest.raises(InputError, match="lacks segment '2' of document 'all'") as raised:
        markup_corpus([reference, system])
    assert raised.value.code == "MP192"
    with pytest.raises(InputError, match="first reference lacks segment '2'") as raised:
        markup_corpus([sgml_of(corpus[:1], "reference", "1"), sgml_of(corpus, "system", "a")])
    assert raised.value.code == "MP192"


def test_many_segments_too_many_are_found_at_once() -> None:
    # A set that is made anew for each of the segments would take minutes.
    size = 50_000
    corpus = Corpus({"a": ["x"] * size}, [["r"] * size])
    longer = Corpus({"a": ["x"] * (size + 1)}, [["r"] * (size + 1)])
    with pytest.raises(InputError, match=f"MP192.*lacks segment '{size + 1}'"):
        markup_corpus([sgml_of(corpus, "reference", "1"), sgml_of(longer, "system", "a")])


def test_references_are_chosen_by_name() -> None:
    file = wmt_xml_of(Corpus({"a": ["x"], "b": ["y"]}, [["r"], ["s"]]))
    chosen = markup_corpus([file], references=["B"], systems=["b"])
    assert chosen == Corpus({"b": ["y"]}, [["s"]], documents=["all"])
    with pytest.raises(InputError, match="no reference 'C'") as raised:
        markup_corpus([file], references=["C"])
    assert raised.value.code == "MP190"


def test_one_version_in_two_files_is_refused() -> None:
    file = sgml_of(Corpus({"a": ["x"]}, [["r"]]), "reference", "1")
    with pytest.raises(InputError) as raised:
        markup_corpus([file, file])
    assert raised.value.code == "MP191"


def test_documents_in_two_places_are_refused() -> None:
    with pytest.raises(InputError) as raised:
        wmt_xml_of(Corpus({"a": ["x", "y", "z"]}, [["r"] * 3], documents=["1", "2", "1"]))
    assert raised.value.code == "MP194"


@pytest.mark.parametrize("documents", [["d1", "d1", "d2"], None])
@pytest.mark.parametrize("form", ["wmt-xml", "sgml"])
def test_a_document_of_two_domains_is_refused(
    form: str, documents: list[str] | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = ["a", "b", "c"]
    domains = ["news", "sport", "news"]
    corpus = Corpus({"a": texts}, [texts], documents=documents, domains=domains)
    with pytest.raises(InputError, match=r"MP194.*'sport' of segment 2"):
        wmt_xml_of(corpus)
    with pytest.raises(InputError, match="MP194"):
        sgml_of(corpus, "system", "a")
    write_jsonl(corpus, tmp_path / "in.jsonl")
    command = ["--corpus", str(tmp_path / "in.jsonl"), "--to", form, "-o", str(tmp_path / "out")]
    assert main(["convert", *command]) == 1
    assert f"[MP194] {tmp_path / 'in.jsonl'}" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("text", ["a\nb", "a\x01b", "a\rb", "\ufffe"])
def test_what_markup_cannot_hold_is_refused_before_anything_is_written(
    text: str, tmp_path: Path
) -> None:
    corpus = Corpus({"a": [text]}, [["r"]])
    for write in (
        lambda path: write_wmt_xml(wmt_xml_of(corpus), path),
        lambda path: write_sgml(sgml_of(corpus, "system", "a"), path),
    ):
        with pytest.raises(InputError) as raised:
            write(tmp_path / "out")
        assert raised.value.code == "MP131"
        assert not list(tmp_path.iterdir())


def test_sgml_of_several_roles_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        write_sgml(wmt_xml_of(Corpus({"a": ["x"]}, [["r"]])), tmp_path / "out")
    assert raised.value.code == "MP198"


@pytest.mark.parametrize("case", MALFORMED, ids=lambda case: f"{case.ending}: {case.name}")
def test_malformed_markup_is_refused_and_nothing_is_written(
    case: Malformed, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"bad.{case.ending}"
    path.write_bytes(case.content)
    read = read_wmt_xml if case.ending == "xml" else read_sgml
    with pytest.raises(MetaphraseError) as raised:
        read(path)
    assert raised.value.code == case.code
    assert str(path) in str(raised.value)
    if case.line is not None:
        assert raised.value.line == case.line
    # The same on the way through the command line, to which a damaged beginning may look like plain text.
    texts = ["--corpus", str(path)] if case.ending == "xml" else [str(path), "-i", str(path)]
    assert main(["convert", *texts, "--to", "jsonl", "-o", str(tmp_path / "out.jsonl")]) == 1
    assert "bad." in capsys.readouterr().err
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_a_huge_field_is_read(tmp_path: Path) -> None:
    text = "word " * 2_000_000  # 10 MB
    corpus = Corpus({"a": [text]}, [["r"]])
    write_wmt_xml(wmt_xml_of(corpus), tmp_path / "a.xml.gz")
    assert gzip.decompress((tmp_path / "a.xml.gz").read_bytes()).startswith(b"<?xml")
    assert read_wmt_xml(tmp_path / "a.xml.gz").column("system", "a") == {("all", "1"): text}
    write_sgml(sgml_of(corpus, "system", "a"), tmp_path / "a.sgm")
    assert read_sgml(tmp_path / "a.sgm").column("system", "a") == {("all", "1"): text}
