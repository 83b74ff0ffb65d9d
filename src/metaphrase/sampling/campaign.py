"""What judges are asked: items with ids that tell nothing, shared out, and those that control quality."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from metaphrase.corpus import Corpus
from metaphrase.corpus.formats.judged.sample_key import SampleKey
from metaphrase.corpus.ratings import Item, Protocol
from metaphrase.errors import OptionError
from metaphrase.sampling.control_items import default_count, degraded, drawn


@dataclass(frozen=True, slots=True)
class Campaign:
    """All items, which the key explains, and the items of each judge in the order in which they are shown."""

    key: SampleKey
    tasks: Mapping[str, tuple[Item, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignOptions:
    """How a campaign is made up.

    judges:   names of the judges, each of whom gets a task
    each_by:  how many of them judge each item (default: all)
    degraded: degraded copies for each judge (default: a tenth of the items, at least 5)
    repeats:  items that each judge is shown twice; likewise
    """

    name: str
    language_pair: str
    protocol: Protocol = "esa"
    judges: Sequence[str] = ("judge-1",)
    each_by: int | None = None
    degraded: int | None = None
    repeats: int | None = None
    seed: int = 12345

    def __post_init__(self) -> None:
        if not self.judges or len(set(self.judges)) < len(self.judges):
            raise OptionError("MP786", "every judge needs a name of their own.")
        if self.each_by is not None and self.each_by > len(self.judges):
            raise OptionError(
                "MP788",
                f"{self.each_by} judges for each item are more than there are.",
                hint=f"There are {len(self.judges)}.",
            )


def make_campaign(
    corpus: Corpus, cells: Sequence[tuple[int, int]], options: CampaignOptions
) -> Campaign:
    """The campaign of the translations in ``cells``: segments and systems of the corpus, by position."""
    random = np.random.Generator(np.random.PCG64(options.seed))
    # What is shown together is read in the order of the text, whatever was chosen first.
    targets = [_target(corpus, segment, system) for segment, system in sorted(cells)]
    given = _shared_out(targets, options, random)
    copies: dict[tuple[str, str], Item] = {}
    shown: dict[str, list[Item]] = {}
    others = _texts_of_systems(corpus)
    for judge, items in given.items():
        usual = default_count(len(items))
        count = usual if options.degraded is None else options.degraded
        worse = drawn(items, count, random)
        again = drawn(items, usual if options.repeats is None else options.repeats, random)
        for item in worse:
            if ("degraded", item.id) not in copies:
                target = options.language_pair.rpartition("-")[2]
                rest = [text for text in others[item.system] if text != item.hypothesis]
                text = degraded(item.hypothesis, rest, target, random)
                copies["degraded", item.id] = replace(
                    item, id="", kind="degraded", of=item.id, hypothesis=text
                )
        for item in again:
            copies.setdefault(("repeat", item.id), replace(item, id="", kind="repeat", of=item.id))
        controls = [copies["degraded", item.id] for item in worse]
        controls += [copies["repeat", item.id] for item in again]
        shown[judge] = _mixed(items, controls, random)
    return _with_ids(targets, list(copies.values()), shown, options, random)


def _target(corpus: Corpus, segment: int, system: int) -> Item:
    name = list(corpus.systems)[system]
    row = corpus[segment]
    number = str(segment + 1)
    return Item(
        f"{name}\t{number}",
        name,
        row.document or "",
        row.id or number,
        source=row.source or "",
        hypothesis=row.hypotheses[name],
        references=row.references,
    )


def _texts_of_systems(corpus: Corpus) -> dict[str, list[str]]:
    return {
        name: [text for text in dict.fromkeys(texts) if text.strip()]
        for name, texts in corpus.systems.items()
    }


def _shared_out(
    targets: Sequence[Item], options: CampaignOptions, random: np.random.Generator
) -> dict[str, list[Item]]:
    """The items of each judge: those of one document by one system stay together."""
    blocks: dict[tuple[str, str], list[Item]] = {}
    for item in targets:
        place = item.document or item.segment
        blocks.setdefault((place, item.system), []).append(item)
    given: dict[str, list[Item]] = {judge: [] for judge in options.judges}
    whole = list(blocks.values())
    for number in random.permutation(len(whole)).tolist():
        tie = random.random(len(given))
        counts = np.array([len(given[judge]) for judge in options.judges])
        for judge in np.lexsort((tie, counts)).tolist()[: options.each_by or len(given)]:
            given[options.judges[judge]] += whole[number]
    if any(not items for items in given.values()):
        raise OptionError(
            "MP788",
            f"there are fewer blocks of items than judges ({len(blocks)}).",
            hint="Choose more segments, or fewer judges.",
        )
    return given


def _mixed(
    items: Sequence[Item], controls: Sequence[Item], random: np.random.Generator
) -> list[Item]:
    """The items with control items between blocks, none right beside what it is a copy of."""
    blocks: list[list[Item]] = []
    for item in items:
        if (
            blocks
            and (blocks[-1][-1].document, blocks[-1][-1].system) == (item.document, item.system)
            and item.document
        ):
            blocks[-1].append(item)
        else:
            blocks.append([item])
    for control in controls:
        places = [
            place
            for place in range(len(blocks) + 1)
            if all(
                control.of != one.id and (one.of is None or one.of != control.of)
                for block in blocks[max(place - 1, 0) : place + 1]
                for one in block
            )
        ]
        place = int(random.choice(places)) if places else len(blocks)
        blocks.insert(place, [control])
    return [item for block in blocks for item in block]


def _with_ids(
    targets: Sequence[Item],
    copies: Sequence[Item],
    shown: Mapping[str, Sequence[Item]],
    options: CampaignOptions,
    random: np.random.Generator,
) -> Campaign:
    """Everything with its final id: numbers in random order, which say nothing about systems."""
    everything = [*targets, *copies]
    numbers = (random.permutation(len(everything)) + 1).tolist()
    # Without zeros in front, which spreadsheet programs take away.
    ids = {
        (item.kind, item.of or item.id): str(number)
        for item, number in zip(everything, numbers, strict=True)
    }

    def final(item: Item) -> Item:
        of = None if item.of is None else ids["target", item.of]
        return replace(item, id=ids[item.kind, item.of or item.id], of=of)

    key = SampleKey(
        options.name,
        options.language_pair,
        options.protocol,
        tuple(sorted((final(item) for item in everything), key=lambda item: int(item.id))),
    )
    return Campaign(key, {judge: tuple(map(final, items)) for judge, items in shown.items()})
