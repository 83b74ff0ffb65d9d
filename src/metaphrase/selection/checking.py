"""What a short cut costs: the same sentences chosen with and without it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from metaphrase.errors import OptionError
from metaphrase.selection.choosing import Chooser
from metaphrase.selection.result import Selection


class ShortCutCheck:
    """Chooses the first sentences that go by once more, without pruning and aggregation.

    sentences: how many were chosen twice
    same: of how many the chosen text is the same
    lost: the sum of what the other choices lose of the utility, as it is without the short cut

    >>> chooser = Chooser(metrics=[metaphrase.create("chrf")], aggregate=True)
    >>> check = ShortCutCheck(chooser, most=100)
    >>> sentence = metaphrase.Candidates(texts=["a cat", "a dog", "the dog"])
    >>> found = list(check.watched(chooser.choose([sentence])))
    >>> check.same, check.sentences
    (1, 1)
    """

    def __init__(self, chooser: Chooser, *, most: int) -> None:
        if not (chooser.aggregate or chooser.confidence is not None or chooser.shortlist):
            raise OptionError(
                "MP839",
                "there is no short cut to check.",
                hint="--check goes with --aggregate, --confidence or --shortlist.",
            )
        self._whole = replace(chooser, aggregate=False, confidence=None, shortlist=None)
        self._most = most
        self.sentences = self.same = 0
        self.lost = 0.0

    def watched(self, found: Iterable[Selection]) -> Iterator[Selection]:
        """The selections as they are made."""
        for selection in found:
            if self.sentences < self._most and not selection.refused:
                self._compare(selection)
            yield selection

    def _compare(self, selection: Selection) -> None:
        whole = next(self._whole.choose([selection.candidates]))
        best, chosen = (float(whole.utilities[i]) for i in (whole.index, selection.index))
        self.sentences += 1
        self.same += whole.text == selection.text
        self.lost += abs(best - chosen)

    @property
    def loss(self) -> float:
        """What a choice that is another one loses in the mean."""
        others = self.sentences - self.same
        return self.lost / others if others else 0.0
