"""TESLA-M of the paper, ``tesla-m:paper``: what is replaced in it, and where the default differs."""

from __future__ import annotations

from metaphrase.metrics.published import Difference

#: Of both TESLA-M and TESLA.
ANALYSIS = (
    Difference(
        part="tagger",
        published="OpenNLP's tagger",
        here="the built-in tagger of the language, in English with the same Penn tags",
        why="OpenNLP needs Java.",
    ),
    Difference(
        part="lemmatiser",
        published="WordNet's lemmatiser",
        here="the lemmas of the built-in analyser",
        why="The built-in lemmatiser knows the tag of a word in its sentence, which WordNet's is not told.",
    ),
    Difference(
        part="function_tags",
        published="a list of tags of function words, which is not published",
        here="Penn tags of prepositions, articles, pronouns, modals and the like (METRICS 3.2)",
        why="The paper discounts function words by their tags and names none of them.",
    ),
)

SUBSTITUTED = (
    *ANALYSIS,
    Difference(
        part="other languages",
        published="taggers of French, German, Spanish and Czech, and synonyms from dictionaries",
        here="the built-in analysers of these languages, and no synonyms unless synonyms= names some",
        why="Dictionaries of synonyms for these languages do not ship.",
        when=lambda metric: metric.lang != "en",
    ),
)

DEPARTURES = (
    Difference(
        part="normalise",
        published="no",
        here="yes",
        why="The same text in other bytes is to have the same score. On WMT15 into English τ is 0.360 "
        "either way.",
    ),
)
