"""Reads named entities: UNER's files as they are, GUM's mentions cut to names as UNER marks them.

GUM marks every referring expression with its type ("the mayor of the city", nested at will); UNER
only names of persons, organisations and places. :func:`names` says what is kept.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass

from training.chunks.labelled_text import LabelledSentence, Span
from training.english.treebank import EXCLUDED_GENRES, data_path, genre, held_out

TYPES = {"person": "PERSON", "organization": "ORGANIZATION", "place": "LOCATION"}
UNER_TYPES = {"PER": "PERSON", "ORG": "ORGANIZATION", "LOC": "LOCATION"}
NAME_TAGS = frozenset({"NNP", "NNPS"})
#: UNER's spans of persons begin after these.
TITLES = frozenset(
    "mr mrs ms miss dr doctor prof professor president senator sen rep gov governor judge justice king"
    " queen prince princess lord lady sir mayor minister pope general gen captain capt colonel col"
    " lieutenant lt sergeant sgt secretary chairman director reverend rev father sister saint brother"
    " congressman congresswoman representative speaker ambassador chancellor officer detective uncle aunt"
    " counselor counsel prime vice deputy attorney chief emperor sheriff emeritus".split()
)
#: "The town of Gonzales" names Gonzales.
KINDS_OF_PLACES = frozenset(
    "city town village island isle state province district county region municipality country port"
    " republic kingdom suburb borough capital territory township".split()
)
#: They may stand within names of organisations and places.
LINKS = frozenset("of the and for & - ’s 's de la".split())


@dataclass(frozen=True)
class Mention:
    """Tokens ``begin`` up to ``end`` of a sentence refer to something of type ``kind``."""

    begin: int
    end: int
    kind: str


def read_uner(part: str) -> list[list[LabelledSentence]]:
    """The documents of ``dev`` or ``test``, without tags."""
    path = data_path() / "treebanks" / f"en_ewt_uner-{part}.iob2.gz"
    documents: list[list[LabelledSentence]] = []
    for block in gzip.decompress(path.read_bytes()).decode().strip().split("\n\n"):
        lines = block.split("\n")
        if lines[0].startswith("# newdoc"):
            documents.append([])
        rows = [line.split("\t") for line in lines if line[0] != "#"]
        labels = [row[2][:2] + UNER_TYPES[row[2][2:]] if row[2] != "O" else "O" for row in rows]
        documents[-1].append(LabelledSentence([row[1] for row in rows], [""] * len(rows), labels))
    return documents


def read_gum(*, for_dev: bool = False) -> list[LabelledSentence]:
    """The documents that train, or those that are held out."""
    left_out = set(held_out())
    sentences = []
    for document, rows in gum_sentences():
        if genre(document) not in EXCLUDED_GENRES and (document in left_out) == for_dev:
            forms, tags = [row[1] for row in rows], [row[4] for row in rows]
            labels = iob(len(rows), names(rows, mentions(rows)))
            sentences.append(LabelledSentence(forms, tags, labels))
    return sentences


def gum_sentences() -> Iterator[tuple[str, list[list[str]]]]:
    """Documents and rows of words."""
    document, rows = "", []
    with gzip.open(
        data_path() / "treebanks" / "en_gum-all.conllu.gz", "rt", encoding="utf-8"
    ) as file:
        for line in file:
            line = line.rstrip("\n")
            if line.startswith("# newdoc id = "):
                document = line.removeprefix("# newdoc id = ")
            elif not line:
                yield document, rows
                rows = []
            elif line[0] != "#":
                row = line.split("\t")
                if row[0].isdigit():
                    rows.append(row)


def mentions(rows: list[list[str]]) -> list[Mention]:
    """From ``Entity=(1-person-…(2-place-…)1)``: brackets open and close at words."""
    found, open_mentions = [], []
    for i, row in enumerate(rows):
        cell = next((c for c in row[9].split("|") if c.startswith("Entity=")), "")
        for piece in re.findall(r"\([^()]+\)?|[^()]+\)", cell.removeprefix("Entity=")):
            if piece[0] == "(":
                number, kind = piece.strip("()").split("-")[:2]
                open_mentions.append((number, kind, i))
            if piece[-1] == ")":
                number = piece.strip("()").split("-")[0]
                at = max((k for k, m in enumerate(open_mentions) if m[0] == number), default=None)
                if at is not None:
                    _, kind, begin = open_mentions.pop(at)
                    found.append(Mention(begin, i + 1, kind))
    return found


def names(rows: list[list[str]], found: list[Mention]) -> list[Span]:
    """The names in the mentions, outermost first; a name of another type hides those within it."""
    kept: list[Span] = []
    taken = [False] * len(rows)
    cut = [name for mention in found if (name := cut_to_name(rows, mention))]
    for begin, end, kind in sorted(cut, key=lambda s: (s[0] - s[1], s)):
        if not any(taken[begin:end]):
            taken[begin:end] = [True] * (end - begin)
            if kind in TYPES:
                kept.append((begin, end, TYPES[kind]))
    return kept


def cut_to_name(rows: list[list[str]], mention: Mention) -> Span | None:
    """The name that the mention is made of or gives ("the town of Gonzales"); None if there is none.

    Proper nouns beside the head belong to it, and behind words like "of" more of them; titles of
    persons do not. Peoples ("Americans") are no persons.
    """
    head = name_head(rows, mention)
    if head is None:
        return None
    person = mention.kind == "person"
    if person and rows[head][4] == "NNPS":
        return None
    begin, end = head, head + 1
    while begin > mention.begin and rows[begin - 1][4] in NAME_TAGS | {"HYPH"}:
        begin -= 1
    while True:
        after = end
        while not person and after < mention.end and rows[after][1].lower() in LINKS:
            after += 1
        if person and after < mention.end and rows[after][4] == "HYPH":
            after += 1
        if after >= mention.end or rows[after][4] not in NAME_TAGS:
            break
        end = after + 1
    while person and begin < end and rows[begin][1].lower().rstrip(".") in TITLES:
        begin += 1
    return (begin, end, mention.kind) if begin < end else None


def name_head(rows: list[list[str]], mention: Mention) -> int | None:
    """The proper noun that heads the mention, stands beside its head, or names the place it is."""
    inside = range(mention.begin, mention.end)
    head = next((i for i in inside if int(rows[i][6]) - 1 not in inside), None)
    if head is None or rows[head][4] in NAME_TAGS:
        return head
    relations = {"flat", "appos", "nmod:desc"}
    if mention.kind == "place" and rows[head][2].lower() in KINDS_OF_PLACES:
        relations = {"nmod", *relations}
    children = (i for i in inside if int(rows[i][6]) - 1 == head and rows[i][7] in relations)
    return next((i for i in children if rows[i][4] in NAME_TAGS), None)


def iob(size: int, spans: list[Span]) -> list[str]:
    """IOB2 labels of spans that do not overlap."""
    labels = ["O"] * size
    for begin, end, kind in spans:
        labels[begin:end] = [f"B-{kind}", *([f"I-{kind}"] * (end - begin - 1))]
    return labels
