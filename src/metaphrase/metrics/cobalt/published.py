"""Where UPF-Cobalt is not what its paper describes (Fomicheva et al., WMT 2015)."""

from __future__ import annotations

from typing import Any

from metaphrase.metrics.published import Difference


def _parsed_here(metric: Any) -> bool:
    return not (metric.analyser or "").startswith("conllu:")


#: What even ``cobalt:paper`` must replace. A part that is an option is the paper's own once it is given.
SUBSTITUTED = (
    Difference(
        part="parser",
        published="collapsed dependencies of Stanford CoreNLP 3.4.1",
        here="trees of the built-in parser, collapsed into the same relations",
        why="CoreNLP needs Java. analyser=conllu:PATH reads the parses of any program.",
        in_program=True,
        when=_parsed_here,
    ),
    Difference(
        part="tagger",
        published="tags and lemmas of Stanford CoreNLP",
        here="tags and lemmas of the built-in analyser, which cuts words at hyphens",
        why="CoreNLP needs Java. analyser=conllu:PATH reads the tags of any program.",
        in_program=True,
        when=_parsed_here,
    ),
    Difference(
        part="names",
        published="names found by Stanford CoreNLP",
        here="names found by the built-in analyser",
        why="CoreNLP needs Java. analyser=conllu:PATH reads the names that any program finds.",
        in_program=True,
        when=_parsed_here,
    ),
    Difference(
        part="vectors",
        published="Levy and Goldberg's vectors of dependency contexts (2014)",
        here="GloVe's vectors, with the paper's threshold for the cosine, 0.25",
        why="Those of Levy and Goldberg do not ship; file:PATH reads them.",
    ),
    Difference(
        part="paraphrases",
        published="the lexical paraphrases of PPDB 1.0, size XXXL",
        here="the table of paraphrases that ships",
        why="PPDB does not ship; ppdb:PATH reads it, with τ 0.427 instead of 0.428 on wmt15.",
        in_program=True,
    ),
    Difference(
        part="aligner",
        published="the program as it was in May 2015, when it was submitted",
        here="the program as it was released, with the changes of June 2015",
        why="Only the released program can be run, and it gives the figures of Table 3.",
    ),
    Difference(
        part="formula",
        published="Eq. 1 and 2 count relations, average both sides and do not take 1 off the penalty",
        here="sums of weights, an F mean (β = 4), and 1 taken off, as in the authors' program",
        why="As printed, the penalties of Table 3 are 1.286 and 1.270; the table has 0.426 and 0.286, as the "
        "program gives them.",
    ),
)

#: In which options the default of ``cobalt`` is not that of ``cobalt:paper``.
DEPARTURES = (
    Difference(
        part="pairs",
        published="released: words of names and hyphenated words may have several partners",
        here="one-to-one",
        why="A name said five times scores above 1. One partner is significantly better in 5 of 39 language "
        "pairs of 14 test sets, and significantly worse in none.",
        chosen_on_test=True,
    ),
    Difference(
        part="vectors",
        published="distributional similarity, by vectors of dependency contexts",
        here="none",
        why="The authors' released configuration leaves it out, and the default has followed it; GloVe's "
        "vectors are worth 0.015 of τ on wmt15, and 0.004 and 0.009 of r on daseg15 and daseg16.",
    ),
    Difference(
        part="normalise",
        published="no: texts are compared as they are",
        here="yes",
        why="The same text, encoded in two ways, is the same text: a rule of all metrics, not measured.",
    ),
)
