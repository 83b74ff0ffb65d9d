"""Topics of documents by latent Dirichlet allocation (Blei, Ng and Jordan 2003), found by Gibbs sampling.

PBE's topics (section 5; METRICS 5.2).

Every word of a document belongs to one of K topics. The sampler (``tomotopy``, collapsed Gibbs) draws such an
assignment; with n(·) counting words in it,

    P(w|z) = (n(z,w) + β) / (n(z) + V·β)      P(z|d) = (n(d,z) + α) / (n(d) + K·α)

The sampler sees documents in an order of their own, not in that of the caller, so that the order of input
does not matter. Assignments are kept on disk: they say everything, in two bytes a word.
"""

from __future__ import annotations

import json
import warnings
import zlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import blake2b
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from metaphrase.analysis.blob_store import BlobStore
from metaphrase.analysis.cache import default_directory
from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.errors import OptionError, ResourceError
from metaphrase.extras import not_installed
from metaphrase.options import check_options, option

Assignments = NDArray[np.uint16]

#: Raised whenever the same words would get other topics than before.
ALGORITHM_VERSION = 1
#: Iterations between two reports of progress; part of no result.
_STEP = 50
_CACHE_BYTES = 256 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicOptions:
    """How topics are sought.

    The priors are those that the Gibbs samplers of the time had by default: α = 50/K for each topic and
    β = 0.1 for each word.
    """

    topics: int = option(50, "number of topics", low=1, high=1000)
    iterations: int = option(1000, "of the search for topics", low=1, high=1_000_000)
    seed: int = option(1, "of the search for topics", low=0, high=2**32 - 1)
    beta: float = option(0.1, "the prior of each word, above 0", low=0, high=1)

    def __post_init__(self) -> None:
        check_options(self, code="MP564")
        if self.beta == 0:
            raise OptionError("MP564", "beta=0 is not above 0.")

    @property
    def alpha(self) -> float:
        """The prior of each topic."""
        return 50 / self.topics


@dataclass(frozen=True, slots=True, eq=False)
class TopicModel:
    """``topic_words[z, w]`` is P(w|z), ``document_topics[d, z]`` P(z|d).

    Words that occur in no document have probability 0 in every topic: the model does not know them. Equal
    documents have equal topics, the mean of what the sampler says about each.
    """

    topic_words: FloatArray
    document_topics: FloatArray


def find_topics(
    documents: Sequence[NDArray[np.integer]],
    words: Sequence[str],
    *,
    options: TopicOptions | None = None,
    progress: Callable[[int], None] | None = None,
    cache: Path | None = None,
) -> TopicModel:
    """Find the topics of ``documents``, each an array of places in ``words`` (the vocabulary).

    The order of documents, of the words in one and of ``words`` does not matter. ``progress`` is told how
    many iterations are done. ``cache`` is the directory that keeps what was found (by default that of
    analyses). The result is the same in every process; a sampler of another version, or one compiled for
    another kind of processor, may find other topics, which is why its version belongs into signatures.
    """
    chosen = options or TopicOptions()
    # The sampler's view: words that occur in alphabetical order, documents ordered by their words.
    occurring = np.unique(np.concatenate([*documents, np.zeros(0, dtype=np.int64)])).tolist()
    names = sorted(map(int, occurring), key=words.__getitem__)
    place = np.zeros(len(words), dtype=np.int64)
    place[names] = np.arange(len(names))
    bags = [np.sort(place[document]) for document in documents]
    order = sorted(
        (number for number, bag in enumerate(bags) if len(bag)), key=lambda i: bags[i].tolist()
    )
    tokens = np.concatenate([bags[i] for i in order]) if order else np.zeros(0, dtype=np.int64)
    lengths = np.array([len(bags[i]) for i in order], dtype=np.int64)
    found = _remembered(
        tokens, lengths, [words[i] for i in names], chosen, progress, cache or default_directory()
    )
    topic_words = np.zeros((chosen.topics, len(words)))
    topic_words[:, names] = _topic_words(tokens, found, len(names), chosen)
    document_topics = np.full((len(bags), chosen.topics), 1 / chosen.topics)
    if order:
        document_topics[order] = _document_topics(lengths, found, chosen)
        _share_among_equals(document_topics, bags, order)
    return TopicModel(topic_words, document_topics)


def sampler_version() -> str:
    """The version of the sampler, for signatures."""
    try:
        return version("tomotopy")
    except PackageNotFoundError:
        raise _missing() from None


