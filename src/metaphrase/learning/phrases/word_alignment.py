"""Word alignment of parallel text: a statistical model in both directions, and one alignment from the two.

The model is IBM Model 2 with a log-linear prior for the diagonal and a sparse prior for lexical
probabilities (Dyer, Chahuneau and Smith, "A Simple, Fast, and Effective Reparameterization of IBM
Model 2", NAACL 2013), known as fast_align. Each direction links a word to at most one word of the
other language; symmetrisation (Koehn, Och and Marcu, "Statistical Phrase-Based Translation", NAACL
2003) makes links of many to many out of the two. The same text gives the same links, always.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from metaphrase._core import phrases as core
from metaphrase.arrays import Int32Array, Int64Array, one_line
from metaphrase.errors import InputError, OptionError
from metaphrase.learning.phrases.parallel_text import ParallelText

#: From the fewest links to the most reliable compromise; ``grow-diag-final-and`` is the usual choice.
SYMMETRISATIONS = ("intersection", "union", "grow-diag", "grow-diag-final-and")

#: The null word's share, the concentration of the sparse prior, and where the tension starts: those
#: of the authors' program.
_MODEL = {"null_probability": 0.08, "concentration": 0.01, "tension": 4.0}


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """Links of sentence pair ``k`` are those from ``offsets[k]`` to ``offsets[k + 1]``, sorted."""

    offsets: Int64Array
    sources: Int32Array
    targets: Int32Array

    __repr__ = one_line

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def pairs(self, k: int) -> list[tuple[int, int]]:
        """Positions of the words linked in sentence pair ``k``."""
        piece = slice(self.offsets[k], self.offsets[k + 1])
        return list(zip(self.sources[piece].tolist(), self.targets[piece].tolist(), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class TwoWayAlignment:
    """One link or none (-1) for each word, in both directions.

    ``target_of`` is as long as the words of the source text: the position in the target sentence of
    the word that each is linked to. ``source_of`` is the reverse.
    """

    text: ParallelText
    target_of: Int32Array
    source_of: Int32Array

    __repr__ = one_line

    def symmetrise(self, method: str = "grow-diag-final-and") -> Links:
        """One set of links from the two directions.

        ``intersection`` keeps what both say and ``union`` what either says. ``grow-diag`` starts from
        the intersection and adds neighbouring links of the union that give a bare word its first link;
        ``grow-diag-final-and`` then adds links of either direction between two words still bare.
        """
        if method not in SYMMETRISATIONS:
            raise OptionError(
                "MP341",
                f"there is no symmetrisation called {method!r}.",
                hint=f"Choose one of {', '.join(SYMMETRISATIONS)}.",
            )
        try:
            found = core.symmetrise(
                source_offsets=self.text.source.offsets,
                target_of=self.target_of,
                target_offsets=self.text.target.offsets,
                source_of=self.source_of,
                method=method,
            )
        except ValueError as error:
            raise unusable(error) from None
        return Links(*found)


def align_parallel_text(
    text: ParallelText,
    *,
    iterations: int = 5,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> TwoWayAlignment:
    """Train on ``text`` and align it.

    Memory: 4 bytes for every source word beside every target word of its sentence pair, and up to 48
    for every different pair of words among these.
    Two threads are of use, one for each direction; they do not change the result. ``progress`` is
    called with the number of iterations done.
    """
    if iterations < 1:
        raise OptionError("MP342", f"{iterations} iterations train nothing.", hint="Ask for some.")
    try:
        aligner = core.WordAligner(
            source_offsets=text.source.offsets,
            source=text.source.words,
            target_offsets=text.target.offsets,
            target=text.target.words,
            **_MODEL,
        )
    except ValueError as error:
        raise unusable(error) from None
    for done in range(1, iterations + 1):
        aligner.iterate(threads)
        if progress is not None:
            progress(done)
    return TwoWayAlignment(text, *aligner.links())


def unusable(error: ValueError) -> InputError:
    """What the core says of a text that it refuses."""
    return InputError(
        "MP343", f"The parallel text cannot be used: {error}.", hint="Leave such sentences out."
    )
