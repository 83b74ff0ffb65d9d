"""Relations in plain English: ``nsubj(learned, reporter)`` is *“reporter” is the subject of “learned”*.

``PREDICATES`` has what the dependent does, in the third person, with the governor at ``{}``, for every
label of :mod:`metaphrase.analysis.relations`. Some labels end in words, as ``prep_because_of`` does.
"""

from __future__ import annotations

PREDICATES: dict[str, str] = {
    "root": "is the main word of the sentence",
    "nsubj": "is the subject of {}",
    "nsubjpass": "is the subject of the passive {}",
    "csubj": "is in the clause that is the subject of {}",
    "csubjpass": "is in the clause that is the subject of the passive {}",
    "xsubj": "is the understood subject of {}",
    "dobj": "is the object of {}",
    "iobj": "is the indirect object of {}",
    "agent": "is the doer of the passive {}",
    "expl": "fills the place of the subject of {}",
    "cop": "links {} to its subject",
    "acomp": "is the adjective that completes {}",
    "ccomp": "is in the clause that completes {}",
    "xcomp": "completes {}",
    "advcl": "is in a clause that depends on {}",
    "rcmod": "is in a relative clause about {}",
    "vmod": "describes {}",
    "parataxis": "is in a clause set beside {}",
    "tmod": "tells the time of {}",
    "npadvmod": "qualifies {}",
    "det": "is the determiner of {}",
    "predet": "stands before the determiner of {}",
    "amod": "describes {}",
    "appos": "is another name for {}",
    "poss": "is the owner of {}",
    "nn": "forms a name or compound with {}",
    "num": "counts {}",
    "number": "is part of the number {}",
    "quantmod": "qualifies the number {}",
    "aux": "is an auxiliary of {}",
    "auxpass": "is the passive auxiliary of {}",
    "mark": "opens the clause of {}",
    "advmod": "is an adverb of {}",
    "neg": "negates {}",
    "prt": "is the particle of {}",
    "mwe": "forms an expression with {}",
    "goeswith": "is a piece of {}",
    "discourse": "is an interjection beside {}",
    "cc": "is the conjunction of {}",
    "preconj": "opens the coordination of {}",
    "conj": "is coordinated with {}",
    "prep": "is a preposition of {}",
    "pobj": "is the object of the preposition {}",
    "pcomp": "completes the preposition {}",
    "dep": "depends on {}",
}


def in_words(label: str, governor: str, dependent: str, adverb: str = "") -> str:
    """The relation as a sentence about its dependent, with an adverb such as *no longer*.

    >>> in_words("nsubj", "learned", "reporter", "no longer")
    '“reporter” is no longer the subject of “learned”'
    >>> in_words("prep_because_of", "stayed", "rain", "now")
    '“because of rain” now goes with “stayed”'
    >>> in_words("conj_and", "cats", "dogs")
    '“dogs” is joined to “cats” by “and”'
    """
    kind, _, words = label.replace("_", " ").partition(" ")
    predicate, means = PREDICATES.get(kind, PREDICATES["dep"]), ""
    if words and kind == "conj":
        predicate, means = "is joined to {}", f"by “{words}”"
    elif words:
        predicate, dependent = "goes with {}", f"{words} {dependent}"
    verb, _, rest = predicate.partition(" ")
    order = (verb, adverb) if verb == "is" else (adverb, verb)
    rest = rest.format(f"“{governor}”")
    return " ".join(filter(None, (f"“{dependent}”", *order, rest, means)))
