"""From files as somebody names them, in whatever format, to a corpus or to judgements."""

from metaphrase.corpus.formats.judged.request import JudgementFiles
from metaphrase.corpus.names import pair_and_file, shown_path
from metaphrase.corpus.opening.corpus_files import CorpusFiles, conllu_analyser, open_corpus, read
from metaphrase.corpus.opening.judgements import read_judgement_files
from metaphrase.corpus.opening.marked_errors import read_marked_errors
from metaphrase.corpus.opening.unit_corpus import MISSING_TARGETS, read_unit_corpus, read_units

__all__ = [
    "MISSING_TARGETS",
    "CorpusFiles",
    "JudgementFiles",
    "conllu_analyser",
    "open_corpus",
    "pair_and_file",
    "read",
    "read_judgement_files",
    "read_marked_errors",
    "read_unit_corpus",
    "read_units",
    "shown_path",
]
