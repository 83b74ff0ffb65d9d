"""The words by which :mod:`metaphrase.analysis.relations` collapses trees, by language.

Trees of Universal Dependencies are the same in all languages; which adverb negates, which word opens a clause
and which preposition has the doer of a passive behind it are not. English has the lists of Stanford's manual;
the others have the words of these functions, in the spelling of built-in analysers, and no more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from metaphrase.analysis import relation_table as english
from metaphrase.errors import OptionError


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationWords:
    """What the words of a language say about relations; all in lower case.

    agents:         prepositions of the doer of a passive, where trees mark it (``obl:agent``)
    oblique_agents: those that mark it by themselves beside a passive, since trees do not
    penn:           tags of Penn's set for tags of the analyser that say more than the universal ones
    """

    phrasal_prepositions: tuple[str, ...] = ()
    subordinators: tuple[str, ...] = ()
    complementisers: tuple[str, ...] = ()
    negations: tuple[str, ...] = ()
    negative_determiners: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    oblique_agents: tuple[str, ...] = ()
    time_words: tuple[str, ...] = ()
    conjunctions: Mapping[str, str] = field(default_factory=dict)
    penn: Mapping[str, str] = field(default_factory=dict)


_ENGLISH = RelationWords(
    phrasal_prepositions=english.PHRASAL_PREPOSITIONS,
    subordinators=english.SUBORDINATORS,
    complementisers=english.COMPLEMENTISERS,
    negations=english.NEGATIONS,
    negative_determiners=("no",),
    agents=("by",),
    time_words=english.TIME_WORDS,
    conjunctions=english.CONJUNCTIONS,
)
_GERMAN = RelationWords(
    subordinators=tuple("dass daß weil ob wenn als während bevor nachdem obwohl damit".split()),
    complementisers=("dass", "daß", "ob"),
    negations=("nicht", "nie", "niemals"),
    negative_determiners=tuple("kein keine keinen keinem keiner keines".split()),
    agents=("von", "vom", "durch"),
    oblique_agents=("von", "vom", "durch"),
    time_words=(
        *"montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag".split(),
        *"januar jänner februar märz april mai juni juli august september oktober".split(),
        *"november dezember frühling frühjahr sommer herbst winter jahr monat woche tag".split(),
        *"morgen vormittag mittag nachmittag abend nacht heute gestern".split(),
    ),
    conjunctions={"sowie": "und", "&": "und", "bzw.": "oder", "beziehungsweise": "oder"},
    penn={"PTKZU": "TO", "VVPP": "VBN", "VAPP": "VBN", "VMPP": "VBN", "PPER": "PRP", "PRF": "PRP"},
)
_FRENCH = RelationWords(
    subordinators=tuple("que qu' si comme quand lorsque puisque".split()),
    complementisers=("que", "qu'", "si"),
    negations=tuple("ne n' pas jamais".split()),
    negative_determiners=("aucun", "aucune", "nul", "nulle"),
    agents=("par", "de", "d'"),
    time_words=(
        *"lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril".split(),
        *"mai juin juillet août septembre octobre novembre décembre printemps été".split(),
        *"automne hiver an année mois semaine jour journée matin après-midi soir nuit".split(),
        *"hier demain aujourd'hui".split(),
    ),
    conjunctions={"&": "et"},
)
_SPANISH = RelationWords(
    subordinators=tuple("que si como cuando porque aunque mientras".split()),
    complementisers=("que", "si"),
    negations=("no", "nunca", "jamás"),
    negative_determiners=tuple("ningún ninguno ninguna".split()),
    agents=("por",),
    time_words=(
        *"lunes martes miércoles jueves viernes sábado domingo enero febrero marzo".split(),
        *"abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(),
        *"primavera verano otoño invierno año mes semana día mañana tarde noche".split(),
        *"ayer hoy".split(),
    ),
    conjunctions={"e": "y", "u": "o", "&": "y"},
)
#: By the code of the language.
LANGUAGES: Mapping[str, RelationWords] = {
    "en": _ENGLISH,
    "de": _GERMAN,
    "fr": _FRENCH,
    "es": _SPANISH,
}

#: Penn's tags for the universal ones, as far as relations and the word aligner ask about them.
_PENN = {
    "NOUN": "NN",
    "PROPN": "NNP",
    "VERB": "VB",
    "AUX": "VB",
    "ADJ": "JJ",
    "ADV": "RB",
    "NUM": "CD",
    "PRON": "PRP",
    "DET": "DT",
    "ADP": "IN",
    "SCONJ": "IN",
    "CCONJ": "CC",
    "PART": "RP",
    "INTJ": "UH",
}


def relation_words(lang: str) -> RelationWords:
    """The words of a language."""
    if lang not in LANGUAGES:
        raise OptionError(
            "MP531",
            f"relations of {lang!r} cannot be collapsed.",
            hint=f"Those of {', '.join(LANGUAGES)} can.",
        )
    return LANGUAGES[lang]


def penn_tag(lang: str, tag: str, universal: str) -> str:
    """The tag of Penn's set that a tag of an analyser comes down to.

    >>> penn_tag("de", "VVPP", "VERB"), penn_tag("de", "VVFIN", "VERB"), penn_tag("fr", "NOUN", "NOUN")
    ('VBN', 'VB', 'NN')
    """
    return relation_words(lang).penn.get(tag) or _PENN.get(universal, universal)
