"""Whether a word whose agreement was broken has other features than before, by the word's forms in treebanks.

Universal Dependencies give each form its features. Of a form that was changed and the form that it was
changed into, both of which a treebank has with one lemma, no usual analysis may be the same: otherwise the
new form may fit as well as the old one. Analyses are usual that a form has in one of twenty places: treebanks
have texts with such errors, too. German adjectives are left out, since endings that the article alone tells
apart have the same features.
"""

from __future__ import annotations

import gzip
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from experiments.frame import data_directory
from metaphrase.probing import Challenge, Made

#: What agrees; case is not among them, for many forms have several.
FEATURES = ("Number", "Gender", "Person", "Animacy", "VerbForm", "Mood", "Tense")
USUAL = 0.05

Analysis = tuple[str, ...]
#: By form and lemma the analyses that treebanks give it, and how often.
Lexicon = Mapping[tuple[str, str], Counter[Analysis]]


def treebank_forms(language: str) -> Lexicon:
    """Forms with their lemmas and the features that agree, by all treebanks of a language that have any."""
    lexicon: dict[tuple[str, str], Counter[Analysis]] = defaultdict(Counter)
    for path in sorted((data_directory() / "treebanks").glob(f"{language}_*.conllu.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            for line in stream:
                cells = line.rstrip("\n").split("\t")
                if len(cells) != 10 or not cells[0].isdecimal():
                    continue
                features = dict(part.split("=", 1) for part in cells[5].split("|") if "=" in part)
                analysis = tuple(features.get(name, "") for name in FEATURES)
                if any(analysis) and not (language == "de" and cells[3] == "ADJ"):
                    lexicon[cells[1].lower(), cells[2].lower()][analysis] += 1
    return lexicon


def usual(analyses: Counter[Analysis]) -> set[Analysis]:
    least = USUAL * analyses.total()
    return {analysis for analysis, count in analyses.items() if count >= least}


def changed_word(item: Challenge) -> tuple[str, str]:
    """The one word that differs."""
    pairs = zip(item.good.split(), item.bad.split(), strict=True)
    ((old, new),) = [(one, other) for one, other in pairs if one != other]
    strip = ".,;:!?\"'()«»„“”[]"
    return old.strip(strip).lower(), new.strip(strip).lower()


def agreement_lines(made: Mapping[str, Made]) -> Iterator[str]:
    """How many changed words treebanks know in both forms, and in how many the features differ."""
    yield "| language | items | both forms in treebanks | no usual analysis in common |"
    yield "| --- | ---: | ---: | ---: |"
    for language, one in made.items():
        lexicon = treebank_forms(language)
        lemmas: dict[str, set[str]] = defaultdict(set)
        for form, lemma in lexicon:
            lemmas[form].add(lemma)
        items = [item for item in one.items if item.kind == "agreement"]
        known = differ = 0
        for old, new in map(changed_word, items):
            shared = lemmas[old] & lemmas[new]
            if shared:
                known += 1
                differ += all(
                    usual(lexicon[old, lemma]).isdisjoint(usual(lexicon[new, lemma]))
                    for lemma in shared
                )
        share = f"{differ} ({100 * differ / known:.0f} %)" if known else "—"
        yield f"| {language} | {len(items)} | {known} | {share} |"
