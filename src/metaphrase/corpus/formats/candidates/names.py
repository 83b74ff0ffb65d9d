"""What columns of tables and keys of JSON objects are called that hold candidates."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from difflib import get_close_matches

from metaphrase.errors import InputError, OptionError

#: The names by which a role is recognised: those of one candidate, those of a whole sentence, and both.
_OF_CANDIDATE: Mapping[str, tuple[str, ...]] = {
    "text": ("text", "candidate", "hypothesis", "hyp"),
    "logprob": ("logprob", "log_prob", "log_probability"),
    "weight": ("weight", "prob", "probability"),
}
_OF_SENTENCE: Mapping[str, tuple[str, ...]] = {
    "candidates": ("candidates", "texts", "hypotheses"),
    "logprobs": ("logprobs", "log_probs", "log_probabilities"),
    "weights": ("weights", "probs", "probabilities"),
    "samples": ("samples",),
}
_OF_BOTH: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "segment", "seg", "sentence_id", "segment_id"),
    "source": ("source", "src"),
    "reference": ("reference", "ref"),
    "references": ("references", "refs"),
}
_NAMES = {**_OF_CANDIDATE, **_OF_SENTENCE, **_OF_BOTH}
_KNOWN = {name: role for role, names in _NAMES.items() for name in names}
#: How alike two names are of which one is a slip of the pen.
_ALIKE = 0.85


def holds_candidates(names: Collection[str], stated: Mapping[str, str]) -> bool:
    """Whether columns of these names are a table of candidates."""
    return bool({*_OF_CANDIDATE["text"], stated.get("text")} & set(names))


def check_stated(stated: Mapping[str, object]) -> dict[str, str]:
    """The names that somebody states for roles, each of which is there and has one name."""
    for role, name in stated.items():
        if role not in _NAMES or not isinstance(name, str):
            raise OptionError(
                "MP109",
                f"There is no column role {role!r}."
                if role not in _NAMES
                else f"The role {role!r} has several columns.",
                hint=f"The roles are {', '.join(_NAMES)}, with one name each.",
            )
    return {role: str(name) for role, name in stated.items()}


def roles_of(
    names: Collection[str], stated: Mapping[str, str], path: str, line: int
) -> dict[str, str]:
    """The name of each role that is there, by what is stated and else by what it is called.

    Either ``text`` is among them, and a row is a candidate, or ``candidates``, and it is a sentence.
    """
    found = dict(stated)
    for wanted, name in stated.items():
        if name not in names:
            fault = f"There is no {name!r} for the role {wanted!r}."
            raise _unusable(fault, path, line, _there(names))
    for name in names:
        role = _KNOWN.get(name)
        if name in stated.values() or role in stated:
            continue
        if role is None:
            _refuse_misspelt(name, path, line)
        elif role in found:
            hint = f"Say which it is: --columns {role}={name}"
            raise _unusable(f"Both {found[role]!r} and {name!r} could be it.", path, line, hint)
        else:
            found[role] = name
    of_sentence = "candidates" in found
    if of_sentence == ("text" in found):
        fault = "Both a candidate and a list of them are there" if of_sentence else _NOTHING
        hint = f"{_there(names)} Name the right one: --columns text=NAME"
        raise _unusable(f"{fault}.", path, line, hint)
    for foreign in _OF_CANDIDATE if of_sentence else _OF_SENTENCE:
        if foreign in found:
            what = "a whole sentence" if of_sentence else "one candidate"
            fault = f"{found[foreign]!r} means nothing in a row of {what}."
            raise _unusable(fault, path, line, "Rename it.")
    for one, other in (
        ("logprob", "weight"),
        ("logprobs", "weights"),
        ("reference", "references"),
    ):
        if one in found and other in found:
            raise InputError(
                "MP857" if "weight" in other else "MP858",
                f"There are both {found[one]!r} and {found[other]!r}.",
                path=path,
                line=line,
                hint="Leave one of them out.",
            )
    return found


_NOTHING = "Nothing here is called like candidates"


def _there(names: Collection[str]) -> str:
    return f"There are {', '.join(map(repr, list(names)[:10]))}."


def _refuse_misspelt(name: str, path: str, line: int) -> None:
    """What is called otherwise is not read; but what is nearly called so was meant to be."""
    close = get_close_matches(name.lower(), _KNOWN, n=1, cutoff=_ALIKE)
    if close:
        raise _unusable(
            f"{name!r} means nothing.", path, line, f"Did you mean {close[0]!r}? Else rename it."
        )


def _unusable(fault: str, path: str, line: int, hint: str) -> InputError:
    return InputError("MP858", fault, path=path, line=line, hint=hint)
