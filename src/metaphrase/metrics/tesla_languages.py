"""What TESLA takes for granted in each language: tags, function words, synonyms, compounds (METRICS 3.2).

The lists of function words are not published. Those of a language's own tag set follow METRICS 3.2's list
for Penn tags as closely as the set allows: forms of "be" and "have" and words of negation are content words,
modal verbs, particles of verbs and interjections are function words.
"""

from __future__ import annotations

from dataclasses import dataclass

UNIVERSAL = "universal"
#: Universal tags of function words, where all auxiliaries are function words.
UNIVERSAL_FUNCTION_TAGS = tuple("ADP AUX CCONJ SCONJ DET PART PRON INTJ".split())


@dataclass(frozen=True, slots=True)
class TeslaLanguage:
    """The defaults of a language; ``tagset`` names its own tags, or is universal if it has no others."""

    tagset: str
    function_tags: tuple[str, ...]
    #: No lexicon by default where none ships: a score must not depend on what a machine has installed.
    synonyms: str = "none"
    compounds: bool = False

    @property
    def tagsets(self) -> tuple[str, ...]:
        """What may be chosen."""
        return tuple(dict.fromkeys((self.tagset, UNIVERSAL)))


#: For languages without a built-in analyser, whose own tags nobody knows.
OTHER = TeslaLanguage(UNIVERSAL, UNIVERSAL_FUNCTION_TAGS)
LANGUAGES = {
    "en": TeslaLanguage(
        "penn",
        tuple("CC DT EX IN MD PDT POS PRP PRP$ RP TO UH WDT WP WP$ WRB".split()),
        synonyms="wordnet",
    ),
    # Stuttgart-Tübingen tags.
    "de": TeslaLanguage(
        "stts",
        tuple(
            "APPO APPR APPRART APZR ART ITJ KOKOM KON KOUI KOUS PDAT PDS PIAT PIS PPER PPOSAT PPOSS PRELAT "
            "PRELS PRF PTKA PTKANT PTKVZ PTKZU PWAT PWAV PWS VMFIN VMINF VMPP".split()
        ),
        compounds=True,
    ),
    "fr": OTHER,
    "es": OTHER,
    # The first two places of the Prague tags: conjunctions, prepositions, pronouns, particles, interjections
    # and the conditional "by".
    "cs": TeslaLanguage(
        "pdt",
        tuple(
            "II J* J, J^ P0 P1 P4 P5 P6 P7 P8 P9 PD PE PH PJ PK PL PP PQ PS PW PY PZ RF RR RV TT Vc".split()
        ),
    ),
    # ICTCLAS as jieba has it, after METRICS 3.2's list for the Chinese Treebank: conjunctions,
    # interjections, localisers, onomatopoeia, prepositions, pronouns and particles. Adverbs are content.
    "zh": TeslaLanguage("ictclas", tuple("c e f o p r rg rr rz u ud ug uj ul uv uz y".split())),
}


def tesla_language(code: str) -> TeslaLanguage:
    """The defaults of the language called ``code``."""
    return LANGUAGES.get(code, OTHER)
