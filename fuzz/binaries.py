"""Compiled models and lexicons, damaged: tiny ones in large numbers, and every one that ships.

The core is compiled and nothing is seen of it from here, so that these targets are not guided by coverage:
``fuzz/core`` has targets that are. What opens must answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from fuzz.damage import Repair, damaged, of_model, of_table, of_vectors, of_wordnet
from fuzz.files import folder, shipped, written
from fuzz.seeds import from_tests
from fuzz.target import Target
from metaphrase.analysis import registry as analysers
from metaphrase.analysis.builtin import BuiltinAnalyser
from metaphrase.analysis.builtin.labeller import Chunker, EntityRecogniser, SequenceLabeller
from metaphrase.analysis.builtin.parser import Parser
from metaphrase.analysis.sentence import Batch
from metaphrase.learning.language_models.kneser_ney import estimate
from metaphrase.lexicon.paraphrases import ParaphraseTable, compile_pairs
from metaphrase.lexicon.pivot_table import PivotTable
from metaphrase.lexicon.vector_table import quantised, write_table
from metaphrase.lexicon.vectors import WordVectors
from metaphrase.lexicon.wordnet import WordNet
from metaphrase.matching.phrase_maps import word_similarity
from metaphrase.trained.language_model import LanguageModel
from metaphrase.trained.pretrained_encoder import PretrainedEncoder

_TEXTS = [
    "The dogs bark at IBM's 3.5 houses in New York.",
    "",
    "Les enfants n'ont-ils pas vu? Über-Größe 漢字",
]
_WORDS = ["dog", "the", "house", "big house", "of", "", "New_York", "été"]


def _analyse(content: bytes) -> object:
    return BuiltinAnalyser(content).analyse(_TEXTS, ["lemma", "tag", "upos"])


@cache
def _batch() -> Batch:
    """Words with tags to be parsed and labelled."""
    return analysers.shared("builtin:en").analyse(_TEXTS, ["tag", "upos"])


def _parse(content: bytes) -> object:
    return Parser(content).add_to(_batch())


def _label(kind: type[SequenceLabeller]) -> Callable[[bytes], object]:
    return lambda content: kind(content).add_to(_batch())


def _wordnet(content: bytes) -> object:
    wordnet = WordNet(written("wordnet.bin", content))
    for word in _WORDS:
        for part in "nvar":
            wordnet.morphy(word, part)
    wordnet.synonym_graph(_WORDS)
    similar = word_similarity(_WORDS, wordnet).matrix(range(len(_WORDS)), range(len(_WORDS)))
    assert np.all((similar >= 0) & (similar <= 1))
    for synset in range(min(50, wordnet.synset_count)):
        wordnet.lemmas(synset)
        wordnet.hypernyms(synset)
        assert 0.0 <= wordnet.lin(synset, 0) <= 1.0
    wordnet.subsumers(_WORDS)
    return None


def _paraphrases(content: bytes) -> object:
    table = ParaphraseTable(written("paraphrases.bin", content))
    for phrase, _ in zip(table, range(50), strict=False):
        table.lookup(phrase)
    return table.weighted_graph(_WORDS)


def _pivots(content: bytes) -> object:
    table = PivotTable(written("en-de.pivots", content))
    repr(table), table.analysers, table.total
    return [
        table.lookup(phrase)
        for phrase in ("the", "the house", "big house", "the white house of", "zz")
    ]


def _language_model(content: bytes) -> object:
    model = LanguageModel.load(written("model.lm", content))
    model.word_probabilities(["w0", "the", "zzz"])
    found = model.log_probability([["w0", "w1", "w2", "w3"], [], ["the", "house", "of"]])
    assert np.isfinite(found.log10).all()
    return found


def _pretrained(content: bytes) -> object:
    found = PretrainedEncoder.open(written("small.enc", content)).encode(
        [" ".join(_WORDS), "", "é漢 ."]
    )
    assert np.isfinite(found.vectors).all()
    assert np.isfinite(found.texts).all()
    return found


def _vectors(content: bytes) -> object:
    return WordVectors.open(written("vectors.bin", content)).vectors([*_WORDS, "dog", "cat"])


@cache
def _tiny_analyser() -> bytes:
    return bytes(from_tests("analysis.builtin.test_english_tagger").tiny_model())


@cache
def _tiny_parser() -> bytes:
    return bytes(from_tests("analysis.builtin.test_parser_trainer").trained(3))


@cache
def _tiny_labeller() -> bytes:
    return bytes(from_tests("analysis.builtin.test_labeller").TINY)


@cache
def _tiny_wordnet() -> bytes:
    from training import build_wordnet

    place = folder() / "database"
    place.mkdir(exist_ok=True)
    directory, counts = from_tests("oracle.wordnet_database").SMALL.write(place)
    build_wordnet.build(directory, counts, place / "wordnet.bin")
    return (place / "wordnet.bin").read_bytes()


@cache
def _tiny_paraphrases() -> bytes:
    pairs = [
        ("dog", "hound", 0.5),
        ("big house", "large building", 0.25),
        ("dog", "été", 0.1),
        ("the", "a", 1.0),
    ]
    return compile_pairs(pairs)


@cache
def _tiny_pivots() -> bytes:
    module = from_tests("learning.phrases.test_pivot_table")
    return bytes(module.table_content(module.COUNTS))


def _tiny_language_model(bits: int) -> Callable[[], bytes]:
    @cache
    def made() -> bytes:
        chance = Random(1)
        sentences = [[f"w{chance.randrange(6)}" for _ in range(5)] for _ in range(60)]
        path = folder() / "made.lm"
        estimate(sentences, order=3).write_binary(path, bits=bits)
        return path.read_bytes()

    return made


@cache
def _tiny_pretrained() -> bytes:
    path = folder() / "made.enc"
    from_tests("trained.test_pretrained_encoder").small().write(path)
    return path.read_bytes()


@cache
def _tiny_vectors() -> bytes:
    path = folder() / "made.bin"
    matrix = np.random.default_rng(1).normal(size=(len(_WORDS), 4)).astype(np.float32)
    with path.open("wb") as stream:
        write_table(_WORDS, quantised(matrix), stream)
    return path.read_bytes()


def _shipped(*paths: Path) -> Sequence[Callable[[], bytes]]:
    return [cache(path.read_bytes) for path in paths]


def _target(
    name: str,
    bases: Sequence[Callable[[], bytes]],
    repair: Repair,
    read: Callable[[bytes], object],
    **limits: Any,
) -> Target:
    """What damages one of the files and reads it; an input is eight bytes, the first of which chooses it."""

    def run(data: bytes) -> object:
        base = bases[data[0] % len(bases) if data else 0]()
        return read(damaged(base, data, repair))

    return Target(
        name=f"binary.{name}",
        run=run,
        seeds=list,
        guided=False,
        make=lambda chance: chance.randbytes(8),
        **limits,
    )


def _pivot_files(ending: str) -> list[Path]:
    """Those of the package of pivots, if it is installed."""
    found = find_spec("metaphrase_pivots")
    places = (
        [Path(place) / "data" for place in (found.submodule_search_locations or ())]
        if found
        else []
    )
    return sorted(path for place in places for path in place.glob(f"*.{ending}"))


def targets() -> list[Target]:
    """Those of this room."""
    languages = ("english", "german", "french", "spanish", "czech")
    slow: dict[str, Any] = {"seconds": 10.0, "seconds_per_kilobyte": 0.0}
    lexicons = [
        ("wordnet", of_wordnet, _wordnet, [shipped("wordnet-3.0.bin")]),
        ("paraphrases", of_table, _paraphrases, [shipped("paraphrases-en.bin")]),
        ("vectors", of_vectors, _vectors, [shipped("glove-en.bin")]),
        ("analyser", of_model, _analyse, [shipped(f"{name}.bin") for name in languages]),
        ("parser", of_model, _parse, [shipped(f"{name}-parser.bin") for name in languages]),
        ("chunks", of_model, _label(Chunker), [shipped("english-chunks.bin")]),
        ("entities", of_model, _label(EntityRecogniser), [shipped("english-entities.bin")]),
        ("pivots", of_model, _pivots, _pivot_files("pivots")),
        ("language-model", of_model, _language_model, _pivot_files("lm")),
    ]  # fmt: skip
    return [
        _target("tiny-analyser", [_tiny_analyser], of_model, _analyse),
        _target("tiny-parser", [_tiny_parser], of_model, _parse),
        _target("tiny-labeller", [_tiny_labeller], of_model, _label(EntityRecogniser)),
        _target("tiny-wordnet", [_tiny_wordnet], of_wordnet, _wordnet),
        _target("tiny-paraphrases", [_tiny_paraphrases], of_table, _paraphrases),
        _target("tiny-pivots", [_tiny_pivots], of_model, _pivots),
        _target(
            "tiny-language-model",
            [_tiny_language_model(16), _tiny_language_model(32)],
            of_model,
            _language_model,
        ),
        _target("tiny-pretrained-encoder", [_tiny_pretrained], of_model, _pretrained),
        _target("tiny-vectors", [_tiny_vectors], of_vectors, _vectors),
        *(
            _target(name, _shipped(*paths), repair, read, **slow)
            for name, repair, read, paths in lexicons
            if paths
        ),
    ]
