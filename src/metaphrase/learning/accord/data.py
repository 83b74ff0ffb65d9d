"""What ``accord`` learns from: losses of judged translations beside people's scores or preferences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from os import fspath

import numpy as np

from metaphrase.arrays import BoolArray, FloatArray, Int64Array
from metaphrase.corpus.judgements import Judgements
from metaphrase.corpus.lines import FilePath
from metaphrase.errors import InputError
from metaphrase.meta.measures import preferences
from metaphrase.metrics import compare
from metaphrase.metrics.accord.features import losses_of
from metaphrase.metrics.accord.metric import Accord
from metaphrase.trained.pretrained_encoder import PretrainedEncoder, load_pretrained

_PIECE = 2048


@dataclass(frozen=True, kw_only=True)
class Untrained(Accord):
    """``accord`` before it has a model: all losses that the language has."""

    @property
    def asked(self) -> tuple[str, ...]:
        """All families."""
        return self.families

    @property
    def _encoder(self) -> PretrainedEncoder:
        """Any: there are no weights yet that it should go with."""
        return load_pretrained(self.encoder, self._language)

    @property
    def loss_names(self) -> tuple[str, ...]:
        """What the columns of ``JudgedLosses.texts`` are."""
        return losses_of(self.families)


@dataclass(frozen=True, slots=True, eq=False)
class JudgedLosses:
    """One set of judgements of one language pair.

    ``texts`` has the losses of every judged translation, ``place`` the share (out of 100) of the others that
    people placed lower: of the whole set if it has scores, of the same segment if it has rankings. ``human``
    are the standardised scores, or else the texts ``better[k]`` were preferred to ``worse[k]``.
    ``references`` are what the translations were compared with. Of a set that is ``corrupted`` the worse
    texts were made from others, and no rater saw them; ``place`` is then the most that a text should score.
    """

    name: str
    language_pair: str
    texts: FloatArray
    place: FloatArray
    system: Int64Array
    segment: Int64Array
    human: FloatArray | None
    better: Int64Array
    worse: Int64Array
    references: frozenset[str] = frozenset()
    corrupted: bool = False

    @property
    def is_ranked(self) -> bool:
        """Whether people said which of two is better, instead of how good each is."""
        return self.human is None

    @property
    def count(self) -> int:
        """How many scores or preferences there are."""
        return len(self.better if self.is_ranked else self.texts)

    @property
    def losses(self) -> FloatArray:
        """What is learnt from: the losses of texts with scores, or those of the worse less the better's."""
        return self.texts[self.worse] - self.texts[self.better] if self.is_ranked else self.texts

    def shares_texts_with(self, other: JudgedLosses) -> bool:
        """Whether more than one in a hundred references of the smaller set are in the other one, too."""
        common = len(self.references & other.references)
        return common * 100 > min(len(self.references), len(other.references))

    def of_segments(self, chosen: BoolArray) -> JudgedLosses:
        """What was said about the segments that are ``chosen``; scores stay as they are."""
        kept = chosen[self.segment]
        number = np.cumsum(kept) - 1
        pairs = kept[self.better] if self.is_ranked else np.empty(0, dtype=bool)
        return replace(
            self,
            texts=self.texts[kept],
            place=self.place[kept],
            system=self.system[kept],
            segment=self.segment[kept],
            human=None if self.human is None else self.human[kept],
            better=number[self.better[pairs]],
            worse=number[self.worse[pairs]],
        )


def judged_losses(
    judged: Judgements,
    metric: Untrained,
    *,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
    path: FilePath | None = None,
    known: FloatArray | None = None,
) -> JudgedLosses:
    """Compare every judged translation with its references; several references count by their mean.

    ``path`` is for messages; ``known`` are the :func:`text_losses`, if they are there already.
    """
    judged.check_references(None if path is None else fspath(path))
    if known is None:
        known = text_losses(judged, metric, threads=threads, progress=progress)
    try:
        found = _judged(judged, known)
        _check_direction(found, found.texts[:, metric.loss_names.index("chrf")])
        return found
    except InputError as error:
        raise error if path is None else error.at(path) from None


