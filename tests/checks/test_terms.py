"""Terms of a glossary are found in any form of their words, and glossaries are read with care."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks.conftest import Codes
from metaphrase.checks import Glossary, Settings, Term, check, read_glossary
from metaphrase.checks.terms.reading import read_glossaries
from metaphrase.errors import InputError

GLOSSARY = Glossary(
    (
        Term("hard disk", ("Festplatte",), ("Harddisk",)),
        Term("file", ("Datei",)),
        Term("disk", ("Scheibe", "Platte")),
        Term("Word", ("Word",), case_sensitive=True),
    )
)


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("The files are open.", "Die Dateien sind offen.", []),
        ("The files are open.", "Die Akten sind offen.", ["terms/missing"]),
        ("The hard disks", "Die Festplatten", []),
        ("A hard disk error", "Ein Festplattenfehler", []),
        ("The hard disk", "Die Harddisk", ["terms/missing", "terms/forbidden"]),
        ("The disk", "Die Platte", []),
        ("In a word", "Mit einem Wort", []),
        ("In Word", "Im Textprogramm", ["terms/missing"]),
    ],
)
def test_a_term_is_known_in_any_form(
    source: str, target: str, expected: list[str], codes: Codes
) -> None:
    settings = Settings(only=["terms"], glossary=GLOSSARY)
    assert codes(source, target, settings=settings) == expected


@pytest.mark.parametrize(
    ("term", "target", "language", "expected"),
    [
        ("файл", "Откройте файлы.", "ru", 0),
        ("файл", "Откройте папки.", "ru", 1),
        ("文件", "打开文件。", "zh", 0),
        ("文件", "打开档案。", "zh", 1),
        ("soubor", "Otevřete soubory.", "cs", 0),
        ("fichier", "Ouvrez les fichiers.", "fr", 0),
    ],
)
def test_languages_with_and_without_an_analyser(
    term: str, target: str, language: str, expected: int
) -> None:
    settings = Settings(only=["terms"], glossary=Glossary((Term("file", (term,)),)))
    found = check(
        "Open the files.", target, source_language="en", language=language, settings=settings
    )
    assert len(found) == expected


def test_a_word_may_be_forbidden_everywhere() -> None:
    glossary = Glossary((Term("", (), ("user-friendly",)),))
    settings = Settings(only=["terms"], glossary=glossary)
    (finding,) = check("x", "A user-friendly menu", language="en", settings=settings)
    assert "A user-friendly menu"[finding.start : finding.end] == "user-friendly"


TBX = """<?xml version="1.0"?>
<tbx type="TBX-Basic" style="dca" xml:lang="en" xmlns="urn:iso:std:iso:30042:ed-2">
 <tbxHeader><fileDesc><sourceDesc><p>ours</p></sourceDesc></fileDesc></tbxHeader>
 <text><body>
  <conceptEntry id="1">
   <descrip type="subjectField">computers</descrip>
   <langSec xml:lang="en"><termSec><term>hard disk</term></termSec></langSec>
   <langSec xml:lang="de">
    <termSec><term>Festplatte</term></termSec>
    <termSec><term>Harddisk</term>
     <termNote type="administrativeStatus">deprecatedTerm-admn-sts</termNote></termSec>
   </langSec>
   <langSec xml:lang="fr"><termSec><term>disque dur</term></termSec></langSec>
  </conceptEntry>
 </body></text>
</tbx>
"""
MARTIF = """<?xml version="1.0"?>
<!DOCTYPE martif SYSTEM "TBXcoreStructV02.dtd">
<martif type="TBX" xml:lang="en"><text><body>
 <termEntry id="1">
  <langSet xml:lang="en"><tig><term>file</term></tig></langSet>
  <langSet xml:lang="de-DE"><ntig><termGrp><term>Datei</term>
   <termNote type="administrativeStatus">preferredTerm-admn-sts</termNote></termGrp></ntig></langSet>
 </termEntry>
