"""Language models say of a sentence what KenLM says, from whichever file they are read."""

from __future__ import annotations

import gzip
import pickle
import random
import struct
from contextlib import suppress
from pathlib import Path

import kenlm
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metaphrase import analysis
from metaphrase.errors import InputError, OptionError, ResourceError
from metaphrase.learning import LanguageModel, NgramModel, PackedText, TextForm, estimate

ARPA = """\

\\data\\
ngram 1=4
ngram 2=2

\\1-grams:
-99\t<s>\t-0.5
-1.0 </s>
-0.5\ta\t-0.25
-0.75\tb\t0.125

\\2-grams:
-0.1\t<s> a
-0.2\ta b

\\end\\
"""


def made_up(count: int, seed: int) -> list[list[str]]:
    """Sentences whose words are the more frequent the lower their number, unknown ones among them."""
    chance = random.Random(seed)
    return [
        [f"w{chance.randrange(chance.randint(1, 60))}" for _ in range(chance.randint(0, 12))]
        for _ in range(count)
    ]


@pytest.fixture(scope="module", params=[2, 3, 5])
def ngrams(request: pytest.FixtureRequest) -> NgramModel:
    text = [[word for word in sentence if word != "w7"] for sentence in made_up(600, 1)]
    return estimate(text, order=request.param, cut_offs=(0, 0, 1)[: request.param])


@pytest.fixture
def arpa(tmp_path: Path) -> Path:
    path = tmp_path / "model.arpa"
    path.write_text(ARPA)
    return path


def test_kenlm_gives_every_word_the_same_probability(ngrams: NgramModel, tmp_path: Path) -> None:
    ngrams.write_arpa(tmp_path / "model.arpa")
    config = kenlm.Config()
    config.show_progress = False
    judge = kenlm.Model(str(tmp_path / "model.arpa"), config)
    model = LanguageModel.load(tmp_path / "model.arpa")
    assert judge.order == model.order
    for sentence in made_up(200, 2):
        found = model.word_probabilities(sentence)
        expected = list(judge.full_scores(" ".join(sentence)))
        assert [row.order for row in found] == [length for _, length, _ in expected]
        # KenLM adds floats.
        assert [row.log10 for row in found] == pytest.approx([p for p, *_ in expected], abs=2e-6)


def test_sentences_have_the_sum_of_their_words(ngrams: NgramModel) -> None:
    model = LanguageModel.of(ngrams)
    text = made_up(100, 3)
    log10, lengths = found = model.log_probability(text)
    assert lengths.tolist() == [len(sentence) + 1 for sentence in text]
    sums = [sum(row.log10 for row in model.word_probabilities(sentence)) for sentence in text]
    assert log10.tolist() == pytest.approx(sums, abs=1e-12)
    assert (found.normalised * lengths).tolist() == pytest.approx(sums, abs=1e-12)


def test_probabilities_by_hand(arpa: Path) -> None:
    model = LanguageModel.load(arpa)
    assert model.counts == (5, 2)
    # a after <s>; b after a; </s> alone, with the weight of b.
    assert model.log_probability([["a", "b"]]).log10 == pytest.approx([-0.1 - 0.2 + 0.125 - 1])
    # b alone, with the weight of <s>; </s> with that of b.
    assert model.log_probability([["b"]]).log10 == pytest.approx([-0.5 - 0.75 + 0.125 - 1])
    # No words: the end alone.
    assert model.log_probability([[]]) == (pytest.approx([-0.5 - 1]), [1])
    # The file has no <unk>: KenLM gives it -100 then.
    assert model.log_probability([["c"]]).log10 == pytest.approx([-0.5 - 100 - 1], abs=1e-5)
    assert model.log_probability([]).log10.tolist() == []


def test_marks_in_a_text_are_unknown_words(ngrams: NgramModel) -> None:
    model = LanguageModel.of(ngrams)
    unknown = model.log_probability([["nowhere"]]).log10
    for word in ("<s>", "</s>", "<unk>", "", "\ud800"):
        assert model.log_probability([[word]]).log10 == unknown


