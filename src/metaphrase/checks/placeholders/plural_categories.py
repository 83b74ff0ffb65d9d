"""The plural categories of languages, after CLDR's rules for cardinal numbers."""

from __future__ import annotations

from metaphrase.analysis.languages.codes import base_language

#: The languages of each set of categories.
_CATEGORIES = {
    "other": "bo dz id ig ii ja jbo jv kde kea km ko lkt lo ms my nqo osa sah ses sg su th "
    "to tpi vi wo yo yue zh",
    "one other": "af ak am an as asa ast az bal bem bez bg bho bm bn brx ce cgg chr ckb da de doi "
    "dv ee el en eo et eu fa ff fi fil fo fur fy gl gsw gu guw ha haw hi hu hy ia io is jgo jmc "
    "ka kab kaj kcg kk kkj kl kn ks ksb ku ky lb lg lij ln mas mg mgo mk ml mn mr nah nd ne nl "
    "nn nnh no nr nso ny nyn om or os pa pap pcm ps rm rof rwk saq sc scn sd sdh seh si sn so sq "
    "ss ssy st sv sw syr ta te teo ti tig tk tn tr ts tzm ug ur uz ve vo vun wa wae xh xog yi "
    "zu",
    "one many other": "ca es fr it pt",
    "zero one other": "ksh lag lv prg",
    "one two other": "he iu naq sat se sma smi smj smn sms",
    "one few other": "bs hr ro shi sr",
    "one few many other": "be cs lt pl ru sk uk",
    "one two few other": "dsb gd hsb sl",
    "one two few many other": "br ga gv mt",
    "zero one two few many other": "ar ars cy kw",
}
#: In these the category is for millions alone, or for fractions: messages mostly do without.
_OPTIONAL = {"ca", "cs", "es", "fr", "it", "lt", "pt", "sk"}


def plural_categories(language: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """The categories that a message in ``language`` needs and those it may have; None if not known."""
    base = base_language(language)
    for categories, languages in _CATEGORIES.items():
        if base in languages.split():
            possible = frozenset(categories.split())
            return possible - {"many"} if base in _OPTIONAL else possible, possible
    return None
