"""Any spaCy pipeline that is installed, behind the interface of an analyser.

Only those components run that the asked columns need. What a component needs is taken from what it
declares (``assigns`` and ``requires`` of its factory) and from what spaCy's own components leave
undeclared; a custom component that declares nothing is always run, after everything before it, so
that a cell is the same whatever else is asked for.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

from metaphrase.analysis.analyser import requested_columns
from metaphrase.analysis.sentence import BASE_COLUMNS, Batch, Sentence
from metaphrase.errors import InputError, ResourceError, excerpt
from metaphrase.extras import not_installed

#: What a column is made of, in spaCy's words.
_ATTRIBUTE = {
    "lemma": "token.lemma",
    "tag": "token.tag",
    "upos": "token.pos",
    "head": "token.head",
    "relation": "token.dep",
    "entity": "doc.ents",
}
#: Two names for one thing, of which components declare one or the other.
_SYNONYM = {
    "token.ent_type": "doc.ents",
    "token.ent_iob": "doc.ents",
    "token.is_sent_start": "doc.sents",
}
#: Keys of matcher patterns that look at what another component assigned.
_PATTERN_KEY = {
    "TAG": "token.tag",
    "POS": "token.pos",
    "MORPH": "token.morph",
    "LEMMA": "token.lemma",
    "DEP": "token.dep",
    "ENT_TYPE": "doc.ents",
    "ENT_IOB": "doc.ents",
    "SENT_START": "doc.sents",
    "IS_SENT_START": "doc.sents",
}


class SpacyAnalyser:
    """A loaded pipeline ``nlp``; relation labels and entity types are those of the pipeline.

    White-space tokens are left out, and what hung on one hangs on its head. ``entity`` is the type
    of the entity that a token is part of, or ``O``. The columns are those that components declare
    to assign.
    """

    def __init__(self, nlp: Any, name: str) -> None:
        self.name = name
        self._nlp = nlp
        self._components = [_component(nlp, pipe) for pipe in nlp.pipe_names]
        assigned = frozenset[str]().union(*(part.assigns for part in self._components))
        found = [column for column, attribute in _ATTRIBUTE.items() if attribute in assigned]
        self.columns = frozenset(BASE_COLUMNS).union(found)

    @classmethod
    def load(cls, pipeline: str) -> SpacyAnalyser:
        """The installed pipeline of this name, or the one saved in this directory."""
        spacy = _import_spacy()
        try:
            nlp = spacy.load(pipeline)
        except Exception as error:
            installed = sorted(spacy.util.get_installed_models())
            raise ResourceError(
                "MP264",
                f"spaCy cannot load the pipeline {pipeline!r}: {str(error).rstrip('.')}.",
                hint=f"Installed are: {', '.join(installed) or 'none'}. "
                f"To install it: python -m spacy download {pipeline}",
            ) from error
        return cls(nlp, f"spacy:{pipeline}")

    def fingerprint(self, columns: Collection[str]) -> str:
        """From name and version if the pipeline is an installed package, else from its content."""
        return self._identity

    @cached_property
    def _identity(self) -> str:
        spacy = _import_spacy()
        nlp, meta = self._nlp, self._nlp.meta
        identity = [spacy.__version__, meta["lang"], meta["name"], meta["version"], nlp.pipe_names]
        digest = blake2b(json.dumps(identity).encode(), digest_size=8)
        package = f"{meta['lang']}_{meta['name']}"
        # A pipeline trained further keeps the name, so what counts is where it was loaded from.
        packaged = nlp.path is not None and spacy.util.is_package(package)
        if not packaged or spacy.util.get_package_path(package) not in Path(nlp.path).parents:
            for part in _content(nlp):
                digest.update(part)
        return digest.hexdigest()

    def analyse(self, texts: Sequence[str], columns: Collection[str], *, threads: int = 1) -> Batch:
        """Run the components that ``columns`` need; spaCy keeps to one thread."""
        names = requested_columns(self, columns)
        limit = self._nlp.max_length
        for text in texts:
            if len(text) > limit or not _is_unicode(text):
                raise InputError(
                    "MP265",
                    f"the text {excerpt(text)} cannot be analysed by {self.name!r}: it must "
                    f"be valid Unicode of {limit} characters at most, and has {len(text)}.",
                )
        idle = set(self._nlp.pipe_names) - self.components(names)
        docs = self._nlp.pipe(texts, disable=sorted(idle))
        return Batch.pack((_sentence(doc, names) for doc in docs), names)

    def components(self, columns: Collection[str]) -> frozenset[str]:
        """The names of the components that have to run for ``columns``."""
        needed = {_ATTRIBUTE[name] for name in columns if name in _ATTRIBUTE}
        kept: set[str] = set()
        everything = False
        for part in reversed(self._components):
            if part.listeners is not None:
                wanted = not kept.isdisjoint(part.listeners)
            else:
                wanted = part.always or not needed.isdisjoint(part.assigns)
            if wanted or everything:
                kept.add(part.name)
                needed |= part.requires
                everything |= part.opaque
        return frozenset(kept)


@dataclass(frozen=True, slots=True)
class _Component:
    """What is known of one component; an ``opaque`` one may read all that was assigned before."""

    name: str
    assigns: frozenset[str]
    requires: frozenset[str]
    always: bool = False
    opaque: bool = False
    #: Components that read the vectors of this one; ``None`` for one that shares no vectors.
    listeners: frozenset[str] | None = None


def _component(nlp: Any, name: str) -> _Component:
    component, meta = nlp.get_pipe(name), nlp.get_pipe_meta(name)
    assigns = {_SYNONYM.get(attribute, attribute) for attribute in meta.assigns}
    requires = {_SYNONYM.get(attribute, attribute) for attribute in meta.requires}
    opaque = False
    if meta.factory == "attribute_ruler":
        for rule in component.patterns:
            assigns |= {_PATTERN_KEY.get(str(key).upper(), str(key)) for key in rule["attrs"]}
            for pattern in rule["patterns"]:
                requires |= _pattern_requirements(pattern)
        opaque = "*" in requires
    elif meta.factory in ("entity_ruler", "future_entity_ruler", "span_ruler"):
        for rule in component.patterns:
            requires |= _pattern_requirements(rule["pattern"])
        opaque = "*" in requires
    elif meta.factory == "lemmatizer":
        if component.mode != "lookup":
            requires |= {"token.pos", "token.morph"}
    elif meta.factory in ("ner", "beam_ner", "parser", "beam_parser"):
        # Neither entities nor parses cross a sentence boundary that was set before.
        requires.add("doc.sents")
    elif not (assigns or requires or meta.retokenizes):
        opaque = True
    listeners = getattr(component, "listening_components", None)
    return _Component(
        name,
        frozenset(assigns),
        frozenset(requires),
        # What changes the tokens changes every column; what declares no effect may have any.
        always=meta.retokenizes or opaque or not (assigns or meta.factory == "attribute_ruler"),
        opaque=opaque,
        listeners=None if listeners is None else frozenset(listeners),
    )


def _pattern_requirements(pattern: str | Iterable[dict[Any, Any]]) -> set[str]:
    """What a matcher pattern looks at; ``*`` for extension attributes, which anything may set."""
    if isinstance(pattern, str):
        return set()
    keys = {str(key).upper() for token in pattern for key in token}
    found = {_PATTERN_KEY[key] for key in keys if key in _PATTERN_KEY}
    return found | {"*"} if "_" in keys else found


def _sentence(doc: Any, names: Collection[str]) -> Sentence:
    tokens = [token for token in doc if not token.is_space]
    cells: dict[str, tuple[Any, ...]] = {
        "form": tuple(token.text for token in tokens),
        "start": tuple(token.idx for token in tokens),
        "end": tuple(token.idx + len(token) for token in tokens),
    }
    if "lemma" in names:
        cells["lemma"] = tuple(token.lemma_ for token in tokens)
    if "tag" in names:
        cells["tag"] = tuple(token.tag_ for token in tokens)
    if "upos" in names:
        cells["upos"] = tuple(token.pos_ for token in tokens)
    if "entity" in names:
        cells["entity"] = tuple(token.ent_type_ or "O" for token in tokens)
    if "head" in names or "relation" in names:
        position = {token.i: number for number, token in enumerate(tokens, 1)}
        arcs = [_arc(token, position) for token in tokens]
        cells["head"] = tuple(head for head, _ in arcs)
        cells["relation"] = tuple(relation for _, relation in arcs)
    return Sentence(doc.text, **{name: cells[name] for name in names})


def _arc(token: Any, position: dict[int, int]) -> tuple[int, str]:
    """Head and relation among the tokens of ``position``, past those that are left out."""
    ancestor = token
    while ancestor.head.i != ancestor.i:
        ancestor = ancestor.head
        if ancestor.i in position:
            return position[ancestor.i], token.dep_
    return 0, ancestor.dep_


def _content(nlp: Any) -> Iterator[bytes]:
    if nlp.path is None:
        # Not the vocabulary, which grows with every text.
        yield nlp.to_bytes(exclude=["vocab"])
        return
    root = Path(nlp.path)
    for path in sorted(root.rglob("*")):
        if path.is_file():
            yield path.relative_to(root).as_posix().encode()
            yield path.read_bytes()


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _import_spacy() -> Any:
    try:
        return importlib.import_module("spacy")
    except ImportError as error:
        raise not_installed(f"spaCy cannot be imported ({error}).", "spacy") from error
