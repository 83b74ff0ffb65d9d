"""The gate: may this change be merged, or did quality fall?

>>> corpus = metaphrase.read("reference.txt", {"mine": "system-a.txt"})
>>> scores = metaphrase.score(
...     corpus, ["chrf"], levels=["system", "segment"], keep_statistics=True
... )
>>> current = take_snapshot(corpus, scores, ["chrf"])
>>> judge(Rules(), baseline=current, current=current, metrics=["chrf"])
<Verdict green: all 2 rules hold>
"""

from metaphrase.gate.baseline_reading import load_baseline
from metaphrase.gate.baseline_writing import write_baseline
from metaphrase.gate.changed_words import Piece, changed_words
from metaphrase.gate.judgement import judge
from metaphrase.gate.rules import FindingLimits, Limits, Rules, Section, Settings
from metaphrase.gate.rules_file import load_rules
from metaphrase.gate.snapshot import Snapshot, rescored, take_snapshot
from metaphrase.gate.verdict import ChangedSegment, Difference, Outcome, Verdict

__all__ = [
    "ChangedSegment",
    "Difference",
    "FindingLimits",
    "Limits",
    "Outcome",
    "Piece",
    "Rules",
    "Section",
    "Settings",
    "Snapshot",
    "Verdict",
    "changed_words",
    "judge",
    "load_baseline",
    "load_rules",
    "rescored",
    "take_snapshot",
    "write_baseline",
]
