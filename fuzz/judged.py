"""What people said of translations, and errors that metrics should see, in all formats that are read."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from fuzz.files import content, reading, some_lines
from fuzz.seeds import from_tests
from fuzz.target import Target
from metaphrase.corpus import Corpus
from metaphrase.corpus.formats.challenges.demetr import read_demetr
from metaphrase.corpus.formats.judged.appraise import read_appraise
from metaphrase.corpus.formats.judged.da_judgements import read_da_judgements
from metaphrase.corpus.formats.judged.direct_assessment import read_assessments
from metaphrase.corpus.formats.judged.error_spans import read_error_spans
from metaphrase.corpus.formats.judged.esa import read_esa, read_esa_ratings
from metaphrase.corpus.formats.judged.human_scores import read_human_scores
from metaphrase.corpus.formats.judged.judgement_files import read_judgements
from metaphrase.corpus.formats.judged.marot import read_marot
from metaphrase.corpus.formats.judged.mqm import read_mqm
from metaphrase.corpus.formats.judged.mqm_weights import read_weights
from metaphrase.corpus.formats.judged.pearmut import read_pearmut
from metaphrase.corpus.formats.judged.ranking_csv import read_rankings
from metaphrase.corpus.formats.judged.rated_judgements import read_rated_judgements
from metaphrase.corpus.formats.judged.rating_sheet import read_rating_sheet
from metaphrase.corpus.formats.judged.sample_key import SampleKey, key_text, read_key
from metaphrase.corpus.formats.mtme.scores import read_score_file
from metaphrase.corpus.opening import JudgementFiles, read_judgement_files
from metaphrase.corpus.opening.challenges import read_challenges
from metaphrase.corpus.opening.ratings import read_ratings
from metaphrase.corpus.ratings import Item
from metaphrase.meta import rating_agreement
from metaphrase.meta.published_table import read_published

_WORDS = (
    "\t", ",", "\n", '"', "-1", "nan", "inf", "1e400", "None", "0", "9" * 20,
    "<v>", "</v>", "A", "B", "de-en",
    "srclang", "system1Id", "system1rank", "rankingID", "SYS", "SID", "RAW.SCR", "Z.SCR", "severity", "Minor",
    "TGT", "BAD", "tutorial", "#dup", "False", "[]", "SYSTEM", "REPEAT", "WorkerId", "sys_id", "esa_score",
    "Major", "No-error", "category", "seg_id", "human", "hter", "score", "preference", "judge",
    "TGT", "BAD", "CHK", "[]", "{}", "null", "annotation", "user_id", "item_i", "__RESET__", "error_spans",
    "spans", "ratings", "hypothesis", "side", "start", "end", "esa_spans", "start_i",
    "item", "errors", "none", "[missing]", "major: a", "\\ud800",
)  # fmt: skip


@cache
def _module() -> Any:
    return from_tests("corpus.malformed_judgements")


def _seeds(read: str, *more: str) -> Callable[[], list[bytes]]:
    def seeds() -> list[bytes]:
        module = _module()
        reader = getattr(module, read)
        refused = [case.data for case in module.MALFORMED if case.read is reader]
        return [*(text.encode() for text in more), *refused]

    return seeds


def _rank(path: str) -> object:
    return read_rankings(path).judgements(_module().CORPUS)


def _assess(path: str) -> object:
    return read_assessments(path).judgements(_module().CORPUS, language_pair="de-en")


def _mqm(path: str) -> object:
    return read_mqm(path).judgements(_module().CORPUS.references, language_pair="de-en")


def _single(path: str) -> object:
    return read_da_judgements(path).judgements(_module().CORPUS, language_pair="de-en")


def _esa(path: str) -> object:
    corpus = _module().CORPUS
    documents = Corpus(dict(corpus.systems), corpus.references, documents=["d", "d"])
    return read_esa(path).judgements(documents, language_pair="de-en")


def _published(path: str) -> object:
    return read_published(path, metrics=("A", "B"), tasks=("de-en",))


def _opened(path: str) -> object:
    return read_judgement_files(JudgementFiles(judgements=[path], judges=True))


def _joined(path: str) -> object:
    return [rating_agreement(one) for one in read_ratings([path], key=_key())]


@cache
def _key() -> SampleKey:
    items = (Item("1", "A", "d", "1", hypothesis="a"), Item("2", "A", "d", "1", "degraded", "1"))
    return SampleKey("s", "de-en", "esa", items)


def _human_seeds() -> list[bytes]:
    return [
        b"system\tsegment\thuman\nA\t1\t0.5\nA\t2\t1\nB\t1\t\n",
        b"system\tdocument\tsegment\thypothesis\thuman\nA\td\t1\ta1\t0.5\n",
        b"system\tseg\thyp\thuman\nA\tx\ta1\t3\nB\ty\tb2\t-1e3\n",
    ]


_DEMETR = (
    b'[\n {"id": 1, "src_sent": "s", "eng_sent": "r", "mt_sent": "g", "pert_sent": "b", "pert_check": true, '
    b'"severity": "minor", "pert_name": "minor_id1_repeat2"},\n {"id": 2, "src_sent": "", "eng_sent": "r", '
    b'"mt_sent": "g", "pert_sent": "g", "pert_check": false, "severity": "base", "pert_name": "x"}\n]\n'
)
_CHALLENGES = (
    b"kind\treference\tgood\tbad\tid\nnumbers\tIt is 9.\tIt's 9.\tIt's 8.\t1\n",
    b'{"kind": "order", "reference": "a b", "good": "a", "bad": "b", "severity": "minor", "id": 3}\n',
)


def targets() -> list[Target]:
    """Those of this room."""

    def judged(name: str, run: Any, seeds: Any) -> Target:
        return Target(name=f"judged.{name}", run=run, seeds=seeds, words=_WORDS)

    pairs = (
        "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID\n"
        "cze,eng,1,1,judge1,A,1,B,2,1\ncze,eng,2,2,judge1,A,2,B,2,2\n"
    )
    mqm = (
        "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
        "A\td\t1\t1\tr\ts\ta <v>1</v>\tStyle\tMinor\nB\td\t1\t1\tr\ts\tb1\tno-error\tno-error\n"
    )
    return [
        judged("rankings", reading(_rank, "a.csv"), _seeds("rank", pairs)),
        judged(
            "assessments",
            reading(_assess, "a.csv"),
            _seeds("assess", "SYS SID RAW.SCR Z.SCR N \nA 1 50 0.1 2 \nB 2 70 -0.5 1 \n"),
        ),
        judged(
            "single-assessments",
            reading(_single, "a.csv"),
            lambda: [
                b"WorkerId\tInput.src\tInput.trg\tsys_id\ttype\tsid\tscore\n"
                b"j\tde\ten\tA\tSYSTEM\t1\t80\nj\tde\ten\tB\tREPEAT\t2\t5\nk\tde\ten\tA\tBAD_REF\t1\t0.5\n"
            ],
        ),
        judged(
            "esa",
            reading(_esa, "a.csv"),
            lambda: [
                b'j,A,0,TGT,deu,eng,90,d,False,"[{""severity"":""minor""}]",1,2\nj,B,1,BAD,deu,eng,5,d#bad,False,[],1,2\n',
                b'{"langs":"de-en","line_id":0,"doc_id":"d","esa_score":"90","system":"A","annotator":"j",'
                b'"domain":"x","times":["1","2"]}\n',
            ],
        ),
        judged(
            "published",
            reading(_published, "a.tsv"),
            lambda: [b"metric\taverage\trank\tde-en\nA\t0.5\t1\t\nC\t0.1\t2\t0.3\n"],
        ),
        judged("mqm", reading(_mqm, "a.tsv"), _seeds("errors", mqm)),
        judged(
            "mqm-weights",
            reading(read_weights, "a.json"),
            lambda: [b'{"Major": 5, "Minor": 1, "Minor/Fluency/Punctuation": 0.1, "No-error": 0}'],
        ),
        judged(
            "judgements",
            reading(read_judgements, "a.tsv"),
            lambda: [some_lines(each, 8) for each in content("judgements.tsv")],
        ),
        judged(
            "appraise", reading(read_appraise, "a.csv"), _seeds("read_appraise", _module().APPRAISE)
        ),
        judged(
            "pearmut", reading(read_pearmut, "a.json"), _seeds("read_pearmut", _module().logged())
        ),
        judged(
            "error-spans",
            reading(read_error_spans, "a.jsonl"),
            _seeds("read_error_spans", _module().spanned(), _module().spanned(side="none")),
        ),
        judged(
            "esa-spans",
            reading(read_esa_ratings, "a.jsonl"),
            lambda: [
                b'{"langs":"de-en","line_id":0,"doc_id":"d","esa_score":"90","system":"A","annotator":"j",'
                b'"src":"a","tgt":"bc","esa_spans":[{"start_i":0,"end_i":1,"severity":"minor"}],"times":[]}\n',
            ],
        ),
        judged(
            "rating-sheet",
            reading(read_rating_sheet, "a.csv"),
            _seeds("read_rating_sheet", f'{_module().SHEET}\n1,a b,5,"major: a\nminor: b",ann\n'),
        ),
        judged(
            "rated",
            reading(read_rated_judgements, "a.tsv"),
            _seeds(
                "read_rated_judgements",
                f"{_module().RATED}\ns\tde-en\tA\t1\ta\t5\tann\tmajor/x 1-2; minor missing\n",
            ),
        ),
        judged("marot", reading(read_marot, "a.tsv"), _seeds("read_marot", _module().MAROT)),
        judged("key", reading(read_key, "key.json"), lambda: [key_text(_key()).encode()]),
        judged(
            "ratings",
            reading(_joined, "results"),
            lambda: [
                _module().APPRAISE.encode(),
                _module().logged().encode(),
                f"{_module().SHEET}\n1,a,5,,ann\n2,,3,,ann\n".encode(),
                _module().MAROT.encode(),
            ],
        ),
        judged(
            "human-scores",
            reading(lambda path: read_human_scores(path, _module().CORPUS), "a.tsv"),
            _human_seeds,
        ),
        judged(
            "score-file",
            reading(read_score_file, "BLEU-refA.seg.score"),
            lambda: [b"sysA\t1\nsysA\tNone\nsysB\t-2.5\nsysB\t1e2\n"],
        ),
        judged("demetr", reading(read_demetr, "a.json"), lambda: [_DEMETR]),
        judged("challenges", reading(read_challenges, "a.tsv"), lambda: [*_CHALLENGES, _DEMETR]),
        judged(
            "any",
            reading(_opened, "judgements"),
            lambda: [
                *[some_lines(each, 8) for each in content("judgements.tsv")],
                *_seeds("rank", pairs)()[:4],
                mqm.encode(),
            ],
        ),
    ]
