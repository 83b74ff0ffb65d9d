"""TESLA-M beside sentence-BLEU and chrF out of English: German, French, Spanish and Czech.

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


OUT_OF_ENGLISH = Experiment(
    "tesla-m-languages",
    "TESLA-M out of English",
    rankings("cs", "de", "es", "fr"),
    ("tesla-m", "tesla-m:tagset=universal", "bleu", "chrf"),
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
)

SYNONYMS = tuple(
    Experiment(
        f"tesla-m-mythes-{language}",
        f"Synonyms of MyThes in TESLA-M: {name}",
        rankings(language),
        ("tesla-m", f"tesla-m:synonyms=mythes:{language}"),
    )
    for language, name in (("fr", "French"), ("es", "Spanish"), ("cs", "Czech"))
)

if __name__ == "__main__":
    run([COMPOUNDS, *SYNONYMS, OUT_OF_ENGLISH])
