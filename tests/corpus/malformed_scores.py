"""Score files and trees with one fault each: what is wrong, the code, and the line to blame."""

from __future__ import annotations

import gzip
from typing import NamedTuple


class BadSubmission(NamedTuple):
    """A file of scores; ``layout`` is stated to the reader unless None."""

    fault: str
    file: str
    data: bytes
    layout: str | None
    code: str
    line: int | None


class BadTree(NamedTuple):
    """A change of one file of the tree; None removes it, a text in <> makes something else of it."""

    fault: str
    file: str
    data: bytes | str | None
    code: str
    line: int | None


def _rows(*rows: str) -> bytes:
    """Lines of one metric, language pair and test set; blanks are tabs."""
    return "".join(f"M de-en nt {row}\n" for row in rows).replace(" ", "\t").encode()


_SEG16 = _rows("A 1 0.5", "A 2 0.25", "B 1 1", "B 2 -1")
_SEG20 = _rows("r A d1 1 .5", "r A d1 2 .5", "r A d2 1 .5")
_SYS17 = b"M\tde-en\tnt\tA\t0.5\t1493196388\t1493196486\tensemble\tno\n"

SUBMISSIONS = [
    BadSubmission("an empty file", "a.seg.score", b"", None, "MP113", None),
    BadSubmission("three columns", "a.score", b"M\tde-en\t3\n", None, "MP166", 1),
    BadSubmission("ten columns", "a.score", b"1\t" * 9 + b"1\n", None, "MP166", 1),
    BadSubmission("spaces for tabs", "a.score", b"M de-en nt A 0.5\n", None, "MP166", 1),
    BadSubmission(
        "seven columns that two years have",
        "scores.txt",
        _rows("x y z 0.5"),
        None,
        "MP166",
        1,
    ),
    BadSubmission(
        "numbers that are systems or segments",
        "scores.txt",
        _rows("r 3866 0.5", "r 4122 0.5"),
        None,
        "MP166",
        1,
    ),
    BadSubmission("no such year", "a.score", _SEG16, "wmt99-seg", "MP166", None),
    BadSubmission("a line cut short", "a.seg.score", _SEG16 + _rows("A"), None, "MP160", 5),
    BadSubmission("a blank line", "a.seg.score", _SEG16 + b"\n", None, "MP160", 5),
    BadSubmission("a column too many", "a.score", _SEG16 + b"1\t2\t3\t4\t5\t6\t7\n", "wmt16-seg", "MP160", 5),
    BadSubmission("a system without name", "a.sys.score", b"M\tde-en\tnt\t\t1\n", None, "MP160", 1),
    BadSubmission("segment 0", "a.seg.score", _rows("A 0 1"), None, "MP160", 1),
    BadSubmission("segment 01", "a.seg.score", _rows("A 01 1"), None, "MP160", 1),
    BadSubmission("a segment that is a word", "a.seg.score", _rows("A x 1"), None, "MP160", 1),
    BadSubmission("not a number", "a.sys.score", _rows("A NaN"), None, "MP161", 1),
    BadSubmission("infinity", "a.sys.score", _rows("A 1", "B -inf"), None, "MP161", 2),
    BadSubmission("a number out of range", "a.sys.score", _rows("A 1e999"), None, "MP161", 1),
    BadSubmission("a decimal comma", "a.sys.score", _rows("A 0,5"), None, "MP161", 1),
    BadSubmission("no score", "a.sys.score", _rows("A None"), None, "MP161", 1),
    BadSubmission("a number with blanks", "a.sys.score", b"M\tde-en\tnt\tA\t 1\n", None, "MP161", 1),
    BadSubmission("a huge field", "a.sys.score", b"M\tde-en\tnt\tA\t" + b"1" * 5_000_000, None, "MP161", 1),
    BadSubmission("no language pair", "a.sys.score", b"M\tgerman\tnt\tA\t1\n", None, "MP162", 1),
    BadSubmission("another pair", "a.sys.score", _rows("A 1").replace(b"de", b"cs"), None, "MP162", 1),
    BadSubmission("a system twice", "a.sys.score", _rows("A 1", "A 1"), None, "MP163", 2),
    BadSubmission("a segment twice", "a.seg.score", _SEG16 + _rows("B 2 3"), None, "MP163", 5),
    BadSubmission("a document twice", "a.doc.score", _rows("r A d 1") * 2, None, "MP163", 2),
    BadSubmission("a document begun again", "a.seg.score", _SEG20 + _rows("r A d1 1 0"), None, "MP163", 4),
    BadSubmission("a gap", "a.seg.score", _SEG16 + _rows("A 4 3"), None, "MP164", 5),
    BadSubmission("a first segment missing", "a.seg.score", _rows("A 2 3"), None, "MP164", 1),
    BadSubmission("a new document from 2", "a.seg.score", _SEG20 + _rows("r A d3 3 0"), None, "MP164", 4),
    BadSubmission("a last segment missing", "a.seg.score", _SEG16 + _rows("C 1 3"), None, "MP164", 5),
    BadSubmission("other documents", "a.doc.score", _rows("r A d 1", "r B e 1"), None, "MP164", 2),
    BadSubmission("an unknown system", "a.sys.score", _rows("A 1", "Z 1"), None, "MP165", 2),
    BadSubmission("perhaps", "a.sys.score", _SYS17.replace(b"ensemble", b"maybe"), None, "MP160", 1),
    BadSubmission("a time of day", "a.sys.score", _SYS17.replace(b"1493196388", b"12:30"), None, "MP160", 1),
    BadSubmission("not UTF-8", "a.sys.score", _rows("A 1") + b"\xe9\n", None, "MP121", 2),
    BadSubmission("UTF-16", "a.sys.score", "M\tde-en\tnt\tA\t1\n".encode("utf-16"), None, "MP120", None),
    BadSubmission("a NUL", "a.sys.score", _rows("A 1") + b"\0\n", None, "MP122", 2),
    BadSubmission("Macintosh line ends", "a.sys.score", _SEG16.replace(b"\n", b"\r"), None, "MP123", None),
    BadSubmission("truncated gzip", "a.seg.score.gz", gzip.compress(_SEG16)[:-9], None, "MP114", None),
]  # fmt: skip

