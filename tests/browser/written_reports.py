"""Reports as ``metaphrase report`` writes them: of the example, of judged texts, hostile ones, very many."""

from __future__ import annotations

import random
import warnings
from pathlib import Path

from metaphrase.cli import main
from metaphrase.corpus import Corpus, write_jsonl
from metaphrase.corpus.units import InlineTag
from metaphrase.report.dataset import Findings, ReportData, UnitTexts, build
from metaphrase.report.page import report_page
from metaphrase.scoring import score
from report import localised

EXAMPLES = Path(__file__).parents[2] / "examples"
#: Those of the example.
METRICS = ("cobalt", "ppda+f", "pbe", "tesla-m", "ter", "bleu", "chrf")

MARKUP = "<script>document.title = 'owned'</script><img src=x onerror=alert(1)>"
LONG_WORD = "x" * 1_000_000
HOSTILE = (
    MARKUP,
    "left \u202eright-to-left override\u202c and \u2066 a bell \x07",
    "שלום עולם, this is mixed مرحبا",
    "👩‍👩‍👧‍👦 🏳️‍🌈 emoji 🇩🇪",
    "nai\u0308ve cafe\u0301 and z\u0301\u0302\u0303" + "\u0304" * 100,
    "</script><!-- <style>*{}</style> &lt;b&gt; ]]>",
    LONG_WORD,
    "x y " * 250_000,
)
HOSTILE_SYSTEMS = ("</script><b>bold", "\u202ename & <i>")


LONG_NAMES = (
    *(f"wmt23.en-de.a-team-with-a-long-name.primary.run{run}.hyp" for run in "12"),
    *(f"{'x' * 130}{letter}{'y' * 129}" for letter in "AB"),
)


def command(*arguments: str | Path) -> None:
    assert main(["report", "--no-language-check", *map(str, arguments)]) == 0


def write_example(page: Path) -> None:
    """All metrics, documents, every explanation."""
    texts = [EXAMPLES / f"{name}.txt" for name in ("reference", "system-a", "system-b")]
    options = ["--documents", EXAMPLES / "documents.txt", "--title", "The bundled example"]
    command(
        texts[0], "-i", *texts[1:], "-m", *METRICS, *options, "--explain", "all", "-o", page
    )  # fmt: skip


def write_sourced(page: Path) -> None:
    """The example with its source."""
    texts = [EXAMPLES / f"{name}.txt" for name in ("reference", "system-a", "system-b")]
    options = ["--sources", EXAMPLES / "source.txt", "-m", "bleu", "--explain", "none"]
    command(texts[0], "-i", *texts[1:], *options, "-o", page)


def write_domains(page: Path) -> None:
    """The example with domains, and a hypothesis that is empty."""
    lines = (EXAMPLES / "system-b.txt").read_text("utf-8").splitlines(keepends=True)
    broken = page.with_name("broken.txt")
    broken.write_text("".join(["\n", *lines[1:]]), "utf-8")
    options = ["--domains", EXAMPLES / "documents.txt", "-m", "bleu", "--explain", "none"]
    systems = [EXAMPLES / "system-a.txt", broken]
    command(EXAMPLES / "reference.txt", "-i", *systems, *options, "-o", page)


def write_localised(page: Path) -> None:
    """A user interface with tags, findings, and two versions of it."""
    corpus, metrics = localised.corpus(), ["chrf", "ter"]
    scores = score(
        corpus,
        metrics,
        levels=["system", "segment"],
        lang="de",
        keep_statistics=True,
        check_language=False,
    )
    data = build(
        corpus,
        scores,
        metrics,
        lang="de",
        units=localised.units(),
        findings=localised.findings(),
        changes=(localised.BEFORE, localised.AFTER),
    )
    page.write_bytes(b"".join(report_page(data)))


def write_hostile_findings(page: Path) -> None:
    """Markup and overrides wherever checks and localisation files can put a text."""
    texts = ["left right", MARKUP]
    corpus = Corpus({"a": texts, "b": texts[::-1]}, [texts], sources=texts)
    record = {
        "segment": 1, "code": MARKUP, "severity": "critical", "side": "target", "start": 2, "end": 900,
        "message": MARKUP, "expected": MARKUP, "found": "\u202e", "suggestion": MARKUP,
    }  # fmt: skip
    tags = [(InlineTag("standalone", MARKUP, MARKUP, 3),), (InlineTag("open", "", "\u202e", 99),)]
    data = build(
        corpus,
        score(corpus, ["chrf"], levels=["system", "segment"], check_language=False),
        ["chrf"],
        resamples=0,
        units=UnitTexts(ids=[MARKUP, "\u202e"], sources=tags, systems={"a": tags}),
        findings=Findings({"a": [record]}, checks=[MARKUP], descriptions={MARKUP: MARKUP}),
        changes=("a", "b"),
    )
    page.write_bytes(b"".join(report_page(data)))