def test_all_files_hold_the_same_model(ngrams: NgramModel, tmp_path: Path) -> None:
    text = made_up(200, 4)
    expected = LanguageModel.of(ngrams)
    ngrams.write_arpa(tmp_path / "model.arpa")
    ngrams.write_arpa(tmp_path / "model.arpa.gz")
    ngrams.write_binary(tmp_path / "wide.lm", bits=32)
    ngrams.write_binary(tmp_path / "narrow.lm")
    assert (
        gzip.decompress((tmp_path / "model.arpa.gz").read_bytes())
        == (tmp_path / "model.arpa").read_bytes()
    )
    for name in ("model.arpa", "model.arpa.gz", "wide.lm"):
        model = LanguageModel.load(tmp_path / name)
        assert model.fingerprint == expected.fingerprint
        assert model.form == TextForm()
        assert np.array_equal(
            model.log_probability(text).log10, expected.log_probability(text).log10
        )
    again = NgramModel.read_arpa(tmp_path / "model.arpa")
    again.write_arpa(tmp_path / "again.arpa")
    assert (tmp_path / "again.arpa").read_bytes() == (tmp_path / "model.arpa").read_bytes()


def test_narrow_numbers_are_off_by_half_a_step(ngrams: NgramModel, tmp_path: Path) -> None:
    ngrams.write_binary(tmp_path / "narrow.lm")
    narrow, wide = LanguageModel.load(tmp_path / "narrow.lm"), LanguageModel.of(ngrams)
    levels = [ngrams.core.level(order)[1:3] for order in range(2, ngrams.order + 1)]
    step = max(np.ptp(column) for level in levels for column in level if len(column)) / 65535
    for sentence in made_up(100, 5):
        rows = zip(
            narrow.word_probabilities(sentence), wide.word_probabilities(sentence), strict=True
        )
        for found, expected in rows:
            # A probability and the back-off weights of longer contexts are rounded.
            assert abs(found.log10 - expected.log10) <= ngrams.order * (step / 2 + 1e-6)


def test_vocabularies_beyond_16_bits(tmp_path: Path) -> None:
    words = [f"w{i}" for i in range(70_000)]
    ngrams = estimate([words, words[::-1]], order=2)
    ngrams.write_binary(tmp_path / "large.lm", bits=32)
    text = [["w69999", "w3"], ["w3", "w4"]]
    found = LanguageModel.load(tmp_path / "large.lm")
    assert [row.order for row in found.word_probabilities(text[1])] == [1, 2, 1]
    assert np.array_equal(
        found.log_probability(text).log10, LanguageModel.of(ngrams).log_probability(text).log10
    )


def test_neither_threads_nor_the_kind_of_sentences_matter(ngrams: NgramModel) -> None:
    model = LanguageModel.of(ngrams)
    text = made_up(2000, 6)
    expected = model.log_probability(text).log10
    assert np.array_equal(model.log_probability(PackedText.pack(text), threads=3).log10, expected)
    batch = analysis.shared("builtin:en").analyse([" ".join(words) for words in text], ["lemma"])
    assert np.array_equal(model.log_probability(batch, threads=2).log10, expected)


def test_lower_case_is_remembered(tmp_path: Path) -> None:
    form = TextForm(analyser="builtin:en", lowercase=True)
    ngrams = estimate([["The", "Cat"]], form=form)
    ngrams.write_arpa(tmp_path / "model.arpa")
    ngrams.write_binary(tmp_path / "model.lm", bits=32)
    for name in ("model.arpa", "model.lm"):
        model = LanguageModel.load(tmp_path / name)
        assert model.form == form
        same = model.log_probability([["THE", "cat"], ["the", "cat"]]).log10
        assert same[0] == same[1]
        assert [row.order for row in model.word_probabilities(["THE", "cat"])] == [2, 3, 3]


