"""An explanation by edits, written by hand: two stretches change places by three jumps."""

from __future__ import annotations

from metaphrase.metrics import Edit, Explanation, Feature, Jump, Leftover, Link, Word

REFERENCE = "On Tuesday the government announced a new plan ."
HYPOTHESIS = "The government on Tuesday has announced a plan ."


def words(text: str) -> tuple[Word, ...]:
    found = []
    start = 0
    for form in text.split():
        start = text.index(form, start)
        found.append(Word(form, start, start + len(form), 1.0))
        start += len(form)
    return tuple(found)


_EDITS = (
    Edit("jump_forward", (), (), -0.05, jump=Jump("hypothesis", 0, 2)),
    Edit("word", (0, 1), (2, 3), 0.1),
    Edit("jump_back", (), (), -0.05, jump=Jump("hypothesis", 4, 0)),
    Edit("lemma", (2,), (0,), 0.08),
    Edit("word", (3,), (1,), 0.1, ("subject",)),
    Edit("jump_end", (), (), -0.02, jump=Jump("hypothesis", 2, 4)),
    Edit("insert", (), (4,), -0.06),
    Edit("word", (4,), (5,), 0.1),
    Edit("word", (5,), (6,), 0.1),
    Edit("delete", (6,), (), -0.1),
    Edit("paraphrase", (7,), (7,), 0.05),
    Edit("punctuation", (8,), (8,), 0.1),
)
_LINKS = tuple(
    Link("edits", edit.state, edit.hypothesis, edit.reference, 1.0, 1.0)
    for edit in _EDITS
    if edit.hypothesis and edit.reference
)
#: The contributions are made up and add up to 0.35.
JUMPING = Explanation(
    metric="ppda",
    signature="ppda|nrefs:1|model:hand-written",
    score=0.5,
    hypothesis_text=HYPOTHESIS,
    reference_text=REFERENCE,
    hypothesis=words(HYPOTHESIS),
    reference=words(REFERENCE),
    links=_LINKS,
    leftovers=(
        Leftover("edits", "hypothesis", (4,), 1.0),
        Leftover("edits", "reference", (6,), 1.0),
    ),
    features=(
        Feature("edits", "the best edit sequence", 0.35, {}, 0.35),
        Feature("others", "other edit sequences", 0.25, {}, 0.25),
        Feature("alpha", "constant α", -0.1, {}, -0.1),
    ),
    edits=_EDITS,
)
