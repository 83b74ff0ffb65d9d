"""The metrics tasks of WMT as their organisers computed them: systems, references, measures and weights.

Facts of google-research/mt-metrics-eval: ``tasks.py`` (the functions WMT23, WMT24 and WMT24OnWMT23) and
``meta_info.py`` (references, human scores, outliers, and which submissions were primary). The measures are
those of Freitag et al., *Results of WMT23 Metrics Shared Task* (WMT 2023) and *Are LLMs Breaking MT Metrics?
Results of the WMT24 Metrics Shared Task* (WMT 2024).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from metaphrase.errors import OptionError
from metaphrase.languages import is_wanted, same_pair

#: ``accuracy`` is of systems, over all language pairs at once; ``spa`` is soft pairwise accuracy; ``acc-eq``
#: is averaged over segments, with a calibrated ε.
TaskMeasure = Literal["accuracy", "pearson", "spa", "acc-eq"]
TaskLevel = Literal["system", "segment"]


@dataclass(frozen=True, slots=True)
class PairRules:
    """What is compared in a language pair.

    Metrics use ``reference``, which is no system; other references are systems only if
    ``references_are_systems``. ``outliers`` are left out.
    """

    reference: str
    human: str = "mqm"
    references_are_systems: bool = False
    outliers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Task:
    """One measure at one level, of one language pair or of several together."""

    pairs: tuple[str, ...]
    level: TaskLevel
    measure: TaskMeasure

    @property
    def label(self) -> str:
        """A short name for tables."""
        pairs = self.pairs[0] if len(self.pairs) == 1 else "all"
        level = {"system": "sys", "segment": "seg"}[self.level]
        return f"{pairs} {level} {self.measure}"

    @property
    def lowest(self) -> float:
        """The least that the measure can be: what 0 stands for in the average."""
        return -1.0 if self.measure == "pearson" else 0.0


@dataclass(frozen=True, slots=True)
class SharedTask:
    """All tasks of a year, and how much each of them counts in the average."""

    name: str
    pairs: Mapping[str, PairRules]
    tasks: tuple[Task, ...]
    weights: tuple[float, ...]
    primary: frozenset[str]
    baselines: frozenset[str]

    def kind(self, metric: str) -> str:
        """What a metric was in that year: primary, baseline or contrastive."""
        if metric in self.baselines:
            return "baseline"
        return "primary" if metric in self.primary else "contrastive"


_BASELINES_2023 = frozenset(
    "BERTscore BLEU BLEURT-20 chrF COMET CometKiwi docWMT22CometDA docWMT22CometKiwiDA f200spBLEU "
    "MS-COMET-QE-22 prismRef prismSrc Random-sysname YiSi-1".split()
)
_PRIMARY_2023 = _BASELINES_2023 | frozenset(
    "Calibri-COMET22 Calibri-COMET22-QE cometoid22-wmt22 eBLEU embed_llama GEMBA-MQM KG-BERTScore MaTESe "
    "MEE4 MetricX-23 MetricX-23-QE mre-score-labse-regular mbr-metricx-qe sescoreX tokengram_F "
    "XCOMET-Ensemble XCOMET-QE-Ensemble XLsim".split()
)
_BASELINES_2024 = frozenset(
    "BERTScore BLEU BLEURT-20 chrF COMET-22 CometKiwi PrismRefMedium PrismRefSmall spBLEU YiSi-1 "
    "sentinel-cand-mqm sentinel-ref-mqm sentinel-src-mqm".split()
)
_PRIMARY_2024 = _BASELINES_2024 | frozenset(
    "BLCOM_1 bright-qe chrfS damonmonli gemba_esa MEE4 metametrics_mt_mqm_hybrid_kendall "
    "metametrics_mt_mqm_qe_kendall.seg.s MetricX-24-Hybrid MetricX-24-Hybrid-QE XCOMET XCOMET-QE "
    "XLsimMqm".split()
)
_SYNTHETIC = frozenset({"synthetic_ref"})
_PAIRS_2023 = {
    "en-de": PairRules("refA", outliers=_SYNTHETIC),
    "he-en": PairRules("refB", references_are_systems=True),
    "zh-en": PairRules("refA", outliers=_SYNTHETIC),
}
_PAIRS_2024 = {
    "en-de": PairRules("refB", references_are_systems=True, outliers=frozenset({"MSLC"})),
    "en-es": PairRules("refA", outliers=frozenset({"MSLC"})),
    "ja-zh": PairRules("refA", outliers=frozenset({"MSLC"})),
}


def _wmt23(name: str, pairs: Mapping[str, PairRules]) -> SharedTask:
    """Accuracy over all pairs counts as much as one other measure over all pairs."""
    tasks = [Task(tuple(pairs), "system", "accuracy")]
    for pair in pairs:
        tasks.append(Task((pair,), "system", "pearson"))
        tasks.append(Task((pair,), "segment", "pearson"))
        tasks.append(Task((pair,), "segment", "acc-eq"))
    weights = [len(pairs), *(1 for _ in tasks[1:])]
    return _weighted(name, pairs, tasks, weights, _PRIMARY_2023, _BASELINES_2023)


def _wmt24(
    name: str, pairs: Mapping[str, PairRules], primary: frozenset[str], baselines: frozenset[str]
) -> SharedTask:
    tasks = []
    for pair in pairs:
        tasks.append(Task((pair,), "system", "spa"))
        tasks.append(Task((pair,), "segment", "acc-eq"))
    return _weighted(name, pairs, tasks, [1] * len(tasks), primary, baselines)


def _weighted(
    name: str,
    pairs: Mapping[str, PairRules],
    tasks: Sequence[Task],
    weights: Sequence[int],
    primary: frozenset[str],
    baselines: frozenset[str],
) -> SharedTask:
    total = sum(weights)
    shares = tuple(weight / total for weight in weights)
    return SharedTask(name, dict(pairs), tuple(tasks), shares, primary, baselines)


#: What can be computed again, by name.
NAMES = ("wmt23", "wmt24", "wmt24-on-wmt23")


def shared_task(name: str, pairs: Sequence[str] | None = None) -> SharedTask:
    """The task of a year, on all its language pairs or some; ``wmt24-on-wmt23`` is 2024's on 2023's data.

    >>> from metaphrase.meta.shared_tasks import shared_task
    >>> [task.label for task in shared_task("wmt24").tasks][:2]
    ['en-de sys spa', 'en-de seg acc-eq']
    """
    if name not in NAMES:
        raise OptionError(
            "MP769", f"there is no task {name!r}.", hint=f"There are {', '.join(NAMES)}."
        )
    all_pairs = _PAIRS_2024 if name == "wmt24" else _PAIRS_2023
    for pair in pairs or ():
        if not any(same_pair(pair, one) for one in all_pairs):
            raise OptionError(
                "MP769",
                f"{name} has no language pair {pair}.",
                hint=f"It has {', '.join(all_pairs)}.",
            )
    # The order of the organisers, whatever order they are named in.
    chosen = {pair: rules for pair, rules in all_pairs.items() if is_wanted(pair, pairs)}
    if name == "wmt23":
        return _wmt23(name, chosen)
    if name == "wmt24":
        return _wmt24(name, chosen, _PRIMARY_2024, _BASELINES_2024)
    return _wmt24(name, chosen, _PRIMARY_2023, _BASELINES_2023)
