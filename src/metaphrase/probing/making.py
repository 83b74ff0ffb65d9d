"""Puts errors of known kinds into texts of one's own, so that any language with an analyser can be probed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from metaphrase.analysis import registry
from metaphrase.analysis.analyser import Analyser
from metaphrase.analysis.sentence import Sentence
from metaphrase.corpus.challenges import Challenge
from metaphrase.corpus.validation import checked_column
from metaphrase.errors import InputError, OptionError
from metaphrase.languages import known_language
from metaphrase.probing.kinds import KINDS
from metaphrase.probing.kinds.kind import Change, ErrorMaker, Found, Stock, pick
from metaphrase.probing.kinds.names import names_in
from metaphrase.probing.kinds.phrases import phrases_in
from metaphrase.probing.kinds.words import column
from metaphrase.statistics.resampling import SEED


@dataclass(frozen=True, slots=True)
class Made:
    """The items that were made, and of how many texts an error of each kind could be made."""

    items: tuple[Challenge, ...]
    texts: int
    counts: Mapping[str, int]

    def __repr__(self) -> str:
        """One line: how many items of which kind."""
        counts = ", ".join(f"{kind} {count}" for kind, count in self.counts.items())
        return f"<Made items={len(self.items)} of texts={self.texts}: {counts}>"


def kinds_of(language: str, *, analyser: str | None = None) -> tuple[str, ...]:
    """The kinds of errors that can be put into texts of a language.

    >>> metaphrase.probing.kinds_of("fi")
    ('numbers',)
    """
    base = known_language(language).base
    loaded = _analyser(base, analyser)
    return tuple(name for name, kind in KINDS.items() if not _lacks(kind, base, loaded))


def make_challenges(
    references: Sequence[str],
    translations: Sequence[str] | None = None,
    *,
    lang: str = "en",
    kinds: Sequence[str] | None = None,
    analyser: str | None = None,
    sources: Sequence[str] | None = None,
    seed: int = SEED,
    threads: int = 1,
) -> Made:
    """One error of each kind in each translation that it can be put into, or in each reference.

    ``kinds`` are all that the language has unless they are given. The same texts and seed give the same
    items, and what becomes of a text does not depend on which kinds there are besides. A text without words
    is passed over. Without ``translations``, a metric can only be blind to an error: no other text is better
    than the reference. Real translations ask more of it.

    >>> metaphrase.probing.make_challenges(["It costs 25 euros."], lang="en", kinds=["numbers"])
    <Made items=1 of texts=1: numbers 1>
    """
    references = checked_column("references", references, "text")
    if translations is not None:
        translations = checked_column("translations", translations, "text")
    if sources is not None:
        sources = checked_column("sources", sources, "text")
    texts = references if translations is None else translations
    for name, others in (("translations", translations), ("sources", sources)):
        if others is not None and len(others) != len(references):
            raise InputError(
                "MP102",
                f"there are {len(references):,} references and {len(others):,} {name}.",
                hint="Give one for each.",
            )
    base = known_language(lang).base
    loaded = _analyser(base, analyser)
    chosen = _chosen(kinds, base, lang, loaded)
    rows = [
        r for r, both in enumerate(zip(texts, references, strict=True)) if all(map(str.strip, both))
    ]
    sentences = _analysed([texts[row] for row in rows], chosen, loaded, threads)
    stock = _stock(base, sentences, chosen)
    items = []
    counts = {}
    for kind in chosen:
        spoilt = _spoilt(kind, sentences, rows, stock, loaded, seed, threads)
        counts[kind.name] = len(spoilt)
        items += [
            Challenge(
                kind=kind.name,
                severity=kind.severity,
                id=str(row + 1),
                source="" if sources is None else sources[row],
                reference=references[row],
                good=texts[row],
                bad=bad,
            )
            for row, bad in spoilt
        ]
    if not items:
        raise InputError(
            "MP764",
            f"none of {len(rows):,} texts has anything to put such an error into.",
            hint="Give more texts, or other kinds of errors.",
        )
    return Made(tuple(items), len(rows), counts)


def _analyser(base: str, name: str | None) -> Analyser | None:
    """The analyser asked for, or that of the language; ``None`` if there is none."""
    if name is not None:
        return registry.shared(name)
    return registry.shared(base) if base in registry.ALIASES else None


def _lacks(kind: ErrorMaker, base: str, analyser: Analyser | None) -> str:
    """What a kind of error lacks in a language; nothing if it can be made."""
    if kind.languages and base not in kind.languages:
        return f"has rules for {', '.join(kind.languages)} only"
    if not kind.columns:
        return ""
    if analyser is None:
        return "needs an analyser, and none ships for the language"
    missing = [name for name in kind.columns if name not in analyser.columns]
    return f"needs {', '.join(missing)}, which {analyser.name} does not give" if missing else ""


def _chosen(
    names: Sequence[str] | None, base: str, lang: str, analyser: Analyser | None
) -> list[ErrorMaker]:
    lacks = {name: _lacks(kind, base, analyser) for name, kind in KINDS.items()}
    possible = [name for name, lack in lacks.items() if not lack]
    for name in names or ():
        if name not in KINDS:
            raise OptionError(
                "MP761",
                f"there is no kind of error {name!r}.",
                hint=f"There are {', '.join(KINDS)}.",
            )
        if lacks[name]:
            raise OptionError(
                "MP762",
                f"{name} cannot be put into texts of language {lang!r}: it {lacks[name]}.",
                hint=f"There, {', '.join(possible)} can be made; other analysers go after --analyser.",
            )
    wanted = possible if names is None else names
    return [kind for name, kind in KINDS.items() if name in wanted]


def _analysed(
    texts: Sequence[str], kinds: Iterable[ErrorMaker], analyser: Analyser | None, threads: int
) -> Sequence[Sentence]:
    needed = {name for kind in kinds for name in kind.columns}
    if analyser is None or not needed:
        return [Sentence(text, form=(), start=(), end=()) for text in texts]
    needed |= {name for kind in kinds for name in kind.optional if name in analyser.columns}
    return list(analyser.analyse(texts, sorted(needed), threads=threads))


def _stock(base: str, sentences: Sequence[Sentence], kinds: Sequence[ErrorMaker]) -> Stock:
    """Names and phrases of all texts, each once."""
    names: dict[str, dict[Found, None]] = {}
    phrases: dict[Found, None] = {}
    verbs = set()
    wanted = {kind.name for kind in kinds}
    for sentence in sentences:
        if "names" in wanted:
            for _, name in names_in(sentence):
                names.setdefault(name.sort, {})[name] = None
        if "addition" in wanted:
            phrases.update(dict.fromkeys(phrases_in(sentence)))
        if sentence.upos is not None:
            pairs = zip(sentence.form, sentence.upos, strict=True)
            verbs |= {form.lower() for form, upos in pairs if upos in ("VERB", "AUX")}
    return Stock(
        base, {sort: list(found) for sort, found in names.items()}, list(phrases), frozenset(verbs)
    )


def _spoilt(
    kind: ErrorMaker,
    sentences: Sequence[Sentence],
    rows: Sequence[int],
    stock: Stock,
    analyser: Analyser | None,
    seed: int,
    threads: int,
) -> list[tuple[int, str]]:
    """The texts that have the error now, and their rows."""
    randoms = [Random(f"{seed} {kind.name} {row}") for row in rows]
    proposals = [
        list(kind.changes(sentence, stock, random))
        for sentence, random in zip(sentences, randoms, strict=True)
    ]
    proposals = _confirmed(proposals, sentences, analyser, threads)
    found = []
    for row, sentence, changes, random in zip(rows, sentences, proposals, randoms, strict=True):
        texts = [change.applied(sentence.text) for change in changes]
        texts = [text for text in texts if text.strip() and text != sentence.text]
        if texts:
            found.append((row, pick(texts, random)))
    return found


def _confirmed(
    proposals: Sequence[Sequence[Change]],
    sentences: Sequence[Sentence],
    analyser: Analyser | None,
    threads: int,
) -> list[list[Change]]:
    """Without the changes after which the analyser takes a changed word for another one."""
    pairs = [
        (sentence, change)
        for sentence, changes in zip(sentences, proposals, strict=True)
        for change in changes
        if change.word is not None
    ]
    if not pairs or analyser is None:
        return [list(changes) for changes in proposals]
    texts = [change.applied(sentence.text) for sentence, change in pairs]
    analysed = analyser.analyse(texts, ["lemma", "upos"], threads=threads)
    same = {
        (id(sentence), change)
        for (sentence, change), new in zip(pairs, analysed, strict=True)
        if _is_same_word(sentence, new, change)
    }
    return [
        [change for change in changes if change.word is None or (id(sentence), change) in same]
        for sentence, changes in zip(sentences, proposals, strict=True)
    ]


def _is_same_word(old: Sentence, new: Sentence, change: Change) -> bool:
    word = change.word
    assert word is not None
    if len(old.form) != len(new.form) or old.start[word] != new.start[word]:
        return False
    before, after = (column(one, "lemma")[word].lower() for one in (old, new))
    # A helping verb that no longer helps is still the same verb.
    sorts = {column(one, "upos")[word].replace("AUX", "VERB") for one in (old, new)}
    return len(sorts) == 1 and before == after
