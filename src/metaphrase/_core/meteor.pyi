"""The matches, the alignment and the statistics of METEOR.

See src/core/meteor/bind_meteor.cpp.
"""

from metaphrase._core.phrases import ParaphraseTable
from metaphrase._core.wordnet import WordNet
from metaphrase.arrays import FloatArray, Int32Array

class Sentences:
    """Texts as words between spaces, each distinct word of the ``vocabulary`` with a number."""

    def __init__(self, texts: list[str]) -> None: ...
    def __len__(self) -> int: ...
    @property
    def vocabulary(self) -> list[str]: ...
    def words(self, row: int) -> list[str]:
        """The words of one text."""

class PhraseTrie:
    """The phrases of a table as a trie over words; from a file, or made of the table without one."""

    def __init__(self, table: ParaphraseTable, path: bytes | None) -> None: ...

def phrase_trie_file(table: ParaphraseTable) -> bytes:
    """The content of a file to open a trie from."""

class Matcher:
    """Sentences with all that relates their words; any number of threads may ask it.

    ``stems`` and ``function`` have an item, a byte, for each word of the vocabulary. ``synset_numbers`` says
    by what number each synset is compared. What is ``None`` is a module that is left out.
    """

    def __init__(
        self,
        sentences: Sentences,
        *,
        stems: list[str] | None,
        function: bytes,
        characters: bool,
        wordnet: WordNet | None,
        synset_numbers: Int32Array | None,
        table: ParaphraseTable | None,
        phrases: PhraseTrie | None,
    ) -> None: ...
    def statistics(
        self, hypotheses: Int32Array, references: Int32Array, *, threads: int
    ) -> FloatArray:
        """METEOR's 23 numbers for each pair of rows; all -1 for a pair with too many words or matches."""

    def matches(self, hypothesis: int, reference: int) -> Int32Array:
        """The alignment of two rows.

        Columns: first word and number of words in the hypothesis, the same in the reference, the place of
        the module among those that are not left out, the chunk from 1.
        """