def _judged(judged: Judgements, losses: FloatArray) -> JudgedLosses:
    references = frozenset(one for text in judged.texts for one in text.references)
    if judged.is_ranked:
        return _ranked(judged, losses, references)
    systems, segments = np.nonzero(~np.isnan(judged.human) & (judged.text_of >= 0))
    human = judged.human[systems, segments]
    if len(human) < 2 or human.std() < 1e-9:
        raise _no_difference(judged, "scores")
    nothing = np.empty(0, dtype=np.int64)
    return JudgedLosses(
        judged.name,
        judged.language_pair,
        texts=losses[judged.text_of[systems, segments]],
        place=_placed(human),
        system=systems,
        segment=segments,
        human=(human - human.mean()) / human.std(),
        better=nothing,
        worse=nothing,
        references=references,
    )


def _ranked(judged: Judgements, losses: FloatArray, references: frozenset[str]) -> JudgedLosses:
    pairs = preferences(judged)
    shape = judged.text_of.shape
    cells = [
        np.ravel_multi_index((system, pairs.segment), shape)
        for system in (pairs.first, pairs.second)
    ]
    order = np.sign(pairs.order)
    won = np.zeros(judged.text_of.size)
    for side, sign in zip(cells, (1, -1), strict=True):
        np.add.at(won, side, 0.5 + 0.5 * sign * order)
    compared = np.bincount(np.concatenate(cells), minlength=judged.text_of.size)
    rows = np.flatnonzero(compared)
    number = np.full(judged.text_of.size, -1)
    number[rows] = np.arange(len(rows))
    text = judged.text_of.ravel()
    keep = (order != 0) & (text[cells[0]] != text[cells[1]])
    if not keep.any():
        raise _no_difference(judged, "preferences")
    first, second = (number[side[keep]] for side in cells)
    system, segment = np.unravel_index(rows, shape)
    return JudgedLosses(
        judged.name,
        judged.language_pair,
        texts=losses[text[rows]],
        place=100.0 * won[rows] / compared[rows],
        system=system,
        segment=segment,
        human=None,
        better=np.where(order[keep] > 0, first, second),
        worse=np.where(order[keep] > 0, second, first),
        references=references,
    )


def _placed(human: FloatArray) -> FloatArray:
    """The share of scores below each one, out of 100; of those that are equal, half are."""
    ordered = np.sort(human)
    below, up_to = (np.searchsorted(ordered, human, side=side) for side in ("left", "right"))
    return 50.0 * (below + up_to) / len(human)


def text_losses(
    judged: Judgements,
    metric: Untrained,
    *,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> FloatArray:
    """The losses of each of the texts, which is what takes long; ``progress`` is told how many are done."""
    rows = np.empty((len(judged.texts), len(metric.loss_names)))
    done = 0
    for places, corpus in judged.corpora():
        for start in range(0, len(places), _PIECE):
            (comparison,) = compare(corpus[start : start + _PIECE], metric, threads=threads)
            found = np.mean(
                [
                    metric.losses(comparison, reference, metric.families, threads=threads)
                    for reference in range(len(comparison.references))
                ],
                axis=0,
            )
            rows[places[start : start + _PIECE]] = found
            done += len(found)
            if progress is not None:
                progress(done)
    return rows


def _check_direction(judged: JudgedLosses, lost: FloatArray) -> None:
    """Refuse scores of which the lower ones are better: chrF, by which ``lost`` is lost, says the contrary.

    What it says by chance is within three standard errors.
    """
    if judged.human is None:
        found = float(np.sign(lost[judged.worse] - lost[judged.better]).mean())
    else:
        found = float(np.corrcoef(-lost, judged.human)[0, 1]) if lost.std() > 1e-12 else 0.0
    if found * np.sqrt(judged.count) < -3.0:
        raise InputError(
            "MP844",
            f"The more translations of {judged.name} {judged.language_pair} are like their references, the "
            f"worse they are said to be: chrF agrees at {found:.2f}.",
            hint="Higher scores must be better, and rank 1 the best.",
        )


def _no_difference(judged: Judgements, what: str) -> InputError:
    return InputError(
        "MP844",
        f"The {what} of {judged.name} {judged.language_pair} make no difference between translations.",
        hint="Nothing can be learnt from them: leave the set out.",
    )
