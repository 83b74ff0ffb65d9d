"""The dependency parser."""

from metaphrase.arrays import Int32Array, Int64Array

class Parser:
    """Trees for packed columns; thread-safe."""

    def __init__(self, model: bytes) -> None:
        """Raises ``analysis.ModelError`` if ``model`` is not a model file."""
    @property
    def fingerprint(self) -> int: ...
    @property
    def relations(self) -> list[str]: ...
    def parse(
        self,
        offsets: Int64Array,
        form: Int32Array,
        tag: Int32Array,
        upos: Int32Array,
        strings: list[str],
        *,
        split: bool = True,
        threads: int = 1,
    ) -> tuple[Int32Array, Int32Array]:
        """Heads, counted from 1 within the row, and indices into ``relations``."""

def maximum_tree(scores: Int32Array) -> Int32Array:
    """The best tree with one word at the root; ``scores[dependent - 1, head]``, head 0 the root."""

def sentence_sizes(forms: list[str]) -> list[int]:
    """How many tokens each sentence of a row has."""
