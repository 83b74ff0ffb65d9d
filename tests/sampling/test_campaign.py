"""Campaigns: what judges get, that it tells them nothing, and that everything comes back."""

from __future__ import annotations

import csv
import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.corpus import Corpus
from metaphrase.corpus.formats.judged.sample_key import read_key
from metaphrase.corpus.opening.ratings import read_ratings
from metaphrase.errors import InputError, OptionError
from metaphrase.sampling import Campaign, CampaignOptions, campaign_files, make_campaign
from metaphrase.sampling.control_items import degraded
from metaphrase.sampling.exporting import FORMS

WORDS = "one two three four five six seven eight nine ten".split()
CORPUS = Corpus(
    {
        name: [" ".join(np.roll(WORDS, i + shift)) for i in range(10)]
        for shift, name in enumerate(["a+b", "c"])
    },
    [[" ".join(np.roll(WORDS, i)) for i in range(10)]],
    sources=[f"Quelle {i}" for i in range(10)],
    documents=["d"] * 4 + ["e"] * 6,
)
CELLS = [(segment, system) for segment in range(10) for system in range(2)]


def made(**options: Any) -> Campaign:
    usual = {"name": "mine", "language_pair": "de-en", "judges": ["ann", "ben", "cem"]}
    return make_campaign(CORPUS, CELLS, CampaignOptions(**(usual | options)))


def test_every_judge_gets_every_translation_and_some_control_items() -> None:
    campaign = made()
    for items in campaign.tasks.values():
        kinds = Counter(item.kind for item in items)
        assert kinds == {"target": 20, "degraded": 5, "repeat": 5}
        assert len({item.id for item in items}) == len(items)


def test_a_part_for_each_is_shared_out_evenly() -> None:
    campaign = made(each_by=2, degraded=0, repeats=0)
    judged = Counter(item.id for items in campaign.tasks.values() for item in items)
    assert set(judged.values()) == {2}
    assert len(judged) == 20


def test_a_document_by_one_system_is_read_in_its_order() -> None:
    for items in made(degraded=0, repeats=0).tasks.values():
        blocks = Counter((item.document, item.system) for item in items)
        assert len(blocks) == 4
        for document, system in blocks:
            numbers = [
                (place, int(item.segment))
                for place, item in enumerate(items)
                if (item.document, item.system) == (document, system)
            ]
            places, segments = zip(*numbers, strict=True)
            assert list(places) == list(range(places[0], places[-1] + 1))
            assert list(segments) == sorted(segments)


def test_a_copy_never_stands_beside_its_original() -> None:
    for seed in range(20):
        for items in made(seed=seed).tasks.values():
            for one, other in pairwise(items):
                assert one.of != other.id
                assert other.of != one.id


def test_the_seed_decides_everything() -> None:
    assert made(seed=5) == made(seed=5)
    assert made(seed=5) != made(seed=6)


def test_ids_tell_nothing_about_systems() -> None:
    numbers = [int(item.id) for item in made().key.items if item.system == "c"]
    assert numbers != sorted(range(min(numbers), min(numbers) + len(numbers)))


@given(st.integers(1, 40), st.integers(0, 50))
def test_degraded_copies_keep_their_length_and_lose_a_phrase(length: int, seed: int) -> None:
    text = " ".join(f"w{i}" for i in range(length))
    other = " ".join(f"x{i}" for i in range(50))
    found = degraded(text, [other], "en", np.random.Generator(np.random.PCG64(seed))).split()
    assert len(found) == length
    changed = [place for place, word in enumerate(found) if word.startswith("x")]
    # Appraise, create_wmt22_tasks.py: (0, 1]: 1, (1, 5]: 2, (5, 8]: 3, (8, 15]: 4, (15, 20]: 5, more: 6.
    bounds = ((1, 1), (5, 2), (8, 3), (15, 4), (20, 5))
    assert len(changed) == next((n for most, n in bounds if length <= most), 6)
    assert changed == list(range(changed[0], changed[-1] + 1))


def test_chinese_is_degraded_by_characters() -> None:
    random = np.random.Generator(np.random.PCG64(1))
    found = degraded("一二三四五六七八九十", ["甲" * 30], "zh", random)
    assert len(found) == 10
    assert found.count("甲") == 8  # 4 words of (8, 15], doubled


