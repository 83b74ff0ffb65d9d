"""The built-in analysers of other languages than English give dependency trees too."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from training.languages.treebanks import contracted

from metaphrase import analysis
from metaphrase._core.parsing import sentence_sizes
from metaphrase.analysis.builtin import SHIPPED
from metaphrase.analysis.builtin.parser import Parser
from metaphrase.analysis.sentence import Sentence
from oracle.parser import is_tree

LANGUAGES = ("de", "fr", "es", "cs")
NAMES = (*(f"builtin:{code}" for code in LANGUAGES), "builtin:de+compounds")
TREE = ("head", "relation")
TEXTS = [
    "Die Kinder gingen am 3. Mai z.B. zum „Krankenhaus“. Dann kamen sie nach Hause!",
    "Aujourd’hui, l'homme qu'il a vu n’est-il pas là ? C'est-à-dire…",
    "¿Dónde está el señor de la casa? ¡Dámelo!",
    "Kdyby přišel, řekl bych mu to – je-li to pravda. Nevím.",
    "",
    "Ja",
    "😀 http://example.org/a?b=c ÀÉÎ 1.234,56 € ...",
    "und so weiter, " * 200,
]


def is_forest(sentence: Sentence) -> bool:
    """Each of the sentences that a row is cut into is a tree."""
    first, trees = 0, []
    for size in sentence_sizes(list(sentence.form)):
        heads = sentence.column("head")[first : first + size]
        trees.append(is_tree(tuple(head and head - first for head in heads)))
        first += size
    return all(trees) and first == len(sentence)


@pytest.mark.parametrize("name", NAMES)
class TestContract:
    def test_heads_and_relations_are_offered_and_given_alone(self, name: str) -> None:
        analyser = analysis.load(name)
        assert analyser.columns.issuperset(TREE)
        assert set(analyser.analyse(TEXTS, TREE).columns) == {"form", "start", "end", *TREE}

    def test_every_sentence_is_a_tree_with_one_root(self, name: str) -> None:
        analyser = analysis.load(name)
        relations = set(Parser.shipped(SHIPPED[analyser.language]).relations)  # type: ignore[attr-defined]
        for sentence in analyser.analyse(TEXTS, TREE):
            assert is_forest(sentence)
            assert relations.issuperset(sentence.column("relation"))
            for head, relation in zip(sentence.head or (), sentence.relation or (), strict=True):
                assert (head == 0) == (relation == "root")

    @settings(max_examples=40)
    @given(text=st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60))
    def test_any_text_has_trees(self, name: str, text: str) -> None:
        assert is_forest(analysis.load(name).analyse([text], TREE)[0])

    def test_only_these_columns_bring_the_parser_into_the_fingerprint(self, name: str) -> None:
        analyser = analysis.load(name)
        plain = analyser.fingerprint(("lemma", "tag", "upos"))
        parser = Parser.shipped(SHIPPED[analyser.language]).fingerprint  # type: ignore[attr-defined]
        assert plain == analyser.fingerprint(())
        for columns in (TREE, ("head",), ("relation", "lemma")):
            assert analyser.fingerprint(columns) == f"{plain}+{parser}"

    def test_neither_threads_nor_batches_leave_a_trace(self, name: str) -> None:
        analyser = analysis.load(name)
        texts = TEXTS[:-1] * 20
        together = list(analyser.analyse(texts, TREE))
        assert list(analyser.analyse(texts, TREE, threads=3)) == together
        with ThreadPoolExecutor(3) as pool:
            results = pool.map(lambda _: list(analyser.analyse(texts, TREE)), range(3))
            assert all(result == together for result in results)
        assert [analyser.analyse([text], TREE)[0] for text in TEXTS[:-1]] == together[
            : len(TEXTS) - 1
        ]


def test_each_language_has_a_parser_of_its_own() -> None:
    assert len({Parser.shipped(SHIPPED[code]).fingerprint for code in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "Der Mann liest ein Buch.", "2/det 3/nsubj 0/root 5/det 3/obj 3/punct"),
        # "zum" is one token, and hangs where "zu" does.
        ("de", "Wir gehen zum Haus.", "2/nsubj 0/root 4/case 2/obl 2/punct"),
        ("fr", "Le garçon mange une pomme.", "2/det 3/nsubj 0/root 5/det 3/obj 3/punct"),
        ("fr", "Nous parlons du livre.", "2/nsubj 0/root 4/case 2/obl:arg 2/punct"),
        ("es", "El hombre compra una casa.", "2/det 3/nsubj 0/root 5/det 3/obj 3/punct"),
        ("es", "Hablamos del libro.", "0/root 3/case 1/obl 1/punct"),
        ("cs", "Starý muž četl noviny.", "2/amod 3/nsubj 0/root 3/obj 3/punct"),
        # "abych" is one token, and hangs where "aby" does.
        ("cs", "Přišel, abych mu pomohl.", "0/root 5/punct 5/mark 5/obl:arg 1/advcl 1/punct"),
    ],
)
def test_a_plain_sentence_is_parsed_as_a_person_would(
    language: str, text: str, expected: str
) -> None:
    sentence = analysis.load(language).analyse([text], TREE)[0]
    pairs = zip(sentence.column("head"), sentence.column("relation"), strict=True)
    assert " ".join(f"{head}/{relation}" for head, relation in pairs) == expected


class TestContraction:
    """How the training data become trees of surface words."""

    def test_a_word_hangs_where_its_part_nearest_to_the_root_hangs(self) -> None:
        # "Il parle du livre": du = de + le, both on livre; what follows is numbered anew.
        rows = [(1, 2, "nsubj"), (2, 0, "root"), (3, 5, "case"), (4, 5, "det"), (5, 2, "obl")]
        heads, relations = contracted(rows, [range(3, 5)])
        assert heads == [2, 0, 4, 2]
        assert relations == ["nsubj", "root", "case", "obl"]
        # "dámelo bien": the verb is the root, and the adverb hangs on the whole word.
        rows = [(1, 0, "root"), (2, 1, "iobj"), (3, 1, "obj"), (4, 1, "advmod")]
        assert contracted(rows, [range(1, 4)]) == ([0, 1], ["root", "advmod"])

    @pytest.mark.parametrize(
        "fused", [[], [range(1, 3)], [range(2, 5)], [range(1, 3), range(3, 5)]]
    )
    def test_every_tree_stays_a_tree(self, fused: list[range]) -> None:
        for tree in filter(is_tree, product(range(5), repeat=4)):
            rows = [(word, head, f"r{word}") for word, head in enumerate(tree, 1)]
            heads, relations = contracted(rows, fused)
            assert is_tree(tuple(heads))
            assert len(relations) == len(heads) == 4 - sum(len(parts) - 1 for parts in fused)
            assert np.all(np.array(heads) <= len(heads))
