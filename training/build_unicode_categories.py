"""Write the table of Unicode's numbers, punctuation and symbols that the core reads.

The source is the package ``regex``, which sacreBLEU's ``intl`` asks for ``\\p{N}``, ``\\p{P}``, ``\\p{S}``::

    python training/build_unicode_categories.py src/core/base/unicode_categories.hpp
"""

from __future__ import annotations

import re
import sys
from importlib.metadata import distribution
from itertools import groupby
from pathlib import Path

import regex

CATEGORIES = {"number": r"\p{N}", "punctuation": r"\p{P}", "symbol": r"\p{S}"}
RANGES_A_LINE = 3

HEADER = """\
// Numbers, punctuation and symbols of Unicode {version} (general categories N, P and S).
// Written by training/build_unicode_categories.py.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace metaphrase {{

enum class Category : std::uint8_t {{ other, number, punctuation, symbol }};

struct CategoryRange {{
  char32_t first, last;
  Category category;
}};

// clang-format off
inline constexpr CategoryRange category_ranges[] = {{
{ranges}
}};
// clang-format on

constexpr Category category_in_ranges(char32_t c) {{
  const auto* after =
      std::upper_bound(std::begin(category_ranges), std::end(category_ranges), c,
                       [](char32_t at, const CategoryRange& range) {{ return at < range.first; }});
  if (after == std::begin(category_ranges) || c > std::prev(after)->last) return Category::other;
  return std::prev(after)->category;
}}

// ASCII is looked up, as most text is.
inline constexpr auto ascii_categories = [] {{
  std::array<Category, 0x80> categories{{}};
  for (char32_t c = 0; c < categories.size(); ++c) categories[c] = category_in_ranges(c);
  return categories;
}}();

inline Category category(char32_t c) {{
  return c < ascii_categories.size() ? ascii_categories[c] : category_in_ranges(c);
}}

}}  // namespace metaphrase
"""


def main(output: Path) -> None:
    (version,) = re.findall(r"supports Unicode ([\d.]+\d)", _about("regex"))
    known = {name: regex.compile(pattern) for name, pattern in CATEGORIES.items()}

    def category(c: int) -> str:
        return next((name for name, pattern in known.items() if pattern.match(chr(c))), "")

    runs = groupby(range(sys.maxunicode + 1), category)
    ranges = [_range(name, list(run)) for name, run in runs if name]
    lines = (
        "  " + " ".join(ranges[at : at + RANGES_A_LINE])
        for at in range(0, len(ranges), RANGES_A_LINE)
    )
    output.write_text(HEADER.format(version=version, ranges="\n".join(lines)), encoding="utf-8")


def _about(package: str) -> str:
    return distribution(package).read_text("METADATA") or ""


def _range(name: str, run: list[int]) -> str:
    return f"{{0x{run[0]:X}, 0x{run[-1]:X}, Category::{name}}},"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
