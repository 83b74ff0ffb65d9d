"""Commands that write something, each with small inputs, and what it writes."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cli.bundled import EXAMPLES, REFERENCE, SYSTEMS

TEXTS = [REFERENCE, "-i", *SYSTEMS]
FAST = ["-m", "chrf", "--threads", "1"]
JUDGED = str(EXAMPLES / "judgements.tsv")
SEGMENTS = str(EXAMPLES / "segments.jsonl")
LINES = {
    "en": ["The house is old.", "An old man sees the house.", "The man is old."],
    "fr": ["La maison est vieille.", "Un vieil homme voit la maison.", "L'homme est vieux."],
}

#: Arguments of a command, made when it is to run: a second run may be another one.
Arguments = Callable[[Path], Sequence[str]]


@dataclass(frozen=True)
class Scenario:
    """A command that runs in a folder of its own; ``outputs`` are files or folders there.

    Each of them is as before or complete, whatever happens. ``states`` are outputs that grow by whole steps,
    such as checkpoints and jobs: only in the end is it known what they are.
    """

    name: str
    command: Sequence[str]
    outputs: Sequence[str]
    states: Sequence[str] = ()
    #: Commands that run before, undisturbed.
    before: Sequence[Sequence[str]] = ()
    #: What a second run is, if not the same command.
    again: Arguments | None = None
    #: Whether outputs are there already and get replaced.
    replaces: bool = True
    #: The exit code of success.
    success: int = 0

    def prepare(self, folder: Path) -> None:
        """Make the folder as it is before the command."""
        folder.mkdir(parents=True)
        write_inputs(folder)
        if self.replaces:
            for name in self.outputs:
                (folder / name).write_text("as before\n")

    def second(self, folder: Path) -> Sequence[str]:
        return self.command if self.again is None else self.again(folder)


def write_inputs(folder: Path) -> None:
    """Texts, judgements and rankings of a few lines."""
    for language, lines in LINES.items():
        (folder / f"text.{language}").write_text("\n".join(lines * 4) + "\n", "utf-8")
    rankings = []
    for number, reference in enumerate(Path(REFERENCE).read_text("utf-8").splitlines()):
        items = [
            {"systems": ["a"], "rank": 1, "hyp": reference.replace("the", "a")},
            {"systems": ["b"], "rank": 2, "hyp": " ".join(reference.split()[::-1])},
        ]
        row = {"set": "t", "lp": "de-en", "seg": number, "judge": "j", "source": "?"}
        rankings.append(json.dumps({**row, "ref": reference, "items": items}))
    (folder / "ranks.jsonl").write_text("\n".join(rankings) + "\n", "utf-8")


def resumed(command: Sequence[str], checkpoint: str = "state") -> Arguments:
    """Goes on if there is something to go on from."""
    return lambda folder: [*command, *(["--resume"] if (folder / checkpoint).exists() else [])]


PFSM = ["train", "pfsm", "--data", JUDGED, "-o", "model.json", "--checkpoint", "state"]
PFSM += ["--iterations", "12", "--threads", "1"]
ACCORD = ["train", "accord", "--data", JUDGED, "-o", "model.json", "--checkpoint", "state"]
ACCORD += ["--card", "card.md", "--threads", "1"]
PLAN = ["job", "plan", SEGMENTS, "-o", "job", "--columns", "hypothesis=fluent,hypothesis=clumsy"]
PLAN += ["-m", "chrf", "--rows-per-shard", "4", "--confidence", "20"]
RUN = ["job", "run", "job", "--workers", "1"]
FILTER = ["filter", SEGMENTS, "--keep", "chrf > 50", "--columns", "hypothesis=clumsy"]
FILTER += ["--workers", "1", "--rows-per-shard", "4", "-o", "kept.jsonl", "--rejected", "out.jsonl"]
GATE = ["gate", REFERENCE, "-i", f"mine={SYSTEMS[0]}", *FAST]
WMT = ["--pair", "de-en", "--test-set", "t", "--documents", str(EXAMPLES / "documents.txt")]

SCENARIOS = (
    Scenario("score", ["score", *TEXTS, *FAST, "--format", "json", "-o", "s.json"], ["s.json"]),
    Scenario(
        "score-gz",
        ["score", *TEXTS, *FAST, "--level", "segment", "--format", "tsv", "-o", "s.tsv.gz"],
        ["s.tsv.gz"],
    ),
    Scenario(
        "report",
        ["report", *TEXTS, *FAST, "--explain", "3", "--resamples", "20", "-o", "r.html"],
        ["r.html"],
    ),
    Scenario("explain", ["explain", *TEXTS, "-m", "chrf", "--format", "html", "-o", "e.html"], ["e.html"]),
    Scenario("explain-spans", ["explain", *TEXTS, "-m", "chrf", "--format", "spans", "-o", "e.jsonl"],
             ["e.jsonl"]),
    Scenario("check", ["check", "-s", REFERENCE, "-i", SYSTEMS[0], "--fail-on", "never",
                       "--format", "jsonl", "-o", "found.jsonl"], ["found.jsonl"]),
    Scenario("analyse", ["analyse", REFERENCE, "--threads", "1", "-o", "a.conllu"], ["a.conllu"]),
    Scenario("convert-jsonl", ["convert", *TEXTS, "--to", "jsonl", "-o", "c.jsonl.gz"], ["c.jsonl.gz"]),
    Scenario("convert-parquet", ["convert", *TEXTS, "--to", "parquet", "-o", "c.parquet"], ["c.parquet"]),
    Scenario(
        "convert-plain", ["convert", *TEXTS, "--to", "plain", "-o", "texts"], ["texts"], replaces=False
    ),
    Scenario("convert-sgml", ["convert", *TEXTS, "--to", "sgml", "-o", "texts"], ["texts"], replaces=False),
    Scenario(
        "convert-mtme",
        ["convert", *TEXTS, "--to", "mtme", "-o", "texts", "--sources", str(EXAMPLES / "source.txt"),
         "--source-language", "de", "--target-language", "en"],
        ["texts"],
        replaces=False,
    ),
    Scenario(
        "select",
        ["select", *SYSTEMS, *FAST, "-o", "best.txt", "--scores", "scores.tsv"],
        ["best.txt", "scores.tsv"],
    ),
    Scenario(
        "gate",
        [*GATE, "--write-baseline", "baseline.json", "--junit", "j.xml", "--sarif", "s.json",
         "--markdown", "m.md", "--min-score", "1", "--no-checks"],
        ["baseline.json", "j.xml", "s.json", "m.md"],
    ),
    Scenario(
        "meta",
        ["meta", JUDGED, *FAST, "--resamples", "10", "--format", "json", "-o", "meta.json"],
        ["meta.json"],
    ),
    Scenario("filter", FILTER, ["kept.jsonl", "out.jsonl"]),
    Scenario("filter-job", [*FILTER, "--job", "job"], ["kept.jsonl", "out.jsonl"], ["job"]),
    Scenario("job-plan", PLAN, [], ["job"]),
    Scenario("job-run", RUN, [], ["job"], before=[PLAN]),
    Scenario(
        "job-finish",
        ["job", "finish", "job", "--format", "json", "-o", "total.json"],
        ["total.json"],
        ["job"],
        before=[PLAN, RUN],
    ),
    Scenario(
        "job-report", ["job", "report", "job", "-o", "r.html"], ["r.html"], ["job"], before=[PLAN, RUN]
    ),
    Scenario("train-pfsm", PFSM, ["model.json"], ["state"], again=resumed(PFSM)),
    Scenario("train-accord", ACCORD, ["model.json", "card.md"], ["state"], again=resumed(ACCORD)),
    Scenario(
        "train-tesla",
        ["train", "tesla", "--data", "ranks.jsonl", "--pivots", "--language-models", "--folds", "2",
         "--threads", "1", "-o", "tesla.json"],
        ["tesla.json"],
    ),
    Scenario("train-language-model", ["train", "language-model", "text.en", "-o", "m.lm"], ["m.lm"]),
    Scenario("train-arpa", ["train", "language-model", "text.en", "-o", "m.arpa.gz"], ["m.arpa.gz"]),
    Scenario(
        "train-phrases",
        ["train", "phrases", "text.en", "text.fr", "--pivot-language", "fr", "--threads", "1",
         "-o", "en-fr.pivots"],
        ["en-fr.pivots"],
    ),
)  # fmt: skip
