"""Where things are in an mt-metrics-eval tree: folders and the names of their files.

The folder of a test set has ``sources/LP.txt``, ``documents/LP.docs``, ``references/LP.NAME.txt``,
``system-outputs/LP/SYSTEM.txt``, ``human-scores/LP.NAME.LEVEL.score`` and
``metric-scores/LP/NAME-REF.LEVEL.score``; LP is the language pair. Names of references have no dots or
dashes, so that a metric's name can be told from the references it used: one or several with dots between,
``src`` for none, ``all`` for all.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from metaphrase.corpus.formats.mtme.scores import Level, level_of
from metaphrase.corpus.formats.score_text import is_language_pair
from metaphrase.corpus.lines import FilePath
from metaphrase.errors import InputError
from metaphrase.languages import same_pair

#: Parts that every tree has, and parts that hold scores.
NEEDED = ("sources", "documents", "references", "system-outputs")
OPTIONAL = ("human-scores", "metric-scores")
#: What a metric can have used instead of references by name.
NO_REFERENCE, ALL_REFERENCES = "src", "all"


def check_tree(folder: FilePath) -> Path:
    """The folder, if it has all parts of a tree."""
    root = Path(folder)
    if not os.path.isdir(root):
        code = "MP167" if os.path.exists(root) else "MP110"
        raise InputError(
            code, "There is no such folder.", path=root, hint="Name the folder of a test set."
        )
    for part in NEEDED:
        if not os.path.isdir(root / part):
            raise InputError(
                "MP167",
                "This folder of an mt-metrics-eval tree is missing.",
                path=root / part,
                hint=f"The folder of a test set has {', '.join(NEEDED)}.",
            )
    return root


def language_pairs(folder: FilePath) -> tuple[str, ...]:
    """The language pairs of a test set: those that have sources."""
    names = [name for name in _files(check_tree(folder) / "sources") if name.endswith(".txt")]
    return tuple(name[:-4] for name in names if is_language_pair(name[:-4]))


def chosen_pair(root: Path, language_pair: str | None) -> str:
    """The language pair asked for, or the only one."""
    pairs = language_pairs(root)
    if language_pair is None and len(pairs) == 1:
        return pairs[0]
    alike = [pair for pair in pairs if language_pair and same_pair(pair, language_pair)]
    if language_pair not in pairs and len(alike) == 1:
        return alike[0]
    if language_pair is None or language_pair not in pairs:
        fault = "has no sources" if not pairs else "has several language pairs"
        raise InputError(
            "MP169",
            f"The tree {fault if language_pair is None else f'has no pair {language_pair}'}.",
            path=root,
            hint=f"Choose one of {', '.join(pairs)}." if pairs else "Add sources/LP.txt.",
        )
    return language_pair


def reference_files(root: Path, pair: str) -> dict[str, Path]:
    """The references of a language pair by name."""
    found = {}
    for name in _files(root / "references"):
        if not name.startswith(f"{pair}.") or not name.endswith(".txt"):
            continue
        reference = name[len(pair) + 1 : -len(".txt")]
        if not is_reference_name(reference):
            raise InputError(
                "MP168",
                f"{reference!r} cannot be the name of a reference.",
                path=root / "references" / name,
                hint="Names have no dots, dashes or blanks, and are not src or all.",
            )
        found[reference] = root / "references" / name
    if not found:
        raise InputError(
            "MP167",
            f"There is no reference of {pair}.",
            path=root / "references",
            hint=f"Add {pair}.NAME.txt.",
        )
    return found


def is_reference_name(name: str) -> bool:
    """Whether a metric's file can be named after a reference of that name."""
    reserved = (NO_REFERENCE, ALL_REFERENCES)
    return bool(name) and not set(name) & set(".-/ \t\r\n") and name not in reserved


def output_files(root: Path, pair: str) -> dict[str, Path]:
    """The systems' texts by system."""
    folder = root / "system-outputs" / pair
    found = {n[: -len(".txt")]: folder / n for n in _files(folder) if n.endswith(".txt")}
    if not found:
        raise InputError(
            "MP167", f"There is no system of {pair}.", path=folder, hint="Add SYSTEM.txt."
        )
    return found


def human_files(folder: FilePath, pair: str) -> dict[tuple[str, Level], Path]:
    """The files of human scores by name and level."""
    found: dict[tuple[str, Level], Path] = {}
    scores = Path(folder) / "human-scores"
    for name in _files(scores):
        if name.startswith(f"{pair}.") and name.endswith(".score"):
            path = scores / name
            stem, level = _stem_and_level(path)
            if len(stem) <= len(pair):
                raise _nameless(path, f"{pair}.NAME.LEVEL.score")
            found[stem[len(pair) + 1 :], level] = path
    return found


def metric_files(
    root: Path, pair: str, references: frozenset[str]
) -> dict[tuple[str, str, Level], Path]:
    """The files of metric scores by name, reference and level; ``references`` are all that there are."""
    found: dict[tuple[str, str, Level], Path] = {}
    folder = root / "metric-scores" / pair
    for name in _files(folder):
        if not name.endswith(".score"):
            continue
        path = folder / name
        stem, level = _stem_and_level(path)
        metric, _, used = stem.rpartition("-")
        if not metric:
            raise _nameless(path, "NAME-REF.LEVEL.score")
        unknown = sorted(used_references(used, references) - references)
        if unknown:
            raise InputError(
                "MP168",
                f"There is no reference {unknown[0]!r}.",
                path=path,
                hint=f"After the last dash stands src, all, or {' or '.join(sorted(references))}.",
            )
        found[metric, used, level] = path
    return found


def used_references(used: str, available: Iterable[str]) -> set[str]:
    """The references that a metric used, from the end of its file's name."""
    if used == ALL_REFERENCES:
        return set(available)
    return set() if used == NO_REFERENCE else set(used.split("."))


def document_fault(
    document: str, domain: str, before: str | None, domain_of: dict[str, str]
) -> str | None:
    """What is wrong with a segment of that document after one of ``before``; ``domain_of`` learns from it.

    A document is one run of segments of one domain.
    """
    if document != before and document in domain_of:
        return f"Document {document!r} has segments further up, too."
    if domain_of.setdefault(document, domain) != domain:
        return f"Document {document!r} is in two domains."
    return None


def _stem_and_level(path: Path) -> tuple[str, Level]:
    level = level_of(path.name)
    if level is None:
        raise _nameless(path, "NAME.LEVEL.score")
    return path.name[: -len(f".{level}.score")], level


def _nameless(path: Path, form: str) -> InputError:
    return InputError(
        "MP168",
        "The name does not say whose scores these are, or of what.",
        path=path,
        hint=f"Call it {form}; levels are sys, domain, doc and seg.",
    )


def _files(folder: Path) -> list[str]:
    """The names in a folder in order, without hidden ones; none if it is not there."""
    if not os.path.isdir(folder):
        return []
    try:
        names = [path.name for path in folder.iterdir()]
    except OSError as error:
        raise InputError(
            "MP112",
            f"The folder cannot be read: {error.strerror or error}.",
            path=folder,
            hint="Check its permissions.",
        ) from error
    return sorted(name for name in names if not name.startswith("."))