def test_models_of_files_can_be_sent_to_other_processes(arpa: Path) -> None:
    model = LanguageModel.load(arpa)
    assert pickle.loads(pickle.dumps(model)).fingerprint == model.fingerprint
    assert repr(model) == "<LanguageModel model.arpa: 5 + 2 n-grams>"
    with pytest.raises(TypeError):
        pickle.dumps(LanguageModel.of(estimate([["a"]])))


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("\\data\\", "", 16, "no line"),
        ("ngram 2=2", "ngram 3=2", 4, "'ngram 2='"),
        ("ngram 2=2", "ngram 2=x", 4, "'ngram 2='"),
        ("ngram 1=4\nngram 2=2\n", "", 4, "'ngram 1='"),
        ("ngram 2=2", "ngram 2=2\nngram 3=0\nngram 4=0\nngram 5=0\nngram 6=0", 8, "more than 5"),
        ("ngram 2=2", "ngram 2=3", 16, "fewer"),
        ("ngram 1=4", "ngram 1=3", 10, "more"),
        ("ngram 1=4", "ngram 1=99999999999999999999", 3, "'ngram 1='"),
        ("-0.5\ta", "x\ta", 9, "'x' is not a logarithm"),
        ("-0.5\ta", "nan\ta", 9, "'nan' is not a logarithm"),
        ("-0.5\ta", "-inf\ta", 9, "'-inf' is not a logarithm"),
        ("-0.5\ta\t-0.25", "-0.5\ta\tinf", 9, "'inf' is not a logarithm"),
        ("-0.5\ta", "0.5\ta", 9, "'0.5' is the logarithm of a probability above 1"),
        ("-0.5\ta\t-0.25", "-0.5\ta\t-0.25 1", 9, "back-off"),
        ("-0.5\ta", "-0.5\tb", 10, "twice"),
        ("-0.5\ta", "-0.5", 13, "'a' is not among"),
        ("-0.5\ta", f"-0.5\t{'a' * 256}", 9, "255 bytes"),
        ("</s>", "c", 12, "lack"),
        ("-0.1\t<s> a", "-0.1\t<s>", 13, "2 words"),
        ("-0.1\t<s> a", "-0.1\t<s> c", 13, "'c' is not among"),
        ("-0.1\t<s> a", "-0.1\ta b", 16, "twice"),
        ("\\2-grams:", "\\3-grams:", 12, "'\\2-grams:' is expected"),
        ("\\end\\", "", 16, "ends before"),
        ("\\end\\", "\\3-grams:", 16, "'\\end\\' is expected"),
        ("\\end\\", "\\end\\\n\nngram 1=4", 18, "after \\end\\"),
    ],
)
def test_lines_that_are_not_arpa_are_named(
    arpa: Path, old: str, new: str, line: int, message: str
) -> None:
    arpa.write_text(ARPA.replace(old, new))
    with pytest.raises(InputError) as caught:
        LanguageModel.load(arpa)
    assert (caught.value.code, caught.value.line) == ("MP686", line)
    assert message in str(caught.value)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_text_is_refused_or_a_model(arpa: Path, data: st.DataObject) -> None:
    lines = ARPA.split("\n")
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(lines) - 1))
        other = data.draw(
            st.sampled_from([*lines, "\\", "ngram 3=0", "\\3-grams:", "-1 a b a", "0"])
        )
        lines[place : place + data.draw(st.integers(0, 1))] = [other]
    arpa.write_text("\n".join(lines))
    with suppress(InputError):
        LanguageModel.load(arpa).log_probability([["a", "b", "a"], ["b", "a", "c"]])


def test_trigrams_need_the_bigram_that_they_begin_with(arpa: Path) -> None:
    added = "ngram 2=2\nngram 3=1"
    text = ARPA.replace("ngram 2=2", added).replace("\\end", "\\3-grams:\n-0.1\t<s> b a\n\n\\end")
    arpa.write_text(text)
    with pytest.raises(InputError, match="the words but the last are no n-gram"):
        LanguageModel.load(arpa)
    arpa.write_text(text.replace("<s> b a", "<s> a a"))
    assert LanguageModel.load(arpa).order == 3


def test_a_comment_that_is_not_ours_is_refused(arpa: Path) -> None:
    # A reader of JSON that calls itself for every bracket would run out of stack.
    nested = "[" * 100_000
    for comment in ("{", "[]", nested, '{"analyser": 1, "lowercase": true}', '{"lowercase": true}'):
        arpa.write_text(f"# metaphrase {comment}\n{ARPA}")
        with pytest.raises(InputError, match="MP686"):
            LanguageModel.load(arpa)
    arpa.write_text(f"# another program's\n{ARPA}")
    assert LanguageModel.load(arpa).form == TextForm()


