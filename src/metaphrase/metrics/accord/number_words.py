"""Numbers in words that became others: *zwei Millionen* for *drei Millionen*.

English has its tags and its alignment for that, and :mod:`metaphrase.checks.numbers` compares numbers of
which one side is in digits. Here both are words, which are told by lists. A number counts as another one
only if each text has one that the other does not say, in digits or in words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache

from metaphrase.checks.numbers.words import han_numbers, is_spelt

_VALUES = (*range(2, 21), *range(30, 100, 10), 100, 1000, 10**6, 10**9)
#: The words of each value, in its forms; none that is often another word, as French *neuf* is.
_WORDS = {
    "de": "zwei|zweier|zweien drei|dreier|dreien vier fünf sechs sieben acht neun zehn elf zwölf dreizehn "
    "vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig|dreissig vierzig fünfzig sechzig "
    "siebzig achtzig neunzig hundert|einhundert tausend|eintausend million|millionen milliarde|milliarden",
    "fr": "deux trois quatre cinq six sept huit - dix onze douze treize quatorze quinze seize - - - "
    "vingt|vingts trente quarante cinquante - - - - cent|cents mille million|millions milliard|milliards",
    "es": "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis "
    "diecisiete dieciocho diecinueve veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa "
    "cien|ciento mil millón|millones -",
    "it": "due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici "
    "sedici diciassette diciotto diciannove venti trenta quaranta cinquanta sessanta settanta ottanta "
    "novanta cento mille|mila milione|milioni miliardo|miliardi",
    "pt": "dois|duas três quatro cinco seis sete oito nove dez onze doze treze catorze|quatorze quinze "
    "dezesseis|dezasseis dezessete|dezassete dezoito dezenove|dezanove vinte trinta quarenta cinquenta "
    "sessenta setenta oitenta noventa cem|cento mil milhão|milhões bilhão|bilhões",
    "cs": "dva|dvě|dvou|dvěma tři|tří|třech|třemi čtyři|čtyř|čtyřech|čtyřmi pět|pěti šest|šesti sedm|sedmi "
    "osm|osmi devět|devíti deset|deseti jedenáct|jedenácti dvanáct|dvanácti třináct|třinácti "
    "čtrnáct|čtrnácti patnáct|patnácti šestnáct|šestnácti sedmnáct|sedmnácti osmnáct|osmnácti "
    "devatenáct|devatenácti dvacet|dvaceti třicet|třiceti čtyřicet|čtyřiceti padesát|padesáti "
    "šedesát|šedesáti sedmdesát|sedmdesáti osmdesát|osmdesáti devadesát|devadesáti sto "
    "tisíc|tisíce|tisíců|tisíci milion|miliony|milionů|milionu miliarda|miliardy|miliard|miliardu",
    "ru": "два|две|двух|двум|двумя три|трёх|трех|трём|трем|тремя четыре|четырёх|четырех|четырём|четырем "
    "пять|пяти|пятью шесть|шести|шестью семь|семи|семью восемь|восьми девять|девяти десять|десяти "
    "одиннадцать|одиннадцати двенадцать|двенадцати тринадцать|тринадцати четырнадцать|четырнадцати "
    "пятнадцать|пятнадцати шестнадцать|шестнадцати семнадцать|семнадцати восемнадцать|восемнадцати "
    "девятнадцать|девятнадцати двадцать|двадцати тридцать|тридцати сорок|сорока пятьдесят|пятидесяти "
    "шестьдесят|шестидесяти семьдесят|семидесяти восемьдесят|восьмидесяти девяносто сто|ста "
    "тысяча|тысячи|тысяч|тысячу миллион|миллиона|миллионов миллиард|миллиарда|миллиардов",
}
_DIGITS = re.compile(r"\d+")
_HAN_DIGITS = "二两兩三四五六七八九十百千万亿萬億"
#: A number in Chinese characters with the one that follows it: 三百人.
_HAN = re.compile(rf"(?<![\d.,几数多成上])[{_HAN_DIGITS}]+[^\W\d_{_HAN_DIGITS}]")


@cache
def number_words(language: str) -> Mapping[str, int]:
    """The value of each number word of a language; none if its words are not listed."""
    if language not in _WORDS:
        return {}
    return {
        word: value
        for value, forms in zip(_VALUES, _WORDS[language].split(), strict=True)
        for word in forms.split("|")
        if word != "-"
    }


def is_number_word(word: str, language: str) -> bool:
    """Whether a word may be a number, or a character part of one."""
    return word in (_HAN_DIGITS if language == "zh" else number_words(language))


def other_han_number(texts: tuple[str, str]) -> tuple[str, str] | None:
    """The number in Chinese characters of each text, before the same character and after no digit."""
    found = [{match[0] for match in _HAN.finditer(text)} for text in texts]
    alone = [sorted(found[side] - found[1 - side]) for side in (0, 1)]
    if len(alone[0]) != 1 or len(alone[1]) != 1:
        return None
    (own,), (other,) = alone
    values = [han_numbers(number[:-1]) for number in (own, other)]
    said = [{int(digits) for digits in _DIGITS.findall(text) if len(digits) < 10} for text in texts]
    if own[-1] != other[-1] or any(len(value) != 1 or min(value) < 2 for value in values):
        return None
    if values[0] == values[1] or values[0] & said[1] or values[1] & said[0]:
        return None
    return own, other


def other_number_word(
    words: tuple[Sequence[str], Sequence[str]], texts: tuple[str, str], language: str
) -> tuple[str, str] | None:
    """The number word of each text, if each has just one that the other does not say."""
    if language == "zh":
        return other_han_number(texts)
    values = number_words(language)
    alone = []
    for side in (0, 1):
        other = texts[1 - side]
        said = {values[word] for word in words[1 - side] if word in values}
        said |= {int(digits) for digits in _DIGITS.findall(other) if len(digits) < 10}
        alone.append(
            {
                word
                for word in words[side]
                if word in values
                and values[word] not in said
                and not is_spelt(Decimal(values[word]), other, language, assumed=False)
            }
        )
    if len(alone[0]) != 1 or len(alone[1]) != 1:
        return None
    return alone[0].pop(), alone[1].pop()
