"""What is sent is checked before it is kept, and stays where it is put."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase.errors import MetaphraseError
from metaphrase.serve.evaluation_request import harmless, read_request
from metaphrase.serve.limits import Limits
from serve.requests import sent, work

LIMITS = Limits(systems=4)


def code(body: Any) -> str:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    with pytest.raises(MetaphraseError) as caught:
        read_request(data, LIMITS)
    return caught.value.code


def test_a_request_is_read_as_it_was_sent() -> None:
    request = read_request(json.dumps(work(title=" News ")).encode(), LIMITS)
    assert request.title == "News"
    assert request.metrics == ("chrf",)
    assert [file.name for file in request.systems] == ["system-a.txt", "system-b.txt"]
    assert request.source is None


def test_an_evaluation_without_a_title_is_known_by_its_systems() -> None:
    assert (
        read_request(json.dumps(work()).encode(), LIMITS).listed_as == "system-a.txt, system-b.txt"
    )
    many = [sent("x" * 60 + f"{i}.txt", "a\n") for i in range(3)]
    listed = read_request(json.dumps(work(systems=many)).encode(), LIMITS).listed_as
    assert len(listed) == 80


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff\xfe",
        b"{",
        b"[" * 100_000,
        b"[]",
        b"null",
        b'{"surprise": 1}',
        work(references="reference.txt"),
        work(check_language="no"),
        work(checks="all"),
        work(changes=1),
        work(on_error="ignore"),
        work(on_error=["skip"]),
        work(systems=[None]),
        work(systems=[{"text": "no name"}]),
        work(systems=[{"name": "neither"}]),
        work(systems=[{"name": "both", "text": "", "base64": ""}]),
        work(systems=[{"name": "a", "base64": "*"}]),
        work(systems=[{"name": "a", "text": 7}]),
        work(title=5),
        work(lang=None),
        work(metrics="bleu"),
        work(metrics=[1]),
        work(metrics=["bleu"] * 31),
    ],
    ids=lambda body: str(body)[-40:],
)
def test_what_is_no_request_is_refused(body: Any) -> None:
    assert code(body) == "MP826"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"metrics": []}, "MP514"),
        ({"lang": "../en"}, "MP528"),
        ({"metrics": ["blue"]}, "MP504"),
        ({"references": []}, "MP602"),
        ({"systems": []}, "MP101"),
        ({"systems": [sent(f"{i}.txt", "a\n") for i in range(4)]}, "MP835"),
        ({"metrics": ["bleu:" + "x" * 400]}, "MP836"),
    ],
)
def test_mistakes_have_the_codes_of_the_command_line(
    changes: dict[str, Any], expected: str
) -> None:
    assert code(work(**changes)) == expected


@pytest.mark.parametrize(
    "specification",
    [
        "cobalt:vectors=/etc/passwd",
        "cobalt:analyser=conllu:secret.conllu",
        "celab:dictionary=file:secret.txt",
        "ppda:model=secret.json",
        "tesla:resources=secret",
        "bleu:tokenize=../secret",
    ],
)
def test_options_that_may_name_files_are_not_taken(specification: str) -> None:
    assert code(work(metrics=[specification])) == "MP836"


@pytest.mark.parametrize(
    "specification", ["tesla-m:alpha=0.5", "bleu:lowercase=yes", "bleu:tokenize=zh", "pbe:tfidf"]
)
def test_numbers_choices_and_variants_are_taken(specification: str) -> None:
    body = json.dumps(work(metrics=[specification])).encode()
    assert read_request(body, LIMITS).metrics == (specification,)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("reference.txt", "reference.txt"),
        ("../../x", "x"),
        ("..\\..\\x.txt", "x.txt"),
        ("/etc/passwd", "passwd"),
        ("C:\\texts\\a.txt", "a.txt"),
        ("<script>.txt", "<script>.txt"),
        ("a\0b\n.txt", "a_b_.txt"),
        ("..", "unnamed"),
        ("", "unnamed"),
        ("-", "unnamed"),
        ("translations/", "unnamed"),
    ],
)
def test_names_lose_what_could_lead_elsewhere(name: str, expected: str) -> None:
    assert harmless(name) == expected


def test_a_very_long_name_keeps_its_ends() -> None:
    short = harmless("первая" * 1000 + ".conllu")
    assert len(short.encode()) <= 150
    assert short.startswith("первая")
    assert short.endswith(".conllu")


def test_a_file_may_have_the_name_of_a_folder_of_ours(tmp_path: Path) -> None:
    body = work(
        references=[sent("systems", "r"), sent("systems-1", "s")],
        systems=[sent("x", "1"), sent("x", "2"), sent("X", "3")],
    )
    kept = read_request(json.dumps(body).encode(), Limits()).save(tmp_path)
    texts = [(tmp_path / name).read_text() for name in kept["references"] + kept["systems"]]
    assert texts == ["r", "s", "1", "2", "3"]


@settings(max_examples=30)
@given(st.lists(st.text(max_size=300), min_size=1, max_size=6))
def test_whatever_files_are_called_they_are_kept_apart_in_their_folder(names: list[str]) -> None:
    from tempfile import TemporaryDirectory

    files = [sent(name, f"text {i}") for i, name in enumerate(names)]
    body = json.dumps(work(references=[files[0]], systems=files[1:] or files)).encode()
    request = read_request(body, Limits())
    with TemporaryDirectory() as name:
        folder = Path(name) / "files"
        folder.mkdir()
        kept = request.save(folder)
        paths = [folder / name for name in kept["references"] + kept["systems"]]
        contents = [file.content for file in (*request.references, *request.systems)]
        assert [path.read_bytes() for path in paths] == contents
        assert all(folder.resolve() in path.resolve().parents for path in paths)
        assert list(Path(name).iterdir()) == [folder]
