"""Probing: which errors can a metric not see?

>>> items = [Challenge(kind="order", reference="the cat", good="the cat", bad="cat the")]
>>> probe(items, ["bleu", "ter"])
<Probed items=1 kinds=1: bleu 100.0, ter 100.0>
"""

from metaphrase.corpus.challenges import Challenge
from metaphrase.corpus.formats.challenges.tables import write_challenges
from metaphrase.corpus.opening.challenges import read_challenges
from metaphrase.probing.kinds import KINDS
from metaphrase.probing.making import Made, kinds_of, make_challenges
from metaphrase.probing.measurement import distinct_texts, probe
from metaphrase.probing.result import ErrorKind, Failure, MeanSeen, Probed, Seen

__all__ = [
    "KINDS",
    "Challenge",
    "ErrorKind",
    "Failure",
    "Made",
    "MeanSeen",
    "Probed",
    "Seen",
    "distinct_texts",
    "kinds_of",
    "make_challenges",
    "probe",
    "read_challenges",
    "write_challenges",
]
