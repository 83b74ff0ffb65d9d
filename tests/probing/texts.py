"""Sentences in the languages of the built-in analysers, written for these tests."""

from __future__ import annotations

TEXTS = {
    "en": [
        "The mayor of Berlin said on Monday that the 12 new schools will not open before 2025.",
        "Angela Brown has visited Paris with her sister, and they like the old city very much.",
        "The company does not want to sell its house in Madrid for 3.5 million euros.",
        "These children were happy because this summer was warm.",
        "He doesn't remember who gave him the letter in Rome.",
    ],
    "de": [
        "Der Bürgermeister von Berlin hat am Montag gesagt, dass die 12 neuen Schulen nicht öffnen werden.",
        "Angela Schmidt hat in Paris eine Wohnung gekauft, und der alte Mann wohnt in Madrid.",
        "Die Firma will das große Haus für 3,5 Millionen Euro verkaufen.",
        "Der Film war sehr lang, und die jungen Leute haben im Kino geschlafen.",
        "Die Lehrerin kennt kein Buch über die Stadt.",
    ],
    "fr": [
        "Le maire de Berlin a dit lundi que les 12 nouvelles écoles sont fermées.",
        "La société n'a pas vendu sa grande maison à Madrid pour 3,5 millions.",
        "Marie Dupont a acheté un appartement à Paris, et le vieil homme est content.",
        "Les enfants étaient contents parce que la ville est belle.",
    ],
    "es": [
        "El alcalde de Berlín dijo el lunes que las 12 escuelas nuevas no son grandes.",
        "La empresa no quiere vender su casa en Madrid por 3,5 millones.",
        "María Pérez compró un piso en París, y el hombre está contento.",
        "Los niños estaban contentos porque la ciudad es bonita.",
    ],
    "cs": [
        "Starosta Berlína řekl v pondělí, že 12 nových škol není otevřeno.",
        "Firma neprodala velký dům v Praze za 3,5 milionu korun.",
        "Marie Nováková koupila nový byt v Paříži a její matka je spokojená.",
        "Ministryně prodala staré auto a ministr byl v Brně.",
    ],
}
