"""Checks made for a gate: what is wrong with each segment, and how that was found out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from metaphrase.checks import Finding, Pair, Severity, check_pairs, file_pairs
from metaphrase.checks import Settings as CheckSettings
from metaphrase.checks.terms.reading import read_glossaries
from metaphrase.corpus import Corpus
from metaphrase.corpus.units import UnitFile
from metaphrase.gate.snapshot import SegmentFinding
from metaphrase.version import __version__

Findings = tuple[SegmentFinding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checking:
    """Which checks are made, as a team's rules say; fields are those of :class:`metaphrase.checks.Settings`.

    ``glossary`` are files. ``source_language`` is for texts that do not say theirs.
    """

    off: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = field(default_factory=dict)
    glossary: tuple[str, ...] = ()
    max_characters: int | None = None
    max_ratio: float | None = None
    source_language: str = ""

    def settings(self, source_language: str, language: str) -> CheckSettings:
        """The settings for a pair of languages."""
        glossary = None
        if self.glossary:
            glossary = read_glossaries(self.glossary, source_language, language)
        return CheckSettings(
            off=self.off,
            only=self.only,
            severities=self.severity,
            glossary=glossary,
            max_characters=self.max_characters,
            max_ratio=self.max_ratio,
        )

    def signature(self) -> str:
        """What decides about findings, in a line; findings of another signature are not compared."""
        terms = sha256()
        for path in self.glossary:
            terms.update(Path(path).read_bytes())
        items = {
            "off": ",".join(sorted(self.off)),
            "only": ",".join(sorted(self.only)),
            "severity": ",".join(f"{name}={how}" for name, how in sorted(self.severity.items())),
            "glossary": terms.hexdigest()[:12] if self.glossary else "",
            "max_characters": self.max_characters,
            "max_ratio": self.max_ratio,
        }
        said = [f"{name}:{value}" for name, value in items.items() if value not in ("", None)]
        return "|".join(["checks", *said, f"version:{__version__}"])


def corpus_findings(corpus: Corpus, checking: Checking, language: str) -> list[Findings]:
    """The findings of each segment of a corpus that has sources, and one system."""
    ((_, hypotheses),) = corpus.systems.items()
    settings = checking.settings(checking.source_language, language)
    pairs = (
        Pair(source, target, checking.source_language, language, segment=number)
        for number, (source, target) in enumerate(
            zip(corpus.sources or (), hypotheses, strict=True), 1
        )
    )
    return [_short(findings) for _, findings in check_pairs(pairs, settings)]


def unit_findings(file: UnitFile, checking: Checking, language: str = "") -> dict[str, Findings]:
    """The findings of each unit of a localisation file by its id, with tags and limits of length."""
    pair = checking.source_language or file.source_language, file.target_language or language
    settings = checking.settings(*pair)
    pairs = file_pairs(file, source_language=pair[0], target_language=pair[1])
    return {p.unit or "": _short(findings) for p, findings in check_pairs(pairs, settings)}


def _short(findings: Iterable[Finding]) -> Findings:
    return tuple(SegmentFinding(one.code, one.severity, one.message) for one in findings)