def write_judged(page: Path) -> None:
    """Three systems that people judged, and five explanations of each metric."""
    table = EXAMPLES / "judgements.tsv"
    metrics = ["-m", "bleu", "cobalt", "ter"]
    command("--corpus", table, "--judgements", table, *metrics, "--explain", "5", "-o", page)


def write_predicted(page: Path) -> None:
    """A metric that knows where people's judgement lies, beside one that does not."""
    table = EXAMPLES / "judgements.tsv"
    command("--corpus", table, "-m", "accord", "bleu", "--explain", "all", "-o", page)


def write_doubtful(page: Path) -> None:
    """English that was given as German."""
    table = str(EXAMPLES / "judgements.tsv")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert main(["report", "--corpus", table, "-l", "de", "-m", "chrf", "-o", str(page)]) == 0


def write_below_zero(page: Path) -> None:
    """Judged, with a metric first that goes below zero."""
    table = EXAMPLES / "judgements.tsv"
    options = ["-m", "ppda+f", "ter", "--explain", "none", "-o", page]
    command("--corpus", table, "--judgements", table, *options)


def write_long_names(page: Path) -> None:
    """Names as shared tasks give them, and of 260 characters, that differ at the end and in the middle."""
    texts = (EXAMPLES / "reference.txt").read_text(encoding="utf-8").splitlines()
    corpus = Corpus(dict.fromkeys(LONG_NAMES, texts), [texts])
    write_page(page, corpus, ["chrf", "ter"], resamples=0)


def write_hostile(page: Path) -> None:
    """What a file can hold: markup, overrides, emoji, a megabyte; also as names."""
    corpus = Corpus(
        dict.fromkeys(HOSTILE_SYSTEMS, HOSTILE),
        [("A plain sentence .",) * len(HOSTILE)],
        sources=HOSTILE,
        documents=[f"<u>{place // 4}</u>" for place in range(len(HOSTILE))],
    )
    texts = page.with_suffix(".jsonl")
    write_jsonl(corpus, texts)
    metrics = ["-m", "chrf", "tesla-m"]
    title = ["--title", "</title><b>Compared</b>"]
    command("--corpus", texts, *metrics, *title, "--explain", "all", "-o", page)


def write_nul(page: Path) -> None:
    """NUL, which no file may hold but a string can."""
    corpus = Corpus({"a": ["left \x00 right"]}, [["left and right"]])
    write_page(page, corpus, ["tesla-m"])


def write_short(page: Path) -> None:
    """One segment, whose first word is narrower than the label of its link."""
    write_page(page, Corpus({"a": ["I see a house"]}, [["I saw a house"]]), ["chrf", "pbe"])


def write_long_list(page: Path) -> None:
    """More rows than go onto paper, of one system."""
    texts = [f"line {number} of the text" for number in range(1, 251)]
    write_page(page, Corpus({"a": texts}, [texts[::-1]]), ["chrf", "ter"], resamples=0)


def write_outlier(page: Path) -> None:
    """Two segments of 23 systems, one of which repeats itself fifty times."""
    references = ["the cat sat on the mat today", "a dog ran in the park"]
    systems = {
        f"system-{number}": [f"the cat sat on mat {number}", "a dog ran in a park"]
        for number in range(1, 24)
    }
    systems["system-1"][0] = " ".join([references[0]] * 50)
    write_page(page, Corpus(systems, [references]), ["ter", "chrf"], resamples=0)


def write_large(page: Path) -> None:
    """5,000 segments × 10 systems, by metrics that take little time."""
    draw = random.Random(7)
    words = "the a of to in and is that for it was on are with parliament agreement energy".split()
    references = [" ".join(draw.choices(words, k=draw.randint(3, 12))) for _ in range(5000)]
    systems = {
        f"system-{number}": [
            " ".join(word for word in text.split() if draw.random() > 0.03 * number)
            for text in references
        ]
        for number in range(1, 11)
    }
    write_page(page, Corpus(systems, [references]), ["chrf", "ter"], resamples=0)


def report_data(corpus: Corpus, metrics: list[str], resamples: int = 1000) -> ReportData:
    scores = score(corpus, metrics, levels=["system", "segment"], keep_statistics=True)
    return build(corpus, scores, metrics, resamples=resamples)


def write_page(page: Path, corpus: Corpus, metrics: list[str], resamples: int = 1000) -> None:
    page.write_bytes(b"".join(report_page(report_data(corpus, metrics, resamples))))
