"""Numbers in words, as far as a text may say in words what the other says in digits.

A table has stems: whatever begins or ends another word (``dreijährig``, ``čtvrtý``, ``twenty-five``) counts.
That lets some wrong numbers pass and keeps prose quiet, which is what the check is for.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache, lru_cache

from metaphrase.analysis.languages.codes import base_language
from metaphrase.checks.numbers.scales import scale_words

#: Stems of 2 to 20, then of 30, 40 … 100 and 1000, by language; alternatives are divided by a bar.
_STEMS = {
    "en": "two|second|twice|both|couple|pair|double|half|bi three|third|triple|thrice four|quart|quad five|fifth|half-dec "
    "six seven eight|octo nine|ninth ten|decade|dec eleven twelve|twelfth|dozen|noon|midnight thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twent thirt fort fift sixt sevent eight ninet hundred|centur|cent thousand|millen",
    "de": "zwei|zwo|beid|paar|doppel|halb drei|dritt vier|viert fünf sechs sieb acht neun zehn|zehnt|jahrzehnt elf "
    "zwölf|dutzend dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig|dreissig vierzig fünfzig "
    "sechzig siebzig achtzig neunzig hundert tausend",
    "fr": "deux|second|double|paire|demi|bi trois|trip|tiers quatre|quatri|quart|quadr cinq|quint six|sixi sept huit neuf|neuv dix|décenn|décad|dizaine "
    "onze douz treiz quatorz quinz seiz dix-sept dix-huit dix-neuf vingt trent quarant cinquant soixant soixante-dix "
    "quatre-vingt quatre-vingt-dix cent|siècle mille|millén|millier",
    "es": "dos|segund|doble|amb|par|medi|bi tres|terc|tripl cuatro|cuart|cuádr cinco|quint seis|sext siete|séptim ocho|octav nueve|noven diez|décim|décad "
    "once|undécim doce|duodécim|docen trece catorce quince dieciséis diecisiete dieciocho diecinueve veint treint|trig cuarent "
    "cincuent sesent setent ochent novent cien|sigl|centen mil",
    "cs": "dv|druh|ob|dvoj|půl tř čty|čtvr pět|pát šest sedm osm devět|devát|devít|devat deset|desát|desít jedenáct dvanáct|tuct třináct "
    "čtrnáct patnáct šestnáct sedmnáct osmnáct devatenáct dvac třic čtyřic padesát šedesát sedmdesát osmdesát "
    "devadesát sto|stov|stol|stě|set tisíc",
    "it": "due|second|doppi|entramb|mezz|bi tre|terz|tripl quattro|quart cinque|quint sei|sest sette|settim otto|ottav nove|non dieci|decim|decenn "
    "undici dodici|dozzin tredici quattordici quindici sedici diciassette diciotto diciannove vent trent quarant "
    "cinquant sessant settant ottant novant cent|secol mill|mila",
    "pt": "dois|duas|segund|dobr|amb|mei|par|bi três|terceir|tripl quatro|quart cinco|quint seis|sext sete|sétim oito|oitav nove|non "
    "dez|décim|décad onze doze|dúzia treze quatorze|catorze quinze dezesseis|dezasseis dezessete|dezassete dezoito "
    "dezenove|dezanove vint trint quarent cinquent sessent setent oitent novent cem|cent|sécul mil",
    "nl": "twee|tweed|beid|dubbel|half drie|derd vier vijf zes zeven acht negen tien|decenn elf twaalf|dozijn dertien veertien "
    "vijftien zestien zeventien achttien negentien twintig dertig veertig vijftig zestig zeventig tachtig negentig "
    "honderd duizend",
    "ru": "дв|втор|оба|обе|пара|пол тр четы|четв|четвер пят шест|шёст сем|седьм восем|восьм|вось девят десят одиннадц двенадц|дюжин "
    "тринадц четырнадц пятнадц шестнадц семнадц восемнадц девятнадц двадца тридца сорок пятьдес|пятидес "
    "шестьдес|шестидес семьдес|семидес восемьдес|восьмидес девяност сто|сот|ста|сти тысяч",
    "pl": "dw|drug|oba|obie|pół trz czter|czwart pię|piąt sześ|szóst siedm|siedem|siódm osi|ósm|ośm dziewię|dziewią dziesię|dziesią|dekad jedenast|jedenaś "
    "dwanaś|dwunas|tuzin trzyna czterna piętna szesna siedemna osiemna dziewiętna dwadzie|dwudz trzydzie "
    "czterdzie pięćdziesi sześćdziesi siedemdziesi osiemdziesi dziewięćdziesi sto|stu|setk tysią|tysię",
    "fi": "kaks|kaht|kahd|toinen|toise|molem|pari|puol kolm|kolma nelj viis|viit|viid|viiden kuus|kuut|kuud seitsem kahdeks yhdeks|yhdeksä kymmen|vuosikymm "
    "yksitoist kaksitoist|tusina kolmetoist neljätoist viisitoist kuusitoist seitsemäntoist kahdeksantoist "
    "yhdeksäntoist kaksikymmen|kahdenkymmen|kahteenkymmen kolmekymmen|kolmenkymmen neljäkymmen viisikymmen kuusikymmen seitsemänkymmen "
    "kahdeksankymmen yhdeksänkymmen sata|sada tuhat|tuhan",
    "et": "kaks|kahe|kaht|teine|teise|mõlem|paar|pool kolm nel vii kuu sei|seits kaheks üheks kümme|kümne üksteist|üheteist "
    "kaksteist|kaheteist kolmteist neliteist viisteist kuusteist seitseteist kaheksateist üheksateist kakskümmen|kahekümne "
    "kolmkümmen|kolmekümne nelikümmen viiskümmen kuuskümmen seitsekümmen kaheksakümmen üheksakümmen sada|saja tuhat|tuhande",
    "ro": "doi|două|doua|ambe|dublu|jumăt trei|trip patru|patra cinci șase|şase șapte|şapte opt nouă|noua zece|decen unsprezece "
    "doisprezece|duzin treisprezece paisprezece cincisprezece|cinsprezece șaisprezece șaptesprezece optsprezece "
    "nouăsprezece douăzeci treizeci patruzeci cincizeci șaizeci șaptezeci optzeci nouăzeci sut|secol mi|mie|mii",
    "tr": "iki|çift|yarı üç dört beş altı yedi sekiz dokuz on|onlu|onunc onbir|on.bir oniki|on.iki|düzine onüç|on.üç ondört|on.dört "
    "onbeş|on.beş onaltı|on.altı onyedi|on.yedi onsekiz|on.sekiz ondokuz|on.dokuz yirmi otuz kırk elli altmış yetmiş "
    "seksen doksan yüz bin",
}
_HALF = re.compile(r"half|halb|halv|demi|medi|mezz|mei[ao]|půl|pół|пол|puol|pool|jumăt|yarı|半", re.I)
_PLACES = [*range(2, 21), *range(30, 101, 10), 1000]
#: Below this any language may spell a number that no table here knows.
_SMALL = 13
_HAN = re.compile("[零〇一二两兩三四五六七八九十百千万亿萬億半双]+")
_HAN_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2, "双": 2}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000}
_HAN_SCALES = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_ROMAN = re.compile(
    r"(?<![^\W\d_])(M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3}))"
    r"(?=(?:er?|ème|th|st|nd|rd|è|º|ª)?(?![^\W\d_]))"
)
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def is_spelt(value: Decimal, text: str, language: str, *, assumed: bool = True) -> bool:
    """Whether ``text`` may say the number in words, or in Roman numerals.

    What no table knows may be ``assumed``: 0 and 1, which hide in articles and negations, and small numbers
    in languages without a table.
    """
    if value in (0, 1):
        return assumed
    if value != value.to_integral_value():
        half = Decimal("0.5")
        return (
            value % 1 == half
            and _HALF.search(text) is not None
            and is_spelt(value - half, text, language, assumed=assumed)
        )
    number = int(value)
    if number in roman_numbers(text):
        return True
    base = base_language(language)
    if base in ("zh", "ja", "yue"):
        return number in han_numbers(text)
    if base not in _STEMS:
        return assumed and number < _SMALL
    return _in_words(number, text.lower(), base)


def _in_words(number: int, text: str, language: str) -> bool:
    if number <= 1:
        return True
    patterns = _patterns(language)
    if number in patterns and patterns[number].search(text):
        return True
    if number < 100:
        ten, unit = number - number % 10, number % 10
        if language == "fr" and ten in (70, 90):
            ten, unit = ten - 10, unit + 10
        return (
            ten in patterns
            and patterns[ten].search(text) is not None
            and _in_words(unit, text, language)
        )
    for scale in [*scale_words(text), 100]:
        if number % scale == 0 and number // scale < 1000:
            known = scale not in patterns or patterns[scale].search(text) is not None
            return known and _in_words(number // scale, text, language)
    if number < 10_000 and number % 100:
        # Two hundred and fifty, and years: nineteen eighty-four.
        return _in_words(number - number % 100, text, language) and _in_words(
            number % 100, text, language
        )
    return False


@cache
def _patterns(language: str) -> dict[int, re.Pattern[str]]:
    """For each number with a stem of its own a pattern; long stems count inside a word, too."""
    found = {}
    for number, stems in zip(_PLACES, _STEMS[language].split(), strict=True):
        anywhere = [re.escape(s).replace(r"\.", " ") for s in stems.split("|") if len(s) > 3]
        begins = [re.escape(s).replace(r"\.", " ") for s in stems.split("|") if len(s) <= 3]
        parts = [*anywhere, *([rf"(?<![^\W\d_])(?:{'|'.join(begins)})"] if begins else [])]
        found[number] = re.compile("|".join(parts))
    return found


@lru_cache(maxsize=256)
def roman_numbers(text: str) -> frozenset[int]:
    """The numbers that the text may say in Roman numerals: XX, XIXe."""
    return frozenset(_roman(match[1]) for match in _ROMAN.finditer(text) if match[1])


def _roman(numeral: str) -> int:
    digits = [_ROMAN_DIGITS[letter] for letter in numeral]
    return sum(
        -digit if digit < following else digit
        for digit, following in zip(digits, [*digits[1:], 0], strict=True)
    )


@lru_cache(maxsize=256)
def han_numbers(text: str) -> frozenset[int]:
    """The numbers in Chinese characters, as digits (二〇二一) and as words (二十一)."""
    found: set[int] = set()
    for match in _HAN.finditer(text):
        run = match[0].replace("半", "")
        if all(c in _HAN_DIGITS for c in run):
            digits = [_HAN_DIGITS[c] for c in run]
            found |= {int("".join(map(str, digits)))} if digits else set()
            found.update(digits)
        else:
            found.add(_han(run))
    return frozenset(found)


def _han(run: str) -> int:
    total = section = digit = 0
    for character in run:
        if character in _HAN_DIGITS:
            digit = _HAN_DIGITS[character]
        elif character in _HAN_UNITS:
            section += max(digit, 1) * _HAN_UNITS[character]
            digit = 0
        else:
            total = (total + max(section + digit, 1)) * _HAN_SCALES[character]
            section = digit = 0
    return total + section + digit
