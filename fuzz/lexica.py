"""Lexicons, vectors, paraphrases, language models and compounds as text, and models that are JSON."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from fuzz.files import SEPARATOR, joined, reading, shipped, written
from fuzz.seeds import JSON_WORDS
from fuzz.target import Target
from metaphrase.analysis.builtin.compounds import CompoundTable
from metaphrase.analysis.languages.character_statistics import open_statistics
from metaphrase.analysis.metric_text import meteor_text
from metaphrase.analysis.metric_text.meteor_text import _function_words, _normaliser
from metaphrase.lexicon.cilin import Cilin
from metaphrase.lexicon.mythes import MyThes
from metaphrase.lexicon.paraphrase_files import READERS
from metaphrase.lexicon.paraphrases import ParaphraseTable, compile_pairs
from metaphrase.lexicon.synonym_sets import SynonymSets
from metaphrase.lexicon.vector_files import read_vectors
from metaphrase.lexicon.vector_table import VectorTable, write_table
from metaphrase.lexicon.wordnet import WordNet
from metaphrase.matching import meteor
from metaphrase.matching.meteor import synset_numbers
from metaphrase.trained.accord_model import AccordModel
from metaphrase.trained.edit_model import EditModel
from metaphrase.trained.language_model import LanguageModel
from metaphrase.trained.tesla_model import TeslaModel

_WORDS = ["dog", "a", "house", "x y", "été", ""]


def _synonyms(source: Callable[[str], Any]) -> Callable[[str], object]:
    def run(path: str) -> object:
        found = source(path)
        assert len(found.synonym_graph(_WORDS)[0]) == len(_WORDS) + 1
        return found.fingerprint

    return run


def _paraphrases(form: str) -> Callable[[bytes], object]:
    def run(data: bytes) -> object:
        pairs = list(READERS[form](written("pairs.txt", data)))
        table = ParaphraseTable(written("pairs.bin", compile_pairs(pairs)))
        for first, _, _ in pairs[:5]:
            table.lookup(first)
        return table.paraphrase_graph(_WORDS)

    return run


def _vectors(path: str) -> object:
    words, matrix = read_vectors(Path(path))
    stream = io.BytesIO()
    write_table(words, matrix, stream)
    table = VectorTable(stream.getvalue())
    return table.rows(table.find(words[:3]))


def _numpy_vectors(data: bytes) -> object:
    words, _, matrix = data.partition(SEPARATOR)
    written("vectors.txt", words)
    return _vectors(str(written("vectors.npy", matrix)))


def _numpy_seeds() -> list[bytes]:
    stream = io.BytesIO()
    np.save(stream, np.ones((2, 3), np.float32))
    return [joined(b"a\nb\n", stream.getvalue())]


def _binary_vectors() -> bytes:
    rows = [(b"dog", [1.0, 2.0]), (b"house", [0.5, -1.0])]
    return b"2 2\n" + b"".join(w + b" " + np.array(v, "<f4").tobytes() + b"\n" for w, v in rows)


def _language_model(path: str) -> object:
    model = LanguageModel.load(path)
    model.word_probabilities(["a", "b", "zzz"])
    return model.log_probability([["a", "b"], [], ["b"]])


def _compounds(data: bytes) -> object:
    """The input is what is compressed, so that gzip is not in the way."""
    table = CompoundTable.read(written("compounds.gz", gzip.compress(data, 1, mtime=0)))
    return table.split("Krankenhaus")


def _statistics(path: str) -> object:
    return open_statistics(path).fit(["The house", "das Haus", ""])


def _statistics_seeds() -> list[bytes]:
    stream = io.BytesIO()
    weights = np.arange(-32, 32, dtype=np.int8).reshape(32, 2)
    np.savez(stream, languages=np.array(["de", "en"]), weights=weights, scale=np.float64(0.1))
    return [stream.getvalue()]


def _meteor_words(data: bytes) -> object:
    """METEOR's lists, read from elsewhere."""
    path = written("models/meteor-words.json", data)
    places = {"shipped_file": lambda _: path, "files": lambda _: path.parent.parent}
    asked = next(name for name in places if hasattr(meteor_text, name))
    with patch.object(meteor_text, asked, places[asked]):
        return _normaliser.__wrapped__("en"), _function_words.__wrapped__()


def _meteor_synsets(data: bytes) -> object:
    with patch.object(meteor, "_SHARED_OFFSETS", written("meteor-synsets.tsv", data)):
        return synset_numbers.__wrapped__(WordNet.default())


def _json(*names: str) -> Callable[[], list[bytes]]:
    return lambda: [shipped(name).read_bytes() for name in names]


def _edit_model(path: str) -> object:
    model = EditModel.load(path)
    assert EditModel.from_json(model.to_json()).fingerprint == model.fingerprint
    return None


def _accord_model(path: str) -> object:
    return AccordModel.load(path).fingerprint


def _tesla_model(path: str) -> object:
    return TeslaModel.load(path).fingerprint


@cache
def _arpa() -> bytes:
    text = (
        "\n\\data\\\nngram 1=4\nngram 2=2\n\n\\1-grams:\n-99\t<s>\t-0.5\n-1.0 </s>\n"
        "-0.5\ta\t-0.25\n-0.75\tb\t0.125\n\n"
        "\\2-grams:\n-0.1\t<s> a\n-0.2\ta b\n\n\\end\\\n"
    )
    return text.encode()


