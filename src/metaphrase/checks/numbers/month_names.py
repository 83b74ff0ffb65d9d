"""How languages call the months."""

from __future__ import annotations

#: Patterns of the names, January first, by language; alternatives are divided by a bar.
MONTHS = {
    "en": "january|jan february|feb march|mar april|apr may june|jun july|jul august|aug "
    "september|sept|sep october|oct november|nov december|dec",
    "de": "januar|jänner|jan februar|feber|feb märz|mrz april|apr mai juni|jun juli|jul "
    "august|aug september|sept|sep oktober|okt november|nov dezember|dez",
    "fr": "janvier|janv février|févr|fév mars avril|avr mai juin juillet|juil août septembre|sept "
    "octobre|oct novembre|nov décembre|déc",
    "es": "enero|ene febrero|feb marzo|mar abril|abr mayo junio|jun julio|jul agosto|ago "
    "septiembre|setiembre|sept octubre|oct noviembre|nov diciembre|dic",
    "it": "gennaio|gen febbraio|feb marzo|mar aprile|apr maggio giugno|giu luglio|lug agosto|ago "
    "settembre|sett ottobre|ott novembre|nov dicembre|dic",
    "pt": "janeiro|jan fevereiro|fev março|mar abril|abr maio junho|jun julho|jul agosto|ago "
    "setembro|set outubro|out novembro|nov dezembro|dez",
    "nl": "januari|jan februari|feb maart|mrt april|apr mei juni|jun juli|jul augustus|aug "
    "september|sept oktober|okt november|nov december|dec",
    "cs": "ledn(?:a|u) únor(?:a|u) březn(?:a|u) dubn(?:a|u) květn(?:a|u) června|červnu "
    "července|červenci srpn(?:a|u) září říjn(?:a|u) listopadu? prosin(?:ce|ci|ec)",
    "pl": "stycz(?:nia|niu|eń) lut(?:ego|ym|y) mar(?:ca|cu|zec) kwie(?:tnia|tniu|cień) "
    "maja|maju|maj czerw(?:ca|cu|iec) lip(?:ca|cu|iec) sierp(?:nia|niu|ień) "
    "wrze(?:śnia|śniu|sień) październik\\w* listopad\\w* grud(?:nia|niu|zień)",
    "ru": "январ[яеь] феврал[яеь] марта?|марте апрел[яеь] ма[яей] июн[яеь] июл[яеь] "
    "августа?|августе сентябр[яеь] октябр[яеь] ноябр[яеь] декабр[яеь]",
    "ro": "ianuarie|ian februarie|feb martie|mar aprilie|apr mai iunie|iun iulie|iul august|aug "
    "septembrie|sept octombrie|oct noiembrie|nov decembrie|dec",
    "tr": "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "fi": "tammikuu\\w* helmikuu\\w* maaliskuu\\w* huhtikuu\\w* toukokuu\\w* kesäkuu\\w* "
    "heinäkuu\\w* elokuu\\w* syyskuu\\w* lokakuu\\w* marraskuu\\w* joulukuu\\w*",
    "et": "jaanuar\\w* veebruar\\w* märts\\w* aprill\\w* mai\\w* juuni\\w* juuli\\w* august\\w* "
    "septemb\\w* oktoob\\w* novemb\\w* detsemb\\w*",
}
