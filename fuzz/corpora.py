"""Files of texts: plain, tables, candidates, markup, trees of mt-metrics-eval, and whatever is recognised."""

from __future__ import annotations

import gzip
import io
import shutil
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from fuzz.files import content, drained, folder, joined, reading, reading_several, some_lines
from fuzz.seeds import JSON_WORDS, TEXTS, XML_WORDS, from_tests
from fuzz.target import Target
from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats import format_of
from metaphrase.corpus.formats.candidates import open_candidates
from metaphrase.corpus.formats.conllu import read_conllu_texts
from metaphrase.corpus.formats.markup.sgml import read_sgml
from metaphrase.corpus.formats.markup.wmt_xml import read_wmt_xml
from metaphrase.corpus.formats.mtme.test_set import read_mtme
from metaphrase.corpus.formats.registry import head_of
from metaphrase.corpus.formats.submissions.files import read_submission
from metaphrase.corpus.formats.tables.jsonl import open_jsonl
from metaphrase.corpus.formats.tables.parquet import open_parquet
from metaphrase.corpus.formats.tables.tsv import open_tsv
from metaphrase.corpus.lines import read_lines
from metaphrase.corpus.opening import CorpusFiles, open_corpus, read
from metaphrase.corpus.opening.corpus_file import open_corpus_file
from metaphrase.errors import MetaphraseError

_TABLE_WORDS = (
    *"reference ref source src hypothesis hyp mt system segment id seg_id doc document domain".split(),
    *"target translation text score reference_1 systems references refs \t \n \r\n".split(" "),
    "\xef\xbb\xbf", "\x1f\x8b\x08",
)  # fmt: skip
_MARKUP_WORDS = (
    *XML_WORDS, "<seg>", "</seg>", "<doc", "<hl>", "<p>", "<refset",
    "<tstset", "<srcset", "<dataset", "<collection", "<ref ", "<hyp ", "<src ", "sysid=", "docid=", "lang=",
    "translator=", "system=",
)  # fmt: skip
_TREE_NAMES = (
    "sources/en-de.txt",
    "documents/en-de.docs",
    "references/en-de.refA.txt",
    "references/en-de.refB.txt",
    "system-outputs/en-de/refB.txt",
    "system-outputs/en-de/sysA.txt",
    "system-outputs/en-de/sysC.txt",
    "human-scores/en-de.mqm.seg.score",
    "human-scores/en-de.mqm.sys.score",
    "human-scores/en-de.mqm.domain.score",
    "metric-scores/en-de/BLEU-refA.seg.score",
    "metric-scores/en-de/BLEU-refA.sys.score",
)


def _plain(reference: str, system: str, documents: str) -> object:
    return read([reference], {"a": system}, documents=documents)


def _any(path: str) -> object:
    format_of(path)
    return Corpus.join(open_corpus(CorpusFiles(corpus=path)))


def _candidates(path: str) -> object:
    for form in (None, "nbest", "tsv", "jsonl"):
        with suppress(MetaphraseError):
            drained(open_candidates([path], file_format=form))
    return drained(open_candidates([path], file_format="plain", per_sentence=2))


def _tree(data: bytes) -> object:
    root = folder() / "wmt99"
    shutil.rmtree(root, ignore_errors=True)
    parts = data.split(b"\n=====\n", len(_TREE_NAMES) - 1)
    for name, part in zip(_TREE_NAMES, parts, strict=False):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(part)
    found = read_mtme(root)
    found.as_corpus(empty_references="keep")
    return found.judgements(None)


def _tree_seeds() -> list[bytes]:
    tree = from_tests("corpus.mtme_trees").TREE
    return [joined(*(tree[name] for name in _TREE_NAMES))]


def _compressed(path: str) -> object:
    head_of(path)
    return read_lines(path)


