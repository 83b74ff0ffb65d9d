"""Where pFSM and pPDA are not what their paper describes: resources replaced, and other defaults.

Mengqiu Wang and Christopher D. Manning, EMNLP 2012. The models of ``:paper`` are trained as the paper says
(``training/edits/README.md``); the figures are means over six language pairs, each predicted by models of the
others (docs/results/ppda.md, "The defaults beside :paper").
"""

from __future__ import annotations

from metaphrase.metrics.published import Difference

SUBSTITUTED = (
    Difference(
        part="training data",
        published="scores from 1 to 7 of NIST OpenMT 2006 and 2008, and judgements of WMT 2006 to 2008",
        here="direct assessments of WMT 2015 and 2016, 5,360 translations into English, as z-scores",
        why="OpenMT is the Linguistic Data Consortium's and may not be passed on, and the assessments have "
        "fifteen raters a segment. Scores are therefore on the scale of z-scores.",
    ),
    Difference(
        part="tokeniser",
        published="the script of the Penn Treebank",
        here="the built-in English analyser's, which follows the same conventions",
    ),
)
#: Of pPDA+f, beside those.
SUBSTITUTED_FEATURES = (
    *SUBSTITUTED,
    Difference(
        part="parser",
        published="MSTParser on the tags of MXPOST",
        here="the built-in English tagger and parser; its relations are read as subject, object, predicative",
    ),
    Difference(
        part="paraphrases",
        published="2.5 million pairs of one or two words from TERp's table",
        here="252 thousand pairs of one or two words from Europarl (models/paraphrases-en.md)",
        why="TERp's table may not be passed on. A model with another one is trained by "
        "`metaphrase train ppda+f --paraphrases file:PATH`.",
    ),
)


def _departures(model: Difference) -> tuple[Difference, ...]:
    return (
        model,
        Difference(
            part="normalise",
            published="no: texts are compared as they are",
            here="yes",
            why=_NORMALISED,
        ),
    )


_NORMALISED = "TODO"
PFSM = _departures(
    Difference(
        part="model",
        published="pfsm-paper: edits of single words, Porter's first stemmer, L-BFGS",
        here="pfsm: also edits of two words, Porter2, Levenberg-Marquardt",
        why="TODO",
    )
)
PPDA = _departures(
    Difference(
        part="model",
        published="ppda-paper: edits of single words, Porter's first stemmer, L-BFGS",
        here="ppda: also edits of two words, Porter2, Levenberg-Marquardt",
        why="TODO",
    )
)
PPDA_F = _departures(
    Difference(
        part="model",
        published="ppda+f-paper: Porter's first stemmer, L-BFGS",
        here="ppda+f: Porter2, Levenberg-Marquardt",
        why="TODO",
    )
)
