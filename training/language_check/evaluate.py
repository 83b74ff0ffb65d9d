"""How often texts are taken for another language than theirs, and how often a wrong language is noticed.

    METAPHRASE_DATA=... python -m training.language_check.evaluate [--catalogues FOLDER]

Files of 50 segments and more, and draws of fewer segments, from texts that trained nothing. ``--catalogues``
adds the messages of programs: all gettext catalogues (.mo) below a folder such as /usr/share.
"""

from __future__ import annotations

import argparse
import random
import unicodedata
from collections.abc import Iterator
from gettext import GNUTranslations
from pathlib import Path

from training.language_check.texts import held_out_texts

from metaphrase.analysis.languages.recognition import NAMES, read
from metaphrase.analysis.languages.scripts import scripts_of

Text = tuple[str, str, list[str]]
#: What a text may be said to be in; Russian, Arabic and Greek are told by their scripts.
CLAIMS = (*NAMES, "ru", "ar", "el")
SAMPLE = 200
DRAWS = 20


def catalogues(folder: Path) -> Iterator[Text]:
    """The messages of programs as translated and, once for each program, in English."""
    seen = set()
    for path in sorted(folder.rglob("LC_MESSAGES/*.mo")):
        language = path.parts[-3].split(".")[0]
        if "@" in language or (path.name, language) in seen or not scripts_of(language):
            continue
        seen.add((path.name, language))
        with path.open("rb") as stream:
            try:
                messages = GNUTranslations(stream)._catalog  # type: ignore[attr-defined]
            except (OSError, ValueError, IndexError):
                continue
        pairs = [(k[0] if isinstance(k, tuple) else k, v) for k, v in messages.items() if k and v]
        if (path.name, "en") not in seen:
            seen.add((path.name, "en"))
            yield path.name, "en", [message for message, _ in pairs]
        yield path.name, language, [translated for _, translated in pairs]


def whole_files(texts: list[Text]) -> None:
    """Files as users have them."""
    alarms, noticed, claimed, files = [], 0, 0, 0
    for name, language, segments in texts:
        if len(segments) < 50:
            continue
        files += 1
        reading = read(segments[:: -(-len(segments) // SAMPLE)])
        if (misfit := reading.misfit(language)) is not None:
            alarms.append(f"{name} ({language}) {misfit}")
        others = [claim for claim in CLAIMS if claim != language.split("_")[0]]
        claimed += len(others)
        noticed += sum(reading.misfit(claim) is not None for claim in others)
    print(
        f"{files} files: {len(alarms)} false alarms; {noticed} of {claimed} wrong languages noticed"
    )
    print(*(f"  {alarm}\n" for alarm in alarms), sep="", end="")


def draws(texts: list[Text], size: int) -> None:
    """A few segments of each file, one after the other."""
    generator = random.Random(1)
    drawn = alarms = noticed = 0
    for _, language, segments in texts:
        for _ in range(DRAWS if len(segments) >= size else 0):
            first = generator.randrange(len(segments) - size + 1)
            reading = read(segments[first : first + size])
            drawn += 1
            alarms += reading.misfit(language) is not None
            claim = generator.choice([claim for claim in CLAIMS if claim != language])
            noticed += reading.misfit(claim) is not None
    print(f"{drawn} draws of {size}: {alarms} false alarms; {noticed / drawn:.2%} noticed")


def plain_letters(text: str) -> str:
    """The text without anything above or below its letters, as some people type."""
    split = unicodedata.normalize("NFD", text)
    return "".join(c for c in split if not unicodedata.combining(c))


def main() -> None:
    """Print the figures of the card."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--catalogues", type=Path)
    folder = parser.parse_args().catalogues
    texts = list(held_out_texts())
    whole_files(texts)
    for size in (1, 3, 5, 10):
        draws(texts, size)
    print("without accents:")
    whole_files([(name, code, [*map(plain_letters, some)]) for name, code, some in texts])
    if folder is not None:
        print("messages of programs:")
        whole_files(list(catalogues(folder)))


if __name__ == "__main__":
    main()
