"""METEOR 1.5's tuned parameters: for each task and language, how much everything counts.

The numbers are those of the Java program (version 1.5, ``edu.cmu.meteor.util.Constants``), which
Michael Denkowski and Alon Lavie tuned to human judgements: Meteor Universal, WMT 2014, section 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import compress

from metaphrase.analysis.metric_text.meteor_text import LANGUAGES
from metaphrase.errors import OptionError

#: In the order in which they look for matches.
MODULES = ("exact", "stem", "synonym", "paraphrase")


@dataclass(frozen=True, slots=True)
class Parameters:
    """The symbols of the formula (docs/meteor.md).

    ``weights`` are those of the modules in use, in their order: the first weight is that of the first module,
    whichever it is. That is how the program counts, also where a module is left out.
    """

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, float, float, float]


_RANK = {
    "en": Parameters(0.85, 0.2, 0.6, 0.75, (1.0, 0.6, 0.8, 0.6)),
    "cs": Parameters(0.95, 0.2, 0.6, 0.8, (1.0, 0.4, 0.0, 0.0)),
    "de": Parameters(0.95, 1.0, 0.55, 0.55, (1.0, 0.8, 0.2, 0.0)),
    "es": Parameters(0.65, 1.3, 0.5, 0.8, (1.0, 0.8, 0.6, 0.0)),
    "fr": Parameters(0.9, 1.4, 0.6, 0.65, (1.0, 0.2, 0.4, 0.0)),
    "ru": Parameters(0.75, 1.4, 0.7, 0.5, (1.0, 0.5, 0.5, 0.0)),
}
_ENGLISH = {
    "adq": Parameters(0.75, 1.4, 0.45, 0.7, (1.0, 1.0, 0.6, 0.8)),
    "hter": Parameters(0.4, 1.5, 0.35, 0.55, (1.0, 0.2, 0.6, 0.8)),
    "util": Parameters(0.65, 0.1, 0.55, 0.65, (1.0, 0.0, 0.0, 0.8)),
}
_ANY_LANGUAGE = {
    "li": Parameters(0.75, 1.4, 0.7, 0.5, (1.0, 0.5, 0.5, 0.5)),
    "tune": Parameters(0.5, 1.0, 0.5, 0.5, (1.0, 0.5, 0.5, 0.5)),
}
TASKS = ("rank", *_ENGLISH, *_ANY_LANGUAGE)


def default_task(lang: str) -> str:
    """``rank``, or ``li`` for a language that the parameters were not tuned for."""
    return "rank" if lang in _RANK else "li"


def parameters(task: str, lang: str) -> Parameters:
    """What was tuned for the task; a task that knows nothing of the language is an error."""
    known: Mapping[str, Parameters] = {
        **_ANY_LANGUAGE,
        **(_ENGLISH if lang == "en" else {}),
        **({"rank": _RANK[lang]} if lang in _RANK else {}),
    }
    if task not in known:
        raise OptionError(
            "MP592",
            f"meteor has no parameters of the task {task!r} for language {lang!r}.",
            hint=f"Choose {' or '.join(known)}.",
        )
    return known[task]


def default_modules(lang: str) -> tuple[str, ...]:
    """All that there is for the language; whether there are paraphrases is another question."""
    there = (True, LANGUAGES[lang].stems, lang == "en", True)
    return tuple(compress(MODULES, there))
