"""WordNet's rules of detachment, which turn an inflected form into candidate base forms.

The tables are those of the manual page morphy(7WN) of WordNet 3.0. A candidate is only a guess:
the caller keeps those that are lemmas.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

DETACHMENT_RULES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "n": (
        ("s", ""),
        ("ses", "s"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "v": (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}


def detach(form: str, part: str) -> Iterator[str]:
    """Candidate base forms in the order of the rules.

    As in WordNet's own program, nouns keep a final "ful" (boxesful, boxful), and nouns that end
    in "ss" or have at most two letters are left alone.
    """
    kept = ""
    if part == "n":
        if form.endswith("ful"):
            form, kept = form.removesuffix("ful"), "ful"
        elif form.endswith("ss") or len(form) <= 2:
            return
    for suffix, ending in DETACHMENT_RULES[part]:
        if form.endswith(suffix) and len(form) > len(suffix):
            yield form.removesuffix(suffix) + ending + kept
