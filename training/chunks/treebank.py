"""Reads the CoNLL-2000 chunks: sections 15-18 of the Wall Street Journal train, section 20 judges."""

from __future__ import annotations

import zipfile

from training.chunks.labelled_text import LabelledSentence
from training.english.treebank import data_path

#: Of the training part, the share at its end that tuning judges by.
DEV_SHARE = 0.1


def read(name: str) -> list[LabelledSentence]:
    """Sentences of ``train`` or ``test`` with the tags of the file."""
    with zipfile.ZipFile(data_path() / "treebanks" / "conll2000.zip") as archive:
        text = archive.read(f"conll2000/{name}.txt").decode()
    sentences = []
    for block in text.strip().split("\n\n"):
        forms, tags, labels = zip(*(line.split() for line in block.split("\n")), strict=True)
        sentences.append(LabelledSentence(list(forms), list(tags), list(labels)))
    return sentences


def split_dev(
    sentences: list[LabelledSentence],
) -> tuple[list[LabelledSentence], list[LabelledSentence]]:
    """What trains while tuning, and what judges then."""
    cut = round(len(sentences) * (1 - DEV_SHARE))
    return sentences[:cut], sentences[cut:]
