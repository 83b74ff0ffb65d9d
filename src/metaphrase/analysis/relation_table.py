"""What the labels of parsers mean in Stanford's typed dependencies: the one table.

``ROLES`` covers Universal Dependencies (version 2 as in EWT and GUM, and what version 1 had besides),
CLEAR (spaCy's English pipelines) and Stanford's own basic labels. The three never use one name for
two things, so a tree need not say which of them it is in. A role in lower case letters is the label
itself; one in ``<…>`` stands for a construction that :mod:`metaphrase.analysis.relations` takes apart.

Sources: de Marneffe & Manning, *Stanford typed dependencies manual* (2008, revised for parser 3.3);
de Marneffe et al., *Universal Stanford Dependencies* (2014); Choi & Palmer, *Guidelines for the CLEAR
style constituent to dependency conversion* (2012).
"""

from __future__ import annotations

#: Label of the input, without its subtype where the subtype makes no difference, to its role.
ROLES: dict[str, str] = {
    # the root, and tokens that are no dependents
    "root": "root",
    "ROOT": "root",
    "punct": "<silent>",
    "hyph": "<silent>",
    "possessive": "<silent>",
    # subjects and objects
    "nsubj": "nsubj",
    "nsubj:pass": "nsubjpass",
    "nsubj:outer": "<outer>",
    "nsubjpass": "nsubjpass",
    "csubj": "csubj",
    "csubj:pass": "csubjpass",
    "csubjpass": "csubjpass",
    "obj": "dobj",
    "dobj": "dobj",
    "iobj": "iobj",
    "dative": "<dative>",
    "expl": "expl",
    # predicates and clauses
    "cop": "cop",
    "attr": "<attribute>",
    "acomp": "acomp",
    "oprd": "xcomp",
    "ccomp": "ccomp",
    "xcomp": "xcomp",
    "advcl": "advcl",
    "acl": "<clause>",
    "acl:relcl": "rcmod",
    "relcl": "rcmod",
    "rcmod": "rcmod",
    "vmod": "vmod",
    "partmod": "vmod",
    "infmod": "vmod",
    "parataxis": "parataxis",
    # prepositional phrases and bare noun phrases
    "case": "<case>",
    "obl": "<oblique>",
    "obl:agent": "<agent>",
    "obl:unmarked": "<bare>",
    "obl:npmod": "<bare>",
    "obl:tmod": "<bare>",
    "nmod": "<nominal>",
    "nmod:unmarked": "<bare>",
    "nmod:npmod": "<bare>",
    "nmod:tmod": "<bare>",
    "npadvmod": "<bare>",
    "tmod": "tmod",
    "prep": "<preposition>",
    "agent": "<agent>",
    "pobj": "<object>",
    "pcomp": "<complement>",
    # inside noun phrases
    "det": "det",
    "det:poss": "poss",
    "det:predet": "predet",
    "predet": "predet",
    "amod": "amod",
    "appos": "appos",
    "nmod:poss": "poss",
    "poss": "poss",
    "nmod:desc": "nn",
    "compound": "nn",
    "nn": "nn",
    "flat": "<flat>",
    "name": "<flat>",
    "foreign": "<flat>",
    "nummod": "num",
    "num": "num",
    "number": "number",
    "quantmod": "quantmod",
    # function words and adverbs
    "aux": "aux",
    "aux:pass": "auxpass",
    "auxpass": "auxpass",
    "mark": "mark",
    "complm": "mark",
    "advmod": "advmod",
    "neg": "neg",
    "compound:prt": "prt",
    "prt": "prt",
    "fixed": "<fixed>",
    "mwe": "<fixed>",
    "goeswith": "goeswith",
    "discourse": "discourse",
    "intj": "discourse",
    # coordination
    "cc": "cc",
    "cc:preconj": "preconj",
    "preconj": "preconj",
    "conj": "conj",
    # whatever is not listed, and: vocative, dislocated, list, orphan, reparandum, meta
    "dep": "dep",
}

#: Two- and three-word prepositions that Stanford collapses though a tree has them in pieces
#: (manual, section 4.2).
PHRASAL_PREPOSITIONS: tuple[str, ...] = (
    *("according_to", "across_from", "ahead_of", "along_with", "alongside_of", "apart_from"),
    *("as_for", "as_from", "as_of", "as_per", "as_to", "aside_from", "away_from", "based_on"),
    *("because_of", "close_by", "close_to", "compared_to", "compared_with", "contrary_to"),
    *("depending_on", "due_to", "except_for", "exclusive_of", "far_from", "followed_by"),
    *("inside_of", "instead_of", "irrespective_of", "near_to", "next_to", "off_of", "out_of"),
    *("outside_of", "owing_to", "preliminary_to", "preparatory_to", "previous_to", "prior_to"),
    *("pursuant_to", "regardless_of", "subsequent_to", "such_as", "thanks_to", "together_with"),
    *("by_means_of", "in_accordance_with", "in_addition_to", "in_case_of", "in_front_of"),
    *("in_lieu_of", "in_place_of", "in_spite_of", "on_account_of", "on_behalf_of", "on_top_of"),
    *("with_regard_to", "with_respect_to"),
)

#: Words that open a clause even before a gerund, where a preposition would give ``prepc_…``.
SUBORDINATORS: tuple[str, ...] = (
    *("although", "because", "if", "lest", "once", "so", "that", "though", "till", "unless"),
    *("until", "whereas", "whether", "while", "whilst"),
)
#: Those of them that make a clause the complement of a noun: *the fact that …*.
COMPLEMENTISERS: tuple[str, ...] = ("that", "whether", "if")

#: Adverbs whose relation is ``neg``; the determiner *no* is another.
NEGATIONS: tuple[str, ...] = ("not", "n't", "n’t", "nt", "never")

#: Lemmas that make a bare noun phrase a ``tmod``: the time words of Stanford's head rules.
TIME_WORDS: tuple[str, ...] = (
    *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    *("january", "jan.", "february", "feb.", "march", "mar.", "april", "apr.", "may", "june"),
    *("july", "august", "aug.", "september", "sept.", "october", "oct.", "november", "nov."),
    *("december", "dec.", "spring", "summer", "fall", "autumn", "winter"),
    *("year", "month", "week", "day", "morning", "evening", "night"),
    *("today", "yesterday", "tomorrow", "tonight"),
)

#: Words in a conjunction that decide the label, whatever else it says: *as well as* is ``conj_and``,
#: *rather than* is ``conj_negcc``.
CONJUNCTIONS: dict[str, str] = {
    "not": "negcc",
    "instead": "negcc",
    "rather": "negcc",
    "mention": "and",
    "also": "and",
    "contrary": "and",
    "well": "and",
    "&": "and",
}

#: Entity types of OntoNotes and of CoNLL-2003 to the three that names are aligned by.
ENTITY_TYPES: dict[str, str] = {
    "PERSON": "PERSON",
    "PER": "PERSON",
    "ORGANIZATION": "ORGANIZATION",
    "ORG": "ORGANIZATION",
    "LOCATION": "LOCATION",
    "LOC": "LOCATION",
    "GPE": "LOCATION",
    "FAC": "LOCATION",
    "NORP": "LOCATION",
}
