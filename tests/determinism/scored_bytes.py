"""The fixed corpora, the metrics that score them, and the bytes of ``score --format json`` as hashes.

A hash is of the bytes that the command writes for one metric, after the versions in them have become ``*``:
of metaphrase, of sacreBLEU and of Python's Unicode. So a release, or another Python, changes none unless a
number changes, and then the signature or the version has to change as well.

All metrics are scored by one command, because that is faster, and its output is taken apart.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stderr
from hashlib import sha256
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from warnings import catch_warnings, filterwarnings

import metaphrase
from metaphrase.cli import main
from metaphrase.metrics import Metric, available, registry

_HERE = Path(__file__).parent
RECORDED = _HERE / "hashes.txt"
#: The corpora and the language that they are scored as. Strange text is nobody's; English has most metrics.
CORPORA = {
    "en": "en", "de": "de", "fr": "fr", "es": "es", "cs": "cs", "zh": "zh", "strange": "en",
}  # fmt: skip
#: Beside every metric with its defaults: options that lead through other code.
VARIANTS = {
    "accord": ("context",),
    "bleu": ("tokenize=intl:lowercase=yes", "tokenize=char", "smooth_method=add-k", "effective_order=yes"),
    "celab": ("hypothesis_weight=1.0", "order=2", "released_dp=yes", "dictionary=none"),
    "chrf": ("lowercase=yes", "beta=1:eps_smoothing=yes"),
    "chrf++": ("whitespace=yes",),
    "cobalt": (
        "released", "paper", "vectors=glove", "penalty=fragmentation", "opposite=symmetric", "penalty=none",
        "formula=printed",
    ),
    "maxsim": ("matching=optimal", "tokens=all"),
    "meteor": ("paraphrases=none", "task=adq:paraphrases=none", "paraphrases=none:text=no-punctuation"),
    "nist": ("orders=3:lowercase=no",),
    "pbe": ("tfidf", "tfidf+topic+sim", "ngram+topic", "similarity=none:beta=1.5"),
    "pfsm": ("references=mean",),
    "ppda": ("references=mean",),
    "ppda+f": ("references=mean",),
    "ter": ("normalized=yes:asian_support=yes", "no_punct=yes:case_sensitive=yes"),
    "tesla": ("without=lm",),
    "tesla-m": ("synonyms=none", "function_divisor=1:features=ms1,pos2", "tagset=universal:tokens=all"),
}  # fmt: skip
#: What the JSON says besides scores, and of domains, which these corpora do not have.
NOT_SCORES = frozenset({"rankings", "differences", "doubts", "domain", "domains"})


def is_ours(kind: type[Metric]) -> bool:
    """Whether the numbers are ours to promise: those of plug-ins and guests, on purpose, are not."""
    return kind.origin is None and not kind.needs_options


def asked() -> list[str]:
    """Every registered metric and its variants."""
    names = [name for name, kind in sorted(available().items()) if is_ours(kind)]
    return [spec for name in names for spec in (name, *(f"{name}:{o}" for o in VARIANTS[name]))]


def metrics_of(corpus: str) -> list[str]:
    """As many of them as the language has and can run here."""
    return [m for m in asked() if registry.obstacle(m, lang=CORPORA[corpus]) is None]


def corpus_file(corpus: str) -> Path:
    """The file of a corpus."""
    (path,) = (_HERE / "corpus").glob(f"{corpus}.*")
    return path


def command(corpus: str, metrics: Sequence[str], threads: int = 1) -> list[str]:
    """The arguments of ``metaphrase`` that score a corpus at all levels."""
    return [
        *("score", "--corpus", str(corpus_file(corpus)), "-l", CORPORA[corpus], "-m", *metrics),
        *("--level", "system", "document", "segment", "--empty-references", "keep"),
        *("--format", "json", "--threads", str(threads), "--no-doubts"),
    ]


def scored(corpus: str, metrics: Sequence[str], threads: int = 1) -> bytes:
    """What the command writes."""
    with TemporaryDirectory() as folder, redirect_stderr(StringIO()) as said, catch_warnings():
        # Metrics that compare bytes see typographic variants, and say so.
        filterwarnings("ignore", "\\[MP585\\]")
        path = Path(folder, "scores.json")
        if main([*command(corpus, metrics, threads), "-o", str(path)]) != 0:
            raise RuntimeError(said.getvalue())
        return path.read_bytes()


def apart(written: bytes) -> dict[str, bytes]:
    """What the command would have written for each of the metrics alone."""
    # Warnings are of all metrics together.
    together = json.loads(written) | {"warnings": []}
    # What raters would prefer is read off the scores: a new table of it changes none.
    del together["preferences"]
    return {
        metric[
            "name"
        ]: f"{json.dumps(_only(metric['name'], together), ensure_ascii=False, indent=1)}\n".encode()
        for metric in together["metrics"]
    }


def _only(metric: str, value: Any) -> Any:
    """A part of the JSON without other metrics, in their list and among scores and predictions."""
    if isinstance(value, list):
        return [_only(metric, each) for each in value]
    if not isinstance(value, dict):
        return value
    kept = {key: _only(metric, each) for key, each in value.items() if key not in NOT_SCORES}
    if "metrics" in kept:
        kept["metrics"] = [info for info in kept["metrics"] if info["name"] == metric]
    for key in kept.keys() & {"scores", "predictions"}:
        kept[key] = {name: each for name, each in kept[key].items() if name == metric}
    return kept


def all_scored(
    corpora: Iterable[str] = CORPORA, threads: int = 1
) -> Iterator[tuple[tuple[str, str], bytes]]:
    """The bytes of each metric on each corpus."""
    for corpus in corpora:
        for metric, written in apart(scored(corpus, metrics_of(corpus), threads)).items():
            yield (corpus, metric), written


def fingerprint(written: bytes) -> str:
    """The hash of what the command wrote, whatever the versions."""
    ours, theirs = re.escape(metaphrase.__version__), re.escape(version("sacrebleu"))
    told = written.decode()
    told = re.sub(rf'(?<="metaphrase": "){ours}(?=")|(?<=\|version:){ours}(?=")', "*", told)
    told = re.sub(rf'(?<=\|sacrebleu:){theirs}(?=")', "*", told)
    told = told.replace(f"unicode{unicodedata.unidata_version}|", "unicode*|")
    return sha256(told.encode()).hexdigest()


def recorded() -> dict[tuple[str, str], str]:
    """The hashes that scores have to have."""
    lines = RECORDED.read_text(encoding="utf-8").splitlines()
    return {(corpus, metric): digest for digest, corpus, metric in map(str.split, lines)}