def _topic_words(
    tokens: Int64Array, found: Assignments, vocabulary: int, options: TopicOptions
) -> FloatArray:
    counts = np.zeros((options.topics, vocabulary))
    np.add.at(counts, (found, tokens), 1)
    totals = counts.sum(axis=1, keepdims=True) + vocabulary * options.beta
    return np.asarray((counts + options.beta) / totals)


def _document_topics(lengths: Int64Array, found: Assignments, options: TopicOptions) -> FloatArray:
    counts = np.zeros((len(lengths), options.topics))
    np.add.at(counts, (np.repeat(np.arange(len(lengths)), lengths), found), 1)
    totals = lengths[:, None] + options.topics * options.alpha
    return np.asarray((counts + options.alpha) / totals)


def _share_among_equals(
    topics: FloatArray, bags: Sequence[Int64Array], order: Sequence[int]
) -> None:
    """Give equal documents, which stand side by side in ``order``, the mean of their topics."""
    first = 0
    for last in range(1, len(order) + 1):
        if last < len(order) and np.array_equal(bags[order[first]], bags[order[last]]):
            continue
        if last - first > 1:
            topics[order[first:last]] = topics[order[first:last]].mean(axis=0)
        first = last


def _remembered(
    tokens: Int64Array,
    lengths: Int64Array,
    words: Sequence[str],
    options: TopicOptions,
    progress: Callable[[int], None] | None,
    directory: Path,
) -> Assignments:
    if not len(tokens):
        return np.zeros(0, dtype=np.uint16)
    settings = {**asdict(options), "sampler": sampler_version(), "version": ALGORITHM_VERSION}
    digest = blake2b(json.dumps([settings, list(words)]).encode(), digest_size=16)
    digest.update(lengths.tobytes())
    digest.update(tokens.tobytes())
    store, key = _store(directory), digest.digest()
    found = _decode(store.find([key]).get(key), len(tokens), options.topics)
    if found is None:
        found = _sample(tokens, lengths, words, options, progress)
        content = zlib.compress(found.astype("<u2").tobytes(), 1)
        store.put([(key, zlib.crc32(content).to_bytes(4, "big") + content)])
    return found


def _decode(entry: bytes | None, tokens: int, topics: int) -> Assignments | None:
    """What was kept, or ``None`` if that is damaged."""
    if entry is None or entry[:4] != zlib.crc32(entry[4:]).to_bytes(4, "big"):
        return None
    try:
        found = np.frombuffer(zlib.decompress(entry[4:]), dtype="<u2").astype(np.uint16)
    except (zlib.error, ValueError):
        return None
    return found if len(found) == tokens and int(found.max()) < topics else None


@lru_cache(maxsize=4)
def _store(directory: Path) -> BlobStore:
    return BlobStore(directory / "topics.sqlite", limit_bytes=_CACHE_BYTES)


def _sample(
    tokens: Int64Array,
    lengths: Int64Array,
    words: Sequence[str],
    options: TopicOptions,
    progress: Callable[[int], None] | None,
) -> Assignments:
    tomotopy = _import_sampler()
    model = tomotopy.LDAModel(
        k=options.topics, alpha=options.alpha, eta=options.beta, seed=options.seed
    )
    model.optim_interval = 0  # or it would change alpha as it goes
    ends = np.cumsum(lengths).tolist()
    for first, last in zip([0, *ends], ends, strict=False):
        # Places instead of words: a space within a word, or a word that is one, cannot confuse it.
        model.add_doc([str(token) for token in tokens[first:last].tolist()])
    for done in range(0, options.iterations, _STEP):
        # One worker: what several of them find depends on which is quicker.
        steps = min(_STEP, options.iterations - done)
        model.train(steps, workers=1, parallel=tomotopy.ParallelScheme.NONE)
        if progress is not None:
            progress(done + steps)
    return np.concatenate([np.asarray(doc.topics) for doc in model.docs]).astype(np.uint16)


def _import_sampler() -> ModuleType:
    try:
        with warnings.catch_warnings():
            # Its compiled types leave out what Python wants to know of them; nobody here can mend that.
            warnings.simplefilter("ignore", DeprecationWarning)
            return import_module("tomotopy")
    except ImportError:
        raise _missing() from None


def _missing() -> ResourceError:
    return not_installed("topics are found by tomotopy, which is not installed.", "topics")
