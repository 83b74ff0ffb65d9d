"""The kinds of errors that can be put into a text, by name."""

from metaphrase.probing.kinds.agreement import AGREEMENT
from metaphrase.probing.kinds.kind import Change, ErrorMaker
from metaphrase.probing.kinds.names import NAMES
from metaphrase.probing.kinds.negation import NEGATION
from metaphrase.probing.kinds.numbers import NUMBERS
from metaphrase.probing.kinds.phrases import ADDITION, OMISSION, ORDER

#: In the order of tables.
KINDS: dict[str, ErrorMaker] = {
    one.name: one for one in (NUMBERS, NEGATION, NAMES, OMISSION, ADDITION, ORDER, AGREEMENT)
}

__all__ = ["KINDS", "Change", "ErrorMaker"]
