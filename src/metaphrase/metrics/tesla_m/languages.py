"""What TESLA takes for granted in each language: tags, function words, synonyms, compounds (METRICS 3.2).

The lists of function words are not published; METRICS 3.2 has those for Penn, universal and Chinese Treebank
tags. The others follow Penn's as closely as the set allows: forms of "be" and "have" and words of negation
are content words, modal verbs, particles of verbs and interjections are function words.
"""

from __future__ import annotations

from dataclasses import dataclass

from metaphrase.errors import OptionError

UNIVERSAL = "universal"

#: Tags of function words by tag set.
FUNCTION_TAGS = {
    # All auxiliaries are function words here.
    UNIVERSAL: tuple("ADP AUX CCONJ SCONJ DET PART PRON INTJ".split()),
    "penn": tuple("CC DT EX IN MD PDT POS PRP PRP$ RP TO UH WDT WP WP$ WRB".split()),
    # Stuttgart-Tübingen tags.
    "stts": tuple(
        "APPO APPR APPRART APZR ART ITJ KOKOM KON KOUI KOUS PDAT PDS PIAT PIS PPER PPOSAT PPOSS PRELAT "
        "PRELS PRF PTKA PTKANT PTKVZ PTKZU PWAT PWAV PWS VMFIN VMINF VMPP".split()
    ),
    # The first two places of Prague tags: interjections, conjunctions, pronouns, prepositions, particles and
    # the conditional "by".
    "pdt": tuple(
        "II J* J, J^ P0 P1 P4 P5 P6 P7 P8 P9 PD PE PH PJ PK PL PP PQ PS PW PY PZ RF RR RV TT Vc".split()
    ),
    # The Chinese Treebank. Adverbs are content words.
    "ctb": tuple("AS BA CC CS DEC DEG DER DEV DT ETC IJ LB LC MSP ON P PN SB SP".split()),
    # The same for ICTCLAS as jieba has it: conjunctions, interjections, localisers, onomatopoeia,
    # prepositions, pronouns and particles.
    "ictclas": tuple("c e f o p r rg rr rz u ud ug uj ul uv uz y".split()),
}


@dataclass(frozen=True, slots=True)
class TeslaLanguage:
    """The defaults of a language; the first of ``tagsets`` is what its built-in analyser gives."""

    tagsets: tuple[str, ...] = (UNIVERSAL,)
    #: No lexicon by default where none ships: a score must not depend on what a machine has installed.
    synonyms: str = "none"
    compounds: bool = False


LANGUAGES = {
    "en": TeslaLanguage(("penn", UNIVERSAL), synonyms="wordnet"),
    "de": TeslaLanguage(("stts", UNIVERSAL), compounds=True),
    "fr": TeslaLanguage(),
    "es": TeslaLanguage(),
    "cs": TeslaLanguage(("pdt", UNIVERSAL)),
    "zh": TeslaLanguage(("ictclas", "ctb", UNIVERSAL)),
}


def tesla_language(code: str) -> TeslaLanguage:
    """The defaults of the language called ``code``; one that is not built in has universal tags only."""
    return LANGUAGES.get(code, TeslaLanguage())


def check_language(metric: str, lang: str, analyser: str | None) -> None:
    """Refuse a language without a built-in analyser if no other is named, and one of another language."""
    if analyser is None and lang not in LANGUAGES:
        raise OptionError(
            "MP509",
            f"{metric} has no built-in analyser for language {lang!r}.",
            hint=f"Name an analyser, such as spacy:PIPELINE; built in are {', '.join(LANGUAGES)}.",
        )
    kind, _, language = (analyser or "").partition(":")
    if kind == "builtin" and language.partition("+")[0] != lang:
        raise OptionError(
            "MP520",
            f"{metric}: lang={lang!r} does not go with the analyser {analyser!r}.",
            hint="Name the same language twice, or leave the analyser out.",
        )
