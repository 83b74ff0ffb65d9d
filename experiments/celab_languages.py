"""TESLA-CELAB beyond Chinese (Liu & Ng 2012, section 5.1): into German beside BLEU, chrF and TESLA-M.

``python -m experiments.celab_languages`` with METAPHRASE_DATA set. Nothing is chosen here: the table of
compounds is the one that TESLA-M has. There are no judgements of translations into Japanese: that it reads
Japanese is shown by sentences that mean the same, as the paper's Figure 5 shows it of German.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

from experiments.frame import Experiment, replace_section, run
from experiments.tesla_m_languages import rankings
from metaphrase import Celab, analysis
from metaphrase.analysis.adapters.characters import CharacterAnalyser
from metaphrase.analysis.builtin.compounds import CompoundTable
from metaphrase.metrics import create, register

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


#: Sentences that mean the same, with the synonyms in them. The German ones are the paper's Figure 5.
SAYINGS = {
    "de": (("Schirm kaufen", "Regenschirm kaufen", "Regen schirm kaufen"), "Schirm\tRegenschirm"),
    "ja": (("傘を買った。", "雨傘を買った。"), "傘\t雨傘"),
    "zh": (("买伞。", "买雨伞。"), "伞\t雨伞"),
}


def sayings() -> Iterator[str]:
    """The scores of sentences that mean the same against each other, as a table."""
    metrics = ("`celab`, no dictionary", "`words=parts`, none", "`celab`, with one", "`chrf`")
    yield f"| language | reference | hypothesis | {' | '.join(metrics)} |"
    yield f"| --- | --- | --- |{' --- |' * len(metrics)}"
    with TemporaryDirectory() as directory:
        for lang, (texts, synonyms) in SAYINGS.items():
            path = Path(directory, f"{lang}.tsv")
            path.write_text(synonyms + "\n", encoding="utf-8")
            specifications = (
                "celab:dictionary=none",
                "celab:words=parts" if lang == "de" else None,
                f"celab:dictionary=file:{path}",
                "chrf",
            )
            for reference, hypothesis in permutations(texts, 2):
                cells = []
                for name in specifications:
                    if name is None:
                        cells.append("—")
                        continue
                    score = create(name, lang=lang).sentence_score(hypothesis, [reference]).score
                    cells.append(f"{score:.1f}" if name == "chrf" else f"{score:.3f}")
                yield f"| {lang} | {reference} | {hypothesis} | {' | '.join(cells)} |"


SAYINGS_REMARK = (
    "With a dictionary all score 1, however words are written. Without one a German compound shares nothing "
    "with a word in it unless it is cut; Japanese and Chinese words share their characters. These are "
    "examples: there are no judgements of translations into Japanese here to measure anything with."
)


def main() -> None:
    lines = ["## TESLA-CELAB beyond Chinese: sentences that mean the same", "", *sayings()]
    replace_section("celab-sayings", [*lines, "", SAYINGS_REMARK])
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