def test_nothing_to_degrade_with() -> None:
    with pytest.raises(InputError, match="MP788"):
        degraded("a b c", ["a"], "en", np.random.Generator(np.random.PCG64(1)))


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"judges": []}, "MP786"),
        ({"judges": ["a", "a"]}, "MP786"),
        ({"each_by": 4}, "MP788"),
        ({"judges": [str(i) for i in range(9)], "each_by": 1}, "MP788"),
    ],
)
def test_what_cannot_be_shared_out(options: dict[str, Any], code: str) -> None:
    with pytest.raises(OptionError, match=code):
        made(**options)


def filled(campaign: Campaign, form: str, folder: Path) -> list[str]:
    """The campaign's files with a score of 50 for each item, as the tool of that form hands them back."""
    for name, content in campaign_files(campaign, form).items():
        (folder / name).write_bytes(content)
    if form == "appraise":
        lines = []
        for judge, batch in zip(
            campaign.tasks, json.loads((folder / "batches.json").read_text()), strict=True
        ):
            for item in batch["items"]:
                cells = (
                    judge,
                    item["targetID"],
                    item["itemID"],
                    item["itemType"],
                    "deu",
                    "eng",
                    50,
                )
                document = (item["documentID"], item["isCompleteDocument"], json.dumps(item["mqm"]))
                lines.append(",".join(map(str, (*cells, *document, 1.0, 9.0))))
        (folder / "results.csv").write_text("".join(f"{line}\n" for line in lines))
        return [str(folder / "results.csv")]
    if form == "pearmut":
        log = []
        tasks = json.loads((folder / "campaign.json").read_text())
        for judge, pages in zip(tasks["info"]["users"], tasks["data"], strict=True):
            for number, page in enumerate(pages):
                said = [{m: {"score": 50, "error_spans": []} for m in one["tgt"]} for one in page]
                log.append({"annotation": said, "item": page, "user_id": judge, "item_i": number})
        (folder / "annotations.json").write_text(json.dumps({"mine": log}))
        return [str(folder / "annotations.json")]
    paths = [folder / f"{judge}.{form}" for judge in campaign.tasks]
    for path in paths:
        if form == "xlsx":
            openpyxl = pytest.importorskip("openpyxl")
            book = openpyxl.load_workbook(path)
            for number in range(2, book.active.max_row + 1):
                book.active.cell(number, 5).value = 50
            book.save(path)
        else:
            with path.open(encoding="utf-8-sig", newline="") as stream:
                rows = list(csv.DictReader(stream))
            with path.open("w", encoding="utf-8", newline="") as stream:
                writer = csv.DictWriter(stream, list(rows[0]))
                writer.writeheader()
                writer.writerows(row | {"score": "50"} for row in rows)
    return [str(path) for path in paths]


@pytest.mark.parametrize("form", FORMS)
def test_what_was_exported_comes_back_whole(form: str, tmp_path: Path) -> None:
    if form == "xlsx":
        pytest.importorskip("openpyxl")
    campaign = made()
    paths = filled(campaign, form, tmp_path)
    (found,) = read_ratings(paths, key=read_key(tmp_path / "key.json"))
    expected = {(judge, item.id) for judge, items in campaign.tasks.items() for item in items}
    assert {(one.judge, one.item) for one in found.ratings} == expected
    judged = found.judgements()
    assert set(judged.systems) == {"a+b", "c"}
    assert judged.human.shape == (2, 10)
    assert (judged.human == 50).all()


def test_a_text_like_a_formula_stays_text(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    corpus = Corpus({"a": ["=1+1", "x y"], "b": ["+2", "y x"]}, [["r", "s"]])
    options = CampaignOptions(name="m", language_pair="de-en", degraded=0, repeats=0)
    campaign = make_campaign(corpus, [(0, 0), (0, 1)], options)
    path = tmp_path / "book.xlsx"
    path.write_bytes(campaign_files(campaign, "xlsx")["judge-1.xlsx"])
    sheet = openpyxl.load_workbook(path).active
    assert {(c.value, c.data_type) for c in sheet["D"][1:]} == {("=1+1", "s"), ("+2", "s")}