def targets() -> list[Target]:
    """Those of this room."""

    def lexicon(name: str, run: Any, seeds: Any, words: Any = (), **options: Any) -> Target:
        return Target(name=name, run=run, seeds=seeds, words=words, **options)

    pairs = b"big house\tlarge building\t0.5\ndog\thound\n"
    return [
        lexicon(
            "lexicon.synonyms",
            reading(_synonyms(SynonymSets.read), "a.tsv"),
            lambda: [b"dog\thound\nhouse\tbuilding\thome\n", "\u00e9t\u00e9\tsommer\n".encode()],
            ("\t", "\n"),
        ),
        lexicon(
            "lexicon.cilin",
            reading(_synonyms(Cilin.read), "a.txt"),
            lambda: ["Aa01A01= 人 士 人物\nAa01A02# dog house\nBa01A01@ x\n".encode()],
            ("=", "#", "@", "Aa01A01"),
        ),
        lexicon(
            "lexicon.mythes",
            reading(_synonyms(MyThes), "th_de_DE_v2.dat"),
            lambda: [
                b"UTF-8\nhouse|2\n-|home|building (Oberbegriff)\n(noun)|dog (ugs.)\ndog|1\n-|hound|house\n",
                b"ISO8859-1\nhouse|1\n-|\xe9t\xe9\n",
            ],
            (
                "|",
                "UTF-8",
                "ISO8859-15",
                "utf-16",
                "idna",
                "rot13",
                "hex",
                "undefined",
                "-1",
                "(",
                ")",
                "99999999999",
            ),
        ),
        lexicon(
            "lexicon.paraphrases-tsv",
            _paraphrases("file"),
            lambda: [pairs],
            ("\t", "nan", "1e400", "0x1"),
        ),
        lexicon(
            "lexicon.paraphrases-ppdb",
            _paraphrases("ppdb"),
            lambda: [
                b"[NP] ||| big house ||| large building ||| p(e|f)=1.5 p(f|e)=2 ||| 0-0\n"
                b"[NP] ||| [DT,1] house ||| [DT,1] home ||| p(e|f)=0.1 ||| 0-0\n",
                pairs,
            ],
            (" ||| ", "p(e|f)=", "[NP,1]", "nan", "-inf", "1e400"),
        ),
        lexicon(
            "lexicon.paraphrases-meteor",
            _paraphrases("meteor"),
            lambda: [b"0.5\nbig house\nlarge building\n1.5\ndog\nhound\n"],
            ("\n", "nan", "inf", "1e400"),
        ),
        lexicon(
            "lexicon.vectors",
            reading(_vectors, "vectors.vec"),
            lambda: [
                b"2 2\ndog 1 2\nhouse 0.5 -1\n",
                b"dog 1 2\nx y 0.5 -1e-3\n",
                _binary_vectors(),
            ],
            ("nan", "inf", "1e400", "9" * 22, " ", "\u00b2", "\u0663"),
        ),
        lexicon(
            "lexicon.vectors-numpy",
            _numpy_vectors,
            _numpy_seeds,
            (
                "\x93NUMPY",
                "'descr': ",
                "'<f4'",
                "'|O'",
                "'fortran_order': ",
                "'shape': (",
                "True",
                "9" * 20,
                "(",
            ),
        ),
        lexicon(
            "lexicon.compounds",
            _compounds,
            lambda: [b"kranken\t5\nhaus\t70\nkrankenhaus\t3\n"],
            ("\t", "\n", "-1", "9" * 12, "\u2028", "\u0663"),
        ),
        lexicon(
            "models.language-characters",
            reading(_statistics, "a.npz"),
            _statistics_seeds,
            (
                "PK\x03\x04",
                "PK\x01\x02",
                "\x93NUMPY",
                "languages.npy",
                "'|i1'",
                "'<U2'",
                "'shape': (",
            ),
        ),
        lexicon(
            "models.arpa",
            reading(_language_model, "a.arpa"),
            lambda: [_arpa(), gzip.compress(_arpa(), mtime=0)],
            (
                "\\data\\",
                "\\end\\",
                "ngram 1=",
                "\\1-grams:",
                "\\3-grams:",
                "<s>",
                "</s>",
                "<unk>",
                "\t",
                "nan",
                "inf",
                "# metaphrase {",
            ),
        ),
        lexicon(
            "models.meteor-words",
            _meteor_words,
            lambda: [
                b'{"function": {"en": ["the", ","]}, '
                b'"prefixes": {"en": {"always": ["Mr"], "before_numbers": ["No"]}}}'
            ],
            (*JSON_WORDS, "function", "prefixes", "en", "always"),
        ),
        lexicon(
            "models.meteor-synsets",
            _meteor_synsets,
            lambda: [b"0\t82115\t95882\n5\t95891\n"],
            ("\t", "\n", "-1", "9" * 25, "117658", "117659"),
        ),
        lexicon(
            "models.edit",
            reading(_edit_model, "a.json"),
            _json("ppda.json", "pfsm.json", "ppda+f.json"),
            JSON_WORDS,
            longest=8192,
        ),
        lexicon(
            "models.accord",
            reading(_accord_model, "a.json"),
            _json("accord/en.json", "accord/any.json"),
            JSON_WORDS,
            longest=16384,
        ),
        lexicon(
            "models.tesla",
            reading(_tesla_model, "a.json"),
            _json("tesla/en.json"),
            JSON_WORDS,
            longest=8192,
        ),
    ]
