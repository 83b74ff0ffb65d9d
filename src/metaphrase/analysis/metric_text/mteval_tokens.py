"""Words as mteval-v13a has them, the program of NIST's evaluations; sacreBLEU calls it ``13a``.

The result is sacreBLEU's. Texts go through the compiled core together.
"""

from __future__ import annotations

from collections.abc import Iterable

from metaphrase._core import ngrams as _core

#: What mteval and sacreBLEU's tokenisers read as one character, in their order.
ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


def mteval_tokens(texts: Iterable[str]) -> list[str]:
    """The texts with white space between words."""
    lines = [_one_line(text) for text in texts]
    if not lines:
        return []
    joined = "\n".join(lines)
    if "&" in joined:
        for entity, character in ENTITIES:
            joined = joined.replace(entity, character)
    separated = _core.separate(joined.encode("utf-8", "surrogatepass"))
    return separated.decode("utf-8", "surrogatepass").split("\n")


def _one_line(text: str) -> str:
    text = text.replace("<skipped>", "")
    return text.replace("-\n", "").replace("\n", " ") if "\n" in text else text
