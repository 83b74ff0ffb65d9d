"""Direct assessment that counts segments otherwise than its test set."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from metaphrase.corpus.opening import JudgementFiles, read_judgement_files
from metaphrase.errors import InputError, OptionError

DOCUMENTS = ["news-9", "news-1", "talk", "news-5"]
SIZE = 12


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """Texts in documents that are not sorted, and scores that say how many words are right."""
    chance = random.Random(1)
    rows = []
    for document in DOCUMENTS:
        for _ in range(SIZE):
            words = [f"w{chance.randrange(1000)}" for _ in range(10)]
            right = chance.randrange(11)
            rows.append((document, words, [*words[:right], *("x" * 10)[right:]], right))
    texts = tmp_path / "texts.tsv"
    lines = ["document\treference\tA"]
    lines += [f"{doc}\t{' '.join(ref)}\t{' '.join(hyp)}" for doc, ref, hyp, _ in rows]
    texts.write_text("\n".join(lines) + "\n")
    by_line = enumerate(rows, 1)
    by_document = enumerate(sorted(rows, key=lambda row: row[0]), 1)
    found = {"texts": texts}
    for name, numbered in (("by_line", by_line), ("by_document", by_document)):
        found[name] = tmp_path / f"{name}.csv"
        scores = [f"A {number} {10 * right} {right / 5 - 1} 1" for number, (*_, right) in numbered]
        found[name].write_text("\n".join(["SYS SID RAW.SCR Z.SCR N", *scores]) + "\n")
    return found


def human(files: dict[str, Path], name: str, **options: object) -> list[float]:
    (judged,), _ = read_judgement_files(
        JudgementFiles(
            judgements=[str(files[name])],
            texts=[str(files["texts"])],
            language_pair="de-en",
            **options,  # type: ignore[arg-type]
        )
    )
    shares = {
        text: sum(word != "x" for word in text.hypothesis.split()) / 5 - 1 for text in judged.texts
    }
    assert judged.human[0].tolist() == pytest.approx(
        [shares[judged.texts[place]] for place in judged.text_of[0]]
    )
    return sorted(judged.human[0].tolist())


def test_line_numbers_are_taken_as_such(files: dict[str, Path]) -> None:
    human(files, "by_line")
    human(files, "by_line", segment_order="test-set")


def test_another_order_is_noticed_and_read_when_asked_for(files: dict[str, Path]) -> None:
    with pytest.raises(InputError, match="--segment-order sorted-documents") as caught:
        human(files, "by_document")
    assert caught.value.code == "MP157"
    assert human(files, "by_document", segment_order="sorted-documents") == human(files, "by_line")


def test_whoever_says_the_order_is_believed(files: dict[str, Path]) -> None:
    with pytest.raises(AssertionError):  # scores are beside other texts
        human(files, "by_document", segment_order="test-set")


def test_documents_that_are_not_there_cannot_be_sorted(files: dict[str, Path]) -> None:
    texts = files["texts"]
    lines = [line.partition("\t")[2] for line in texts.read_text().splitlines()]
    texts.write_text("\n".join(lines) + "\n")
    human(files, "by_line")
    with pytest.raises(OptionError, match="MP187"):
        human(files, "by_line", segment_order="sorted-documents")


def test_two_ways_to_say_it_are_one_too_many(files: dict[str, Path]) -> None:
    with pytest.raises(OptionError, match="MP187"):
        human(files, "by_line", segment_order="test-set", segment_ids=str(files["texts"]))
