"""METEOR's tokens and stems: ours against those of the Java program, on real and on random text.

``python -m experiments.meteor_tokens`` with METAPHRASE_DATA set; needs Java (a JDK) and pycocoevalcap.
Texts in languages that METEOR does not tokenise go through its English rules.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import subprocess
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.meteor import MISSING, meteor_jar

from experiments.frame import data_directory
from metaphrase.analysis.metric_text.meteor_text import LANGUAGES, normalise, stem

PROGRAM = Path(__file__).with_name("MeteorText.java")
RANDOM_LINES = 20_000
MOST_FREQUENT = 200_000


def main() -> None:
    texts: defaultdict[str, set[str]] = defaultdict(set)
    for lang, text in real_texts(data_directory()):
        texts[lang].add(text)
    print("tokens   text  rules   lines  identical  differ  M tokens/s")
    for lang, distinct in sorted(texts.items()):
        rules = lang if lang in LANGUAGES and LANGUAGES[lang].normalises else "en"
        compare_tokens(lang, rules, sorted(distinct))
    for rules in (code for code, language in LANGUAGES.items() if language.normalises):
        compare_tokens("random", rules, random_texts())
    print("stems   lang   forms  identical  differ  forms/s  examples")
    for lang, distinct in sorted(texts.items()):
        if lang in LANGUAGES and LANGUAGES[lang].stems:
            compare_stems(lang, distinct)


def compare_tokens(name: str, rules: str, texts: Sequence[str]) -> None:
    for punctuation in (True, False):
        start = time.perf_counter()
        ours = normalise(texts, lang=rules, punctuation=punctuation)
        seconds = time.perf_counter() - start
        theirs = ask("tokens", rules, texts, punctuation=punctuation)
        tokens = sum(line.count(" ") + 1 for line in ours)
        label = f"{'' if punctuation else '-noPunct':8} {name:6} {rules:4}"
        share(label, texts, theirs, ours, f"{tokens / seconds / 1e6:.2f}")


def compare_stems(lang: str, texts: set[str]) -> None:
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", text.lower()))
    forms = [form for form, _ in counts.most_common(MOST_FREQUENT)]
    start = time.perf_counter()
    ours = stem(forms, lang)
    rate = len(forms) / (time.perf_counter() - start)
    share(f"        {lang:4}", forms, ask("stems", lang, forms), ours, f"{rate:.0f}")


def share(
    label: str, texts: Sequence[str], theirs: Sequence[str], ours: Sequence[str], rate: str
) -> None:
    pairs = zip(texts, theirs, ours, strict=True)
    wrong = [(text, their, our) for text, their, our in pairs if their != our]
    equal = 100 * (1 - len(wrong) / len(texts))
    print(
        f"{label} {len(texts):7} {equal:8.3f} % {len(wrong):6}  {rate}  {wrong[:2] or ''}",
        flush=True,
    )


def ask(what: str, lang: str, texts: Sequence[str], *, punctuation: bool = True) -> list[str]:
    """The Java program's answer to each text."""
    jar = meteor_jar()
    if jar is None:
        raise SystemExit(MISSING)
    answer = subprocess.run(
        ["java", "-cp", str(jar), str(PROGRAM), what, lang, str(punctuation).lower(), "true"],
        input="".join(f"{encode(text)}\n" for text in texts),
        stdout=subprocess.PIPE,
        encoding="ascii",
        check=True,
    )
    return [decode(line) for line in answer.stdout.split("\n")[:-1]]


def encode(text: str) -> str:
    """Characters beyond printable ASCII as escapes of UTF-16, which both sides know."""
    units = text.encode("utf-16-be")
    numbers = (int.from_bytes(units[i : i + 2], "big") for i in range(0, len(units), 2))
    return "".join(chr(n) if 32 <= n < 127 and n != 92 else f"\\u{n:04x}" for n in numbers)


def decode(line: str) -> str:
    units = re.sub(r"\\u([0-9a-f]{4})", lambda escape: chr(int(escape[1], 16)), line)
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def real_texts(data: Path) -> Iterator[tuple[str, str]]:
    for name in ("wmt12", "wmt15"):
        with gzip.open(
            data / "judgements" / f"{name}.rank.jsonl.gz", "rt", encoding="utf-8"
        ) as lines:
            for line in lines:
                row = json.loads(line)
                source, target = row["lp"].split("-")
                yield source, row["source"]
                yield target, row["ref"]
                for item in row["items"]:
                    yield target, item["hyp"]
    for name in ("daseg16.en", "wmt17da.zh", "mlqe_etmr.en", "tradopad.en"):
        with gzip.open(data / "judgements" / f"{name}.tsv.gz", "rt", encoding="utf-8") as lines:
            columns = next(lines).rstrip("\n").split("\t")
            for line in lines:
                cells = dict(zip(columns, line.rstrip("\n").split("\t"), strict=True))
                source, target = cells["lp"].split("-")
                yield source, cells["source"]
                yield target, cells["hypothesis"]
    for lang in ("cs", "de", "en", "es", "fr"):
        with gzip.open(data / "parallel" / f"news.{lang}.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                yield lang, line.rstrip("\n")


def random_texts() -> list[str]:
    """Characters and words that the rules speak of, and any others, thrown together."""
    generator = random.Random(9)
    characters = (
        "aAbBzZéßsS0159.,'`‘’“”–— -\t\"«…!%&\\№Ω\u00a0\u3000\u2003\x0b\x0c\r\n\0\x01\x1c\x85\u2028"
        "ſžŸЖёԧԨ\u1d00\u1d7f\ua66e\ua66f\ua697İıΣ😀🏽\u0301中ا\ufeff×÷\xad"
    )
    words = (
        "Mr. U.S. e.g. No. pp. Art. z.B. 3.5. a. i. it's l'eau 1980's c.-à-d. г. 5г. ... x..y "
        "well-known -5 a--b '' don't d' 's 1,000 a,b,c 1,a,2 Sr. EE.UU. 7"
    ).split()
    texts = []
    for _ in range(RANDOM_LINES):
        parts = []
        for _ in range(generator.randrange(14)):
            kind = generator.random()
            anything = generator.choice([0x250, 0x3000, 0x110000])
            code = generator.randrange(anything)
            if kind < 0.4:
                parts.append(generator.choice(characters))
            elif kind < 0.8:
                parts.append(generator.choice(words) + generator.choice(["", " "]))
            elif not 0xD800 <= code < 0xE000:
                parts.append(chr(code))
        texts.append("".join(parts))
    return texts


if __name__ == "__main__":
    main()
