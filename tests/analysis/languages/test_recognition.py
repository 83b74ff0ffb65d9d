"""Scripts and languages are recognised by several segments that agree, and never guessed at."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import numpy as np
import pytest

from metaphrase.analysis.languages.character_statistics import open_statistics, shipped
from metaphrase.analysis.languages.recognition import NAMES, misfits, read
from metaphrase.analysis.languages.scripts import SCRIPTS, script_numbers, scripts_of
from metaphrase.errors import ResourceError

# A story of our own, translated for these tests.
STORY = {
    "en": [
        "The old man opened the window and looked at the garden.",
        "It had rained all night, but now the sun was shining.",
        "His neighbour was already working between the trees.",
        "Good morning, she said, have you slept well?",
    ],
    "de": [
        "Der alte Mann öffnete das Fenster und blickte in den Garten.",
        "Es hatte die ganze Nacht geregnet, aber jetzt schien die Sonne.",
        "Seine Nachbarin arbeitete schon zwischen den Bäumen.",
        "Guten Morgen, sagte sie, haben Sie gut geschlafen?",
    ],
    "fr": [
        "Le vieil homme ouvrit la fenêtre et regarda le jardin.",
        "Il avait plu toute la nuit, mais maintenant le soleil brillait.",
        "Sa voisine travaillait déjà entre les arbres.",
        "Bonjour, dit-elle, avez-vous bien dormi ?",
    ],
    "es": [
        "El anciano abrió la ventana y miró el jardín.",
        "Había llovido toda la noche, pero ahora brillaba el sol.",
        "Su vecina ya estaba trabajando entre los árboles.",
        "Buenos días, dijo ella, ¿ha dormido usted bien?",
    ],
    "cs": [
        "Starý muž otevřel okno a podíval se do zahrady.",
        "Celou noc pršelo, ale teď svítilo slunce.",
        "Jeho sousedka už pracovala mezi stromy.",
        "Dobré ráno, řekla, vyspal jste se dobře?",
    ],
    "ru": [
        "Старик открыл окно и посмотрел в сад.",
        "Всю ночь шёл дождь, но теперь светило солнце.",
        "Его соседка уже работала среди деревьев.",
        "Доброе утро, сказала она, хорошо ли вы спали?",
    ],
    "zh": [
        "老人打开窗户，看着花园。",
        "下了一整夜的雨，但是现在太阳出来了。",
        "他的邻居已经在树木之间工作了。",
        "早上好，她说，您昨天晚上睡得好吗？",
    ],
    "ja": [
        "老人は窓を開けて庭を見た。",
        "一晩中雨が降っていたが、今は太陽が輝いていた。",
        "隣の女性はもう木の間で働いていた。",
        "おはようございます、よく眠れましたかと彼女は言った。",
    ],
    "ar": [
        "فتح الرجل العجوز النافذة ونظر إلى الحديقة.",
        "كانت السماء تمطر طوال الليل، لكن الشمس كانت مشرقة الآن.",
    ],
    "hu": [
        "Az öregember kinyitotta az ablakot, és a kertre nézett.",
        "Egész éjjel esett az eső, de most már sütött a nap.",
        "A szomszédja már a fák között dolgozott.",
        "Jó reggelt, mondta, jól aludt?",
    ],
}


@pytest.mark.parametrize("lang", STORY)
def test_a_text_may_be_in_its_own_language(lang: str) -> None:
    assert read(STORY[lang]).misfit(lang) is None
    assert read(STORY[lang]).misfit(f"{lang}-XX") is None


@pytest.mark.parametrize("lang", STORY)
@pytest.mark.parametrize("given", ["en", "de", "fr", "es", "cs", "ru", "zh", "ja", "ar", "el"])
def test_a_text_is_not_in_any_other_that_is_known(lang: str, given: str) -> None:
    if lang != given:
        misfit = read(STORY[lang]).misfit(given)
        assert misfit is not None
        if lang in NAMES:
            assert misfit == f"looks like {NAMES[lang]}"


@pytest.mark.parametrize("lang", ["en", "de", "hu"])
@pytest.mark.parametrize("given", ["hu", "pl", "vi"])
def test_nothing_is_said_of_languages_that_the_model_does_not_know(lang: str, given: str) -> None:
    assert read(STORY[lang]).misfit(given) is None


def test_their_script_must_be_right_all_the_same() -> None:
    assert read(STORY["ru"]).misfit("hu") == "is in the Cyrillic script"
    assert read(STORY["hu"]).misfit("uk") == "is in the Latin script"


def test_one_segment_tells_the_script_but_not_the_language() -> None:
    assert read(STORY["ru"][:1]).misfit("en") == "is in the Cyrillic script"
    assert read(STORY["de"][:1]).misfit("en") is None
    assert read(STORY["zh"][:1]).misfit("ja") is None  # Japanese headlines have no Kana either


@pytest.mark.parametrize(
    "texts", [[], [""], ["?!", "12.5", "—"], ["OK"], ["😀" * 40], ["A B", "C"]]
)
@pytest.mark.parametrize("given", ["en", "de", "zh", "ru"])
def test_too_few_letters_say_nothing(texts: list[str], given: str) -> None:
    assert read(texts).misfit(given) is None
    assert read(texts).looks_like() is None


def test_a_few_segments_in_another_language_are_quotations() -> None:
    mixed = [*STORY["en"] * 2, *STORY["de"][:2], *STORY["ru"][:2]]
    assert read(mixed).misfit("en") is None
    assert read(mixed).misfit("de") is not None


def test_latin_names_do_not_make_chinese_english() -> None:
    texts = [
        "Apache Kafka 集群的配置",
        "Louis Galicia 告诉 KGO 电视台",
        "在 GitHub 上打开 Pull Request",
    ]
    assert read(texts).misfit("zh") is None


def test_case_and_decomposed_letters_make_no_difference() -> None:
    model = shipped()
    for form in (str.upper, lambda text: unicodedata.normalize("NFD", text)):
        changed = [form(text) for text in STORY["cs"]]
        assert np.array_equal(model.fit(changed), model.fit(STORY["cs"]))


def test_what_stands_beside_a_text_makes_no_difference() -> None:
    together = shipped().fit([*STORY["de"], "", *STORY["en"]])
    alone = [shipped().fit([text])[0] for text in [*STORY["de"], "", *STORY["en"]]]
    assert np.array_equal(together, alone)


def test_languages_of_several_scripts_may_use_each_of_them() -> None:
    assert scripts_of("sr") == {"Cyrillic", "Latin"}
    assert scripts_of("sr-Latn") == {"Latin"}
    assert scripts_of("sr_Cyrl_RS") == {"Cyrillic"}
    assert scripts_of("ja") == {"Han", "Kana"}
    assert scripts_of("xx") == frozenset()


@pytest.mark.parametrize(
    ("character", "script"),
    [
        ("a", "Latin"),
        ("ß", "Latin"),
        ("×", None),
        ("α", "Greek"),
        ("Я", "Cyrillic"),
        ("א", "Hebrew"),
        ("م", "Arabic"),
        ("हि"[0], "Devanagari"),
        ("ไ", "Thai"),
        ("한", "Hangul"),
        ("中", "Han"),
        ("カ", "Kana"),
        ("𠀀", "Han"),
        ("7", None),
        ("。", None),
        ("\u200b", None),
        ("😀", None),
    ],
)
def test_a_character_has_one_script(character: str, script: str | None) -> None:
    (number,) = script_numbers(np.array([ord(character)])).tolist()
    assert (None if number < 0 else SCRIPTS[number]) == script


def test_a_damaged_model_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    with pytest.raises(ResourceError, match="MP240"):
        open_statistics(path)
    model = shipped()
    np.savez_compressed(path, languages=["en"], weights=model.weights, scale=model.scale)
    with pytest.raises(ResourceError, match="MP240"):
        open_statistics(path)
    np.savez_compressed(path, languages=model.languages, weights=model.weights, scale=model.scale)
    assert np.array_equal(open_statistics(path).weights, model.weights)
    whole = path.read_bytes()
    cut = [whole[:size] for size in range(0, len(whole), 997)]
    turned = [whole[:i] + bytes([whole[i] ^ 0x40]) + whole[i + 1 :] for i in (1000, 90_000)]
    for damaged in (b"\x80\x04.", *cut, *turned):
        path.write_bytes(damaged)
        with pytest.raises(ResourceError, match="MP240"):
            open_statistics(path)


def test_segments_are_judged_by_themselves() -> None:
    mixed = [STORY["de"][0], STORY["en"][0], STORY["ru"][0], "Angela Merkel", ""]
    assert misfits(mixed, "de") == [
        None,
        "looks like English",
        "is in the Cyrillic script",
        None,
        None,
    ]
    assert misfits(mixed, "ru")[:2] == ["is in the Latin script"] * 2
    assert misfits(["Microsoft Windows Server Datacenter"], "zh") == [None]
    assert misfits(mixed, "") == [None] * 5
    assert misfits([], "de") == []


@pytest.mark.parametrize("language", sorted(STORY.keys() & NAMES.keys()))
def test_no_segment_of_a_story_is_in_another_language(language: str) -> None:
    assert misfits(STORY[language], language) == [None] * len(STORY[language])
