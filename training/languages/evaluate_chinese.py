"""How far jieba's words and our universal tags agree with the Chinese treebanks, whose standards are others.

METAPHRASE_DATA=... python -m training.languages.evaluate_chinese
"""

from __future__ import annotations

from training.english.evaluate import gold_spans
from training.english.treebank import TaggedSentence, read

from metaphrase import analysis

TREEBANKS = ("zh_gsdsimp-test", "zh_pud")


def agreement(sentences: list[TaggedSentence]) -> tuple[float, float]:
    """F1 of words, and the share of right universal tags among the right words; in per cent."""
    batch = analysis.load("zh").analyse([s.text for s in sentences], ["upos"])
    right = gold_count = found_count = right_tags = 0
    for sentence, found in zip(sentences, batch, strict=True):
        gold = dict(zip(sorted(gold_spans(sentence)), sentence.upos, strict=True))
        spans = zip(found.start, found.end, strict=True)
        tags = dict(zip(spans, found.column("upos"), strict=True))
        common = gold.keys() & tags.keys()
        right += len(common)
        right_tags += sum(gold[span] == tags[span] for span in common)
        gold_count += len(gold)
        found_count += len(tags)
    return 200 * right / (gold_count + found_count), 100 * right_tags / right


if __name__ == "__main__":
    for name in TREEBANKS:
        words, tags = agreement(list(read(name)))
        print(f"{name}: word F1 {words:.2f}, universal tags of right words {tags:.2f}")
