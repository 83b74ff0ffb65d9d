"""UPF-Cobalt out of English: function words, stems, and relations as the English tables know them.

The paper's metric is English; this is ours. Universal Dependencies give all languages one set of relations,
so the table of equivalent ones (METRICS 1.7) needs no other entries: a preposition counts as that English one
whose part it plays in the table. Stop words follow Snowball's lists. Other languages are refused (MP531)
until somebody writes their lists down here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from metaphrase.analysis.metric_text.snowball import stem
from metaphrase.matching.word_alignment import AlignerWords

#: The program's list, and marks that the tokens of other languages have.
_PUNCTUATION = (
    *("( -lrb- . , - ? ! ; _ : { } [ / ] ... \" ' ) -rrb-".split()),
    *("„ “ ” ‚ ‘ ’ « » ‹ › – — … ¿ ¡ ''".split()),
)


def _as_english(**prepositions: str) -> Mapping[str, str]:
    """Labels with prepositions to those of the English ones that the tables name."""
    return {
        f"prep_{word}": f"prep_{english}"
        for english, words in prepositions.items()
        for word in words.split()
    }


_GERMAN = AlignerWords(
    stop_words="""
    aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes anderm
    andern anders auch auf aus bei bin bis bist da damit dann das dass daß dasselbe dazu dein deine
    deinem deinen deiner deines dem demselben den denn denselben der derer derselbe derselben des
    desselben dessen dich die dies diese dieselbe dieselben diesem diesen dieser dieses dir doch dort du
    durch ein eine einem einen einer eines einig einige einigem einigen einiger einiges einmal er es
    etwas euch euer eure eurem euren eurer eures für gegen gewesen hab habe haben hat hatte hatten hier
    hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im in indem ins ist jede jedem jeden
    jeder jedes jene jenem jenen jener jenes jetzt kann kein keine keinem keinen keiner keines können
    könnte machen man manche manchem manchen mancher manches mein meine meinem meinen meiner meines mich
    mir mit muss muß musste nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen
    seiner seines selbst sich sie sind so solche solchem solchen solcher solches soll sollte sondern
    sonst um und uns unser unsere unserem unseren unserer unseres unter viel vom von vor war waren warst
    was weg weil weiter welche welchem welchen welcher welches wenn werde werden wie wieder will wir
    wird wirst wo wollen wollte wurde wurden während würde würden zu zum zur zwar zwischen über
    """.split(),
    punctuation=_PUNCTUATION,
    stem=partial(stem, lang="de"),
    relations=_as_english(
        **{
            "of": "von vom",
            "in": "in im ins",
            "at": "an am ans bei beim",
            "on": "auf aufs",
            "for": "für fürs",
            "to": "zu zum zur",
        }
    ),
)
_FRENCH = AlignerWords(
    stop_words="""
    au aux avec ce ces cet cette dans de des du elle elles en et eux il ils je la le les leur leurs lui
    ma mais me même mêmes mes moi mon ne ni nos notre nous on ou où par pas pour qu que quel quelle
    quelles quels qui sa sans se ses si son sont soi sous sur ta te tes toi ton tu un une vos votre vous
    y à c d j l m n s t c' d' j' l' m' n' s' t' qu' ceci cela ça comme donc être suis es est sommes êtes
    étant été était étais étions étaient sera serai seront serait seraient soit soient fut furent fût
    avoir ai as a avons avez ont ayant eu avait avais avions avaient aura aurai auront aurait auraient
    ait aient eut eurent eût
    """.split(),
    punctuation=_PUNCTUATION,
    stem=partial(stem, lang="fr"),
    relations=_as_english(
        **{
            "of": "de du des d'",
            "in": "dans en",
            "at": "chez",
            "on": "sur",
            "for": "pour",
            "to": "à au aux",
        }
    ),
)
_SPANISH = AlignerWords(
    stop_words="""
    a al algo algunas algunos ante antes como con contra cual cuando de del desde donde durante e el él
    ella ellas ellos en entre era eran eras es esa esas ese eso esos esta estas este esto estos está
    están estaba estaban estado estar estoy fue fueron fui fuera ha haber había habían han has hasta hay
    he hemos hubo la las le les lo los más me mi mí mis mucho muchos muy nada ni no nos nosotras
    nosotros nuestra nuestras nuestro nuestros o os otra otras otro otros para pero poco por porque que
    quien quienes qué se sea sean ser será serán si sí sido sin sobre son soy su sus suya suyas suyo
    suyos también tanto te tengo tener tiene tienen ti todo todos tu tú tus tuya tuyo un una uno unos
    vosotros vuestra vuestro y ya yo
    """.split(),
    punctuation=_PUNCTUATION,
    stem=partial(stem, lang="es"),
    relations=_as_english(
        **{
            "of": "de del",
            "in": "en",
            "on": "sobre",
            "for": "para",
            "to": "a al",
        }
    ),
)
#: By the code of the language; English is built into the aligner.
LANGUAGES: Mapping[str, AlignerWords | None] = {
    "en": None,
    "de": _GERMAN,
    "fr": _FRENCH,
    "es": _SPANISH,
}
