"""File formats: how each is recognised, read and written.

A module of a format has a tuple ``FORMATS`` (:mod:`metaphrase.corpus.formats.registry` collects them); what
callers need of all of them is here.
"""

from metaphrase.corpus.formats.conllu import is_named_conllu, read_analysed, read_conllu_texts
from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.judged.direct_assessment import read_assessments, write_assessments
from metaphrase.corpus.formats.judged.human_scores import HumanScores, read_human_scores
from metaphrase.corpus.formats.judged.judgement_files import read_judgements
from metaphrase.corpus.formats.judged.mqm import read_mqm, write_mqm
from metaphrase.corpus.formats.judged.ranking_csv import read_rankings, write_rankings
from metaphrase.corpus.formats.markup.sgml import is_sgml, read_sgml, sgml_of, write_sgml
from metaphrase.corpus.formats.markup.test_set import markup_corpus
from metaphrase.corpus.formats.markup.wmt_xml import read_wmt_xml, wmt_xml_of, write_wmt_xml
from metaphrase.corpus.formats.mtme.scores import ScoreFile, read_score_file, write_score_file
from metaphrase.corpus.formats.mtme.test_set import MtmeSet, read_mtme
from metaphrase.corpus.formats.mtme.writing import write_mtme
from metaphrase.corpus.formats.plain import open_plain, read_plain, write_plain
from metaphrase.corpus.formats.registry import (
    check_plain,
    foreign_format_of,
    format_of,
    named_format,
    not_plain,
    refuse_foreign,
)
from metaphrase.corpus.formats.submissions.files import (
    Submission,
    read_submission,
    write_submission,
)
from metaphrase.corpus.formats.tables.jsonl import (
    is_named_jsonl,
    open_jsonl,
    read_jsonl,
    write_jsonl,
)
from metaphrase.corpus.formats.tables.parquet import open_parquet, read_parquet, write_parquet
from metaphrase.corpus.formats.tables.tsv import open_tsv, read_tsv, write_tsv

__all__ = [
    "Format", "Head", "HumanScores", "MtmeSet", "ScoreFile", "Submission", "check_plain",
    "foreign_format_of", "format_of", "is_named_conllu", "is_named_jsonl", "is_sgml",
    "markup_corpus", "named_format", "not_plain", "open_jsonl", "open_parquet", "open_plain", "open_tsv",
    "read_analysed", "read_assessments", "read_conllu_texts", "read_human_scores", "read_jsonl",
    "read_judgements", "read_mqm", "read_mtme", "read_parquet", "read_plain", "read_rankings",
    "read_score_file", "read_sgml", "read_submission", "read_tsv", "read_wmt_xml",
    "refuse_foreign", "sgml_of", "wmt_xml_of", "write_assessments", "write_jsonl", "write_mqm",
    "write_mtme", "write_parquet", "write_plain", "write_rankings", "write_score_file", "write_sgml",
    "write_submission", "write_tsv", "write_wmt_xml",
]  # fmt: skip
