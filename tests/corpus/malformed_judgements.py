"""Files of judgements that are wrong: name, bytes, how to read them, the code and the line at fault."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from metaphrase.corpus import Corpus
from metaphrase.corpus.formats.judged.appraise import read_appraise
from metaphrase.corpus.formats.judged.direct_assessment import read_assessments
from metaphrase.corpus.formats.judged.error_spans import read_error_spans
from metaphrase.corpus.formats.judged.marot import read_marot
from metaphrase.corpus.formats.judged.mqm import read_mqm
from metaphrase.corpus.formats.judged.mqm_weights import read_weights
from metaphrase.corpus.formats.judged.pearmut import read_pearmut
from metaphrase.corpus.formats.judged.ranking_csv import read_rankings
from metaphrase.corpus.formats.judged.rated_judgements import read_rated_judgements
from metaphrase.corpus.formats.judged.rating_sheet import read_rating_sheet

CORPUS = Corpus({"A": ["a1", "a2"], "B": ["b1", "b2"]}, [["r1", "r2"]])

PAIRS = "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID"
PAIR = "cze,eng,1,1,judge1,A,1,B,2,1"
FIVE = (
    "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,system2Number,system2Id,"
    "system3Number,system3Id,system4Number,system4Id,system5Number,system5Id,"
    "system1rank,system2rank,system3rank,system4rank,system5rank"
)
NOBODY = "-1,-1,-1,-1,-1,-1"
DA = "SYS SID RAW.SCR Z.SCR N "
MQM = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"
ERROR = "A\td\t1\t{seg}\tr\ts\t{target}\tStyle\t{severity}"


APPRAISE = "ann,A,1,TGT,deu,eng,80,d,False,[],1.0,2.0"
SHEET = "item,translation,score,errors,judge"
RATED = "set\tlp\tsystem\tseg\thypothesis\thuman\tjudge\terrors"
MAROT = "A\td\t1\t1\tann\ts\ta\tStyle\tMinor\t{}"


def logged(**entry: object) -> str:
    """An annotation of Pearmut."""
    usual = {
        "annotation": [{"A": {"score": 5, "error_spans": []}}],
        "item": [{"tgt": {"A": "a"}, "item_id": "1"}],
        "user_id": "ann",
        "item_i": 0,
    }
    return json.dumps(usual | entry)


def spanned(**entry: object) -> str:
    """A translation with one span."""
    span = {"side": "target", "start": 0, "end": 1, "severity": "minor"}
    usual = {"system": "A", "seg": 1, "hypothesis": "ab", "source": "s"}
    change = {name: entry.pop(name) for name in (*span, "points", "correction") if name in entry}
    rating = {"rater": "ann", "spans": [span | change]}
    return json.dumps(usual | {"ratings": [rating]} | entry)


def error(*, seg: str = "1", target: str = "a <v>b</v>", severity: str = "Minor") -> str:
    return ERROR.format(seg=seg, target=target, severity=severity)


def rank(path: Path) -> object:
    return read_rankings(path).judgements(CORPUS)


def assess(path: Path) -> object:
    return read_assessments(path).judgements(CORPUS, language_pair="de-en")


def errors(path: Path) -> object:
    return read_mqm(path).judgements(CORPUS.references, language_pair="de-en")


@dataclass(frozen=True)
class Malformed:
    name: str
    data: bytes
    read: Callable[[Path], object]
    code: str
    line: int | None


def case(
    name: str, read: Callable[[Path], object], code: str, line: int | None, *lines: str | bytes
) -> Malformed:
    encoded = [row.encode() if isinstance(row, str) else row for row in lines]
    return Malformed(name, b"".join(row + b"\n" for row in encoded), read, code, line)


def five(name: str, code: str, line: int | None, row: str) -> Malformed:
    """A ranking of up to five systems."""
    return case(name, rank, code, line, FIVE, f"cze,eng,{row}")


MALFORMED = [
    case("Appraise: a field too few", read_appraise, "MP791", 2, APPRAISE, APPRAISE[:-4]),
    case("Appraise: a type of item", read_appraise, "MP791", 1, APPRAISE.replace("TGT", "XXX")),
    case("Appraise: a score above 100", read_appraise, "MP791", 1, APPRAISE.replace("80", "180")),
    case("Appraise: a score in words", read_appraise, "MP791", 1, APPRAISE.replace("80", "good")),
    case("Appraise: no time", read_appraise, "MP791", 1, APPRAISE.replace("2.0", "later")),
    case("Appraise: errors that are none", read_appraise, "MP791", 1, APPRAISE.replace("[]", "{")),
    case("Appraise: an error nowhere", read_appraise, "MP791", 1, APPRAISE.replace("[]", "[{}]")),
    case("Appraise: a mark", read_appraise, "MP791", 1, APPRAISE.replace("ann", '"ann')),
    case("Appraise: nobody", read_appraise, "MP791", 1, APPRAISE.replace("ann", "")),
    case(
        "Appraise: two pairs", read_appraise, "MP791", 2, APPRAISE, APPRAISE.replace("deu", "ces")
    ),
    case(
        "Appraise: references alone", read_appraise, "MP793", None, APPRAISE.replace("TGT", "REF")
    ),
    case("spans: no JSON", read_error_spans, "MP778", 2, spanned(), "{"),
    case("spans: a list", read_error_spans, "MP778", 1, "[1]"),
    case("spans: deep", read_error_spans, "MP778", 1, '{"a":' * 100_000),
    case("spans: no system", read_error_spans, "MP778", 1, '{"seg": 1, "hypothesis": "a"}'),
    case("spans: a system of lists", read_error_spans, "MP778", 1, spanned(system=[])),
    case("spans: a hypothesis of digits", read_error_spans, "MP778", 1, spanned(hypothesis=5)),
    case("spans: half a pair", read_error_spans, "MP778", 1, spanned(source="\ud800")),
    case("spans: a pair", read_error_spans, "MP778", 1, spanned(lp="German")),
    case("spans: one reference", read_error_spans, "MP778", 1, spanned(references="a")),
    case("spans: digits for a reference", read_error_spans, "MP778", 1, spanned(references=[1])),
    case("spans: ratings of nobody", read_error_spans, "MP778", 1, spanned(ratings={"a": 1})),
    case("spans: a rating in words", read_error_spans, "MP778", 1, spanned(ratings=["good"])),
    case("spans: a rating without", read_error_spans, "MP778", 1, spanned(ratings=[{}])),
    case("spans: a side", read_error_spans, "MP778", 1, spanned(side="left")),
    case("spans: a severity", read_error_spans, "MP778", 1, spanned(severity="bad")),
    case("spans: a correction of digits", read_error_spans, "MP778", 1, spanned(correction=5)),
    case("spans: no severity", read_error_spans, "MP778", 1, spanned(severity=None)),
    case("spans: a start in words", read_error_spans, "MP778", 1, spanned(start="0")),
    case("spans: a start that is true", read_error_spans, "MP778", 1, spanned(start=True)),
    case("spans: points without end", read_error_spans, "MP778", 1, spanned(points=1e999)),
    case("spans: huge points", read_error_spans, "MP778", 1, spanned(points=10**400)),
    case("spans: before the text", read_error_spans, "MP779", 1, spanned(start=-1)),
    case("spans: behind the text", read_error_spans, "MP779", 2, spanned(), spanned(end=3)),
    case("spans: behind the source", read_error_spans, "MP779", 1, spanned(side="source", end=2)),
    case("spans: of no character", read_error_spans, "MP779", 1, spanned(end=0)),
    case("spans: twice", read_error_spans, "MP794", 2, spanned(), spanned()),
    case("spans: two texts", read_error_spans, "MP778", 2, spanned(), spanned(hypothesis="abc")),
    case("spans: nobody", read_error_spans, "MP793", None, spanned(ratings=[])),
    case("Pearmut: no JSON", read_pearmut, "MP791", 2, logged(), "{"),
    case("Pearmut: a list", read_pearmut, "MP791", None, "[1]"),
    case("Pearmut: two campaigns", read_pearmut, "MP791", None, '{"a": [], "b": []}'),
    case("Pearmut: nothing said", read_pearmut, "MP793", None, '{"a": []}'),
    case("Pearmut: nobody", read_pearmut, "MP791", 1, logged(user_id=5)),
    case("Pearmut: fewer answers", read_pearmut, "MP791", 1, logged(annotation=[])),
    case(
        "Pearmut: a score of 101",
        read_pearmut,
        "MP791",
        1,
        logged(annotation=[{"A": {"score": 101}}]),
    ),
    case(
        "Pearmut: another model", read_pearmut, "MP791", 1, logged(annotation=[{"B": {"score": 1}}])
    ),
    case("Pearmut: half a pair", read_pearmut, "MP791", 1, logged(user_id="\ud800")),
    case(
        "a sheet without judges",
        read_rating_sheet,
        "MP791",
        None,
        "item,translation,score",
        "1,a,5",
    ),
    case("a sheet of nobody", read_rating_sheet, "MP792", 2, SHEET, "1,a,5,,"),
    case("a score with a comma", read_rating_sheet, "MP792", 2, SHEET, '1,a,"5,5",,ann'),
    case("a score of 101", read_rating_sheet, "MP792", 3, SHEET, "1,a,5,,ann", "2,a,101,,ann"),
    case("an error without words", read_rating_sheet, "MP792", 2, SHEET, "1,a,5,major,ann"),
    case("words that are not there", read_rating_sheet, "MP792", 2, SHEET, "1,a,5,major: b,ann"),
    case("an item twice", read_rating_sheet, "MP794", 3, SHEET, "1,a,5,,ann", "1,a,6,,ann"),
    case("a sheet that is empty", read_rating_sheet, "MP793", None, SHEET, "1,a,,,ann"),
    case(
        "judgements of nobody", read_rated_judgements, "MP796", 2, RATED, "s\tde-en\tA\t1\ta\t5\t\t"
    ),
    case(
        "judgements without judges",
        read_rated_judgements,
        "MP796",
        1,
        RATED.replace("judge", "who"),
        "s\tde-en\tA\t1\ta\t5\tx\t",
    ),
    case(
        "errors in another spelling",
        read_rated_judgements,
        "MP792",
        2,
        RATED,
        "s\tde-en\tA\t1\ta\t5\tx\tmajor",
    ),
    case("Marot: nine fields", read_marot, "MP795", 2, MAROT, MAROT.removesuffix("\t{}")),
    case("Marot: segment 0", read_marot, "MP177", 1, MAROT.replace("1\tann", "0\tann")),
    case("Marot: metadata alone", read_marot, "MP179", None, MAROT.replace("ann", "")),
    Malformed("nothing at all", b"", rank, "MP113", None),
    case("a header of pairs alone", rank, "MP179", None, PAIRS),
    case("pairs without rankingID", rank, "MP175", 1, PAIRS.removesuffix(",rankingID"), PAIR[:-2]),
    case("pairs without a judge", rank, "MP175", 1, PAIRS.replace("judgeID", "who"), PAIR),
    case("a column twice", rank, "MP175", 1, PAIRS + ",rankingID", PAIR + ",1"),
    case("five without the last rank", rank, "MP175", 1, FIVE.removesuffix(",system5rank")),
    case("semicolons for commas", rank, "MP175", 1, PAIRS.replace(",", ";")),
    case("a field too many", rank, "MP176", 3, PAIRS, PAIR, PAIR + ",1"),
    case("a field too few", rank, "MP176", 2, PAIRS, PAIR[:-2]),
    case("an empty line", rank, "MP176", 3, PAIRS, PAIR, "", PAIR),
    case(
        "a mark that is not closed", rank, "MP176", 2, PAIRS, 'cze,eng,1,1,"judge1,A,1,B,2,1', PAIR
    ),
    case("text after a mark", rank, "MP176", 2, PAIRS, 'cze,eng,1,1,"judge"1,A,1,B,2,1'),
    case("a huge field in marks", rank, "MP176", 2, PAIRS, '"' + "x" * 10**7 + '"' + PAIR[3:]),
    case("rank 0", rank, "MP177", 2, PAIRS, PAIR.replace("A,1", "A,0")),
    case("rank -2", rank, "MP177", 2, PAIRS, PAIR.replace("A,1", "A,-2")),
    case("a rank in words", rank, "MP177", 3, PAIRS, PAIR, PAIR.replace("B,2", "B,second")),
    case("a rank in other digits", rank, "MP177", 2, PAIRS, PAIR.replace("B,2", "B,٢")),
    case("a rank of many digits", rank, "MP177", 2, PAIRS, PAIR.replace("B,2", "B," + "9" * 10**6)),
    case("segment 0", rank, "MP177", 2, PAIRS, PAIR.replace("1,1,j", "0,1,j")),
    case("no position", rank, "MP177", 2, PAIRS, PAIR.replace("1,1,j", "-1,-1,j")),
    five(
        "a position in a document alone", "MP177", 2, f"-1,bbc,1,j,-1,A,-1,B,{NOBODY},1,2,-1,-1,-1"
    ),
    five("a rank of nobody", "MP178", 2, f"1,-1,1,j,-1,A,-1,B,{NOBODY},1,2,3,-1,-1"),
    case("a system with two ranks", rank, "MP178", 3, PAIRS, PAIR, PAIR.replace("B,2", "A,2")),
    case("a system that ties with itself", rank, "MP178", 2, PAIRS, PAIR.replace("B,2", "A,1")),
    case("a system in two texts", rank, "MP178", 2, PAIRS, PAIR.replace("B,2", "A+B,2")),
    five(
        "a system ranked twice among five",
        "MP178",
        2,
        "1,-1,1,j,-1,A,-1,B,-1,A,-1,-1,-1,-1,1,2,3,-1,-1",
    ),
    five("rankings without a rank", "MP179", None, f"1,-1,1,j,-1,A,-1,B,{NOBODY},-1,-1,-1,-1,-1"),
    case("rankings of one system", rank, "MP179", None, PAIRS, PAIR.replace("B,2", "B,-1")),
    case("columns separated by tabs", assess, "MP175", 1, DA.strip().replace(" ", "\t"), "A\t1"),
    case("a raw score above 100", assess, "MP152", 3, DA, "A 1 80 0.1 3", "B 1 180 0.1 3"),
    case("a raw score below 0", assess, "MP152", 2, DA, "A 1 -1 0.1 3"),
    case("a segment in two spellings", assess, "MP182", 3, DA, "A 1 80 0.1 3", "A 01 70 0.1 3"),
    case("MQM of no system", errors, "MP104", 2, MQM, error()[1:]),
    case("an unknown system", rank, "MP180", 3, PAIRS, PAIR, PAIR.replace("A", "C")),
    case("an unknown system among several", rank, "MP180", 2, PAIRS, PAIR.replace("A", "A+C")),
    case("a plus and nothing", rank, "MP180", 2, PAIRS, PAIR.replace("A", "A+")),
    case("very many systems", rank, "MP180", 2, PAIRS, PAIR.replace("A", "+".join("A" * 10**6))),
    case("a segment after the last", rank, "MP181", 2, PAIRS, PAIR.replace("1,1,j", "3,3,j")),
    case("two language pairs", rank, "MP188", None, PAIRS, PAIR, PAIR.replace("cze", "ger")),
    case(
        "rankings in Latin-1",
        rank,
        "MP121",
        2,
        PAIRS,
        PAIR.encode().replace(b"judge", b"J\xfcrgen"),
    ),
    case("rankings in UTF-16", rank, "MP120", None, f"{PAIRS}\n{PAIR}".encode("utf-16")),
    case("a NUL among rankings", rank, "MP122", 2, PAIRS, PAIR.replace("judge", "\0")),
    Malformed("half a gzip of rankings", b"\x1f\x8b\x08\x00", rank, "MP114", None),
    case("assessments without N", assess, "MP175", 1, "SYS SID RAW.SCR Z.SCR", "A 1 50 0.1"),
    case(
        "assessments with more",
        assess,
        "MP175",
        1,
        "SYS SID RAW.SCR Z.SCR N LP",
        "A 1 5 0.1 3 de-en",
    ),
    case("assessments with tabs", assess, "MP175", 1, DA.replace(" ", "\t"), "A\t1\t50\t0.1\t3"),
    case("a score too few", assess, "MP176", 2, DA, "A 1 50 3"),
    case("two spaces", assess, "MP176", 2, DA, "A  1 50 0.1 3"),
    case("a name with a space", assess, "MP176", 2, DA, "A B 1 50 0.1 3"),
    case("marks of assessments", assess, "MP176", 2, DA, '"A 1 50 0.1 3'),
    case("a score in words", assess, "MP152", 3, DA, "A 1 50 0.1 3", "B 1 good 0.1 3"),
    case("an infinite score", assess, "MP152", 2, DA, "A 1 50 inf 3"),
    case("a score beyond all bounds", assess, "MP152", 2, DA, "A 1 1e300 0.1 3"),
    case("half a judgement", assess, "MP177", 2, DA, "A 1 50 0.1 1.5"),
    case("segment of words", assess, "MP177", 2, DA, "A one 50 0.1 3"),
    case("segment -1", assess, "MP177", 2, DA, "A -1 50 0.1 3"),
    case("assessed twice", assess, "MP182", 4, DA, "A 1 50 0.1 3", "A 2 50 0.1 3", "A 1 60 0.1 3"),
    case("an unknown assessed system", assess, "MP180", 2, DA, "C 1 50 0.1 3"),
    case("an unknown assessed segment", assess, "MP181", 2, DA, "A 9 50 0.1 3"),
    case("assessments that are missing", assess, "MP179", None, DA, "A 1 NA NA 0"),
    case("a header of assessments alone", assess, "MP179", None, DA),
    case("MQM without severity", errors, "MP175", 1, MQM.removesuffix("\tseverity")),
    case("MQM with a column twice", errors, "MP175", 1, MQM + "\tdoc", error() + "\td"),
    case("MQM in CSV", errors, "MP175", 1, MQM.replace("\t", ",")),
    case("an MQM row too short", errors, "MP176", 3, MQM, error(), error()[:-6]),
    case("an MQM text with a tab", errors, "MP176", 2, MQM, error(target="a\tb")),
    case("an MQM segment in words", errors, "MP177", 2, MQM, error(seg="first")),
    case("an MQM segment after the last", errors, "MP181", 3, MQM, error(), error(seg="3")),
    case("a severity of no weight", errors, "MP183", 2, MQM, error(severity="Catastrophic")),
    case("no severity", errors, "MP183", 2, MQM, error(severity="")),
    case("a mark that is not ended", errors, "MP184", 2, MQM, error(target="a <v>b")),
    case("a mark that was not begun", errors, "MP184", 2, MQM, error(target="a</v> b")),
    case("a mark in a mark", errors, "MP184", 2, MQM, error(target="<v>a <v>b</v></v>")),
    case("very many marks", errors, "MP184", 2, MQM, error(target="<v></v>" * 10**5 + "<v>")),
    case("another target", errors, "MP185", 3, MQM, error(), error(target="a c")),
    case("another document", errors, "MP185", 3, MQM, error(), error().replace("\td\t", "\te\t")),
    case("a header of MQM alone", errors, "MP179", None, MQM),
    case("weights that are a list", read_weights, "MP186", None, "[5, 1]"),
    case("weights below nothing", read_weights, "MP186", None, '{"Major": -5}'),
    case("weights that are not numbers", read_weights, "MP186", None, '{"Major": NaN}'),
    case("weights in words", read_weights, "MP186", None, '{"Major": "5"}'),
    case("weights that are truth values", read_weights, "MP186", None, '{"Major": true}'),
    case("a weight twice", read_weights, "MP186", None, '{"Major": 5, "Major": 1}'),
    case(
        "a weight twice in other letters", read_weights, "MP186", None, '{"Major": 5, "MAJOR": 1}'
    ),
    case("a weight of nothing", read_weights, "MP186", None, '{"Major//x": 5}'),
    case("no weights", read_weights, "MP186", None, "{}"),
    case("weights nested too deep", read_weights, "MP186", None, "[" * 100_000),
]
