"""What training selects: phrases that share translations and could stand for each other."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from training.paraphrases.__main__ import main
from training.paraphrases.corpora import Surfaces, foreign_words
from training.paraphrases.selection import are_alike, written

from metaphrase.learning import PackedText
from metaphrase.lexicon import ParaphraseTable


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("buy/VERB", "purchase/VERB"),
        ("decide/VERB", "decision/NOUN"),
        ("germany/PROPN", "german/ADJ"),
        ("occur/VERB", "take/VERB place/NOUN"),
        ("carry/VERB out/ADP", "perform/VERB"),
        ("generally/ADV", "in/ADP general/NOUN"),
        ("medicine/NOUN", "medicinal/ADJ product/NOUN"),
    ],
)
def test_phrases_of_one_kind_may_paraphrase_each_other(first: str, second: str) -> None:
    assert are_alike(first.split(), second.split())
    assert are_alike(second.split(), first.split())


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("on/ADP", "over/ADP"),  # function words
        ("1999/NUM", "2000/NUM"),
        ("12/NOUN", "dozen/NOUN"),
        ("house/NOUN", "the/DET house/NOUN"),  # one inside the other
        ("strategic/ADJ goal/NOUN", "strategic/ADJ aim/NOUN"),  # goal and aim say it all
        ("safety/NOUN", "on/ADP security/NOUN"),  # a piece of a larger phrase
        ("for/ADP worker/NOUN", "of/ADP employee/NOUN"),
        ("wide/ADJ", "more/ADV extensive/ADJ"),  # a degree
        ("take/VERB", "carry/VERB out/ADP"),  # too general alone
        ("possible/ADJ", "impossible/ADJ"),
        ("horses/NOUN", "horse/NOUN"),  # an inflection that the tagger missed
        ("speech/NOUN", "say/VERB something/NOUN"),
    ],
)
def test_others_do_not(first: str, second: str) -> None:
    assert not are_alike(first.split(), second.split())


def test_a_phrase_is_written_in_the_ways_that_it_was_seen() -> None:
    surfaces = Surfaces()
    units = [["take/VERB", "place/NOUN"]] * 250
    forms = [["takes", "place"]] * 50 + [["took", "place"]] * 199 + [["tok", "place"]]
    surfaces.add(PackedText.pack(units), PackedText.pack(forms))
    assert written("take/VERB place/NOUN", surfaces) == ["takes place", "took place"]
    assert written("place/NOUN", surfaces) == ["place"]


def test_french_elisions_are_words() -> None:
    assert foreign_words("Aujourd'hui, l'État qu’il n'aime pas.", "fr") == [
        *("aujourd'hui", ",", "l'", "état", "qu’", "il", "n'", "aime", "pas", ".")
    ]


def write_corpus(directory: Path) -> None:
    """Both verbs have one translation in each language, as have the nouns among themselves."""
    english, nouns = [], ["book", "house", "car", "ship", "horse", "chair"]
    for verb in ("buy", "purchase", "see"):
        english += [f"They {verb} a {noun} today ." for noun in nouns]
    verbs = {"buy": "v1", "purchase": "v1", "see": "v2"}
    parallel = directory / "parallel"
    parallel.mkdir()

    def write(name: str, lines: list[str]) -> None:
        (parallel / name).write_bytes(gzip.compress("\n".join(lines).encode() + b"\n"))

    write("news.en.gz", ["Nothing ."])
    for language in ("de", "es", "fr"):
        foreign = []
        for line in english:
            they, verb, a, noun, today, stop = line.split()
            words = [f"{they}x", verbs[verb], f"{a}x", f"{noun}x", f"{today}x"]
            foreign.append(" ".join(f"{word}{language}" for word in words) + f" {stop}")
        write(f"news.{language}.gz", [f"nichts{language} ."])
        write(f"europarl.{language}-en.en.gz", english)
        write(f"europarl.{language}-en.{language}.gz", foreign)


def test_verbs_with_one_translation_become_paraphrases_the_same_every_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_corpus(tmp_path)
    monkeypatch.setenv("METAPHRASE_DATA", str(tmp_path))
    outputs = [tmp_path / "one.bin", tmp_path / "two.bin"]
    for output in outputs:
        main([str(output), "--list", str(tmp_path / "pairs.tsv")])
    table = ParaphraseTable(outputs[0])
    assert [paraphrase for paraphrase, _ in table.lookup("buy")] == ["purchase"]
    assert table.lookup("see") == []
    assert "buy/VERB\tpurchase/VERB\t" in (tmp_path / "pairs.tsv").read_text("utf-8")
    assert outputs[0].read_bytes() == outputs[1].read_bytes()
