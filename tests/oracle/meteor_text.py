"""METEOR's tokens by regular expressions, one rewriting after the other: slow and plain.

Written from what the rules do, with the lists of abbreviations as arguments.
"""

from __future__ import annotations

import re

LETTERS = "A-Za-zÀ-ÖØ-öø-žЀ-ԧ\u1d00-\u1d7f\ua640-\ua66e\ua67e-\ua697"
WIDE_SPACES = "\u00a0\u2000-\u200a\u202f\u205f\u3000"
#: Stands for one dot of several in a row.
DOT = "\ue0ff"


def normalise(text: str, lang: str, always: set[str], before_numbers: set[str]) -> str:
    """The tokens with spaces between them; case is left alone, and so is punctuation."""
    line = f" {text} "
    line = re.sub(rf"([^0-9{LETTERS} \t\n\x0b\f\r.'`,\-‘’])", r" \1 ", line)
    line = re.sub(r"\.{2,}", lambda dots: f" {DOT * len(dots[0])} ", line)
    for before, after in (("[^0-9]", "[^0-9]"), ("[0-9]", "[^0-9]"), ("[^0-9]", "[0-9]")):
        line = re.sub(f"({before}),({after})", r"\1 , \2", line)
    line = re.sub("[`‘’]", "'", line)
    line = re.sub("[“”]|''", ' " ', line)
    line = line.replace("–", "-").replace("--", "-")
    line = re.sub(rf"([0-9{LETTERS}.])-([0-9{LETTERS}])", r"\1 \2", line)
    line = _apostrophes(line, lang)
    words = re.findall(r"[^ \t\n\r\f]+", line)
    following = [*words, ""][1:]
    tokens = [
        _full_stop(word, after, always, before_numbers)
        for word, after in zip(words, following, strict=True)
    ]
    line = " ".join(tokens).replace(DOT, ".")
    line = re.sub(f"[ {WIDE_SPACES}]+", " ", line)
    return line.strip("".join(map(chr, range(0x21))))


def _apostrophes(line: str, lang: str) -> str:
    if lang not in ("en", "fr"):
        return line.replace("'", " ' ")
    other = f"[^{LETTERS}]"
    opening = f"[^0-9{LETTERS}]" if lang == "en" else other
    line = re.sub(f"({other})'({other})", r"\1 ' \2", line)
    line = re.sub(f"({opening})'([{LETTERS}])", r"\1 ' \2", line)
    line = re.sub(f"([{LETTERS}])'({other})", r"\1 ' \2", line)
    if lang == "fr":
        return re.sub(f"([{LETTERS}])'([{LETTERS}])", r"\1' \2", line)
    line = re.sub(f"([{LETTERS}])'([{LETTERS}])", r"\1 '\2", line)
    return re.sub("([0-9])'(s)", r"\1 '\2", line)


def _full_stop(word: str, after: str, always: set[str], before_numbers: set[str]) -> str:
    if len(word) < 2 or not word.endswith("."):
        return word
    stem = word[:-1]
    if "." in stem and re.search(f"[{LETTERS}]", stem):
        return word.replace(".", "")
    if stem in always or re.match("[a-z]", after):
        return word
    if stem in before_numbers and re.match("[0-9]", after):
        return word
    return f"{stem} ."
