"""Scripts: which one a character belongs to, and in which ones a language is written."""

from __future__ import annotations

import numpy as np

from metaphrase.arrays import Int64Array
from metaphrase.languages import find_language

#: First and last code point of each block of letters, by Unicode's name of the script. Punctuation and digits
#: that stand within the blocks are too few to matter.
_BLOCKS: dict[str, tuple[tuple[int, int], ...]] = {
    "Latin": (
        (0x41, 0x5A), (0x61, 0x7A), (0xAA, 0xAA), (0xBA, 0xBA), (0xC0, 0xD6), (0xD8, 0xF6),
        (0xF8, 0x24F), (0x1E00, 0x1EFF), (0xFF21, 0xFF3A), (0xFF41, 0xFF5A),
    ),
    "Greek": ((0x370, 0x3FF), (0x1F00, 0x1FFF)),
    "Cyrillic": ((0x400, 0x52F), (0x1C80, 0x1C8F), (0x2DE0, 0x2DFF), (0xA640, 0xA69F)),
    "Armenian": ((0x531, 0x58F),),
    "Hebrew": ((0x591, 0x5FF), (0xFB1D, 0xFB4F)),
    "Arabic": (
        (0x610, 0x65F), (0x66E, 0x6EF), (0x6FA, 0x6FF), (0x750, 0x77F), (0x8A0, 0x8FF),
        (0xFB50, 0xFDFF), (0xFE70, 0xFEFC),
    ),
    "Syriac": ((0x700, 0x74F),),
    "Thaana": ((0x780, 0x7BF),),
    "Devanagari": ((0x900, 0x963), (0x970, 0x97F), (0xA8E0, 0xA8FF)),
    "Bengali": ((0x980, 0x9E3), (0x9F0, 0x9FF)),
    "Gurmukhi": ((0xA00, 0xA65), (0xA70, 0xA7F)),
    "Gujarati": ((0xA80, 0xAE3), (0xAF0, 0xAFF)),
    "Oriya": ((0xB00, 0xB63), (0xB70, 0xB7F)),
    "Tamil": ((0xB80, 0xBE5),),
    "Telugu": ((0xC00, 0xC63),),
    "Kannada": ((0xC80, 0xCE3),),
    "Malayalam": ((0xD00, 0xD63), (0xD7A, 0xD7F)),
    "Sinhala": ((0xD80, 0xDE5),),
    "Thai": ((0xE01, 0xE3A), (0xE40, 0xE4E)),
    "Lao": ((0xE80, 0xECF), (0xEDC, 0xEDF)),
    "Tibetan": ((0xF00, 0xF1F), (0xF35, 0xFBC)),
    "Myanmar": ((0x1000, 0x103F), (0x1050, 0x109F)),
    "Georgian": ((0x10A0, 0x10FF), (0x1C90, 0x1CBF), (0x2D00, 0x2D2F)),
    "Ethiopic": ((0x1200, 0x139F), (0x2D80, 0x2DDF)),
    "Khmer": ((0x1780, 0x17D3),),
    "Mongolian": ((0x1820, 0x18AF),),
    "Hangul": ((0x1100, 0x11FF), (0x3131, 0x318E), (0xA960, 0xA97F), (0xAC00, 0xD7FF)),
    "Kana": ((0x3041, 0x30FA), (0x30FC, 0x30FF), (0x31F0, 0x31FF), (0xFF66, 0xFF9F)),
    "Han": (
        (0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF),
        (0x20000, 0x3FFFF),
    ),
}  # fmt: skip
SCRIPTS = tuple(_BLOCKS)
LATIN = SCRIPTS.index("Latin")
HAN, KANA = SCRIPTS.index("Han"), SCRIPTS.index("Kana")
NONE = -1
#: What a letter counts for: words of these scripts have few of them, and must not drown in the Latin names
#: that stand between them.
WEIGHTS = np.array([3 if name in ("Han", "Kana", "Hangul") else 1 for name in SCRIPTS])

_RANGES = sorted(
    (first, last, number)
    for number, blocks in enumerate(_BLOCKS.values())
    for first, last in blocks
)
_FIRST, _LAST, _NUMBER = (np.array(column, dtype=np.int64) for column in zip(*_RANGES, strict=True))

#: Languages by their scripts, in canonical codes; those of several scripts stand in several lines.
_WRITTEN_IN = {
    "Greek": "el grc",
    "Cyrillic": "ru uk be bg mk sr bs kk ky tg mn uz az tt ba cv ce os ab av kv udm chm myv sah tk cnr "
    "rue crh",
    "Armenian": "hy hyw",
    "Hebrew": "he yi lad",
    "Arabic": "ar arz ary apc acm fa prs ps ur ug sd ckb ku az ks lah pa uz kk ky tk ms bal lrc glk "
    "mzn ha",
    "Syriac": "syr arc aii",
    "Thaana": "dv",
    "Devanagari": "hi mr ne sa bho mai kok mag awa hne ks sd doi brx new",
    "Bengali": "bn as mni bpy",
    "Gurmukhi": "pa",
    "Gujarati": "gu",
    "Oriya": "or",
    "Tamil": "ta",
    "Telugu": "te",
    "Kannada": "kn tcy",
    "Malayalam": "ml",
    "Sinhala": "si",
    "Thai": "th",
    "Lao": "lo",
    "Tibetan": "bo dz",
    "Myanmar": "my shn mnw",
    "Georgian": "ka xmf",
    "Ethiopic": "am ti",
    "Khmer": "km",
    "Mongolian": "mn",
    "Hangul": "ko",
    "Kana": "ja",
    "Han": "zh yue wuu lzh ja nan hak gan",
    "Latin": "af an ast az bs br ca ceb cnr co crh cs cy da de en eo es et eu fi fil fo fr fy ga gd gl gn "
    "gsw ha haw hr ht hu ia id ig io is it jv kk ku la lad lb li ln lt lv mg mi ms mt nan nds nl nn no "
    "nso oc om pap pl pt qu rm rn ro rw sc scn sco sk sl sm sn so sq sr st su sv sw szl tk tn to tr "
    "ts tt ug uz ve vi vo wa wo xh yo zu",
}
#: Scripts in codes of ISO 15924, as in ``sr-Latn``.
_SUBTAGS = {
    "Latn": "Latin",
    "Cyrl": "Cyrillic",
    "Arab": "Arabic",
    "Deva": "Devanagari",
    "Hebr": "Hebrew",
    "Guru": "Gurmukhi",
    "Mong": "Mongolian",
    "Hant": "Han",
}


def scripts_of(lang: str) -> frozenset[str]:
    """The scripts in which a language is written; none if the language is not known."""
    found = find_language(lang)
    if found is None:
        return frozenset()
    # A script that is usual where people say sr-RS is not the only one, unless they say sr-Cyrl.
    named = found.code != found.base or found.script.lower() in lang.lower()
    if named and found.script in _SUBTAGS:
        return frozenset({_SUBTAGS[found.script]})
    return frozenset(s for s, languages in _WRITTEN_IN.items() if found.base in languages.split())


def script_numbers(code_points: Int64Array) -> Int64Array:
    """For each character the place of its script in ``SCRIPTS``, or ``NONE``."""
    place = np.searchsorted(_FIRST, code_points, side="right") - 1
    inside = (place >= 0) & (code_points <= _LAST[place])
    return np.where(inside, _NUMBER[place], NONE)
