"""``metaphrase check``: what it prints, and with which code it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.bundled import Fails, Prints
from metaphrase.cli import main

SOURCES = "Delete 12 files?\nHello %s, this is <b>us</b>.\nThe cat\n"
TARGETS = "21 Dateien löschen.\nHallo %s, das sind <b>wir</b>.\nDie Katze\n"
XLIFF = """<?xml version="1.0"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
 <file original="menu" source-language="en" target-language="de" datatype="plaintext"><body>
  <trans-unit id="save" maxwidth="8" size-unit="char">
   <source>Save <g id="1">all</g></source><target><g id="1">Alle</g> sichern</target></trans-unit>
  <trans-unit id="open"><source>Open <x id="2"/></source><target>Öffnen</target></trans-unit>
 </body></file>
</xliff>
"""


@pytest.fixture
def texts(tmp_path: Path) -> tuple[str, ...]:
    (tmp_path / "source.txt").write_text(SOURCES, "utf-8")
    (tmp_path / "target.txt").write_text(TARGETS, "utf-8")
    source, target = str(tmp_path / "source.txt"), str(tmp_path / "target.txt")
    return ("check", "-s", source, "-i", target, "--source-language", "en", "-l", "de")


def test_places_are_marked_and_findings_counted(
    texts: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(texts) == 1
    out = capsys.readouterr().out
    assert "  target  21 Dateien löschen.\n          ^^                ^\n" in out
    assert "  critical  numbers/changed  12 has become 21." in out
    assert "2 findings (1 critical, 1 minor) in 1 of 3 segments." in out


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ((), 1),
        (("--fail-on", "never"), 0),
        (("--off", "numbers"), 0),
        (("--off", "numbers", "--fail-on", "minor"), 1),
        (("--severity", "numbers=major"), 0),
        (("--severity", "numbers=major", "--fail-on", "major"), 1),
        (("--only", "tags", "--fail-on", "minor"), 0),
    ],
)
def test_the_exit_code_follows_the_worst_finding(
    options: tuple[str, ...], code: int, texts: tuple[str, ...]
) -> None:
    assert main([*texts, *options]) == code


def test_findings_that_are_not_shown_count_nevertheless(
    texts: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*texts, "--show", "major", "--off", "numbers", "--fail-on", "minor"]) == 1
    out = capsys.readouterr().out
    assert "segment 1" not in out
    assert "1 finding (1 minor)" in out


def test_programs_get_json_and_tables(texts: tuple[str, ...], prints: Prints) -> None:
    calm = ("--fail-on", "never")
    result = json.loads(prints(*texts, *calm, "--format", "json"))
    assert result["counts"]["codes"] == {"numbers/changed": 1, "punctuation/end": 1}
    (file,) = result["files"]
    assert (file["name"], file["language"], file["segments"]) == ("target", "de", 3)
    assert [finding["start"] for finding in result["findings"]] == [0, 18]
    assert result["findings"][0]["issue"] == "numbers"
    header, first, _ = prints(*texts, *calm, "--format", "tsv").splitlines()
    assert dict(zip(header.split("\t"), first.split("\t"), strict=True))["found"] == "21"
    lines = prints(*texts, *calm, "--format", "jsonl").splitlines()
    assert [json.loads(line)["code"] for line in lines] == ["numbers/changed", "punctuation/end"]


def test_a_localisation_file_knows_its_languages_ids_and_limits(
    tmp_path: Path, prints: Prints
) -> None:
    path = tmp_path / "menu.xlf"
    path.write_text(XLIFF, "utf-8")
    result = json.loads(prints("check", path, "--format", "json", "--fail-on", "never"))
    (file,) = result["files"]
    assert (file["source_language"], file["language"]) == ("en", "de")
    assert [(f["unit"], f["code"]) for f in result["findings"]] == [
        ("save", "length/limit"),
        ("open", "tags/missing"),
    ]


def test_a_catalogue_of_gettext_is_checked(tmp_path: Path, prints: Prints) -> None:
    path = tmp_path / "de.po"
    head = 'msgid ""\nmsgstr "Language: de\\nContent-Type: text/plain; charset=UTF-8\\n"\n\n'
    path.write_text(f'{head}msgid "%d files"\nmsgstr "%s Dateien"\n', "utf-8")
    result = json.loads(prints("check", path, "--format", "json", "--fail-on", "never"))
    assert result["counts"]["codes"] == {"placeholders/changed": 1}


def test_tables_with_and_without_references_are_taken(tmp_path: Path, prints: Prints) -> None:
    two, many = tmp_path / "two.tsv", tmp_path / "many.tsv"
    two.write_text("source\ttarget\n12 cats\t13 Katzen\n", "utf-8")
    many.write_text("source\treference\ta\tb\n12 cats\t12 Katzen\t12 Katzen\t13 Katzen\n", "utf-8")
    calm = ("-l", "de", "--format", "tsv", "--fail-on", "never")
    assert len(prints("check", two, *calm).splitlines()) == 2
    (_, row) = prints("check", many, *calm).splitlines()
    assert row.startswith(f"{many}: b\t1\t")


def test_a_glossary_adds_its_terms(texts: tuple[str, ...], tmp_path: Path, prints: Prints) -> None:
    (tmp_path / "terms.tsv").write_text("cat\tKater\n", "utf-8")
    out = prints(*texts, "--glossary", tmp_path / "terms.tsv", "--only", "terms")
    assert "“cat” should be “Kater”." in out


def test_all_codes_can_be_listed(prints: Prints) -> None:
    assert "placeholders/missing         critical  a placeholder of" in prints("check", "--list")


def test_what_makes_no_sense_is_refused(
    tmp_path: Path, texts: tuple[str, ...], fails: Fails
) -> None:
    source, target = texts[2], texts[4]
    fails(2, "MP897", "check")
    fails(2, ("MP897", "-i TARGET"), "check", "-s", source)
    fails(2, "MP897", "check", target, "-s", source, "-i", target)
    fails(2, "MP890", *texts, "--off", "nothing")
    fails(2, "MP891", *texts, "--severity", "numbers")
    fails(2, "MP891", *texts, "--severity", "numbers=bad")
    fails(2, "MP892", *texts, "--max-ratio", "0")
    fails(2, "MP110", "check", tmp_path / "nothing.xlf")
    fails(2, ("MP896", "source"), "check", source)
    (tmp_path / "short.txt").write_text("one\n", "utf-8")
    fails(2, "MP102", "check", "-s", source, "-i", str(tmp_path / "short.txt"))
    fails(2, "MP607", *texts, "-o", target)


def test_findings_can_be_written_into_the_file(tmp_path: Path, prints: Prints) -> None:
    path, found, output = (tmp_path / name for name in ("menu.xlf", "found.json", "out.xlf"))
    path.write_text(XLIFF, "utf-8")
    prints("check", path, "--format", "json", "--fail-on", "never", "-o", found)
    prints("convert", path, "--annotate", found, "-o", output)
    assert "tags/missing" in output.read_text("utf-8")


def test_string_tables_are_joined_by_their_keys(tmp_path: Path, prints: Prints) -> None:
    english, german = tmp_path / "en.json", tmp_path / "de.json"
    english.write_text('{"save": "Save {{n}} files", "open": "Open"}', "utf-8")
    german.write_text('{"open": "Öffnen", "save": "{{m}} Dateien sichern"}', "utf-8")
    calm = ("--format", "tsv", "--fail-on", "never", "--source-language", "en", "-l", "de")
    (_, row) = prints("check", "-s", english, "-i", german, *calm).splitlines()
    assert row.startswith("de\t2\tsave\tcritical\tplaceholders/changed")
