"""``metaphrase doctor``: is the installation whole, and are these files fit to be scored?"""

from __future__ import annotations

import argparse
import json
import os
import platform
import unicodedata
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from metaphrase.cli.command import GROUP, command, command_of_others
from metaphrase.cli.output import print_lines, print_view
from metaphrase.entry_points import installed
from metaphrase.errors import MetaphraseError, ResourceError
from metaphrase.extras import install_command
from metaphrase.shipped import is_installed

if TYPE_CHECKING:
    from rich.console import RenderableType

#: Longer lines are rarely one segment; somebody may have lost the line ends.
_LONG_LINE = 5_000


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the diagnosis; ``state`` is ``ok``, ``note`` or ``fail``."""

    state: str
    subject: str
    finding: str


@command(
    place=180,
    help="check the installation and your files",
    description="Check the installation; with files, whether each can be read and all belong together.",
)
def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare its arguments."""
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="files to look at: text, .tsv, .jsonl, .conllu"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print every finding; the exit code is 1 if one of them is bad."""
    checks = [*_installation(), *_files(options.files)]
    if options.format == "json":
        print_lines([json.dumps([asdict(check) for check in checks], indent=1)])
    else:
        print_view([_table(checks)])
    return 1 if any(check.state == "fail" for check in checks) else 0


def _table(checks: Sequence[Check]) -> RenderableType:
    from metaphrase.report.terminal.columns import Cell, Columns

    styles = {"ok": "green", "note": "yellow", "fail": "bold red"}
    rows = [
        [Cell(check.state, styles[check.state]), Cell(check.subject), Cell(check.finding)]
        for check in checks
    ]
    return Columns(("", "", ""), rows, (False, False, False))


def _installation() -> Iterator[Check]:
    yield Check("ok", "python", f"{platform.python_version()} on {platform.machine()}")
    for subject, examine in (
        ("metaphrase", _package),
        ("English analyser", _analyser),
        ("WordNet", _wordnet),
        ("TESLA-M", _self_test),
        ("edit models", _edit_models),
        ("sacreBLEU", lambda: metadata.version("sacrebleu")),
    ):
        yield _examined(subject, examine)
    yield from _languages()
    yield from _metrics()
    for name, points in installed(GROUP).items():
        yield _examined(f"command {name}", partial(_command_of_others, name, points))
    yield _cache()
    yield _encoder()
    yield _stemmers()
    for subject, module, package, extra in (
        ("Chinese (optional)", "jieba", "jieba", "zh"),
        ("spaCy (optional)", "spacy", "spacy", "spacy"),
        ("topics (optional)", "tomotopy", "tomotopy", "topics"),
        ("L-BFGS (optional)", "scipy.optimize", "scipy", "train"),
        ("rankings (optional)", "sklearn.svm", "scikit-learn", "train"),
        ("paraphrases (optional)", "pycocoevalcap", "pycocoevalcap", "paraphrases"),
        ("server (optional)", "starlette", "starlette", "serve"),
        ("workbooks (optional)", "openpyxl", "openpyxl", "localisation"),
        ("pandas (optional)", "pandas", "pandas", "frames"),
        ("Arrow (optional)", "pyarrow", "pyarrow", "frames"),
    ):
        if find_spec(module.partition(".")[0]) is None:
            yield Check("note", subject, f"not installed: {install_command(extra)}")
        else:
            yield _examined(subject, partial(_imported, module, package))


def _command_of_others(name: str, points: Sequence[metadata.EntryPoint]) -> str:
    return f"from {command_of_others(name, points)[1]}"


def _encoder() -> Check:
    """What accord:context reads, if it is there and goes with the weights."""
    from metaphrase.metrics import obstacle
    from metaphrase.trained.pretrained_encoder import load_pretrained

    subject = "encoder (optional)"
    if lacking := obstacle("accord:context"):
        return Check("note", subject, str(lacking))
    encoder = load_pretrained("shipped", "en")
    return Check("ok", subject, f"{encoder.name}@{encoder.fingerprint}")


def _stemmers() -> Check:
    """Those of METEOR; documentation tools bring a package of that name as well, often of another version."""
    from metaphrase.analysis.metric_text.snowball import STEMMERS, check_stemmer

    subject = "stemmers (optional)"
    try:
        for lang in STEMMERS:
            check_stemmer(lang)
    except ResourceError as error:
        return Check("note", subject, str(error))
    return Check("ok", subject, f"snowballstemmer {metadata.version('snowballstemmer')}")


def _imported(module: str, package: str) -> str:
    """A package that is there may still be broken; only importing it tells."""
    with warnings.catch_warnings():
        # What others deprecate is no matter of this installation.
        warnings.simplefilter("ignore")
        import_module(module)
    return f"{package} {metadata.version(package)}"


def _examined(subject: str, examine: Callable[[], str]) -> Check:
    try:
        return Check("ok", subject, examine())
    except MetaphraseError as error:
        return Check("fail", subject, str(error))
    except Exception as error:
        return Check("fail", subject, f"{type(error).__name__}: {error}")


def _package() -> str:
    from metaphrase import _core
    from metaphrase.version import __version__

    return f"{__version__}, compiled core {Path(_core.__file__).name}"


def _analyser() -> str:
    from metaphrase import analysis

    analyser = analysis.shared("builtin:en")
    sentence = analyser.analyse(["The cats weren't sleeping."], analyser.columns)[0]
    columns = ("lemma", "tag", "relation", "chunk")
    found = " ".join(map("/".join, zip(*map(sentence.column, columns), strict=True)))
    return f"{analyser.name}@{analyser.fingerprint(analyser.columns)}: {found}"


def _metrics() -> Iterator[Check]:
    """Which metrics run, what the others lack, and which are plug-ins."""
    from metaphrase.metrics import available, obstacle, unusable

    kinds = available()
    guests = [name for name, kind in kinds.items() if kind.needs_options]
    # TESLA-CELAB is there for Chinese, where it needs more than elsewhere.
    names = [name if name != "celab" else "celab:lang=zh" for name in kinds if name not in guests]
    obstacles = {name: obstacle(name) for name in names}
    running = [name for name, found in obstacles.items() if found is None]
    yield Check("ok", "metrics", f"{len(running)} of {len(names)} run: {', '.join(running)}")
    for name, found in obstacles.items():
        if found is not None:
            yield Check("note", name, str(found))
    yield _guests(guests)
    if plugins := [f"{name} from {kind.origin}" for name, kind in kinds.items() if kind.origin]:
        yield Check("ok", "plug-ins", ", ".join(plugins))
    for name, error in unusable().items():
        yield Check("fail", f"plug-in {name}", str(error))


def _guests(names: Sequence[str]) -> Check:
    """Programs of others, of which nothing can be said before they are asked for."""
    from metaphrase.metrics.guests.libraries import PYTHON_VARIABLE

    python = os.environ.get(PYTHON_VARIABLE, "")
    subject, listed = "guests (optional)", ", ".join(names)
    if not python:
        return Check("note", subject, f"{listed} need a command, or a model and python=PATH")
    if not os.path.exists(python):
        return Check("note", subject, f"{listed}: {PYTHON_VARIABLE}={python} is not there")
    return Check("ok", subject, f"{listed}: {PYTHON_VARIABLE}={python}")


def _languages() -> Iterator[Check]:
    """One line a language that TESLA-M reads besides English, and one for its optional parts."""
    from metaphrase.analysis.builtin import SHIPPED
    from metaphrase.lexicon.mythes import find

    others = {code: language for code, language in SHIPPED.items() if code != "en"}
    for code, language in others.items():
        if code == "cs" and not is_installed("metaphrase_czech"):
            yield Check("note", "Czech (optional)", f"not installed: {install_command('cs')}")
        else:
            yield _examined(f"{language.title()} analyser", partial(_trained, code))
    for code in others:
        subject = f"thesaurus {code} (optional)"
        try:
            yield Check("ok", subject, f"{find(code)}: synonyms=mythes:{code}")
        except MetaphraseError as error:
            yield Check("note", subject, error.hint or error.message)


def _trained(code: str) -> str:
    from metaphrase import analysis

    analyser = analysis.shared(f"builtin:{code}")
    analyser.analyse(["1"], ["lemma", "tag"])
    return f"{analyser.name}@{analyser.fingerprint(['lemma', 'tag'])}"


def _wordnet() -> str:
    from metaphrase.lexicon import WordNet

    wordnet = WordNet.default()
    wordnet.verify()
    return f"{wordnet.name}@{wordnet.fingerprint}"


def _self_test() -> str:
    from metaphrase import TeslaM

    text = "The cat sat on the mat."
    score = float(TeslaM().sentence_score(text, [text]))
    if score != 1.0:
        raise ValueError(f"a sentence compared with itself scores {score}, not 1")
    return "a sentence compared with itself scores 1"


def _edit_models() -> str:
    from metaphrase.trained.edit_model import EditModel

    models = [EditModel.shipped(name) for name in ("pfsm", "ppda", "ppda+f")]
    return ", ".join(f"{model.name}@{model.fingerprint}" for model in models)


def _cache() -> Check:
    from metaphrase.analysis.cache import default_directory

    subject = "analysis cache"
    directory = default_directory()
    existing = next(folder for folder in (directory, *directory.parents) if os.path.exists(folder))
    if not (os.path.isdir(existing) and os.access(existing, os.W_OK | os.X_OK)):
        return Check(
            "note", subject, f"{directory} cannot be written: analyses of spaCy are not remembered"
        )
    size = sum(file.stat().st_size for file in directory.glob("analyses.sqlite*"))
    return Check("ok", subject, f"{directory}, {size / 1e6:.1f} MB")


def _files(paths: Sequence[str]) -> Iterator[Check]:
    from metaphrase.corpus.normalisation import is_blank, normalise
    from metaphrase.report.terminal.score_tables import counted

    counts: dict[str, int] = {}
    for path in paths:
        try:
            count, empty, long, seen, repeated = 0, [], [], set(), 0
            variants, decomposed, composed = [], [], False
            for count, text in enumerate(_texts(path), 1):
                if is_blank(text):
                    empty.append(count)
                if normalise(text) != text:
                    variants.append(count)
                if not text.isascii():
                    if not unicodedata.is_normalized("NFC", text):
                        decomposed.append(count)
                    composed |= not unicodedata.is_normalized("NFD", text)
                if len(text) > _LONG_LINE:
                    long.append(count)
                key = hash(text)
                repeated += key in seen
                seen.add(key)
        except MetaphraseError as error:
            yield Check("fail", path, str(error))
            continue
        counts[path] = count
        finding = f"{counted(count, 'segment')}, UTF-8"
        finding += f"; empty: {_numbers(empty)}" if empty else ""
        finding += f"; longer than {_LONG_LINE:,} characters: {_numbers(long)}" if long else ""
        finding += f"; {repeated:,} repeated" if repeated else ""
        finding += f"; changed by normalising: {_numbers(variants)}" if variants else ""
        form = "mixed normal forms, not NFC" if composed else "not NFC"
        finding += f"; {form}: {_numbers(decomposed)}" if decomposed else ""
        yield Check("note" if empty or long or variants else "ok", path, finding)
    if len(counts) > 1:
        equal = len(set(counts.values())) == 1
        yield Check(
            "ok" if equal else "fail",
            "all files",
            "have the same number of segments"
            if equal
            else f"have different lengths: {sorted(set(counts.values()))}",
        )


def _texts(path: str) -> Iterator[str]:
    """The segments of a file of any format; of tables, the first reference."""
    from metaphrase.corpus import open_jsonl, open_parquet, open_tsv
    from metaphrase.corpus.formats.conllu import is_named_conllu, read_analysed
    from metaphrase.corpus.lines import LineReader

    openers = {".tsv": open_tsv, ".jsonl": open_jsonl, ".parquet": open_parquet}
    suffix = next((suffix for suffix in openers if suffix in Path(path).suffixes), None)
    if is_named_conllu(path):
        yield from (row.text for row in read_analysed(path))
    elif suffix is not None:
        for piece in openers[suffix](path, empty_references="keep"):
            yield from piece.first_references
    else:
        with LineReader(path) as reader:
            yield from (line for _, line in reader)


def _numbers(lines: Sequence[int]) -> str:
    shown = ", ".join(map(str, lines[:5]))
    return f"{len(lines):,} (line {shown}{', …' if len(lines) > 5 else ''})"
