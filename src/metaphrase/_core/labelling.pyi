"""Labels of token sequences and what trains them; see src/core/bind_labelling.cpp."""

from collections.abc import Sequence

from metaphrase.arrays import Int32Array, Int64Array

class Labeller:
    """A model that gives every token of a sentence an IOB2 label; may serve many threads."""

    def __init__(self, model: bytes) -> None: ...
    @property
    def fingerprint(self) -> int: ...
    @property
    def task(self) -> str:
        """The column that the model fills."""

    @property
    def labels(self) -> list[str]: ...
    def label(
        self,
        offsets: Int64Array,
        form: Int32Array,
        tag: Int32Array,
        strings: Sequence[str],
        *,
        threads: int,
    ) -> Int32Array:
        """The number of every token's label; the columns are those of a ``Batch``."""

def train(
    *,
    task: str,
    runs: bool,
    forms: list[str],
    tags: list[str],
    labels: list[str],
    offsets: Int64Array,
    class_words: list[str],
    fine: Int32Array,
    coarse: Int32Array,
    usage_words: list[str],
    usage: Int32Array,
    capitals: Int32Array,
    epochs: int,
    seed: int,
    rate: float,
    shrinkage: float,
    min_count: int,
    least_weight: float,
    rounds: int = 1,
) -> bytes:
    """The content of a model file, the same for the same arguments: the mean of ``rounds`` trainings."""
