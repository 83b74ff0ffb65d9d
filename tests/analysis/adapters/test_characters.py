"""Characters as tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase import analysis
from metaphrase.analysis.adapters.characters import CharacterAnalyser
from metaphrase.errors import InputError, OptionError


def tokens(text: str, *, presegmented: bool = False) -> list[str]:
    (sentence,) = CharacterAnalyser(presegmented=presegmented).analyse([text], ["form"])
    return list(sentence.form)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("买雨伞。", ["买", "雨", "伞", "。"]),
        ("Louis 告诉 KGO：", ["Louis", "告", "诉", "KGO", "："]),
        ("花了1,234.5元", ["花", "了", "1,234.5", "元"]),
        ("版本3.", ["版", "本", "3", "."]),
        (".5,", [".", "5", ","]),
        ("1,2,,3", ["1,2", ",", ",", "3"]),
        ("A380客机", ["A", "380", "客", "机"]),
        ("カタカナとひらがな", list("カタカナとひらがな")),
        ("한국어 말", list("한국어말")),
        ("Straßenbahn fährt", ["Straßenbahn", "fährt"]),
        ("привет мир", ["привет", "мир"]),
        ("e\u0301tude", ["e\u0301tude"]),
        ("か\u3099き", ["か\u3099", "き"]),
        ("ภาษา", list("ภาษา")),
        ("ქართული", ["ქართული"]),
        ("👩\u200d👧", ["👩\u200d", "👧"]),
        ("𠀀𠀁", ["𠀀", "𠀁"]),
        ("\u3000全角\u3000空格\t", ["全", "角", "空", "格"]),
        ("\u0301a", ["\u0301", "a"]),
        ("don't", ["don", "'", "t"]),
        ("", []),
        ("  ", []),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


def test_presegmented_text_is_cut_at_spaces() -> None:
    assert tokens("我 有 500 个 don't", presegmented=True) == ["我", "有", "500", "个", "don't"]
    assert analysis.load("characters", presegmented=True).name == "characters:presegmented"
    assert analysis.shared("characters:presegmented").name == "characters:presegmented"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A380 für iPads，买", [*"A", "380", *"für", *"iPads", *"，买"]),
        ("e\u0301t 1,5", ["e\u0301", "t", "1,5"]),
    ],
)
def test_letters_are_tokens_and_numbers_stay_whole(text: str, expected: list[str]) -> None:
    (sentence,) = analysis.load("characters:letters").analyse([text], ["form"])
    assert list(sentence.form) == expected


# What the table that ships makes of them; METRICS 3.1 says how.
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Regenschirm kaufen", ["regen", "schirm", "kaufen"]),
        ("regenschirm", ["regenschirm"]),
        ("die Straßenbahn", ["die", "straße", "n", "bahn"]),
        ("Regen-Schirm 中文ABC 3.14", ["regen", "-", "schirm", "中", "文", "abc", "3.14"]),
        ("Schirm", ["schirm"]),
        ("", []),
    ],
)
def test_compounds_are_cut_into_parts_and_linking_elements(text: str, expected: list[str]) -> None:
    (sentence,) = analysis.load("characters:de+compounds").analyse([text], ["form"])
    assert list(sentence.form) == expected
    for form, start, end in zip(sentence.form, sentence.start, sentence.end, strict=True):
        assert text[start:end].lower() == form


texts = st.lists(st.text(st.characters() | st.sampled_from("甲乙 a1.,\u0301\u3000"), max_size=12))


@given(texts=texts, presegmented=st.booleans())
def test_tokens_are_the_text_without_its_spaces(texts: list[str], presegmented: bool) -> None:
    batch = CharacterAnalyser(presegmented=presegmented).analyse(texts, ["form"])
    assert len(batch) == len(texts)
    for text, sentence in zip(texts, batch, strict=True):
        assert "".join(sentence.form) == "".join(c for c in text if not c.isspace())
        for form, start, end in zip(sentence.form, sentence.start, sentence.end, strict=True):
            assert text[start:end] == form


@given(texts=texts, compounds=st.booleans())
def test_smaller_units_spell_the_same_text(texts: list[str], compounds: bool) -> None:
    texts = [*texts, "Regenschirm"]
    batch = analysis.load(f"characters:{'de+compounds' if compounds else 'letters'}").analyse(
        texts, ["form"]
    )
    assert len(batch) == len(texts)
    assert len(set(batch.strings)) == len(batch.strings)
    for text, whole, sentence in zip(
        texts, CharacterAnalyser().analyse(texts, ["form"]), batch, strict=True
    ):
        cut = {*zip(sentence.start, sentence.start[1:], strict=False)}
        assert all(start < following for start, following in cut)
        assert {*whole.start} <= {*sentence.start}
        assert {*whole.end} <= {*sentence.end}
        for form, start, end in zip(sentence.form, sentence.start, sentence.end, strict=True):
            assert form == (text[start:end].lower() if compounds else text[start:end])


@given(texts=texts)
def test_texts_do_not_depend_on_each_other(texts: list[str]) -> None:
    together = [s.form for s in CharacterAnalyser().analyse(texts, ["form"])]
    assert together == [tuple(tokens(text)) for text in texts]


def test_each_string_stands_once_in_the_table() -> None:
    batch = CharacterAnalyser().analyse(["aab ab 一二一", "一 ab"], ["form"])
    assert len(set(batch.strings)) == len(batch.strings)


def test_mistakes_are_coded_errors() -> None:
    with pytest.raises(InputError, match="MP103"):
        CharacterAnalyser().analyse(["a", 1], ["form"])
    with pytest.raises(OptionError, match="MP252"):
        CharacterAnalyser().analyse(["a"], ["lemma"])
    with pytest.raises(OptionError, match="MP519"):
        CharacterAnalyser().analyse(["a"], ["form"], threads=0)
