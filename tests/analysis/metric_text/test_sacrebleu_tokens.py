"""Words are those of sacreBLEU's tokenisers."""

from __future__ import annotations

from functools import reduce
from importlib.util import find_spec
from unicodedata import category

import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import _get_tokenizer
from sacrebleu.metrics.ter import TER

from metaphrase.analysis.metric_text.sacrebleu_tokens import (
    MECAB_TOKENISERS,
    TOKENISERS,
    check_tokeniser,
    default_tokeniser,
    tokenise,
    tokenise_for_ter,
)
from metaphrase.errors import OptionError

#: What the rules look at, spaces that only Python knows, and both sides of ``zh``'s odd ranges.
PIECES = [
    *"ab019.,,--'/ \n\t\u00a0é雨{~[`!&;(+:@_\r\x1c\u2028$€。，٣½“…\U0001f600",
    *"\u2000\u2001\u2a6d\u2a6e\u2f80\u2fdf\u2fe0\u4db5\u4db6\u9fbb\u9fbc\ufa2d\ufa2e",
    *("&quot;", "&amp;", "lt;", "<skipped>", "-\n"),
]
texts = st.lists(
    st.one_of(st.sampled_from(PIECES), st.characters(exclude_categories=["Cs"])), max_size=25
).map("".join)


@pytest.mark.parametrize("tokeniser", TOKENISERS)
@settings(max_examples=300)
@given(lines=st.lists(texts, max_size=5), threads=st.integers(1, 2))
@example(lines=[".", ".5", "5.", "", "-", "5-", "&amp;lt;", "<skip<skipped>ped>"], threads=1)
def test_words_are_sacrebleus(tokeniser: str, lines: list[str], threads: int) -> None:
    theirs = _get_tokenizer(tokeniser)()
    assert tokenise(lines, tokeniser, threads=threads).texts() == [
        " ".join(theirs(line).split()) for line in lines
    ]


@pytest.mark.parametrize("tokeniser", TOKENISERS)
def test_every_character_is_sacrebleus(tokeniser: str) -> None:
    """Alone, between letters, between digits and beside a full stop, which tells numbers from the rest.

    Characters that the installed ``regex`` does not know are left out: its Unicode may be older than ours.
    """
    known = regex.compile(r"[^\p{Cn}\p{Cs}]")
    characters = [c for c in map(chr, range(0x110000)) if known.match(c)]
    lines = [f"{c} a{c}a 1{c}1 {c}.{c}" for c in characters]
    theirs = _get_tokenizer(tokeniser)()
    # Many to a text, as sacreBLEU takes its time over each.
    joined = [" ".join(lines[at : at + 5000]) for at in range(0, len(lines), 5000)]
    assert tokenise(joined, tokeniser).texts() == [
        " ".join(theirs(text).split()) for text in joined
    ]


#: What Tercom's rules look at, cases that change a text's length, and both sides of its ranges.
TERCOM_PIECES = [
    *("'s", "'s ", "'S.", "'s\t", "'s!", "\n-", "-\n", "ΑΣ", "İ", "ẞ", "&quot;", "&AMP;", "lt;"),
    *"\u2e80\u2eff\u2f00\u3040ぁ\u309fァ\u30fbー\u31bf\u31c0\u31ef\u31f0\u31ff\u3200\u3f22\u4dbf\u4dc0",
    *"\u4e00\u9fff\ua000\uf8ff\uf900\ufaff\ufb00\ufe2f\ufe30\ufe4f\ufe50\u3000\u3003\u3007\u3011\u3012",
    *"\u3013\u3014\u301f\u3020\uff00\uff01\uff02\uff08\uff09\uff0c\uff0e\uff1a\uff1f\uff60\uff65\uff66",
]
tercom_texts = st.lists(
    st.one_of(st.sampled_from([*PIECES, *TERCOM_PIECES]), st.characters(exclude_categories=["Cs"])),
    max_size=25,
).map("".join)


@settings(max_examples=1500)
@given(
    lines=st.lists(tercom_texts, max_size=5),
    options=st.fixed_dictionaries(
        dict.fromkeys(("normalized", "no_punct", "asian_support", "case_sensitive"), st.booleans())
    ),
    passes=st.integers(1, 3),
    threads=st.integers(1, 2),
)
def test_words_of_ter_are_sacrebleus(
    lines: list[str], options: dict[str, bool], passes: int, threads: int
) -> None:
    theirs = TER(**options)._preprocess_segment
    ours = tokenise_for_ter(lines, **options, passes=passes, threads=threads).texts()
    assert ours == [reduce(lambda text, _: theirs(text), range(passes), line) for line in lines]


@pytest.mark.parametrize("option", ["normalized", "no_punct"])
def test_every_character_of_ter_is_sacrebleus(option: str) -> None:
    characters = [c for c in map(chr, range(0x110000)) if category(c) not in ("Cn", "Co", "Cs")]
    lines = [f"{c} a{c}a 1{c}1 {c}.{c} a's{c}" for c in characters]
    joined = [" ".join(lines[at : at + 5000]) for at in range(0, len(lines), 5000)]
    options = {option: True, "asian_support": True}
    theirs = TER(**options)._preprocess_segment
    assert tokenise_for_ter(joined, **options).texts() == list(map(theirs, joined))


@pytest.mark.parametrize(
    ("tokeniser", "text", "words"),
    [
        # mteval-v13a: a point is a word unless digits are on both sides, a hyphen if a digit is before it.
        ("13a", "It cost 3.50, not 1990-ish.", "It cost 3.50 , not 1990 - ish ."),
        ("13a", "well-known &quot;U.S.&quot; AT&amp;T", 'well-known " U . S . " AT & T'),
        # mteval-v14: nor does the last point leave a number, as sacreBLEU's documentation says.
        ("intl", "«Où?» – 3,50 €, 2004.", "« Où ? » – 3,50 € , 2004."),
        ("zh", "他在2004年说:“好.”", "他 在 2004 年 说 : “ 好 . ”"),
        ("char", "a b!", "a b !"),
        ("none", " a\u3000b! ", "a b!"),
    ],
)
def test_examples(tokeniser: str, text: str, words: str) -> None:
    assert tokenise([text], tokeniser).texts() == [words]


@pytest.mark.parametrize(
    ("lang", "tokeniser"),
    [
        ("en", "13a"),
        ("de", "13a"),
        ("ru", "13a"),
        ("zh", "zh"),
        ("zh-Hant", "zh"),
        ("yue_HK", "zh"),
        *((lang, "char") for lang in ("th", "lo", "km", "my")),
    ],
)
def test_the_language_chooses_the_tokeniser(lang: str, tokeniser: str) -> None:
    assert default_tokeniser(lang) == tokeniser


@pytest.mark.parametrize(
    ("tokeniser", "text"), [("ja-mecab", "雨です。"), ("ko-mecab", "비가 온다.")]
)
def test_mecab_is_asked_where_it_is_installed(tokeniser: str, text: str) -> None:
    modules, lang = MECAB_TOKENISERS[tokeniser]
    if all(map(find_spec, modules)):
        check_tokeniser(tokeniser)
        assert default_tokeniser(lang) == tokeniser
        words = _get_tokenizer(tokeniser)()(text).split()
        assert tokenise([text], tokeniser).texts() == [" ".join(words)]
    else:
        assert default_tokeniser(lang) == "char"
        with pytest.raises(OptionError, match=rf"MP511.*sacrebleu\[{lang}\]"):
            check_tokeniser(tokeniser)
