"""References and systems that are localisation files: joined by id, whatever their order."""

from __future__ import annotations

import json
import pickle
import warnings
from pathlib import Path

import pytest

from corpus.conftest import Refused
from corpus.malformed_units import po, tmx, xliff1
from corpus.test_tmx import tu
from metaphrase.cli import main
from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.opening import CorpusFiles, open_corpus, read


def unit(name: str, source: str, target: str = "", given: str = "") -> str:
    said = f"<target>{target}</target>" if target else ""
    return f'<trans-unit id="{name}" {given}><source>{source}</source>{said}</trans-unit>'


def opened(**given: object) -> Corpus:
    (corpus,) = open_corpus(CorpusFiles(**given))  # type: ignore[arg-type]
    return corpus


@pytest.fixture
def write(tmp_path: Path):  # type: ignore[no-untyped-def]
    def to(name: str, content: bytes | str) -> str:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return to


def test_units_are_joined_by_id_and_metrics_get_text_without_tags(write) -> None:  # type: ignore[no-untyped-def]
    reference = write("ref.xlf", xliff1(unit("a", "A", "eins") + unit("b", "B", 'z<x id="1"/>wei')))
    system = write("mt.xlf", xliff1(unit("b", "B", "zwo") + unit("a", "A", "eins\n  und")))
    corpus = opened(references=[reference], hypotheses=[system])
    assert corpus.ids == ("a", "b")
    assert corpus.references == (("eins", "zwei"),)
    assert dict(corpus.systems) == {"mt": ("eins und", "zwo")}
    assert (corpus.sources, corpus.documents) == (("A", "B"), ("a", "a"))
    assert corpus[1].id == "b"
    assert read(reference, [system]).ids == corpus.ids


def test_what_cannot_be_scored_is_left_out_and_counted(write) -> None:  # type: ignore[no-untyped-def]
    reference = write(
        "ref.xlf",
        xliff1(
            unit("a", "A", "eins") + unit("b", "B") + unit("c", "C", "drei")
            + unit("d", "D", "D", 'translate="no"') + unit("e", "E", "fünf")
        ),
    )  # fmt: skip
    system = write(
        "mt.xlf", xliff1(unit("a", "A", "ein") + unit("b", "B", "zwo") + unit("e", "E!", "fünf"))
    )
    with pytest.warns(UserWarning, match=r"4 of 5 units are left out: .*another source") as caught:
        corpus = opened(references=[reference], hypotheses=[system])
    assert corpus.ids == ("a",)
    for reason in ("1 not to be translated", f"1 without a translation in {reference}"):
        assert reason in str(caught[0].message)


def test_a_missing_target_may_be_empty_or_an_error(write, refused: Refused) -> None:  # type: ignore[no-untyped-def]
    reference = write("ref.xlf", xliff1(unit("a", "A", "eins") + unit("b", "B", "zwei")))
    system = write("mt.xlf", xliff1(unit("a", "A", "eins") + "\n" + unit("b", "B")))
    files = {"references": [reference], "hypotheses": [system]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert opened(**files, missing_targets="empty").systems["mt"] == ("eins", "")
    with refused("MP884", "'b'", path=system, line=5):
        opened(**files, missing_targets="error")


def test_files_without_a_unit_in_common_are_refused(write, refused: Refused) -> None:  # type: ignore[no-untyped-def]
    reference = write("ref.xlf", xliff1(unit("a", "A", "eins")))
    system = write("mt.xlf", xliff1(unit("b", "A", "eins")))
    with refused("MP870", "1 without a translation", path=reference):
        opened(references=[reference], hypotheses=[system])


def test_fuzzy_messages_are_no_translations(write) -> None:  # type: ignore[no-untyped-def]
    reference = write("ref.po", po('msgid "a"\nmsgstr "b"\n\n#, fuzzy\nmsgid "c"\nmsgstr "d"\n'))
    system = write("mt.po", po('msgid "a"\nmsgstr "x"\n\nmsgid "c"\nmsgstr "d"\n'))
    with pytest.warns(UserWarning, match="1 of 2 units are left out"):
        assert opened(references=[reference], hypotheses=[system]).ids == ("a",)


def test_a_memory_is_asked_by_source_in_the_language_of_the_system(write) -> None:  # type: ignore[no-untyped-def]
    memory = write(
        "memory.tmx", tmx(tu("A", "un", language="fr") + tu("A", "eins") + tu("B", "zwei"))
    )
    system = write("mt.xlf", xliff1(unit("x", "B", "zwo") + unit("y", "A", "eins")))
    corpus = opened(references=[memory], hypotheses=[system])
    assert (corpus.ids, corpus.references) == (("x", "y"), (("zwei", "eins"),))


def test_matches_of_one_file_are_systems(write) -> None:  # type: ignore[no-untyped-def]
    def match(origin: str, text: str, quality: int) -> str:
        return f'<alt-trans origin="{origin}" match-quality="{quality}"><target>{text}</target></alt-trans>'

    offers = match("MT", "zwo", 50) + match("TM", "zwei", 40) + match("TM", "drei", 90)
    path = write("all.xlf", xliff1(unit("a", "A", "eins").replace("</trans-", offers + "</trans-")))
    corpus = opened(corpus=path)
    assert dict(corpus.systems) == {"MT": ("zwo",), "TM": ("drei",)}
    assert corpus.references == (("eins",),)


def test_one_file_without_matches_is_no_corpus(write, refused: Refused) -> None:  # type: ignore[no-untyped-def]
    path = write("all.xlf", xliff1(unit("a", "A", "eins")))
    with refused("MP883", path=path):
        opened(corpus=path)


def test_sources_come_from_a_file_with_the_same_keys(write) -> None:  # type: ignore[no-untyped-def]
    files = {name: write(f"{name}.properties", f"a={name}\n") for name in ("en", "ref", "mt")}
    corpus = opened(references=[files["ref"]], hypotheses=[files["mt"]], sources=files["en"])
    assert (corpus.sources, corpus.references, corpus.systems["mt"]) == (
        ("en",),
        (("ref",),),
        ("mt",),
    )


def test_languages_must_agree(write, refused: Refused) -> None:  # type: ignore[no-untyped-def]
    reference = write("ref.xlf", xliff1(unit("a", "A", "eins")))
    system = write("mt.xlf", xliff1(unit("a", "A", "un")).replace(b'"de"', b'"fr"'))
    with refused("MP869", "target language is fr", path=system):
        opened(references=[reference], hypotheses=[system])


def test_units_and_lines_do_not_mix(write, refused: Refused) -> None:  # type: ignore[no-untyped-def]
    reference = write("ref.xlf", xliff1(unit("a", "A", "eins")))
    with refused("MP606", "mt.txt is not a localisation file"):
        opened(references=[reference], hypotheses=[write("mt.txt", "eins\n")])


@pytest.mark.parametrize("name", ["documents", "domains"])
def test_ids_by_line_are_refused(name: str, write, refused: Refused) -> None:  # type: ignore[no-untyped-def]
    reference = write("ref.xlf", xliff1(unit("a", "A", "eins")))
    with refused("MP601", f"--{name}"):
        opened(references=[reference], hypotheses=[f"mt={reference}"], **{name: reference})


@pytest.mark.parametrize("command", ["score", "explain", "report"])
def test_every_command_takes_them(
    command: str,
    write,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],  # type: ignore[no-untyped-def]
) -> None:
    reference = write("ref.xlf", xliff1(unit("a", "Save", "Speichern") + unit("b", "B", "zwei")))
    system = write("mt.xlf", xliff1(unit("b", "B", "zwo") + unit("a", "Save", "Sichern")))
    output = ["-o", str(tmp_path / "out.html")] if command == "report" else []
    assert main([command, reference, "-i", system, "-m", "chrf", "-l", "de", *output]) == 0


