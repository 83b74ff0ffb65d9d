"""Words as sacreBLEU's tokenisers find them, in the compiled core.

``13a`` is mteval-v13a, the program of NIST's evaluations; ``intl`` is mteval-v14, which knows the punctuation
and symbols of all scripts (Unicode 18.0); ``zh`` sets Chinese characters apart, ``char`` all characters.
"""

from __future__ import annotations

from collections.abc import Iterable

from metaphrase._core import ngrams as _core

#: Those that the core has.
TOKENISERS = ("13a", "intl", "char", "zh", "none")
#: What ``13a`` and TER's tokeniser read as one character, in their order.
ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


def tokenise(texts: Iterable[str], tokeniser: str, *, threads: int = 1) -> _core.TokenisedTexts:
    """The words of each text; ``.texts()`` has them between single spaces."""
    return _core.tokenise(list(texts), tokeniser, threads)
