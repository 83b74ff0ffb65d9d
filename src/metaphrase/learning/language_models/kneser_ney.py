"""Language models of n-grams, estimated from text by modified Kneser-Ney smoothing.

The estimate is Chen and Goodman's interpolated one ("An Empirical Study of Smoothing Techniques for
Language Modeling", Harvard TR-10-98, 1998). Of n-grams below the highest order not the occurrences
are counted but the different words to the left, unless the n-gram begins a sentence. Of each count
``c`` a discount ``D(c)`` is taken, one each for 1, 2 and 3 or more, and what is taken after a context
is shared out by the order below:

    p(w | u v) = (c(u v w) - D(c(u v w))) / c(u v) + gamma(u v) p(w | v)

and below unigrams evenly among all words, ``</s>`` and ``<unk>``. Discounts come from counts of counts
(equation 26); an order with no n-gram of count 1, 2 or 3, or whose counts of counts give a discount
that is not above 0 and at most the count, gets 0.5, 1 and 1.5 instead, as in KenLM's lmplz.

N-grams that occur no oftener than a cut-off are left out. As in lmplz, discounts are those of all
n-grams, and the whole count of an n-gram that is left out goes to the order below, so that the
probabilities after every context still sum to 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from metaphrase._core import language_models as core
from metaphrase.analysis.packed_text import PackedText
from metaphrase.errors import InputError, OptionError
from metaphrase.trained.ngram_model import NgramModel, TextForm

HIGHEST_ORDER = 5


def estimate(
    sentences: PackedText | Iterable[Sequence[str]],
    *,
    order: int = 3,
    cut_offs: Sequence[int] = (0,),
    form: TextForm | None = None,
) -> NgramModel:
    """A model of the text, smoothed as the head of this module says.

    N-grams of ``k`` words that occur ``cut_offs[k - 1]`` times or less are left out; the last cut-off
    holds for all orders that have none, and none may be lower than the one before. ``form`` says how
    the text was made into words; with ``lowercase`` the words are put in lower case here.

    A word that a model cannot hold is read as ``<unk>``: an empty one, one with a blank in it or of
    more than 255 bytes, and the names of the marks. The same sentences give the same model in any
    order. Memory: 28 bytes a word of text, and about 60 an n-gram of the two longest orders.
    """
    form = form or TextForm()
    cut_offs = checked_cut_offs(order, cut_offs)
    text = sentences if isinstance(sentences, PackedText) else PackedText.pack(sentences)
    if len(text) == 0:
        raise InputError(
            "MP682",
            "There is no sentence to learn from.",
            hint="Give a text with a sentence a line.",
        )
    try:
        found = core.NgramModel.estimate(
            offsets=text.offsets,
            words=text.words,
            vocabulary=form.words(text.vocabulary),
            order=order,
            cut_offs=cut_offs,
        )
    except ValueError as error:
        raise InputError(
            "MP683", f"The text cannot be used: {error}.", hint="Give less text, or pack it anew."
        ) from None
    return NgramModel(found, form)


def checked_cut_offs(order: int, cut_offs: Sequence[int]) -> list[int]:
    """A cut-off for each order, if those given make sense."""
    if not 1 <= order <= HIGHEST_ORDER:
        raise OptionError(
            "MP680", f"a model cannot have order {order}.", hint=f"Choose 1 to {HIGHEST_ORDER}."
        )
    fall = any(later < earlier for earlier, later in pairwise(cut_offs))
    if not 1 <= len(cut_offs) <= order or cut_offs[0] < 0 or fall or cut_offs[-1] >= 1 << 63:
        raise OptionError(
            "MP681",
            f"the cut-offs {', '.join(map(str, cut_offs)) or '(none)'} do not fit order {order}.",
            hint="Give one for each order at most, from 0 on, none lower than the one before it.",
        )
    return [*cut_offs, *[cut_offs[-1]] * (order - len(cut_offs))]
