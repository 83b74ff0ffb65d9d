"""Whether texts are those of a test set, so that their scores may stand beside it."""

from __future__ import annotations

from collections.abc import Sequence

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.mtme.test_set import MtmeSet
from metaphrase.errors import InputError


def check_texts(tree: MtmeSet, piece: Corpus, start: int, path: str) -> None:
    """Refuse texts that differ from those of the tree, of which ``start`` segments went before.

    Where the tree has no text of a system, any will do. References may come in another order.
    """
    rows = slice(start, start + len(piece))
    if rows.stop > len(tree.sources):
        check_size(tree, rows.stop, path)
    if len(piece.references) != len(tree.references):
        raise InputError(
            "MP156",
            f"There are {len(piece.references)} references, but the tree has {len(tree.references)}.",
            path=path,
            hint="Give the references that --reference-name stands for.",
        )
    for name, texts in piece.systems.items():
        _check_same(f"system {name!r}", texts, tree.outputs[name][rows], start, path)
    columns = (piece.references, [c[rows] for c in tree.references.values()])
    ours, theirs = (sorted(some, key=lambda c: [t or "" for t in c]) for some in columns)
    for given, column in zip(ours, theirs, strict=True):
        _check_same("a reference", given, column, start, path)
    if piece.documents is not None:
        _check_same("the documents", piece.documents, tree.documents[rows], start, path)


def check_size(tree: MtmeSet, segments: int, path: str) -> None:
    """Refuse more or fewer segments than the tree has."""
    if segments != len(tree.sources):
        raise InputError(
            "MP156",
            f"There are {segments} segments or more, but the tree has {len(tree.sources)}."
            if segments > len(tree.sources)
            else f"There are {segments} segments, but the tree has {len(tree.sources)}.",
            path=path,
            hint="Score the texts of the tree, all of them.",
        )


def _check_same(
    owner: str, given: Sequence[str | None], column: Sequence[str | None], start: int, path: str
) -> None:
    for number, (text, known) in enumerate(zip(given, column, strict=True), start + 1):
        if known is not None and text != known:
            raise InputError(
                "MP156",
                f"Segment {number} of {owner} is not what the tree has.",
                path=path,
                hint="Score the texts of the tree, or write the scores to a folder of their own.",
            )
