"""TESLA with resources that are trained in a moment: a German table, a language model, chosen weights."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from metaphrase import Tesla
from metaphrase.learning.language_models.kneser_ney import estimate
from metaphrase.learning.phrases.pivot_table_file import Pruning
from metaphrase.learning.phrases.pivot_training import train_pivot_table
from metaphrase.lexicon.pivot_table import PivotTable
from metaphrase.metrics.tesla.features import feature_names
from metaphrase.trained.language_model import LanguageModel
from metaphrase.trained.ngram_model import TextForm
from metaphrase.trained.tesla_model import FeatureWeight, Resource, TeslaModel

ENGLISH = """\
the government announced a plan
the plan was new
the rain caused floods
heavy rain fell on tuesday
the decision was not easy
she said it on tuesday
the cat sat on the mat
the letter was new
"""
GERMAN = """\
die Regierung verkündete einen Plan
der Plan war neu
der Regen verursachte Überschwemmungen
starker Regen fiel am Dienstag
die Entscheidung war nicht leicht
sie sagte es am Dienstag
die Katze saß auf der Matte
der Brief war neu
"""
TABLE, LANGUAGE_MODEL, MODEL = "en-de.pivots", "news.lm", "small.json"
FEATURES = feature_names(["de"], ["news"])
_folders: list[TemporaryDirectory[str]] = []


def train(folder: Path) -> TeslaModel:
    """Write the table, the language model and a model of TESLA that names them."""
    for name, text in (("text.en", ENGLISH), ("text.de", GERMAN)):
        (folder / name).write_text(text, "utf-8")
    content, _ = train_pivot_table(
        folder / "text.en",
        folder / "text.de",
        target_language="en",
        pivot_language="de",
        pruning=Pruning(least_count=1, least_phrase_count=1, least_probability=0.0),
    )
    (folder / TABLE).write_bytes(content)
    words = [line.split() for line in ENGLISH.splitlines()]
    form = TextForm(analyser="builtin:en", lowercase=True)
    estimate(words, form=form).write_binary(folder / LANGUAGE_MODEL)
    table, language_model = (
        PivotTable(folder / TABLE),
        LanguageModel.load(folder / LANGUAGE_MODEL),
    )
    model = TeslaModel(
        name="small",
        lang="en",
        analyser="builtin:en",
        synonyms="wordnet",
        # Weights fall with n; the average is that of an imagined corpus.
        features={
            name: FeatureWeight(0.05, -1.5, 0.5)
            if name.startswith("lm.")
            else FeatureWeight(0.4 / int(name[-1]), 0.5, 0.25)
            for name in FEATURES
        },
        pivots={"de": Resource(TABLE, table.fingerprint)},
        language_models={"news": Resource(LANGUAGE_MODEL, language_model.fingerprint)},
        intercept=0.25,
        licence="none",
        training={"method": "by hand"},
    )
    model.save(folder / MODEL)
    return model


@cache
def small_tesla() -> Tesla:
    """The metric; its files are there for as long as Python runs."""
    _folders.append(TemporaryDirectory(prefix="tesla"))
    folder = Path(_folders[-1].name)
    train(folder)
    return Tesla(model=f"file:{folder / MODEL}")