@pytest.mark.parametrize("to", ["tsv", "jsonl", "csv", "plain"])
def test_one_file_becomes_a_table(to: str, write, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = write("mt.xlf", xliff1(unit("b", "B, b", "zwo") + unit("a", "Save")))
    output = tmp_path / f"out.{to}"
    assert main(["convert", path, "--to", to, "-o", str(output)]) == 0
    if to == "plain":
        texts = {file.name: file.read_text() for file in output.iterdir()}
        assert texts == {"ids.txt": "b\na\n", "source.txt": "B, b\nSave\n", "target.txt": "zwo\n\n"}
    elif to in ("tsv", "csv"):
        from metaphrase.corpus.opening import read_units

        units = read_units(str(output)).units
        assert [(u.id, u.source.text, u.target and u.target.text) for u in units] == [
            ("b", "B, b", "zwo"), ("a", "Save", None),
        ]  # fmt: skip
    else:
        assert '"target": null' in output.read_text()


def test_scores_say_what_units_are_called(write, capsys: pytest.CaptureFixture[str]) -> None:  # type: ignore[no-untyped-def]
    reference = write(
        "ref.xlf", xliff1(unit("menu.save", "Save", "Speichern") + unit("b", "B", "zwei"))
    )
    score = [
        "score",
        reference,
        "-i",
        f"mt={reference}",
        "-m",
        "chrf",
        "-l",
        "de",
        "--level",
        "segment",
    ]
    assert main(score) == 0
    assert "      1  menu.save  mt      100.00" in capsys.readouterr().out.splitlines()
    assert main([*score, "--format", "json"]) == 0
    segments = json.loads(capsys.readouterr().out)["systems"][0]["segments"]
    assert [segment["id"] for segment in segments] == ["menu.save", "b"]


def test_a_corpus_keeps_its_ids() -> None:
    corpus = Corpus({"A": ["a", "b"]}, [["a", "b"]], ids=["x", "y"])
    assert corpus[1:].ids == corpus.select([1]).ids == ("y",)
    assert Corpus.join(corpus.pieces(1)).ids == pickle.loads(pickle.dumps(corpus)).ids == ("x", "y")


@pytest.mark.parametrize("to", ["tsv", "jsonl"])
def test_a_reference_and_a_system_become_a_corpus_with_ids(to: str, write, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    reference = write("ref.xlf", xliff1(unit("a", "A", "eins") + unit("b", "B", "zwei")))
    system = write("mt.xlf", xliff1(unit("b", "B", "zwo") + unit("a", "A", "eins")))
    output = tmp_path / f"out.{to}"
    assert main(["convert", reference, "-i", system, "--to", to, "-o", str(output)]) == 0
    assert (
        output.read_text().splitlines()[-1]
        == {
            "tsv": "b\ta\tB\tzwei\tzwo",
            "jsonl": '{"segment": "b", "document": "a", "source": "B", "references": ["zwei"], "mt": "zwo"}',
        }[to]
    )
    (again,) = open_corpus(CorpusFiles(corpus=str(output)))
    assert again.systems["mt"] == ("eins", "zwo")
