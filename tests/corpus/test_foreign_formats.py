"""Markup and tables that nothing here reads are refused; text that looks a little like them is text."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from corpus.conftest import Refused
from metaphrase.corpus.opening import CorpusFiles, open_corpus

HTML = '\n  <!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">\n<p>Save\n'
SENTENCES = [f"This is sentence {number}, and it has a comma." for number in range(60)]
FOREIGN = {
    "HTML": HTML,
    "HTML, without a declaration": "<html>\n<head><title>Save</title></head>\n",
    "XML": '<?xml version="1.0"?>\n<resources>\n<string name="a">Save</string>\n</resources>\n',
    "JSON": json.dumps({"texts": SENTENCES}, indent=2),
    "JSON, in one line": json.dumps([{"de": "Speichern"}]),
    "JSON, one value per line": '{"src": "a", "mt": "b"}\n{"src": "c", "mt": "d"}\n',
    "CSV": 'source,score\nSave,1\n"Save, then go","2,\n3"\n',
    "CSV, with semicolons": 'id;en;de;fr\n1;"Save";"Speichern";"a"\n2;Go;Los;b\n',
    "a table with tabs": "source\tscore\nSave\t1\n",
    "a table with tabs, without a header": "".join(f"{n}\t{s}\n" for n, s in enumerate(SENTENCES)),
}
TEXT = {
    "an inline tag": "<b>Save</b> the file\n<i>now</i>\n",
    "an angle bracket": "< 5 minutes\nless than five\n",
    "stage directions": "[Applause]\n{laughs}\n[1] See below.\n",
    "a list of numbers": "[1]\n[2]\n",
    "an object among sentences": '{"a": 1}\nis JSON\n',
    "the word msgid": 'msgid is a keyword\nmsgstr "is" another\n',
    "commas": "No, no, no.\nWell, uh, yes.\nSource, target and text.\nText, image, sound.\n",
    "the names of columns alone": "source,target\n",
    "names of columns before sentences": "Source, target\nSave the file, then go, and come back.\nGo.\n",
    "a tab in every line of few": "-F\tStart in Farsi mode\n-H\tStart in Hebrew mode\n",
    "tabs here and there": "\n".join(SENTENCES[:20]) + "\nName:\tJoan\n",
}


def opened(path: Path, **more: Any) -> int:
    files = CorpusFiles(references=[str(path)], hypotheses=[f"A={path}"], **more)
    return sum(len(piece) for piece in open_corpus(files))


@pytest.mark.parametrize("name", FOREIGN)
def test_what_is_not_text_is_refused_with_what_it_is(
    name: str, tmp_path: Path, refused: Refused
) -> None:
    path = tmp_path / "text"
    path.write_text(FOREIGN[name])
    with refused("MP609", f"The file is {name.partition(',')[0]}", "--plain", path=path):
        opened(path)
    assert opened(path, plain=True) == len(path.read_text().splitlines())


@pytest.mark.parametrize("name", TEXT)
def test_text_stays_text(name: str, tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text(TEXT[name])
    assert opened(path, empty_references="keep") == len(TEXT[name].splitlines())


def test_gzip_hides_nothing(tmp_path: Path, refused: Refused) -> None:
    path = tmp_path / "text.gz"
    path.write_bytes(gzip.compress(HTML.encode()))
    with refused("MP609", "HTML", path=path):
        opened(path)


@pytest.mark.parametrize("name", ["HTML", "CSV", "JSON"])
def test_a_corpus_is_not_in_such_a_format_either(
    name: str, tmp_path: Path, refused: Refused
) -> None:
    path = tmp_path / "corpus"
    path.write_text(FOREIGN[name])
    with refused("MP609", f"The file is {name}", "not a corpus", path=path):
        list(open_corpus(CorpusFiles(corpus=str(path))))


def test_ids_of_documents_may_have_two_columns(tmp_path: Path) -> None:
    text, ids = tmp_path / "text", tmp_path / "documents"
    text.write_text("\n".join(SENTENCES) + "\n")
    ids.write_text("news\tstory\n" * len(SENTENCES))
    files = CorpusFiles(references=[str(text)], hypotheses=[f"A={text}"], documents=str(ids))
    assert sum(len(piece) for piece in open_corpus(files)) == len(SENTENCES)