</body></text></martif>
"""


def written(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def test_tbx_is_read_in_both_dialects(tmp_path: Path) -> None:
    new = read_glossary(
        written(tmp_path / "a.tbx", TBX), source_language="en", target_language="de"
    )
    assert new.terms == (Term("hard disk", ("Festplatte",), ("Harddisk",)),)
    old = read_glossary(written(tmp_path / "b.tbx", MARTIF), target_language="de")
    assert old.terms == (Term("file", ("Datei",)),)
    both = read_glossaries([tmp_path / "a.tbx", tmp_path / "b.tbx"], "en", "de")
    assert len(both.terms) == 2


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("file\tDatei\n", (Term("file", ("Datei",)),)),
        ("source\ttarget\nfile\tDatei|File\n", (Term("file", ("Datei", "File")),)),
        ("en\tde\nfile\tDatei\n", (Term("file", ("Datei",)),)),
        (
            "target\tsource\tstatus\tcase\tnote\nDatei\tfile\tpreferred\tno\tall\nFile\tfile\tforbidden\t\t\n",
            (Term("file", ("Datei",), note="all"), Term("file", (), ("File",))),
        ),
        ("# ours\n\nfile\tDatei\n", (Term("file", ("Datei",)),)),
    ],
)
def test_tables_are_read_with_and_without_a_header(
    text: str, terms: tuple[Term, ...], tmp_path: Path
) -> None:
    path = written(tmp_path / "terms.tsv", text)
    assert read_glossary(path, source_language="en", target_language="de").terms == terms


def test_rows_of_one_term_count_together(tmp_path: Path, codes: Codes) -> None:
    text = "source\ttarget\tstatus\nfile\tDatei\t\nfile\tAkte\tadmitted\nfile\tFile\tforbidden\n"
    glossary = read_glossary(written(tmp_path / "terms.tsv", text))
    settings = Settings(only=["terms"], glossary=glossary)
    assert codes("the file", "die Akte", settings=settings) == []
    assert codes("the file", "das File", settings=settings) == ["terms/missing", "terms/forbidden"]


@pytest.mark.parametrize(
    ("name", "text", "code", "words"),
    [
        ("a.tsv", "file\n", "MP894", "line 1"),
        ("a.tsv", "source\ttarget\nfile\tDatei\nfile\t\n", "MP894", "line 3"),
        ("a.tsv", "source\ttarget\n\tDatei\n", "MP894", "no term"),
        ("a.tsv", "source\ttarget\tstatus\nfile\tDatei\tgreat\n", "MP894", "'great'"),
        ("a.tsv", "source\ttarget\tcase\nfile\tDatei\tperhaps\n", "MP894", "perhaps"),
        ("a.tsv", "# nothing\n", "MP895", "no term"),
        ("a.tbx", "<html/>", "MP894", "<html>"),
        ("a.tbx", "<tbx><text><body/></text></tbx>", "MP895", "no entry"),
        ("a.tbx", TBX.replace('xml:lang="de"', ""), "MP894", "line 8"),
        ("a.tbx", TBX.replace("Harddisk", ""), "MP894", "empty"),
        ("a.tbx", TBX.replace("</tbx>", ""), "MP860", "line"),
        ("a.tbx", '<!DOCTYPE tbx [<!ENTITY a "b">]><tbx>&a;</tbx>', "MP861", "entity"),
        ("a.tbx", TBX.replace('"de"', '"it"'), "MP895", "languages"),
    ],
)
def test_a_bad_glossary_is_refused(
    name: str, text: str, code: str, words: str, tmp_path: Path
) -> None:
    path = written(tmp_path / name, text)
    with pytest.raises(InputError) as caught:
        read_glossary(path, source_language="en", target_language="de")
    assert caught.value.code == code
    assert words in str(caught.value)


def test_a_glossary_of_three_languages_needs_to_know_which(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"MP895.*en, de, fr"):
        read_glossary(written(tmp_path / "a.tbx", TBX), target_language="de")
