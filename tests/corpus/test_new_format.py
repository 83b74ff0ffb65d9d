"""A format of somebody else's, in one file, is a format like ours; and files are looked at once."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

from metaphrase.cli import main
from metaphrase.corpus import read_tsv
from metaphrase.corpus.formats import Format, Head, recognise, registry
from metaphrase.errors import MetaphraseError
from metrics.installed_plugins import install

EXAMPLES = Path(__file__).parents[2] / "examples"
FORMAT = str(EXAMPLES / "triplet_format.py")
THREE = "SRC Hund\nREF dog\nMT a dog\nSRC Katze\nREF cat\nMT cat\n"


pytestmark = pytest.mark.usefixtures("own_registry")


@pytest.fixture
def triplets(tmp_path: Path) -> str:
    path = tmp_path / "new.triplets"
    path.write_text(THREE)
    return str(path)


def test_a_loaded_format_is_scored(triplets: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["score", "--corpus", triplets, "-m", "bleu", "--format", "tsv"]
    assert main([*asked, "--load", FORMAT]) == 0
    assert "mt" in capsys.readouterr().out
    # The page says what belongs in such a file, and that it is short.
    assert len(Path(FORMAT).read_text().splitlines()) <= 60


def test_it_is_written_and_read_back(triplets: str, tmp_path: Path) -> None:
    table, again = str(tmp_path / "a.tsv"), str(tmp_path / "b.triplets")
    assert (
        main(["convert", "--corpus", triplets, "--to", "tsv", "-o", table, "--load", FORMAT]) == 0
    )
    assert read_tsv(table).sources == ("Hund", "Katze")
    assert (
        main(["convert", "--corpus", table, "--to", "triplets", "-o", again, "--load", FORMAT]) == 0
    )
    assert Path(again).read_text() == THREE


def test_without_the_file_it_is_plain_text(triplets: str) -> None:
    assert recognise(triplets).format is None


def test_an_installed_format_is_recognised(
    triplets: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "site"
    code = Path(FORMAT).read_text()
    install(
        folder,
        "three-lines",
        {"triplets": "three_lines_of_tests:TRIPLETS"},
        group="metaphrase.formats",
        three_lines_of_tests=code,
    )
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "three_lines_of_tests", raising=False)
    found = recognise(triplets).format
    assert found is not None
    assert found.name == "triplets"


def test_a_table_may_be_in_a_special_format(tmp_path: Path) -> None:
    def is_ours(head: Head) -> bool:
        return "loudness" in head.columns | head.fields

    files = {"a.tsv": "reference\tmt\tloudness\na\tb\t3\n", "a.jsonl": '{"loudness": 3}\n'}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    before = [recognise(tmp_path / name).description for name in files]
    assert all(description.startswith(("a table", "texts")) for description in before)
    loud = Format(name="loud", holds="texts", description="loud texts", recognises=is_ours)
    registry.load_formats([loud], "loud.py")
    assert [recognise(tmp_path / name).format for name in files] == [loud, loud]


@pytest.mark.parametrize(
    ("value", "code"),
    [("broken_of_tests:MARKS", "MP524"), ("absent_of_tests:TRIPLETS", "MP525")],
)
def test_what_is_no_format_is_told(
    value: str, code: str, triplets: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "site"
    install(
        folder,
        "broken",
        {"triplets": value},
        group="metaphrase.formats",
        broken_of_tests=Path(FORMAT).read_text(),
    )
    monkeypatch.syspath_prepend(folder)
    with pytest.raises(MetaphraseError, match=code):
        recognise(triplets)


def test_a_name_that_is_taken_is_refused(
    tmp_path: Path, triplets: str, capsys: pytest.CaptureFixture[str]
) -> None:
    clash = tmp_path / "clash.py"
    clash.write_text(Path(FORMAT).read_text().replace('name="triplets"', 'name="tsv"'))
    assert main(["score", "--corpus", triplets, "--load", str(clash)]) == 2
    assert "MP523" in capsys.readouterr().err


class TestFilesAreLookedAtOnce:
    """However many questions are asked about a file, its beginning is read once."""

    @pytest.fixture
    def looks(self, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
        counted: Counter[str] = Counter()
        head_of = registry.head_of

        def counting(path: str) -> object:
            counted[Path(path).name] += 1
            return head_of(path)

        monkeypatch.setattr(registry, "head_of", counting)
        return counted

    @pytest.mark.parametrize(
        "texts",
        [
            ["reference.txt", "system-a.txt"],
            ["localisation/reference.xlf", "localisation/mt.xlf"],
        ],
    )
    def test_references_and_systems(self, texts: list[str], looks: Counter[str]) -> None:
        reference, system = (str(EXAMPLES / name) for name in texts)
        assert main(["score", reference, "-i", system, "-m", "bleu", "--no-language-check"]) == 0
        assert looks == {Path(name).name: 1 for name in texts}

    def test_a_corpus(self, looks: Counter[str]) -> None:
        corpus = str(EXAMPLES / "segments.jsonl")
        systems = "hypothesis=fluent"
        assert main(["score", "--corpus", corpus, "--columns", systems, "-m", "bleu"]) == 0
        assert looks == {"segments.jsonl": 1}

    def test_a_conversion(self, looks: Counter[str], tmp_path: Path) -> None:
        units = str(EXAMPLES / "localisation" / "mt.xlf")
        assert main(["convert", units, "--to", "csv", "-o", str(tmp_path / "out.csv")]) == 0
        assert looks == {"mt.xlf": 1}

    def test_judgements(self, looks: Counter[str]) -> None:
        judged = str(EXAMPLES / "judgements.tsv")
        assert main(["meta", judged, "-m", "bleu", "--resamples", "0"]) == 0
        assert looks == {"judgements.tsv": 1}
