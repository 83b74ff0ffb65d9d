"""Several translations of each sentence to choose from: blocks of lines, JSON Lines, tables, n-best lists."""

from metaphrase.corpus.formats.candidates.given import GivenCandidates
from metaphrase.corpus.formats.candidates.opening import CANDIDATE_FORMATS, open_candidates

__all__ = ["CANDIDATE_FORMATS", "GivenCandidates", "open_candidates"]
