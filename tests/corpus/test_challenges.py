"""Challenge sets: tables of one's own, files of DEMETR, folders of them, and what is wrong with each."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from corpus.conftest import Refused
from metaphrase.corpus.challenges import Challenge
from metaphrase.corpus.formats import format_of
from metaphrase.corpus.formats.challenges.tables import write_challenges
from metaphrase.corpus.formats.registry import formats, head_of
from metaphrase.corpus.opening import CorpusFiles, open_corpus
from metaphrase.corpus.opening.challenges import read_challenges
from metaphrase.errors import MetaphraseError

HEADER = "kind\treference\tgood\tbad"
ROW = "numbers\tIt is 9.\tIt's 9.\tIt's 8."
REFERENCE, FINE = "The cat sleeps.", "A cat is sleeping."


def item(number: int, name: str, text: str, **more: Any) -> dict[str, Any]:
    """An item as DEMETR has it; the error could not be put into a text that is as it was."""
    return {
        "id": number,
        "src_sent": "Die Katze schläft.",
        "eng_sent": REFERENCE,
        "mt_sent": FINE,
        "pert_sent": text,
        "pert_check": text != FINE,
        "severity": name.split("_")[0],
        "pert_name": name,
        **more,
    }


def write_demetr(folder: Path, name: str, *texts: str) -> Path:
    path = folder / f"{name}.json.gz"
    rows = [item(number, name, text) for number, text in enumerate(texts, 1)]
    path.write_bytes(gzip.compress(json.dumps(rows, indent=2, ensure_ascii=False).encode()))
    return path


class TestTables:
    def test_optional_columns_may_be_missing(self, tmp_path: Path) -> None:
        path = tmp_path / "probe.tsv"
        path.write_text(f"{HEADER}\n{ROW}\n")
        (only,) = read_challenges(path)
        assert (only.kind, only.good, only.bad) == ("numbers", "It's 9.", "It's 8.")
        assert (only.severity, only.source, only.id) == ("", "", "")
        assert (only.path, only.line) == (str(path), 2)

    @pytest.mark.parametrize("name", ["probe.tsv", "probe.jsonl", "probe.tsv.gz"])
    def test_what_is_written_is_read_back(self, name: str, tmp_path: Path) -> None:
        items = [
            Challenge(kind="order", severity="minor", reference="a b", good="a", bad="", id="7"),
            Challenge(kind="names", reference='"x', good="ü", bad="u", source="s"),
        ]
        write_challenges(items, tmp_path / name)
        found = read_challenges(tmp_path / name)
        plain = [
            Challenge(**{key: getattr(one, key) for key in ("kind", "severity", "reference", "good", "bad")},
                      id=one.id, source=one.source)
            for one in found
        ]  # fmt: skip
        assert plain == items

    def test_a_number_may_be_the_id(self, tmp_path: Path) -> None:
        path = tmp_path / "probe.jsonl"
        path.write_text('{"kind": "k", "reference": "r", "good": "g", "bad": "b", "id": 7}\n')
        assert read_challenges(path)[0].id == "7"

    @pytest.mark.parametrize(
        ("name", "content", "code", "line"),
        [
            ("a.tsv", f"{HEADER}\n{ROW}\nnumbers\tr\tsame\tsame\n", "MP757", 3),
            ("a.tsv", f"{HEADER}\n\tr\tg\tb\n", "MP757", 2),
            ("a.tsv", f"{HEADER}\nk\t \tg\tb\n", "MP757", 2),
            ("a.tsv", f"{HEADER}\nk\tr\tg\n", "MP141", 2),
            ("a.tsv", f"{HEADER}\n", "MP113", None),
            ("a.tsv", f"{HEADER}\tbad\n{ROW}\tx\n", "MP140", 1),
            ("a.jsonl", '{"kind": "k", "reference": "r", "good": "g", "bad": 1}\n', "MP103", 1),
            (
                "a.jsonl",
                '{"kind": "k", "reference": "r", "good": "g", "bad": "b"}\n{"kind": "k"}\n',
                "MP757",
                2,
            ),
            (
                "a.jsonl",
                '{"kind": "k", "reference": "r", "good": "g", "bad": "b"}\nno\n',
                "MP142",
                2,
            ),
        ],
    )
    def test_mistakes_are_named_with_their_line(
        self, name: str, content: str, code: str, line: int | None, tmp_path: Path, refused: Refused
    ) -> None:
        path = tmp_path / name
        path.write_text(content)
        with refused(code, path=path, line=line):
            read_challenges(path)

    def test_a_text_with_a_tab_needs_another_format(self, tmp_path: Path, refused: Refused) -> None:
        items = [Challenge(kind="k", reference="a\tb", good="g", bad="b")]
        with refused("MP131", "JSONL", path=tmp_path / "a.tsv", line=2):
            write_challenges(items, tmp_path / "a.tsv")
        assert not (tmp_path / "a.tsv").exists()
        write_challenges(items, tmp_path / "a.jsonl")
        assert read_challenges(tmp_path / "a.jsonl")[0].reference == "a\tb"


class TestDemetr:
    def test_the_translation_is_better_than_the_spoilt_one(self, tmp_path: Path) -> None:
        path = write_demetr(tmp_path, "critical_id10_numbers_replaced", "A dog.", FINE, "Cats.")
        first, last = read_challenges(path)  # one has no error, and does not count
        assert (first.kind, first.severity) == ("numbers replaced", "critical")
        assert (first.good, first.bad, first.id, last.id) == (FINE, "A dog.", "1", "3")
        assert (first.path, first.line) == (str(path), 2)
        assert last.line > first.line

    def test_the_reference_is_better_than_the_translation(self, tmp_path: Path) -> None:
        (only,) = read_challenges(write_demetr(tmp_path, "base_id35_reference", REFERENCE))
        assert (only.good, only.bad) == (REFERENCE, FINE)

    @pytest.mark.parametrize(
        ("content", "line", "said"),
        [
            ('{"pert_sent": "mt_sent", "eng_sent": ""}', 1, "bracket"),
            ("[]", 1, "no JSON"),
            ("[1]", 1, "is no object"),
            ("[{}]", 1, "'src_sent'"),
            (json.dumps([item(1, "a_id1_b", "x", id="1")]), 1, "'id'"),
            (json.dumps([item(1, "a_id1_b", "x", pert_check=1)]), 1, "'pert_check'"),
            (json.dumps([item(1, "a_id1_b", "x", eng_sent=" ")]), 1, "no reference"),
            (json.dumps([item(1, "a_id1_b", "\ud800")]), 1, "surrogate"),
            (json.dumps([item(1, "a_id1_b", "x")]) + "x", 1, "follows its end"),
            (json.dumps([item(1, "a_id1_b", "x")])[:-1] + ",\n\n7]", 3, "is no object"),
            ("[" * 100_000, 1, "too deeply"),
        ],
    )
    def test_damage_is_named_with_its_line(
        self, content: str, line: int, said: str, tmp_path: Path, refused: Refused
    ) -> None:
        from metaphrase.corpus.formats.challenges.demetr import read_demetr

        path = tmp_path / "a.json"
        path.write_text(content)
        with refused("MP758", said, path=path, line=line):
            read_demetr(path)


class TestOpening:
    def test_a_folder_is_read_in_the_order_of_its_numbers(self, tmp_path: Path) -> None:
        for name in ("critical_id10_noun_removed", "critical_id9_antonym"):
            write_demetr(tmp_path, name, "A dog.")
        (tmp_path / "LICENSE").write_text("MIT\n")
        (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
        assert [one.kind for one in read_challenges(tmp_path)] == ["antonym", "noun removed"]

    def test_what_is_no_challenge_set_is_refused(self, tmp_path: Path, refused: Refused) -> None:
        text, table = tmp_path / "a.txt", tmp_path / "b.tsv"
        text.write_text("A sentence.\n")
        table.write_text("reference\thypothesis\nr\th\n")
        with refused("MP759", "plain text", path=text):
            read_challenges(text)
        with refused("MP759", "a table of texts", path=table):
            read_challenges(table)
        with refused("MP759", "The folder", path=tmp_path):
            read_challenges(tmp_path)
        with refused("MP110", path=tmp_path / "none"):
            read_challenges(tmp_path / "none")

    def test_one_format_recognises_each(self, tmp_path: Path) -> None:
        table, lines = tmp_path / "a.tsv", tmp_path / "a.jsonl"
        table.write_text(f"{HEADER}\n{ROW}\n")
        lines.write_text('{"kind": "k", "reference": "r", "good": "g", "bad": "b"}\n')
        files = (table, lines, write_demetr(tmp_path, "a_id1_b", "A dog."))
        for path in files:
            head = head_of(path)
            special = [one for one in formats().values() if not one.is_general]
            assert sum(one.recognises(head) for one in special) == 1
        names = [found.name for path in files if (found := format_of(path)) is not None]
        assert names == ["challenges-tsv", "challenges-jsonl", "demetr"]

    def test_a_challenge_set_is_no_text(self, tmp_path: Path) -> None:
        path = tmp_path / "a.tsv"
        path.write_text(f"{HEADER}\n{ROW}\n")
        files = CorpusFiles(references=[str(path)], hypotheses=[str(path)])
        with pytest.raises(MetaphraseError, match="metaphrase probe"):
            list(open_corpus(files))
