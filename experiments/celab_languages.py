"""TESLA-CELAB beyond Chinese (Liu & Ng 2012, section 5.1): into German beside BLEU, chrF and TESLA-M.

``python -m experiments.celab_languages`` with METAPHRASE_DATA set. Nothing is chosen here: the table of
compounds is the one that TESLA-M has. There are no judgements of translations into Japanese.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from experiments.frame import Experiment, run
from experiments.tesla_m_languages import rankings
from metaphrase import Celab, analysis
from metaphrase.analysis.adapters.characters import CharacterAnalyser
from metaphrase.analysis.builtin.compounds import CompoundTable
from metaphrase.metrics import register

#: What ``words=parts`` does beside cutting compounds.
_LOWERCASE = "characters:lowercase"


@register
@dataclass(frozen=True, kw_only=True)
class LowercaseCelab(Celab):
    """TESLA-CELAB that compares whole words in lower case."""

    name: ClassVar[str] = "celab-lowercase"

    @property
    def analyser_name(self) -> str:
        return _LOWERCASE


METRICS = (
    "celab",
    "celab:minus",
    "celab-lowercase",
    "celab:words=parts",
    "celab:words=letters",
    "bleu",
    "chrf",
    "tesla-m",
    "tesla-m:compounds=no",
)
REMARK = (
    "No dictionary is used. With whole words the metric is like BLEU in 2012 and above it in 2015, like "
    "TESLA-M or below, and far below chrF. Compound parts (`words=parts`) gain 0.003 to 0.004 beside "
    "whole words in lower case (`celab-lowercase`, which exists for this table only), in neither year "
    "significantly: what they gain in 2015 beside `celab` is the lower case. TESLA-M is above them in "
    "2012, where it is better still without its compounds; in 2015 it is worse without. Spans of letters "
    "(`words=letters`) are as good as chrF in both years, and better than all else here. They find words "
    "of a dictionary only up to four letters, so that they have little of the paper's metric. Nothing was "
    "chosen on these rankings, and the defaults stay."
)


def main() -> None:
    analysis.register(_LOWERCASE, lambda: CharacterAnalyser(compounds=CompoundTable({})))
    run(
        [
            Experiment(
                "celab-german",
                "TESLA-CELAB into German: rankings",
                rankings("de"),
                METRICS,
                remark=REMARK,
            )
        ]
    )


if __name__ == "__main__":
    main()