def test_options_and_sentences_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    ngrams = estimate([["a"]])
    with pytest.raises(OptionError, match="MP687"):
        ngrams.write_binary(tmp_path / "model.lm", bits=8)
    model = LanguageModel.of(ngrams)
    for threads in (0, "2", True, 1.0):
        with pytest.raises(OptionError, match="MP519"):
            model.log_probability([["a"]], threads=threads)
    for sentences in (["a b"], "a b", [["a", 5]], [["a", None]], [None], 5):
        with pytest.raises(InputError, match="MP689"):
            model.log_probability(sentences)
    for words in ("a b", ["a", 5], None):
        with pytest.raises(InputError, match="MP689"):
            model.word_probabilities(words)
    backwards = PackedText(np.array([0, 2, 1], np.int64), np.array([0], np.int32), ["a"])
    with pytest.raises(InputError, match="MP689"):
        model.log_probability(backwards)


def test_files_that_are_no_models_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="MP684"):
        LanguageModel.load(tmp_path / "missing.lm")
    with pytest.raises(ResourceError, match="MP684"):
        LanguageModel.load(tmp_path)
    path = tmp_path / "model.lm"
    for content in (b"", b"\xff\xfe", b"caf\xe9\n", b"MPPT\0\0\1", gzip.compress(b"")):
        path.write_bytes(content)
        with pytest.raises(ResourceError, match=r"MP685.*neither a compiled") as caught:
            LanguageModel.load(path)
        assert caught.value.path == str(path)
    path.write_bytes(b"some text\n")
    with pytest.raises(InputError, match="MP686"):
        LanguageModel.load(path)


def test_a_compiled_model_of_nested_brackets_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "model.lm"
    path.write_bytes(estimate([["a"]]).core.file(16, "[" * 100_000))
    with pytest.raises(ResourceError, match="MP685"):
        LanguageModel.load(path)


def checksum(content: bytes) -> int:
    """As in src/core/base/byte_stream.hpp."""
    bits = (1 << 64) - 1

    def mix(found: int, value: int) -> int:
        found = (found ^ value) * 0x9E3779B97F4A7C15 & bits
        return found ^ found >> 32

    found = mix(0x6D65746170687261, len(content))
    whole = len(content) // 8 * 8
    for (word,) in struct.iter_unpack("<Q", content[:whole]):
        found = mix(found, word)
    for byte in content[whole:]:
        found = mix(found, byte)
    return found


@pytest.fixture(scope="module", params=[16, 32])
def compiled(request: pytest.FixtureRequest) -> bytes:
    return estimate(made_up(20, 7)).core.file(request.param, TextForm().to_json())


def test_damage_is_noticed(compiled: bytes, tmp_path: Path) -> None:
    path = tmp_path / "model.lm"
    assert struct.unpack("<Q", compiled[8:16])[0] == checksum(compiled[16:])
    for end in (4, 8, 15, 16, 22, len(compiled) // 2, len(compiled) - 1):
        path.write_bytes(compiled[:end])
        with pytest.raises(ResourceError, match="MP685"):
            LanguageModel.load(path)
    for place in (4, 8, 16, len(compiled) // 2, len(compiled) - 1):
        damaged = bytearray(compiled)
        damaged[place] ^= 1
        path.write_bytes(damaged)
        with pytest.raises(ResourceError, match="MP685"):
            LanguageModel.load(path)


@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_files_made_to_mislead_are_refused_or_answer(
    compiled: bytes, tmp_path: Path, data: st.DataObject
) -> None:
    # With a right checksum, so that only the checks of the content stand between it and a crash.
    content = bytearray(compiled[16:])
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(content) - 1))
        some = data.draw(st.sampled_from([b"\x00", b"\xff", b"\xff\xff\xff\xff", b"\x01\x00"]))
        content[place : place + len(some)] = some
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content))) :]
    path = tmp_path / "model.lm"
    path.write_bytes(compiled[:8] + struct.pack("<Q", checksum(bytes(content))) + content)
    with suppress(ResourceError):
        LanguageModel.load(path).log_probability(made_up(20, 8))
