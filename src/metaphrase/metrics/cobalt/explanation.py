"""Explains a score of UPF-Cobalt: the alignment, why its words are similar, what their contexts cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from metaphrase.analysis import Sentence
from metaphrase.analysis.relation_words import in_words
from metaphrase.analysis.relations import Relation
from metaphrase.matching.word_alignment import (
    KINDS,
    STAGES,
    WordAlignments,
    is_function_word,
    relation_weight,
)
from metaphrase.metrics.cobalt.languages import LANGUAGES
from metaphrase.metrics.comparison import Comparison
from metaphrase.metrics.explained_pair import SIDES, Words, explain_pair, unlinked, words_of
from metaphrase.metrics.explanation import ContextRelation, Explanation, Feature, Link

if TYPE_CHECKING:
    from metaphrase.metrics.cobalt.metric import Cobalt

_LAYER = "alignment"
#: What relates words that no lexicon relates, by the stage that aligned them.
_BY_STAGE = {1: "punctuation", 3: "hyphen", 4: "name", 7: "hyphen"}
#: What became of a relation that only one side has.
_CHANGES = {"reference": "no longer", "hypothesis": "now"}


def explain(metric: Cobalt, comparison: Comparison) -> Explanation:
    """The explanation of a comparison of one segment with one reference."""
    analysed = comparison.analysed
    parsed, found = metric.align(comparison)
    rows = int(analysed.hypotheses[0]), int(analysed.references[0][0])
    words = [_words(analysed.batch[row], metric) for row in rows]
    relations = parsed.relations[rows[0]], parsed.relations[rows[1]]
    links = list(_links(metric, found, words, relations))
    score, precision, recall, similarity, penalty = found.scores[0].tolist()
    score = 1.0 if comparison.blank[0] else score
    details = {
        "precision": precision,
        "recall": recall,
        "similarity": similarity,
        "penalty": penalty,
    }
    if metric.fluency != "none":
        (details["fluency"],) = metric.fluencies(comparison, analysed.references[0]).tolist()
    features = [Feature(_LAYER, "aligned words, F mean", score, details)]
    leftovers = unlinked(_LAYER, words, links)
    return explain_pair(metric, comparison, words, links, leftovers, features, score=score)


def _words(sentence: Sentence, metric: Cobalt) -> Words:
    delta, known = metric.delta, LANGUAGES[metric.lang]
    weights = [1 - delta if is_function_word(form, known) else delta for form in sentence.form]
    return words_of(sentence, weights, "lemma", "tag")


def _links(
    metric: Cobalt,
    found: WordAlignments,
    words: Sequence[Words],
    relations: tuple[tuple[Relation, ...], tuple[Relation, ...]],
) -> Iterator[Link]:
    contexts = list(_contexts(metric, found, words, relations))
    for place, (i, j) in enumerate(found.pairs(0)):
        stage = int(found.stage[place])
        kind = KINDS[found.kind[place]]
        if kind == "unrelated":
            kind = _BY_STAGE.get(stage, "related lemmas")
        ends = i + int(found.left_words[place]), j + int(found.right_words[place])
        yield Link(
            _LAYER,
            kind,
            tuple(range(i, ends[0])),
            tuple(range(j, ends[1])),
            float(found.similarity[place]),
            max(
                sum(w.weight for w in words[0][i : ends[0]]),
                sum(w.weight for w in words[1][j : ends[1]]),
            ),
            float(found.penalty[place]),
            STAGES[stage],
            tuple(relation for pair, relation in contexts if pair == place),
        )


def _contexts(
    metric: Cobalt,
    found: WordAlignments,
    words: Sequence[Words],
    relations: tuple[tuple[Relation, ...], tuple[Relation, ...]],
) -> Iterator[tuple[int, ContextRelation]]:
    columns = (
        found.context_pair,
        found.context_relation,
        found.context_on_right,
        found.context_child,
        found.context_matched,
    )
    places = found.left, found.right
    lengths = found.left_words, found.right_words
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for pair, number, side, is_child, matched in rows:
        relation = relations[side][number]
        weight = 1.0 if metric.weights == "uniform" else relation_weight(relation.label)
        governor, dependent = relation.governor - 1, relation.dependent - 1
        word = int(places[side][pair])
        label, ends = relation.label, [governor, dependent]
        if lengths[side][pair] > 1:  # the word of the phrase that has the relation
            word = governor if is_child else dependent
        if word not in ends:
            # A collapsed word has the relation twice, with the words before and behind it.
            joins = label.startswith("conj")
            if not is_child:
                label, ends[1] = "cc" if joins else "prep", word
            elif not joins:
                label, ends[0] = "pobj", word
        parent, child = (words[side][end].form if end >= 0 else "" for end in ends)
        sentence = in_words(label, parent, child, "" if matched else _CHANGES[SIDES[side]])
        yield (
            pair,
            ContextRelation(
                SIDES[side],
                word,
                relation.label,
                governor,
                dependent,
                weight,
                bool(matched),
                sentence,
            ),
        )
