"""What an MQM error costs: by severity, and by category where a category has a price of its own."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from metaphrase.corpus.formats.score_text import shown
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.errors import InputError, OptionError

#: Beyond this, sums over the errors of a segment would lose what a minor error costs.
_LARGEST = 1e6


@dataclass(frozen=True, slots=True)
class MqmWeights:
    """Weights by ``severity``, ``severity/category`` or ``severity/category/subcategory``.

    The longest that fits an error counts, whatever its case. A severity without a weight is an error of
    the file, not worth 0: give it the weight 0 if it is.
    """

    name: str
    weights: Mapping[str, float]

    def __post_init__(self) -> None:
        """Refuse what is no weight, and keep the rest from being changed."""
        if not isinstance(self.weights, Mapping) or not self.weights:
            raise _no_weights("there is no weight")
        prices: dict[str, float] = {}
        for key, weight in self.weights.items():
            if not isinstance(key, str) or not all(key.split("/")):
                raise _no_weights(f"{shown(str(key))} names no severity")
            number = isinstance(weight, int | float) and not isinstance(weight, bool)
            if not number or not 0 <= weight <= _LARGEST:
                raise _no_weights(f"that of {shown(key)} is no number from 0 to {_LARGEST:.0f}")
            if key.lower() in prices:
                raise _no_weights(f"{shown(key)} has a weight twice")
            prices[key.lower()] = float(weight)
        object.__setattr__(self, "weights", MappingProxyType(prices))

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only mapping cannot be pickled, a dictionary can.
        return MqmWeights, (self.name, dict(self.weights))

    def weight(self, severity: str, category: str) -> float | None:
        """What one error costs; None for a severity that has no weight."""
        parts = [severity.lower(), *category.lower().split("/")]
        for length in range(len(parts), 0, -1):
            weight = self.weights.get("/".join(parts[:length]))
            if weight is not None:
                return weight
        return None


_NOTHING = {"Neutral": 0, "No-error": 0, "HOTW-test": 0}
#: Freitag et al. (Experts, Errors, and Context, TACL 2021), Table 4 and their scoring program.
GOOGLE = MqmWeights(
    "google",
    {
        "Major": 5,
        "Minor": 1,
        "Major/Non-translation!": 25,
        "Minor/Fluency/Punctuation": 0.1,
        **_NOTHING,
    },
)
#: Severity alone, whatever the category.
UNWEIGHTED = MqmWeights("unweighted", {"Major": 5, "Minor": 1, **_NOTHING})
#: How many errors there are.
COUNT = MqmWeights("count", {"Major": 1, "Minor": 1, **_NOTHING})
NAMED = {weights.name: weights for weights in (GOOGLE, UNWEIGHTED, COUNT)}


def read_weights(name_or_path: FilePath) -> MqmWeights:
    """Weights by name, or from a file with a JSON object from severities to numbers."""
    if isinstance(name_or_path, str) and name_or_path in NAMED:
        return NAMED[name_or_path]
    if not name_or_path:
        raise OptionError(
            "MP186", "No weights are named.", hint=f"The names are {', '.join(NAMED)}."
        )
    try:
        with LineReader(name_or_path) as reader:
            text = "\n".join(line for _, line in reader)
    except InputError as error:
        if error.code == "MP110":
            raise InputError(
                "MP186",
                "There are no weights of this name, and no such file.",
                path=error.path,
                hint=f"The names are {', '.join(NAMED)}.",
            ) from None
        raise
    try:
        weights = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
        if not isinstance(weights, dict):
            raise ValueError
        return MqmWeights(reader.name, weights)
    except OptionError as error:
        message, hint = error.message, error.hint
    except (ValueError, RecursionError):
        message, hint = "The file is no JSON object of numbers.", _HINT
    raise InputError("MP186", message, path=reader.name, hint=hint)


_HINT = (
    'Write for example {"Major": 5, "Minor": 1, "Minor/Fluency/Punctuation": 0.1, "No-error": 0}.'
)


def _no_weights(fault: str) -> OptionError:
    return OptionError("MP186", f"These are no weights of MQM: {fault}.", hint=_HINT)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice")
    return found


def _no_constant(_: str) -> float:
    return math.nan  # refused with its name
