"""Chinese words and tags through jieba, which is optional."""

from __future__ import annotations

import pickle
import re
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase import TeslaM, analysis
from metaphrase.errors import InputError, OptionError, ResourceError
from metaphrase.extras import install_command


def test_without_jieba_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from metaphrase.analysis.adapters.chinese import ChineseAnalyser

    monkeypatch.setitem(sys.modules, "jieba", None)
    with pytest.raises(ResourceError, match="MP970.*" + re.escape(install_command("zh"))):
        ChineseAnalyser()


def test_universal_tags_follow_the_longest_known_prefix() -> None:
    from metaphrase.analysis.adapters.chinese import universal_tag

    assert [universal_tag(tag) for tag in ("n", "nr", "nrfg", "uj", "vn", "eng", "zz", "")] == [
        *("NOUN", "PROPN", "PROPN", "PART", "NOUN", "X", "ADJ", "X")
    ]


class TestWithJieba:
    @pytest.fixture(autouse=True)
    def _jieba(self) -> None:
        pytest.importorskip("jieba", exc_type=ImportError)

    def test_words_have_spans_and_tags(self) -> None:
        text = "我爱 北京天安门。"
        sentence = analysis.load("zh").analyse([text], ["lemma", "tag", "upos"])[0]
        assert sentence.form == ("我", "爱", "北京", "天安门", "。")
        assert sentence.lemma == sentence.form
        assert sentence.tag == ("r", "v", "ns", "ns", "x")
        assert sentence.upos == ("PRON", "VERB", "PROPN", "PROPN", "PUNCT")

    @given(st.text(max_size=60))
    def test_spans_cover_all_that_is_not_white_space(self, text: str) -> None:
        try:
            text.encode()
        except UnicodeEncodeError:
            return
        sentence = analysis.load("zh").analyse([text], ["tag"])[0]
        assert [text[a:b] for a, b in zip(sentence.start, sentence.end, strict=True)] == list(
            sentence.form
        )
        assert "".join("".join(sentence.form).split()) == "".join(text.split())

    def test_it_is_silent_and_leaves_no_file_behind(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        from metaphrase.analysis.adapters.chinese import ChineseAnalyser

        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        ChineseAnalyser().analyse(["他来到了网易杭研大厦"], ["tag"])
        assert not list(tmp_path.iterdir())
        assert capfd.readouterr() == ("", "")

    def test_texts_that_are_none_are_refused(self) -> None:
        analyser = analysis.load("builtin:zh")
        with pytest.raises(InputError, match="MP106"):
            analyser.analyse(["\ud800"], [])
        with pytest.raises(InputError, match="MP103"):
            analyser.analyse([None], [])  # type: ignore[list-item]
        with pytest.raises(OptionError, match="MP519"):
            analyser.analyse(["好"], [], threads=0)

    def test_one_analyser_serves_the_process_and_can_be_pickled(self) -> None:
        analyser = analysis.load("zh")
        assert pickle.loads(pickle.dumps(analyser)) is analyser
        assert analyser.fingerprint(["tag"]).startswith("jieba-")

    def test_function_words_weigh_a_tenth(self) -> None:
        metric = TeslaM(lang="zh", features=("ms1",))
        reference = "我 喜欢 北京 的 天气"
        without_particle = float(metric.sentence_score("我喜欢北京天气", [reference]))
        without_city = float(metric.sentence_score("我喜欢的天气", [reference]))
        assert 1 > without_particle > without_city
        assert "|tagset:ictclas|" in str(metric.signature())
