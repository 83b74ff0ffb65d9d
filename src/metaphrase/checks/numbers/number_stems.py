"""How languages begin the words for numbers, cardinal, ordinal and otherwise (pairs, dozens, decades)."""

from __future__ import annotations

#: Stems of 2 to 20, then of 30, 40 … 100 and 1000, by language; alternatives are divided by a bar.
#: With an exclamation mark it is a whole word, and a full stop stands for a blank.
STEMS = {
    "en": "two|second|twice|both|couple|pair|double|half three|third|triple|thrice "
    "four|quart|quad five|fifth|half-dec six seven eight|octo nine|ninth ten|decade eleven "
    "twelve|twelfth|dozen|noon|midnight thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twent thirt fort fift sixt sevent eight ninet hundred|centur thousand|millen",
    "de": "zwei|zwo|beid|paar|doppel|halb drei|dritt vier|viert fünf sechs sieb acht neun "
    "zehn|zehnt|jahrzehnt elf zwölf|dutzend dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn "
    "neunzehn zwanzig dreißig|dreissig vierzig fünfzig sechzig siebzig achtzig neunzig hundert "
    "tausend",
    "fr": "deux|second|double|paire|demi trois|trip|tiers quatre|quatri|quart|quadr cinq|quint "
    "six|sixi sept huit neuf|neuv dix|décenn|décad|dizaine onze douz treiz quatorz quinz seiz "
    "dix-sept dix-huit dix-neuf vingt trent quarant cinquant soixant soixante-dix quatre-vingt "
    "quatre-vingt-dix cent|siècle mille|millén|millier",
    "es": "dos|idós|segund|doble|ambos|ambas|par!|medi tres|itrés|terc|tripl cuatro|cuart|cuádr cinco|quint "
    "seis|séis|sext siete|séptim ocho|octav nueve|noven diez|décim|décad once|undécim "
    "doce|duodécim|docen trece catorce quince dieciséis diecisiete dieciocho diecinueve veint "
    "treint|trig cuarent cincuent sesent setent ochent novent cien|sigl|centen mil",
    "cs": "dv|druh|oba!|obě!|obou|dvoj|půl tř čty|čtvr pět|pát šest sedm osm devět|devát|devít|devat "
    "deset|desát|desít jedenáct dvanáct|tuct třináct čtrnáct patnáct šestnáct sedmnáct osmnáct "
    "devatenáct dvac třic čtyřic padesát šedesát sedmdesát osmdesát devadesát "
    "sto|stov|stol|stě!|set! tisíc",
    "it": "due|second|doppi|entramb|mezz tre|terz|tripl quattro|quart cinque|quint sei|sest "
    "sette|settim otto|ottav nove|nono|nona dieci|decim|decenn undici dodici|dozzin tredici quattordici "
    "quindici sedici diciassette diciotto diciannove vent trent quarant cinquant sessant settant "
    "ottant novant cent|secol mill|mila",
    "pt": "dois|duas|segund|dobr|ambos|ambas|mei|par! três|terceir|tripl quatro|quart cinco|quint "
    "seis|sext sete|sétim oito|oitav nove|nono|nona dez|décim|décad onze doze|dúzia treze "
    "quatorze|catorze quinze dezesseis|dezasseis dezessete|dezassete dezoito dezenove|dezanove "
    "vint trint quarent cinquent sessent setent oitent novent cem!|cento|centen|sécul mil",
    "nl": "twee|tweed|beid|dubbel|half drie|derd vier vijf zes zeven acht negen tien|decenn elf "
    "twaalf|dozijn dertien veertien vijftien zestien zeventien achttien negentien twintig dertig "
    "veertig vijftig zestig zeventig tachtig negentig honderd duizend",
    "ru": "дв|втор|оба|обе|пара|пол тр четы|четв|четвер пят шест|шёст сем|седьм восем|восьм|вось "
    "девят десят одиннадц двенадц|дюжин тринадц четырнадц пятнадц шестнадц семнадц восемнадц "
    "девятнадц двадца тридца сорок пятьдес|пятидес шестьдес|шестидес семьдес|семидес "
    "восемьдес|восьмидес девяност сто!|сот|ста!|сти! тысяч",
    "pl": "dw|drug|oba|obie|pół trz czter|czwart pię|piąt sześ|szóst siedm|siedem|siódm "
    "osi|ósm|ośm dziewię|dziewią dziesię|dziesią|dekad jedenast|jedenaś dwanaś|dwunas|tuzin "
    "trzyna czterna piętna szesna siedemna osiemna dziewiętna dwadzie|dwudz trzydzie czterdzie "
    "pięćdziesi sześćdziesi siedemdziesi osiemdziesi dziewięćdziesi sto!|stu!|setk tysią|tysię",
    "fi": "kaks|kaht|kahd|toinen|toise|molem|pari|puol kolm|kolma nelj viis|viit|viid|viiden "
    "kuus|kuut|kuud seitsem kahdeks yhdeks|yhdeksä kymmen|vuosikymm yksitoist kaksitoist|tusina "
    "kolmetoist neljätoist viisitoist kuusitoist seitsemäntoist kahdeksantoist yhdeksäntoist "
    "kaksikymmen|kahdenkymmen|kahteenkymmen kolmekymmen|kolmenkymmen neljäkymmen viisikymmen "
    "kuusikymmen seitsemänkymmen kahdeksankymmen yhdeksänkymmen sata|sada tuhat|tuhan",
    "et": "kaks|kahe|kaht|teine|teise|mõlem|paar|pool kolm nel vii kuu sei|seits kaheks üheks "
    "kümme|kümne üksteist|üheteist kaksteist|kaheteist kolmteist neliteist viisteist kuusteist "
    "seitseteist kaheksateist üheksateist kakskümmen|kahekümne kolmkümmen|kolmekümne nelikümmen "
    "viiskümmen kuuskümmen seitsekümmen kaheksakümmen üheksakümmen sada|saja tuhat|tuhande",
    "ro": "doi|două|doua|ambe|dublu|jumăt trei|trip patru|patra cinci șase|şase șapte|şapte opt "
    "nouă|noua zece|decen unsprezece doisprezece|duzin treisprezece paisprezece "
    "cincisprezece|cinsprezece șaisprezece șaptesprezece optsprezece nouăsprezece douăzeci "
    "treizeci patruzeci cincizeci șaizeci șaptezeci optzeci nouăzeci sut|secol mie!|mii!",
    "tr": "iki|çift|yarı üç dört beş altı yedi sekiz dokuz on!|onlu|onunc onbir|on.bir "
    "oniki|on.iki|düzine onüç|on.üç ondört|on.dört onbeş|on.beş onaltı|on.altı onyedi|on.yedi "
    "onsekiz|on.sekiz ondokuz|on.dokuz yirmi otuz kırk elli altmış yetmiş seksen doksan yüz bin",
}
#: The numbers that have stems, in the order of the table.
NUMBERS = (*range(2, 21), *range(30, 101, 10), 1000)
