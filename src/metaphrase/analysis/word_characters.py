"""Which tokens are words: the rule that metrics of words share."""

from __future__ import annotations

import unicodedata

#: How treebanks spell brackets: names with letters for tokens that have none.
_PENN_BRACKETS = frozenset("-LRB- -RRB- -LSB- -RSB- -LCB- -RCB-".split())


def has_letter_or_digit(form: str) -> bool:
    """Whether TESLA counts the token: any character of the Unicode categories L* or N*."""
    if form in _PENN_BRACKETS:
        return False
    if form.isascii():
        return form.isalnum() or any(map(str.isalnum, form))
    return any(unicodedata.category(character)[0] in "LN" for character in form)
