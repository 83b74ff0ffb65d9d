"""Relations in plain English."""

from __future__ import annotations

import pytest

from metaphrase.analysis.relation_table import ROLES
from metaphrase.analysis.relation_words import PREDICATES, in_words


def test_every_label_of_the_scheme_has_words() -> None:
    labels = {role for role in ROLES.values() if not role.startswith("<")}
    assert labels <= PREDICATES.keys()


@pytest.mark.parametrize(
    ("relation", "adverb", "sentence"),
    [
        (("nsubj", "learned", "reporter"), "", "“reporter” is the subject of “learned”"),
        (
            ("nsubj", "learned", "reporter"),
            "no longer",
            "“reporter” is no longer the subject of “learned”",
        ),
        (("amod", "plan", "new"), "now", "“new” now describes “plan”"),
        (("root", "", "learned"), "now", "“learned” is now the main word of the sentence"),
        (
            ("prep_because_of", "stayed", "rain"),
            "no longer",
            "“because of rain” no longer goes with “stayed”",
        ),
        (("conj_and", "cats", "dogs"), "", "“dogs” is joined to “cats” by “and”"),
        (("conj", "cats", "dogs"), "", "“dogs” is coordinated with “cats”"),
        # What a text has in it is never a template.
        (("conj_{0}", "{}", "{x}"), "now", "“{x}” is now joined to “{}” by “{0}”"),
        (("unheard-of", "a", "b"), "", "“b” depends on “a”"),
    ],
)
def test_a_relation_is_a_sentence(
    relation: tuple[str, str, str], adverb: str, sentence: str
) -> None:
    assert in_words(*relation, adverb) == sentence
