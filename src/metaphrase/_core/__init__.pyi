"""The compiled core; each sub-module has its own stub beside this file."""

from typing import Any

from metaphrase._core import alignment as alignment
from metaphrase._core import analysis as analysis
from metaphrase._core import covering as covering
from metaphrase._core import edit_rate as edit_rate
from metaphrase._core import edits as edits
from metaphrase._core import elementary as elementary
from metaphrase._core import encoder as encoder
from metaphrase._core import labelling as labelling
from metaphrase._core import language_models as language_models
from metaphrase._core import meta as meta
from metaphrase._core import meteor as meteor
from metaphrase._core import meteor_text as meteor_text
from metaphrase._core import ngrams as ngrams
from metaphrase._core import parsing as parsing
from metaphrase._core import phrase_maps as phrase_maps
from metaphrase._core import phrases as phrases
from metaphrase._core import pivots as pivots
from metaphrase._core import relations as relations
from metaphrase._core import soft_matches as soft_matches
from metaphrase._core import substitutions as substitutions
from metaphrase._core import transport as transport
from metaphrase._core import wordnet as wordnet

def build() -> dict[str, Any]:
    """How this core was compiled, and what of the processor it uses."""

class RefusedInputError(Exception):
    """Input that a kernel must not see; ``row`` and ``fault`` as in metaphrase.errors.InputError."""

    code: str
    message: str
    row: int | None
    fault: str
