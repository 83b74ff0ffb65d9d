"""Labels of token sequences; see src/core/analysis/bind_labelling.cpp."""

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
