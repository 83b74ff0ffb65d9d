"""Trees of sentences as a careless writer or a machine might have put them, for judging only."""

from __future__ import annotations

from random import Random

from metaphrase.analysis import Sentence

#: Shares of words: left out, said twice, in the place of the next; and of final marks left out.
MISSING, DOUBLED, SWAPPED, FINAL_MARK = 0.04, 0.02, 0.03, 0.3


def rebuilt(tree: Sentence, order: list[int]) -> Sentence:
    """The tree over the tokens ``order``; a head that is there twice is the first of them."""
    place: dict[int, int] = {-1: 0}
    for new, old in enumerate(order, 1):
        place.setdefault(old, new)
    cells = {
        name: tuple(tree.column(name)[old] for old in order)
        for name in ("form", "tag", "upos", "relation")
    }
    starts, at = [], 0
    for form in cells["form"]:
        starts.append(at)
        at += len(form) + 1
    ends = [start + len(form) for start, form in zip(starts, cells["form"], strict=True)]
    heads = tuple(place[tree.column("head")[old] - 1] for old in order)
    text = " ".join(cells["form"])
    return Sentence(text, start=tuple(starts), end=tuple(ends), head=heads, **cells)


def lowered(tree: Sentence) -> Sentence:
    """All in lower case."""
    plain = rebuilt(tree, list(range(len(tree))))
    form = tuple(form.lower() for form in plain.form)
    return Sentence(
        " ".join(form), form, plain.start, plain.end,
        tag=plain.tag, upos=plain.upos, head=plain.head, relation=plain.relation,
    )  # fmt: skip


def noised(tree: Sentence, random: Random) -> Sentence:
    """With words missing, doubled and swapped; only words go on which nothing hangs."""
    heads = set(tree.column("head"))
    order: list[int] = []
    for i, head in enumerate(tree.column("head")):
        free = i + 1 not in heads and head != 0
        final = i + 1 == len(tree) and tree.column("relation")[i] == "punct"
        if free and random.random() < (FINAL_MARK if final else MISSING):
            continue
        order.append(i)
        if free and random.random() < DOUBLED:
            order.append(i)
    i = 0
    while i + 1 < len(order):
        if random.random() < SWAPPED:
            order[i], order[i + 1] = order[i + 1], order[i]
            i += 1
        i += 1
    return rebuilt(tree, order)
