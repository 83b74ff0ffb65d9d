"""Thesauri in the MyThes format."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from metaphrase import TeslaM, lexicon
from metaphrase.errors import InputError, ResourceError
from metaphrase.lexicon import MyThes, SynonymSets

THESAURUS = """\
UTF-8
auto|2
-|Auto|Wagen|Karre (ugs.)|Fahrzeug (Oberbegriff)|fahrbarer Untersatz (ugs.)
-|(das) Automobil|Pkw (Abkürzung) (fachspr.)
haus|1
(noun)|Gebäude
leer|0
"""


def write(directory: Path, text: str = THESAURUS, name: str = "th_de_DE_v2.dat") -> Path:
    path = directory / name
    path.write_bytes(text.encode(text.split("\n")[0] if text.startswith("ISO") else "utf-8"))
    return path


def neighbours(source: lexicon.SynonymSource, words: list[str]) -> dict[str, list[str]]:
    offsets, related = source.synonym_graph(words)
    return {
        word: [words[k] for k in related[offsets[i] : offsets[i + 1]]]
        for i, word in enumerate(words)
    }


def test_remarks_are_stripped_and_superordinate_terms_left_out(tmp_path: Path) -> None:
    thesaurus = MyThes(write(tmp_path))
    assert thesaurus.synonyms("Auto") == {
        "wagen",
        "karre",
        "fahrbarer untersatz",
        "automobil",
        "pkw",
    }
    assert thesaurus.synonyms("leer") == frozenset()
    assert thesaurus.synonyms("unbekannt") == frozenset()


def test_words_are_synonyms_if_the_entry_of_one_lists_the_other(tmp_path: Path) -> None:
    words = ["wagen", "auto", "haus", "gebäude", "karre", "fahrzeug"]
    assert neighbours(MyThes(write(tmp_path)), words) == {
        "wagen": ["auto"],
        "auto": ["wagen", "karre"],
        "haus": ["gebäude"],
        "gebäude": ["haus"],
        "karre": ["auto"],
        "fahrzeug": [],
    }


def test_case_does_not_matter(tmp_path: Path) -> None:
    graph = neighbours(MyThes(write(tmp_path)), ["Wagen", "AUTO", "auto"])
    assert graph == {
        "Wagen": ["AUTO", "auto"],
        "AUTO": ["Wagen", "auto"],
        "auto": ["Wagen", "AUTO"],
    }


def test_no_words_have_no_synonyms(tmp_path: Path) -> None:
    offsets, related = MyThes(write(tmp_path)).synonym_graph([])
    assert offsets.tolist() == [0]
    assert related.dtype == np.int32


def test_the_encoding_is_the_one_of_the_first_line(tmp_path: Path) -> None:
    text = "ISO8859-1\r\nniño|1\r\n-|crío|chaval\r\n"
    assert MyThes(write(tmp_path, text)).synonyms("niño") == {"crío", "chaval"}


@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        (b"", "MP322", 1),
        (b"klingon\nword|1\n-|other\n", "MP322", 1),
        (b"UTF-8\ngut|1\n-|\xff\n", "MP322", 3),
        (b"UTF-8\ngut|1\n-|brav\n-|fein\n", "MP323", 4),
        (b"UTF-8\ngut|two\n-|brav\n", "MP323", 2),
        (b"UTF-8\ngut|9\n-|brav\n", "MP323", 2),
        (b"UTF-8\nno entry\n", "MP323", 2),
    ],
)
def test_a_damaged_file_is_refused_with_file_and_line(
    tmp_path: Path, content: bytes, code: str, line: int
) -> None:
    path = tmp_path / "th_de_DE.dat"
    path.write_bytes(content)
    with pytest.raises(ResourceError) as caught:
        MyThes(path)
    assert (caught.value.code, caught.value.line) == (code, line)
    assert caught.value.path == str(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="MP321"):
        lexicon.load(f"mythes:{tmp_path / 'none.dat'}")


def test_the_search_path_is_the_users_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "UTF-8\nder|0\n", "th_de_AT_v2.dat")
    own = write(tmp_path)
    monkeypatch.setenv("METAPHRASE_MYTHES", str(tmp_path))
    found = lexicon.load("mythes:de")
    assert isinstance(found, MyThes)
    assert (found.path, found.name) == (own, "mythes:de")
    assert found.fingerprint == MyThes(own).fingerprint


@pytest.mark.parametrize("name", ["deu", "German", "Deutsch", "DE"])
def test_a_language_goes_by_any_of_its_names(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = write(tmp_path)
    monkeypatch.setenv("METAPHRASE_MYTHES", str(tmp_path))
    found = lexicon.load(f"mythes:{name}")
    assert isinstance(found, MyThes)
    assert (found.path, found.name) == (own, "mythes:de")


def test_the_country_that_is_named_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path)
    swiss = write(tmp_path, "UTF-8\nder|0\n", "th_de_CH_v2.dat")
    monkeypatch.setenv("METAPHRASE_MYTHES", str(tmp_path))
    for name in ("de_CH", "de-CH"):
        found = lexicon.load(f"mythes:{name}")
        assert isinstance(found, MyThes)
        assert (found.path, found.name) == (swiss, "mythes:de_CH")


def test_what_has_an_ending_or_a_folder_is_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "UTF-8\nleer|0\n", "de")
    own = write(tmp_path, "UTF-8\nleer|0\n", "de.dat")
    monkeypatch.chdir(tmp_path)
    for name in ("de.dat", "./de", str(own)):
        found = lexicon.load(f"mythes:{name}")
        assert isinstance(found, MyThes)
        assert found.name == Path(name).name


def test_a_language_without_a_thesaurus_is_told_how_to_get_one() -> None:
    with pytest.raises(ResourceError, match=r"MP320.*apt-get install mythes-xx.*METAPHRASE_MYTHES"):
        lexicon.load("mythes:xx")


def test_tesla_m_counts_synonyms_and_names_the_thesaurus(tmp_path: Path) -> None:
    path = write(tmp_path)
    plain, informed = TeslaM(lang="de"), TeslaM(lang="de", synonyms=f"mythes:{path}")
    texts = "Das Auto steht dort.", ["Der Wagen steht dort."]
    assert float(informed.sentence_score(*texts)) > float(plain.sentence_score(*texts))
    assert "|synonyms:none@" in str(plain.signature())
    assert "|synonyms:th_de_DE_v2.dat@" in str(informed.signature())


def test_a_file_of_synonyms_without_a_set_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("one\ntwo\n")
    with pytest.raises(InputError, match=r"MP306.*words\.txt"):
        SynonymSets.read(str(path))