def parquet_seeds() -> list[bytes]:
    """Two tables, of which one is compressed."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    made = []
    for compression in ("none", "snappy"):
        stream = io.BytesIO()
        columns = {
            "reference": ["a b c", "d"] * 3,
            "mt": [f"x {i}" for i in range(6)],
            "doc": pa.array(["d1", "d2"] * 3).dictionary_encode(),
        }
        pq.write_table(pa.table(columns), stream, row_group_size=3, compression=compression)
        made.append(stream.getvalue())
    return made


def _table(opener: Callable[..., Iterable[Corpus]]) -> Callable[[str], object]:
    def run(path: str) -> object:
        return drained(iter(opener(path)))

    return run


def _tsv_seeds() -> list[bytes]:
    texts = "".join(f"{text}\t{text}x\td{i}\n" for i, text in enumerate(TEXTS[2:8]))
    return [
        b"reference\thypothesis\tdoc\n" + texts.encode(),
        b"system\tsegment\treference\thypothesis\na\t1\tr\th\na\t2\tr2\th2\nb\t1\tr\th3\nb\t2\tr2\th\n",
        b"source\treference_1\treference_2\tsys:a\tsys:b\ns\tr\tr'\ta\tb\n",
        *content("judgements.tsv", "candidates.tsv"),
    ]


def _jsonl_seeds() -> list[bytes]:
    return [
        *(some_lines(each, 3) for each in content("segments.jsonl")),
        b'{"reference": "r", "mt": "h", "id": "1"}\n{"reference": "r2", "mt": "h2", "id": "2"}\n',
        b'{"references": ["r", "q"], "a": "h", "b": "g", "doc": "d"}\n',
        b'{"system": "a", "segment": "1", "reference": "r", "hypothesis": "h"}\n',
    ]


def _markup_seeds(ending: str) -> Callable[[], list[bytes]]:
    def seeds() -> list[bytes]:
        malformed = from_tests("corpus.malformed_markup").MALFORMED
        return [
            b'<refset setid="s" srclang="de" trglang="en">\n<doc sysid="r" docid="d" origlang="de">\n<hl>\n'
            b'<seg id="1">A &amp; b</seg>\n</hl>\n<p>\n<seg id="2">c</seg>\n</p>\n</doc>\n</refset>\n'
            if ending == "sgm"
            else b'<?xml version="1.0" encoding="utf-8"?>\n<dataset id="s"><doc id="d" origlang="en">'
            b'<src lang="en"><p><seg id="1">a</seg></p></src><ref lang="de" translator="A"><p>'
            b'<seg id="1">b</seg></p></ref><hyp system="x" language="de"><p><seg id="1">c</seg></p></hyp>'
            b"</doc></dataset>\n",
            *(
                case.content
                for case in malformed
                if case.ending == ending and len(case.content) < 2048
            ),
        ]

    return seeds


def _any_seeds() -> list[bytes]:
    return [
        *_tsv_seeds(),
        *_jsonl_seeds(),
        *_markup_seeds("xml")()[:3],
        *_markup_seeds("sgm")()[:3],
    ]


def _submission_seeds() -> list[bytes]:
    cases = from_tests("corpus.malformed_scores").SUBMISSIONS
    return [case.data for case in cases]


def _lines_seeds() -> list[bytes]:
    text = "\n".join(TEXTS).encode()
    return [
        text, gzip.compress(text, mtime=0), gzip.compress(b"a\n", mtime=0) * 2 + b"\0" * 5,
        text.decode().encode("utf-16"), b"a\r\nb\r\n", b"a\rb",
    ]  # fmt: skip


def targets() -> list[Target]:
    """Those of this room."""

    def table(name: str, run: Any, seeds: Any, words: Any = (), **options: Any) -> Target:
        return Target(name=f"corpus.{name}", run=run, seeds=seeds, words=words, **options)

    both = (*_TABLE_WORDS, *JSON_WORDS)
    return [
        table("lines", reading(_compressed, "a.txt"), _lines_seeds, ("\x1f\x8b\x08", "\0", "\r\n")),
        table(
            "plain",
            reading_several(_plain, "reference.txt", "system.txt", "documents.txt"),
            lambda: [joined("a\nb\n", "c\nd\n", "1\n1\n")],
            ("\n=====\n", *_TABLE_WORDS),
        ),
        table("any", reading(_any, "corpus"), _any_seeds, (*both, *_MARKUP_WORDS)),
        table("tsv", reading(_table(open_tsv), "a.tsv"), _tsv_seeds, _TABLE_WORDS),
        table("jsonl", reading(_table(open_jsonl), "a.jsonl"), _jsonl_seeds, both),
        table(
            "parquet",
            reading(_table(open_parquet), "a.parquet"),
            parquet_seeds,
            ("PAR1", "ARROW:schema"),
            longest=8192,
        ),
        table(
            "candidates",
            reading(_candidates, "candidates"),
            lambda: [
                b"0 ||| a b ||| lm: -1 tm: 0.5 ||| -2.5\n0 ||| a c ||| lm: -2 ||| -3\n1 ||| d ||| ||| 0\n",
                b'{"id": 1, "candidates": ["a", "b"], "weights": [1, 2]}\n',
                *content("candidates.tsv"),
            ],
            (*both, " ||| ", "candidates", "weights", "logprob", "samples"),
        ),
        table("sgml", reading(read_sgml, "a.sgm"), _markup_seeds("sgm"), _MARKUP_WORDS),
        table("wmt-xml", reading(read_wmt_xml, "a.xml"), _markup_seeds("xml"), _MARKUP_WORDS),
        table(
            "conllu",
            reading(read_conllu_texts, "a.conllu"),
            lambda: [some_lines(each, 30) for each in content("table-3-first.conllu")],
            ("# text = ", "# sent_id = ", "1-2", "1.1", "SpaceAfter=No", "|", "_", "\t"),
        ),
        table(
            "submission", reading(read_submission, "a.seg.score"), _submission_seeds, _TABLE_WORDS
        ),
        table("mtme", _tree, _tree_seeds, ("\n=====\n", "None", "\t", "nan", "inf")),
        table(
            "chosen-columns",
            reading(
                lambda path: drained(
                    open_corpus_file(
                        path,
                        empty_references="keep",
                        columns={"reference": "ref", "hypothesis": "mt"},
                    )
                ),
                "a.tsv",
            ),
            lambda: [b"ref\tmt\nr\th\n", b"mt\tref\tref\n"],
            both,
        ),
    ]
