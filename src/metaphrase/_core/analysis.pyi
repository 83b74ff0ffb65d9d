"""The built-in analysers; see src/core/analysis/bind_analysis.cpp."""

from metaphrase.arrays import Int32Array, Int64Array

class ModelError(ValueError): ...

class CompoundSplitter:
    """Cuts a word into the known words whose frequencies have the largest geometric mean."""

    def __init__(
        self, words: list[str], counts: Int32Array, *, shortest: int, linking: list[str]
    ) -> None: ...
    def split(self, word: str) -> list[tuple[int, int, int]]:
        """Start of each part, end of the word in it, and end of the part with its linking element."""

class TextAnalyser:
    """A model and the caches of its threads; may be called from several threads at once."""

    def __init__(self, model: bytes) -> None: ...
    @property
    def fingerprint(self) -> int: ...
    @property
    def language(self) -> str:
        """The code of the language that the model was trained for."""

    @property
    def labels(self) -> list[tuple[str, str]]:
        """What the tagger chooses from: pairs of the language's own tag and universal tag."""

    def analyse(
        self,
        texts: list[str],
        compounds: CompoundSplitter | None = None,
        /,
        *,
        lemma: bool,
        tag: bool,
        upos: bool,
        threads: int,
    ) -> tuple[Int64Array, dict[str, Int32Array], list[str]]:
        """Offsets, columns and strings as a ``Batch`` keeps them."""

    def analyse_tokens(
        self, sentences: list[list[str]], *, lemma: bool, tag: bool, upos: bool, threads: int
    ) -> tuple[Int64Array, dict[str, Int32Array], list[str]]:
        """The same for tokens that are given; without their spans."""

    def lemmatise(self, forms: list[str], tags: list[str]) -> list[str]:
        """Lemmas of words whose tags are given."""

def tokenise(texts: list[str], language: str = "en") -> list[list[str]]:
    """The tokens of each text; needs no model."""
