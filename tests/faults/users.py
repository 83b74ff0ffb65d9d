"""What a process does with a cache of analyses, or with the store of a server, to be disturbed."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

from metaphrase.analysis.analyser import requested_columns
from metaphrase.analysis.cache import CachedAnalyser
from metaphrase.analysis.sentence import BASE_COLUMNS, Batch, Sentence
from metaphrase.errors import MetaphraseError
from metaphrase.serve.evaluation_request import EvaluationRequest, SentFile
from metaphrase.serve.store import EvaluationStore

SENT = EvaluationRequest(
    "title", "en", ("chrf",), (SentFile("r.txt", b"a\n"),), (SentFile("s.txt", b"b\n"),)
)
TEXTS = [f"text number {number} has these words" for number in range(40)]


class Splitter:
    """White-space words; counts the texts that it is given."""

    name = "test:words"
    columns = frozenset({*BASE_COLUMNS, "lemma"})

    def __init__(self) -> None:
        self.analysed = 0

    def fingerprint(self, columns: Collection[str]) -> str:
        return "1"

    def analyse(self, texts: Sequence[str], columns: Collection[str], *, threads: int = 1) -> Batch:
        self.analysed += len(texts)
        return Batch.pack([self.sentence(text) for text in texts], requested_columns(self, columns))

    def sentence(self, text: str) -> Sentence:
        forms = text.split()
        starts = [0]
        for form in forms[:-1]:
            starts.append(starts[-1] + len(form) + 1)
        ends = [start + len(form) for start, form in zip(starts, forms, strict=True)]
        return Sentence(text, tuple(forms), tuple(starts), tuple(ends), lemma=tuple(forms))


def use_cache(arguments: Sequence[str]) -> int:
    """Analyse texts with a cache in this folder: right answers, whatever happens."""
    plain = Splitter()
    cached = CachedAnalyser(plain, Path("cache"))
    for texts in (TEXTS[:25], TEXTS):
        assert list(cached.analyse(texts, ["lemma"])) == [plain.sentence(text) for text in texts]
    cached.close()
    print(plain.analysed)
    return 0


def use_store(arguments: Sequence[str]) -> int:
    """Take an evaluation on, finish it, take on another and delete it; the ids on standard output."""
    try:
        store = EvaluationStore(Path("store"))
        for record in store.recover():
            assert complete(store.path(record.id)), record
            print(json.dumps([record.id, record.state]), flush=True)
        if arguments:
            return 0
        for ends in ("done", "deleted"):
            record = store.create(SENT)
            print(json.dumps([record.id, "queued"]), flush=True)
            results = store.path(record.id) / "results"
            results.mkdir()
            if ends == "done":
                record.state = "done"
                store.update(record)
            else:
                store.delete(record.id)
            print(json.dumps([record.id, ends]), flush=True)
        store.close()
    except MetaphraseError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def complete(folder: Path) -> bool:
    """Whether an evaluation has all that was sent."""
    saved = json.loads((folder / "request.json").read_text("utf-8"))
    sent = [
        (folder / "files" / name).read_bytes() for name in saved["references"] + saved["systems"]
    ]
    return sent == [file.content for file in (*SENT.references, *SENT.systems)]
