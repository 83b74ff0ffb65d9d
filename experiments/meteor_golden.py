"""Write tests/golden/meteor_cases.json: what METEOR 1.5 itself says about sentences invented for the purpose.

The program is run as ``java -jar meteor-1.5.jar HYPOTHESES REFERENCES -r N OPTIONS`` for scores, and with
``- - -stdio OPTIONS`` for the lines of statistics, which it only gives for segments with words.
"""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.meteor import MISSING, meteor_jar

from experiments.meteor_parity import java_scores
from metaphrase.corpus.writing import atomic_writer

TARGET = Path(__file__).parents[1] / "tests" / "golden" / "meteor_cases.json"
SENTENCES = """\
The old house on the hill was sold to a young family last year.
She quickly bought a large car, but she never drives it to work.
Officials said on Monday that the talks had been put off until further notice.
In spite of the heavy rain, thousands of people took part in the march.
He doesn't know who'll be the first to speak at the meeting.
The company's profits rose by 12.5% to $3.4 million in the second quarter.
"We can't wait any longer," the minister told reporters in Paris.
The children were running and shouting in the garden while their parents slept.
Two men were arrested after the police found weapons in their flat.
It is a pity that the film ends as it begins: with a funeral.
The doctor looked at the wound, cleaned it and said nothing.
Prices of wheat, maize and rice have gone up sharply since the drought began.
Nobody has ever seen such mice, geese and oxen on one single farm.
A better knowledge of the city would have helped the drivers of both lorries.
The court ruled that the law was not in line with the constitution.
The big dog bit the small dog, and the small dog bit the big dog.
Many wives and many husbands are happier now than they were then.
I think that that that that he wrote is wrong.
The U.S. and the E.U. agreed to begin new negotiations in Sept. 2014.
At the moment, there is no cure for this rare illness.
""".splitlines()
#: Single words and phrases that may stand for others; some are synonyms, some stems, some in the table below.
OTHER_WORDS = {
    "house": "home", "bought": "purchased", "large": "big", "car": "automobile", "said": "stated",
    "talks": "negotiations", "put off": "delayed", "in spite of": "despite", "took part in": "joined",
    "rose": "climbed", "told": "informed", "running": "run", "slept": "sleeping", "arrested": "arrests",
    "found": "discovered", "film": "movie", "begins": "starts", "doctor": "physician", "looked": "looks",
    "gone up": "increased", "mice": "mouse", "geese": "goose", "oxen": "ox", "better": "good",
    "lorries": "trucks", "ruled": "decided", "in line with": "compatible with", "dog": "hound",
    "wives": "wife", "happier": "happy", "agreed": "consented", "at the moment": "currently",
    "illness": "disease", "quickly": "fast", "people": "persons", "young": "youthful", "last": "final",
}  # fmt: skip
#: A table of paraphrases of our own, in METEOR's format; some pairs are there in both directions.
PARAPHRASES = [
    ("put off", "delayed"), ("delayed", "put off"), ("in spite of", "despite"), ("took part in", "joined"),
    ("joined", "took part in"), ("gone up", "increased"), ("have gone up", "have increased"),
    ("in line with", "compatible with"), ("at the moment", "currently"), ("at the moment", "now"),
    ("the", "a"), ("a", "the"), ("the", "this"), ("of", "from"), ("was", "is"), ("that", "which"),
    ("the big", "the large"), ("big", "large"), ("on monday", "monday"), ("until further notice", "for now"),
    ("said nothing", "kept silent"), ("it is a pity", "unfortunately"), ("two men", "two people"),
    ("no", "not"), ("dog", "small dog"), ("and", "and the"), ("to", "in"), ("in", "to"),
]  # fmt: skip
PLAIN = ("-l", "en", "-norm")
VARIANTS: dict[str, tuple[str, ...]] = {
    "": PLAIN,
    "modules=exact,stem,synonym": (*PLAIN, "-m", "exact stem synonym"),
    "modules=exact,stem": (*PLAIN, "-m", "exact stem"),
    "task=adq": (*PLAIN, "-t", "adq"),
    "task=hter": (*PLAIN, "-t", "hter"),
    "task=util:characters=yes": (*PLAIN, "-t", "util", "-ch"),
    "task=li": (*PLAIN, "-t", "li"),
    "text=no-punctuation": (*PLAIN, "-noPunct"),
    "text=lower": ("-l", "en", "-lower"),
    "text=none": ("-l", "en"),
}


