"""A small spaCy pipeline with tagger and parser: the peer of the full English analysis.

No trained pipeline is on a package registry, so one is made here: the architecture of spaCy's own
small English pipelines (a CNN over hashed words, width 96, depth 4, shared by tagger and parser)
trained for a few passes over a small treebank. That is too little for good parses and enough for
the speed, which the sizes of the layers decide.
"""

from __future__ import annotations

import gzip
import os
import random
from pathlib import Path
from typing import Any

from metaphrase.analysis.adapters.conllu import read_conllu

PASSES = 4
SENTENCES_PER_STEP = 32

_TOK2VEC = {
    "model": {
        "@architectures": "spacy.HashEmbedCNN.v2",
        "pretrained_vectors": None,
        "width": 96,
        "depth": 4,
        "embed_size": 2000,
        "window_size": 1,
        "maxout_pieces": 3,
        "subword_features": True,
    }
}
_LISTENER = {"@architectures": "spacy.Tok2VecListener.v1", "width": 96}
_TAGGER = {"model": {"@architectures": "spacy.Tagger.v2", "tok2vec": _LISTENER}}
_PARSER = {
    "model": {
        "@architectures": "spacy.TransitionBasedParser.v2",
        "state_type": "parser",
        "extra_state_tokens": False,
        "hidden_width": 64,
        "maxout_pieces": 2,
        "use_upper": True,
        "tok2vec": _LISTENER,
    }
}


def small_pipeline() -> Any:
    """Trained on the development part of EWT under METAPHRASE_DATA; about two minutes."""
    import spacy
    from spacy.tokens import Doc
    from spacy.training import Example
    from spacy.util import minibatch

    path = Path(os.environ["METAPHRASE_DATA"]) / "treebanks" / "en_ewt-dev.conllu.gz"
    nlp = spacy.blank("en")
    nlp.add_pipe("tok2vec", config=_TOK2VEC)
    nlp.add_pipe("tagger", config=_TAGGER)
    nlp.add_pipe("parser", config=_PARSER)
    examples = []
    for sentence in read_conllu(path):
        forms = list(sentence.form)
        gold = Doc(
            nlp.vocab,
            words=forms,
            tags=list(sentence.column("tag")),
            heads=[head - 1 if head else i for i, head in enumerate(sentence.column("head"))],
            deps=[name if name != "root" else "ROOT" for name in sentence.column("relation")],
        )
        examples.append(Example(Doc(nlp.vocab, words=forms), gold))
    optimizer = nlp.initialize(lambda: examples)
    shuffled = random.Random(0)
    for _ in range(PASSES):
        shuffled.shuffle(examples)
        for batch in minibatch(examples, SENTENCES_PER_STEP):
            nlp.update(batch, sgd=optimizer)
    return nlp


def news_lines() -> list[str]:
    """The English side of the news text under METAPHRASE_DATA."""
    path = Path(os.environ["METAPHRASE_DATA"]) / "parallel" / "news.en.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line.strip() for line in file]