_SEG = "metric-scores/en-de/BLEU-refA.seg.score"
_HUMAN = "human-scores/en-de.mqm.seg.score"
_DOMAIN = "human-scores/en-de.mqm.domain.score"
_DOCS = "documents/en-de.docs"
_BLOCK = b"sysA\t1\nsysA\t2\nsysA\t3\nsysA\t4\n"
_FOUR = b"x\n" * 4

TREES = [
    BadTree("no references folder", "references", None, "MP167", None),
    BadTree("a file for a folder", "references", "<file>", "MP167", None),
    BadTree("no documents", "documents", None, "MP167", None),
    BadTree("no reference of the pair", "references/", "<empty folder>", "MP167", None),
    BadTree("no system of the pair", "system-outputs/en-de/", "<empty folder>", "MP167", None),
    BadTree("no file of documents", _DOCS, None, "MP110", None),
    BadTree("a folder for a file", "system-outputs/en-de/sysD.txt", "<folder>", "MP111", None),
    BadTree("an empty output", "system-outputs/en-de/sysD.txt", _rows(), "MP113", None),
    BadTree("too few lines", "system-outputs/en-de/sysA.txt", b"x\n" * 3, "MP102", None),
    BadTree("too many lines", "references/en-de.refA.txt", b"x\n" * 5, "MP102", None),
    BadTree("a line of documents too few", _DOCS, b"n\td\n" * 3, "MP102", None),
    BadTree("text that is not UTF-8", "sources/en-de.txt", b"x\nx\n\xff\nx\n", "MP121", 3),
    BadTree("a document without domain", _DOCS, b"n\td\nd\nn\td\nn\td\n", "MP171", 2),
    BadTree("a document in two places", _DOCS, b"n\td\nn\te\nn\td\nn\td\n", "MP171", 3),
    BadTree("a document in two domains", _DOCS, b"n\td\nn\td\nm\td\nm\te\n", "MP171", 3),
    BadTree("a reference called all", "references/en-de.all.txt", _FOUR, "MP168", None),
    BadTree("a reference with a dash", "references/en-de.ref-C.txt", _FOUR, "MP168", None),
    BadTree("a system with a blank", "system-outputs/en-de/sys D.txt", _FOUR, "MP172", None),
    BadTree("a metric without reference", "metric-scores/en-de/TER.sys.score", b"sysA\t1\n", "MP168", None),
    BadTree("an unknown reference", "metric-scores/en-de/TER-refZ.sys.score", b"sysA\t1\n", "MP168", None),
    BadTree("an unknown level", "metric-scores/en-de/TER-refA.word.score", b"sysA\t1\n", "MP168", None),
    BadTree("human scores without name", "human-scores/en-de.seg.score", b"sysA\t1\n", "MP168", None),
    BadTree("one column", _SEG, b"sysA\n", "MP160", 1),
    BadTree("three columns", _SEG, b"sysA\t1\nnews\tsysA\t2\n", "MP160", 2),
    BadTree("two columns of domains", _DOMAIN, b"sysA\t1\n", "MP160", 1),
    BadTree("a blank line", _SEG, b"sysA\t1\n\nsysA\t2\n", "MP160", 2),
    BadTree("None of a metric", _SEG, b"sysA\t1\nsysA\tNone\n", "MP161", 2),
    BadTree("not a number", _HUMAN, b"sysA\t1\nsysA\tnan\n", "MP161", 2),
    BadTree("infinity", _SEG, b"sysA\tinf\n", "MP161", 1),
    BadTree("none in small letters", _HUMAN, b"sysA\tnone\n", "MP161", 1),
    BadTree("mixed blocks", _SEG, _BLOCK + b"refB\t1\n" * 4 + b"sysA\t5\n", "MP163", 9),
    BadTree("interleaved systems", _SEG, b"sysA\t1\nrefB\t1\nsysA\t2\n", "MP164", 1),
    BadTree("a system twice", "human-scores/en-de.mqm.sys.score", b"sysA\t1\nsysA\t1\n", "MP163", 2),
    BadTree("a domain twice", _DOMAIN, b"news\tsysA\t1\nnews\tsysA\t1\n", "MP163", 2),
    BadTree("a missing segment", _SEG, _BLOCK + b"refB\t1\nrefB\t2\nrefB\t3\n", "MP164", 7),
    BadTree("a segment too many", _SEG, _BLOCK + b"sysA\t5\n", "MP164", 5),
    BadTree("a missing document", "metric-scores/en-de/BLEU-refA.doc.score", b"sysA\t1\n", "MP164", 1),
    BadTree("a missing domain", _DOMAIN, b"news\tsysA\t1\n", "MP164", 1),
    BadTree("an unknown system", _SEG, _BLOCK + b"sysZ\t1\n", "MP165", 5),
    BadTree("an unknown domain", _DOMAIN, b"sport\tsysA\t1\n", "MP165", 1),
    BadTree("an empty score file", _SEG, _rows(), "MP113", None),
    BadTree("scores that are not UTF-8", _SEG, b"sysA\t1\n\xe9\t2\n", "MP121", 2),
    BadTree("truncated gzip", _SEG, gzip.compress(_BLOCK * 99)[:-9], "MP114", None),
]  # fmt: skip