def main() -> None:
    if meteor_jar() is None:
        sys.exit(MISSING)
    everything = list(cases(random.Random(15)))
    with TemporaryDirectory() as folder:
        table = Path(folder) / "paraphrases.gz"
        with gzip.open(table, "wt", encoding="utf-8") as stream:
            stream.writelines(f"0.5\n{first}\n{second}\n" for first, second in sorted(PARAPHRASES))
        runs = []
        for variant, options in VARIANTS.items():
            chosen = everything if not variant else everything[:: 6 if "exact" in variant else 12]
            arguments = options if "exact" in variant else (*options, "-a", str(table))
            runs.append(
                {
                    "variant": variant,
                    "options": " ".join(f'"{o}"' if " " in o else o for o in options),
                    "cases": ask(chosen, arguments),
                }
            )
    content: dict[str, Any] = {"source": __doc__, "paraphrases": sorted(PARAPHRASES), "runs": runs}
    with atomic_writer(TARGET) as output:
        # A case a line.
        text = json.dumps(content, ensure_ascii=False).replace('{"hypothesis"', '\n{"hypothesis"')
        output.write(text.encode() + b"\n")
    print(sum(len(run["cases"]) for run in runs), "cases")


def cases(chance: random.Random) -> Iterator[tuple[str, list[str]]]:
    """Hypotheses with one to three references."""
    for sentence in SENTENCES:
        yield sentence, [sentence]
        for changes in (1, 2, 4, 7):
            yield changed(sentence, changes, chance), [sentence]
        yield (
            changed(sentence, 2, chance),
            [changed(sentence, n, chance) for n in (2, 3, 4)[: chance.randint(2, 3)]],
        )
        yield sentence, [chance.choice(SENTENCES)]
    for length in (6, 8, 10, 12):  # long ones, where the beam is too narrow for all alignments
        for _ in range(4):
            text = " ".join(chance.choices(SENTENCES, k=length))
            yield changed(text, 5 * length, chance), [text]
    for words in ("the", "a b", "a b a", "the dog and the dog", "no , no , no !"):
        for times in (2, 5, 30):
            yield f"{words} " * times, [f"{words} " * (times + 1)]
            yield f"{words} " * times, [changed(f"{words} " * times, 3, chance)]
    yield from (
        ("", ["There is a reference."]),
        ("...", ["There is a reference."]),
        ("There is a reference.", ["..."]),
        ("?!", ["?!"]),
        ("", ["One reference.", "Another reference."]),
        ("Ärzte ohne Grenzen — 国境なき医師団 🙂", ["Doctors without borders — 国境なき医師団 🙂"]),
        ("word", ["word"]),
        ("word", ["other"]),
        ("words", ["word"]),
    )


def changed(text: str, changes: int, chance: random.Random) -> str:
    """Some words exchanged, dropped, doubled or moved."""
    for _ in range(changes):
        words = text.split()
        at = chance.randrange(len(words))
        kind = chance.choice(("exchange", "exchange", "exchange", "drop", "double", "move"))
        if kind == "exchange":
            there = [phrase for phrase in OTHER_WORDS if f" {phrase} " in f" {text} "]
            if there:
                phrase = chance.choice(there)
                text = f" {text} ".replace(f" {phrase} ", f" {OTHER_WORDS[phrase]} ", 1).strip()
                continue
        if kind == "double":
            words.insert(at, words[at])
        elif len(words) > 1:
            word = words.pop(at)
            if kind == "move":
                words.insert(chance.randrange(len(words) + 1), word)
        text = " ".join(words)
    return text


def ask(chosen: list[tuple[str, list[str]]], options: tuple[str, ...]) -> list[dict[str, Any]]:
    """Scores and statistics; segments with an equal number of references go together."""
    answers: dict[int, dict[str, Any]] = {}
    for count in (1, 2, 3):
        rows = [i for i, (_, references) in enumerate(chosen) if len(references) == count]
        if not rows:
            continue
        hypotheses = [chosen[i][0] for i in rows]
        columns = [[chosen[i][1][r] for i in rows] for r in range(count)]
        *scores, system = java_scores(hypotheses, columns, options)
        lines = statistics([chosen[i] for i in rows], options)
        for i, score, line in zip(rows, scores, lines, strict=True):
            answers[i] = {
                "hypothesis": chosen[i][0],
                "references": chosen[i][1],
                "score": score,
                "statistics": line,
                "system": system,
            }
    return [answers[i] for i in sorted(answers)]


def statistics(
    chosen: list[tuple[str, list[str]]], options: tuple[str, ...]
) -> list[list[int] | None]:
    """The program's lines; none for a segment without words, which it would misread."""
    asked = [" ||| ".join(["SCORE", *references, text]) for text, references in chosen if text]
    command = ["java", "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", str(meteor_jar())]
    answer = subprocess.run(
        [*command, "-", "-", "-stdio", *options],
        input="".join(f"{line}\n" for line in asked),
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    lines = iter(
        [[int(float(cell)) for cell in line.split()] for line in answer.stdout.splitlines()]
    )
    return [next(lines) if text else None for text, _ in chosen]


if __name__ == "__main__":
    main()
