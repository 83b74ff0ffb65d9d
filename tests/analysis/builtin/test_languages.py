"""The built-in analysers of German, French, Spanish and Czech keep the analyser's contract."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from metaphrase_training import train_analyser

from metaphrase import TeslaM, analysis
from metaphrase._core.analysis import ModelError, TextAnalyser, tokenise
from metaphrase.analysis.analyser import Analyser
from metaphrase.analysis.builtin import SHIPPED, BuiltinAnalyser
from metaphrase.analysis.sentence import Batch, Sentence
from metaphrase.errors import InputError, OptionError, ResourceError
from metaphrase.shipped import shipped_file
from oracle.tagger import OracleTagger, mend

ALL = ("lemma", "tag", "upos")
NAMES = [*(f"builtin:{code}" for code in SHIPPED), "builtin:de+compounds"]
TEXTS = [
    "Die Kinder gingen am 3. Mai z.B. zum „Krankenhaus“.",
    "Aujourd’hui, l'homme qu'il a vu n’est-il pas là ? C'est-à-dire…",
    "¿Dónde está el señor de la casa? ¡Dámelo!",
    "Kdyby přišel, řekl bych mu to – je-li to pravda.",
    "",
    " \t ",
    "😀 http://example.org/a?b=c ÀÉÎ 1.234,56 € ...",
]
#: Texts that have broken tokenisers: long runs, controls, marks without letters, foreign scripts.
PATHOLOGICAL = [
    *("a" * 20_000, "-" * 5_000, "'" * 5_000, "l'" * 5_000, "-il" * 5_000, "." * 5_000),
    *(
        "1." * 3_000,
        "3,5," * 2_000,
        "a-" * 5_000,
        "\u2019" * 100,
        "\x00\x01\x02",
        "\u200b\u200d\ufeff",
    ),
    *("漢字かな交じり文", "שלום עולם", "a\u0301\u0302" * 500, "\U0010ffff", "ﬁ ǅ İ ß ẞ"),
]


def same(one: Batch, other: Batch) -> bool:
    return (
        np.array_equal(one.offsets, other.offsets)
        and one.columns.keys() == other.columns.keys()
        and all(np.array_equal(one.columns[name], other.columns[name]) for name in one.columns)
        and list(one.strings) == list(other.strings)
    )


def spelt(sentence: Sentence) -> list[str]:
    return [sentence.text[a:b] for a, b in zip(sentence.start, sentence.end, strict=True)]


@pytest.mark.parametrize("name", NAMES)
class TestContract:
    def test_it_is_an_analyser_known_to_the_registry(self, name: str) -> None:
        analyser = analysis.load(name)
        assert isinstance(analyser, Analyser)
        assert analyser.name == name
        assert analysis.load(name) is analyser
        assert name in analysis.available()

    def test_only_what_is_asked_is_given(self, name: str) -> None:
        analyser = analysis.load(name)
        assert set(analyser.analyse(TEXTS, ()).columns) == {"form", "start", "end"}
        assert set(analyser.analyse(TEXTS, ["tag"]).columns) == {"form", "start", "end", "tag"}

    @given(text=st.text(max_size=80))
    def test_spans_spell_the_forms_and_cover_the_text(self, name: str, text: str) -> None:
        try:
            text.encode()
        except UnicodeEncodeError:
            return
        sentence = analysis.load(name).analyse([text], ALL)[0]
        assert spelt(sentence) == list(sentence.form)
        assert all(a < b for a, b in zip(sentence.start, sentence.end, strict=True))
        assert all(a <= b for a, b in zip(sentence.end, sentence.start[1:], strict=False))
        assert "".join(sentence.form) == "".join(text.split())

    def test_pathological_texts_are_read_like_any_other(self, name: str) -> None:
        for sentence in analysis.load(name).analyse(PATHOLOGICAL, ALL):
            assert spelt(sentence) == list(sentence.form)

    def test_neither_threads_nor_batches_leave_a_trace(self, name: str) -> None:
        analyser = analysis.load(name)
        texts = TEXTS * 300
        together = analyser.analyse(texts, ALL)
        assert same(together, analyser.analyse(texts, ALL, threads=4))
        with ThreadPoolExecutor(4) as pool:
            results = pool.map(lambda _: analyser.analyse(texts, ALL), range(4))
            assert all(same(together, result) for result in results)
        for i, text in enumerate(TEXTS):
            assert analyser.analyse([text], ALL)[0] == together[i]

    def test_it_travels_as_its_name(self, name: str) -> None:
        analyser = analysis.load(name)
        assert len(pickle.dumps(analyser)) < 200
        assert pickle.loads(pickle.dumps(analyser)) is analyser

    def test_texts_that_are_none_are_refused(self, name: str) -> None:
        analyser = analysis.load(name)
        with pytest.raises(InputError, match="MP103"):
            analyser.analyse(["gut", 3], ALL)  # type: ignore[list-item]
        with pytest.raises(InputError, match=r"MP106.*Text 1"):
            analyser.analyse(["gut", "\udc00"], ALL)
        with pytest.raises(OptionError, match="MP519"):
            analyser.analyse(["gut"], ALL, threads=0)


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (
            "de",
            "Die Kinder gingen zum Haus.",
            "der/ART Kind/NN gehen/VVFIN zu/APPRART Haus/NN ./$.",
        ),
        ("fr", "Les enfants l'ont vue.", "le/DET enfant/NOUN lui/PRON avoir/AUX voir/VERB ./PUNCT"),
        ("es", "Las casas del pueblo.", "el/DET casa/NOUN de/ADP pueblo/NOUN ./PUNCT"),
        ("cs", "Děti šly do školy.", "dítě/NN jít/Vp do/RR škola/NN ./Z:"),
    ],
)
def test_a_sentence_is_tagged_and_lemmatised(language: str, text: str, expected: str) -> None:
    sentence = analysis.load(language).analyse([text], ALL)[0]
    pairs = zip(sentence.column("lemma"), sentence.column("tag"), strict=True)
    assert " ".join(f"{lemma}/{tag}" for lemma, tag in pairs) == expected


@pytest.mark.parametrize("language", ["fr"])
def test_both_apostrophes_are_one(language: str) -> None:
    straight, curly = analysis.load(language).analyse(["l'homme qu'il", "l’homme qu’il"], ALL)
    assert straight.tag == curly.tag
    assert straight.lemma == curly.lemma


@pytest.mark.parametrize(
    ("language", "text", "tokens"),
    [
        ("de", "Am 3. Mai, im Jahr 2010.", "Am|3.|Mai|,|im|Jahr|2010|."),
        ("de", "Das sind z.B. 3,5 Mio. Euro bzw. 4.000 Dollar.", None),
        ("de", "der CDU-Politiker", "der|CDU|-|Politiker"),
        ("de", "Wie geht 's J. S. Bach?", "Wie|geht|'s|J.|S.|Bach|?"),
        ("fr", "L'ami d’aujourd'hui", "L'|ami|d’|aujourd'hui"),
        ("fr", "A-t-il dit qu'elle vient ?", "A|-t-il|dit|qu'|elle|vient|?"),
        ("fr", "Donne-le-moi, dit-elle.", "Donne|-le|-moi|,|dit|-elle|."),
        ("fr", "le porte-parole des États-Unis", "le|porte-parole|des|États-Unis"),
        ("fr", "c'est-à-dire lui-même, au rendez-vous", "c'est-à-dire|lui-même|,|au|rendez-vous"),
        ("fr", "3,5 % du quelqu'un", "3,5|%|du|quelqu'un"),
        ("es", "¿Qué dice el Sr. Pérez? ¡Dámelo!", "¿|Qué|dice|el|Sr.|Pérez|?|¡|Dámelo|!"),
        ("es", "el ex-ministro de la O.N.U.", "el|ex-ministro|de|la|O.N.U."),
        ("cs", "Je-li to 3. tzv. česko-německý", "Je|-|li|to|3|.|tzv|.|česko|-|německý"),
        ("cs", "1,5 milionu", "1,5|milionu"),
    ],
)
def test_words_are_cut_as_the_treebanks_cut_them(
    language: str, text: str, tokens: str | None
) -> None:
    expected = tokens.split("|") if tokens else [*text.removesuffix(".").split(" "), "."]
    assert tokenise([text], language) == [expected]


class TestModels:
    def tiny(self, language: str = "de", **options: object) -> bytes:
        sentences = ["das Haus steht .", "ein Baum steht .", "die Häuser stehen ."] * 5
        tags = ["ART NN VVFIN $.".split()] * len(sentences)
        upos = ["DET NOUN VERB PUNCT".split()] * len(sentences)
        forms = [form for sentence in sentences for form in sentence.split()]
        empty = np.zeros(0, dtype=np.int32)
        arguments = {
            "forms": forms,
            "lemmas": forms,
            "tags": [tag for row in tags for tag in row],
            "upos": [tag for row in upos for tag in row],
            "lemma_weights": np.ones(len(forms), dtype=np.int32),
            "offsets": np.arange(0, len(forms) + 1, 4, dtype=np.int64),
            "class_words": [],
            "fine": empty,
            "coarse": empty,
            "case_words": [],
            "capitals": empty,
            "known_tags": ["NN"],
            "known_forms": ["Bäume"],
            "known_lemmas": ["Baum"],
            "language": language,
            "dictionary_words": ["Haus", "Häuser", "stehen"],
            "dictionary_inflections": [1, 2, 3],
            "epochs": 3,
            "seed": 1,
            "rate": 0.1,
            "lower_share": 0.0,
            "title_share": 0.0,
            "join_share": 0.0,
            "rare_share": 0.0,
            "min_updates": 1,
            "min_label_count": 1,
            "min_ambiguity_count": 1,
        }
        return train_analyser(**{**arguments, **options})  # type: ignore[arg-type]

    def test_training_gives_the_same_bytes_every_time(self) -> None:
        assert self.tiny() == self.tiny()
        assert self.tiny()[:4] == b"MPDE"

    def test_a_model_knows_its_language_and_lemmas(self) -> None:
        analyser = BuiltinAnalyser(self.tiny())
        assert analyser.language == "de"
        sentence = analyser.analyse(["das Bäume steht ."], ALL)[0]
        assert sentence.lemma == ("das", "Baum", "steht", ".")
        assert pickle.loads(pickle.dumps(analyser)).analyse(["das Haus"], ALL)[0].form == (
            "das",
            "Haus",
        )

    @pytest.mark.parametrize(
        "options",
        [
            {"language": "deu"},
            {"language": "d1"},
            {"dictionary_inflections": [1]},
            {"known_lemmas": []},
        ],
    )
    def test_columns_that_do_not_fit_are_refused(self, options: dict[str, object]) -> None:
        with pytest.raises(ValueError, match=r"needs|code"):
            self.tiny(**options)

    def test_a_damaged_file_is_refused(self, tmp_path: Path) -> None:
        model = self.tiny()
        path = tmp_path / "model.bin"
        for content in (b"", b"MP", b"MP12" + model[4:], model[:-1], model[:4] + b"\7" + model[5:]):
            path.write_bytes(content)
            with pytest.raises(ResourceError, match=r"MP210.*model\.bin"):
                BuiltinAnalyser.load(path)
        with pytest.raises(ResourceError, match="MP211"):
            BuiltinAnalyser.load(tmp_path / "none.bin")

    def test_damage_behind_a_right_checksum_is_refused_or_harmless(self) -> None:
        model = self.tiny()
        for at in range(16, len(model), 5):
            damaged = bytearray(model)
            damaged[at] ^= 0xFF
            try:
                core = TextAnalyser(mend(bytes(damaged)))
            except ModelError:
                continue
            core.analyse(["das Haus steht ."], lemma=True, tag=True, upos=True, threads=1)

    @pytest.mark.parametrize("language", ["de", "cs"])
    def test_the_core_tags_as_the_oracle(self, language: str) -> None:
        model = shipped_file(f"{SHIPPED[language]}.bin").read_bytes()
        core, oracle = TextAnalyser(model), OracleTagger(model)
        for forms in tokenise([text.replace("’", "'") for text in TEXTS[:4]], language):
            _, columns, strings = core.analyse_tokens(
                [forms], lemma=False, tag=True, upos=True, threads=1
            )
            pairs = zip(columns["tag"].tolist(), columns["upos"].tolist(), strict=True)
            assert [(strings[tag], strings[upos]) for tag, upos in pairs] == oracle.tag(forms)


def test_a_language_without_a_model_is_told_which_there_are() -> None:
    with pytest.raises(OptionError, match=r"MP237.*de, fr, es, cs"):
        BuiltinAnalyser.shipped("fi")


class TestTeslaM:
    @pytest.mark.parametrize("language", list(SHIPPED))
    def test_identical_sentences_score_1(self, language: str) -> None:
        metric = TeslaM(lang=language)
        for text in TEXTS[:4]:
            assert float(metric.sentence_score(text, [text])) == 1.0
        assert f"|lang:{language}|" in str(metric.signature())
        expected = "wordnet-3.0" if language == "en" else "none"
        assert f"|synonyms:{expected}@" in str(metric.signature())

    def test_each_language_has_its_tags(self) -> None:
        tagsets = {code: str(TeslaM(lang=code).signature()) for code in SHIPPED}
        assert "tagset:stts" in tagsets["de"]
        assert "tagset:universal" in tagsets["fr"]
        assert "tagset:universal" in tagsets["es"]
        assert "tagset:pdt" in tagsets["cs"]
        assert TeslaM(lang="de", tagset="universal").columns == {"lemma", "upos"}
        with pytest.raises(OptionError, match=r"MP507.*stts or universal"):
            TeslaM(lang="de", tagset="penn")

    def test_compounds_are_split_in_german_unless_told_otherwise(self) -> None:
        lemmas = ("ms1",)
        whole, split = TeslaM(lang="de", compounds=False), TeslaM(lang="de")
        texts = "Die Wahl im Bundestag.", ["Die Bundestagswahl."]
        by_parts = TeslaM(lang="de", features=lemmas).sentence_score(*texts)
        by_words = TeslaM(lang="de", features=lemmas, compounds=False).sentence_score(*texts)
        assert float(by_parts) > float(by_words)
        assert split.analyser_name == "builtin:de+compounds"
        assert whole.analyser_name == "builtin:de"
        assert TeslaM(lang="de", analyser="spacy:x").analyser_name == "spacy:x"
        for options in ({"lang": "fr"}, {"lang": "de", "analyser": "spacy:x"}):
            with pytest.raises(OptionError, match="MP507"):
                TeslaM(compounds=True, **options)  # type: ignore[arg-type]

    def test_an_unknown_language_is_told_which_there_are(self) -> None:
        with pytest.raises(OptionError, match=r"MP509.*en, de, fr, es, cs, zh"):
            TeslaM(lang="tlh")

    def test_compounds_are_explained_part_by_part(self) -> None:
        explanation = TeslaM(lang="de").explain("Die Bundestagswahl.", "Die Wahl im Bundestag.")
        assert [word.form for word in explanation.hypothesis][:3] == ["Die", "Bundestags", "wahl"]
