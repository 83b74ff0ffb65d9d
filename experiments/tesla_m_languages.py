"""What parts of TESLA-M are worth out of English: German, French, Spanish and Czech.

``python -m experiments.tesla_m_languages`` with METAPHRASE_DATA set. The tables with synonyms need the
thesauri that Debian packages as mythes-de, mythes-fr, mythes-es and mythes-cs.
"""

from __future__ import annotations

from experiments.frame import Data, Experiment, run

PAIRS = {
    "wmt12": ("en-cs", "en-de", "en-es", "en-fr"),
    "wmt15": ("en-cs", "en-de", "en-fr"),
}


def rankings(*languages: str) -> tuple[Data, ...]:
    """The rankings of translations into any of ``languages``."""
    chosen = {name: tuple(p for p in pairs if p[3:] in languages) for name, pairs in PAIRS.items()}
    return tuple(
        Data(f"{name}.rank.jsonl.gz", pairs=pairs) for name, pairs in chosen.items() if pairs
    )


TAGS = Experiment(
    "tesla-m-languages",
    "Which tags TESLA-M compares out of English",
    rankings("cs", "de"),
    ("tesla-m", "tesla-m:tagset=universal"),
    remark=(
        "It hardly matters: universal tags instead of STTS make no significant difference in German, "
        "instead of the first two places of Prague tags they help in Czech in 2012. French and Spanish "
        "have no tags but the universal ones here. No lexicon is used."
    ),
)

COMPOUNDS = Experiment(
    "tesla-m-compounds",
    "German compounds and synonyms in TESLA-M",
    rankings("de"),
    (
        "tesla-m",
        "tesla-m:compounds=no",
        "tesla-m:synonyms=mythes:de",
        "tesla-m:synonyms=mythes:de:compounds=no",
    ),
    remark=(
        "Splitting compounds, as the paper has it, costs agreement in 2012 and gains about as much in 2015; "
        "both differences are significant and small. Synonyms of the German thesaurus neither help nor harm."
    ),
)

SYNONYMS = tuple(
    Experiment(
        f"tesla-m-mythes-{language}",
        f"Synonyms of MyThes in TESLA-M: {name}",
        rankings(language),
        ("tesla-m", f"tesla-m:synonyms=mythes:{language}"),
        remark=remark,
    )
    for language, name, remark in (
        (
            "fr",
            "French",
            "They cost agreement in 2015 and make no difference in 2012.",
        ),
        ("es", "Spanish", "They make no difference."),
        ("cs", "Czech", "They cost agreement in 2015 and make no difference in 2012."),
    )
)

if __name__ == "__main__":
    run([TAGS, COMPOUNDS, *SYNONYMS])
