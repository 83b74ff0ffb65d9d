"""The losses of judged translations, kept set by set: what a training that was interrupted goes on from."""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable

import numpy as np

from metaphrase import lexicon
from metaphrase.corpus.lines import FilePath
from metaphrase.learning.accord.data import JudgedLosses, Untrained, judged_losses, text_losses
from metaphrase.learning.checkpoint import Checkpoint
from metaphrase.learning.judged_sets import JudgedSets
from metaphrase.version import __version__


def losses_of_sets(
    data: JudgedSets,
    metric: Untrained,
    *,
    threads: int = 1,
    checkpoint: FilePath | None = None,
    resume: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> list[JudgedLosses]:
    """The losses of all sets; ``progress`` is told how many of how many texts are done.

    They are kept in the ``checkpoint`` whenever a set is done, and taken from it to ``resume``. It goes with
    the same judgements, language, vectors and losses, whatever is learnt from them.
    """
    for judged, path in zip(data.judgements, data.paths, strict=True):
        judged.check_references(str(path))
    file = None if checkpoint is None else Checkpoint(checkpoint, _problem(data, metric))
    done = file.load() if file is not None and resume else {}
    total, before, found = sum(len(judged.texts) for judged in data.judgements), 0, []
    for judged, path in zip(data.judgements, data.paths, strict=True):
        name = f"{judged.name} {judged.language_pair}"

        def tell(count: int, before: int = before) -> None:
            if progress is not None:
                progress(before + count, total)

        if name in done:
            content = np.frombuffer(zlib.decompress(b64decode(done[name])))
            losses = content.reshape(len(judged.texts), len(metric.loss_names))
        else:
            losses = text_losses(judged, metric, threads=threads, progress=tell)
            if file is not None:
                done[name] = b64encode(zlib.compress(losses.tobytes(), 1)).decode()
                file.save(done)
        found.append(judged_losses(judged, metric, path=path, known=losses))
        before += len(judged.texts)
    return found


def _problem(data: JudgedSets, metric: Untrained) -> dict[str, object]:
    return {
        "data": [source.fingerprint for source in data.sources],
        "language": metric.lang,
        "vectors": lexicon.load_vectors(metric.vector_name).fingerprint,
        "losses": list(metric.loss_names),
        "version": __version__,
    }
