"""Machine translation metrics that explain every score word by word.

>>> import metaphrase
>>> hypotheses, references = ["It was the big house."], ["It was a large house."]
>>> print(f"{metaphrase.TeslaM().corpus_score(hypotheses, [references]):.3f}")
0.963
>>> [link.kind for link in metaphrase.TeslaM().explain("the big house", "a large house").links[:3]]
['tag', 'synonym with tag', 'lemma']
>>> metaphrase.score(metaphrase.Corpus({"mine": hypotheses}, [references]), ["bleu", "chrf"]).best("chrf")
('mine',)

* Metrics are ``Accord``, ``TeslaM``, ``Tesla``, ``Celab``, ``Cobalt``, ``Meteor``, ``Pbe``, ``Pfsm``,
  ``Ppda``, ``PpdaF`` and ``MaxSim``, and the baselines ``Bleu``, ``Chrf``, ``ChrfPlusPlus``, ``Nist`` and
  ``Ter``. Guests run as programs of their own: ``Comet``, ``BertScore``, ``Bleurt``, ``MetricX``, and
  ``Exec`` for any other. A metric is its options: ``help(metaphrase.Cobalt)`` lists them, and
  ``create("cobalt:alpha=0.5")`` takes them as the command line does.
* Each has ``sentence_score``, ``segment_scores``, ``corpus_score``, ``explain``, ``error_spans``, and
  ``contrast``, which says why one of two translations scores higher (see ``Metric``); ``score`` runs several
  over a ``Corpus`` of systems, documents and references, which ``read`` takes from files, and returns
  ``Scores``, to which ``resample`` adds intervals and p-values. ``meta`` says how far metrics agree with
  people, ``probing`` which errors they do not see, ``gate`` if a system got worse.
* ``check`` finds what is wrong with translations whatever metrics say: numbers, placeholders, tags, terms.
* ``jobs`` scores corpora of any size in shards, on any number of machines.
* ``load_metrics`` runs a file with metrics of your own.
* What goes wrong is a ``MetaphraseError`` with a code, and docs/errors.md says what to do about it.

Start with docs/tutorial.md. ``metaphrase --help`` offers the same on the command line.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from metaphrase.presentation import presented_by
from metaphrase.version import __version__ as __version__

if TYPE_CHECKING:
    from metaphrase import gate, jobs, meta, probing
    from metaphrase.checks import Finding, check
    from metaphrase.corpus import Corpus, Segment
    from metaphrase.corpus.opening import read
    from metaphrase.errors import MetaphraseError
    from metaphrase.metrics import (
        Accord,
        BertScore,
        Bleu,
        Bleurt,
        Celab,
        Chrf,
        ChrfPlusPlus,
        Cobalt,
        Comet,
        Contrast,
        Exec,
        Explanation,
        MaxSim,
        Meteor,
        Metric,
        MetricX,
        Nist,
        Pbe,
        Pfsm,
        Ppda,
        PpdaF,
        Ter,
        Tesla,
        TeslaM,
        contrast,
        create,
        load_metrics,
    )
    from metaphrase.metrics.repairs import Severities
    from metaphrase.scoring import Profile, Scores, profile, resample, score
    from metaphrase.selection import Candidates, Selection, pairwise, select

__all__ = [
    "Accord",
    "BertScore",
    "Bleu",
    "Bleurt",
    "Candidates",
    "Celab",
    "Chrf",
    "ChrfPlusPlus",
    "Cobalt",
    "Comet",
    "Contrast",
    "Corpus",
    "Exec",
    "Explanation",
    "Finding",
    "MaxSim",
    "MetaphraseError",
    "Meteor",
    "Metric",
    "MetricX",
    "Nist",
    "Pbe",
    "Pfsm",
    "Ppda",
    "PpdaF",
    "Profile",
    "Scores",
    "Segment",
    "Selection",
    "Severities",
    "Ter",
    "Tesla",
    "TeslaM",
    "check",
    "contrast",
    "create",
    "gate",
    "jobs",
    "load_metrics",
    "meta",
    "pairwise",
    "probing",
    "profile",
    "read",
    "resample",
    "score",
    "select",
]
#: Where the names are that are not about metrics.
_HOMES = {
    "Candidates": "selection",
    "Corpus": "corpus",
    "Finding": "checks",
    "MetaphraseError": "errors",
    "Profile": "scoring",
    "Scores": "scoring",
    "Segment": "corpus",
    "Selection": "selection",
    "Severities": "metrics.repairs",
    "check": "checks",
    "pairwise": "selection",
    "profile": "scoring",
    "read": "corpus.opening",
    "resample": "scoring",
    "score": "scoring",
    "select": "selection",
}


def _refuse_sub_interpreters() -> None:
    """NumPy and the core keep one state for a process: in a second interpreter they wait for themselves."""
    for name in ("_interpreters", "_xxsubinterpreters"):  # since Python 3.13, and until then
        try:
            interpreters = import_module(name)
        except ImportError:
            continue
        if interpreters.get_current() != interpreters.get_main():
            raise ImportError(
                "metaphrase cannot be imported in a sub-interpreter, in which its compiled core would hang. "
                "Use processes or threads; under mod_wsgi set WSGIApplicationGroup %{GLOBAL}."
            )
        return


_refuse_sub_interpreters()
presented_by(
    html=f"{__name__}.report",
    text=f"{__name__}.report",
    data_frame=f"{__name__}.interchange.frames",
)


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for, so that importing the package costs nothing."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in ("gate", "jobs", "meta", "probing"):
        return import_module(f"{__name__}.{name}")
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'metrics')}"), name)


def __dir__() -> list[str]:
    """What a user can import."""
    return sorted({*globals(), *__all__})
