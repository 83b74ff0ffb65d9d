"""URLs and e-mail addresses arrive unchanged, or in the reader's language."""

from __future__ import annotations

import pytest

from checks.conftest import Codes
from metaphrase.checks.addresses import addresses_in


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("See https://example.com/a?b=c#d.", ["https://example.com/a?b=c#d"]),
        ("(see www.example.com)", ["www.example.com"]),
        ("https://en.wikipedia.org/wiki/A_(b), and", ["https://en.wikipedia.org/wiki/A_(b)"]),
        ("访问https://example.com/a。谢谢", ["https://example.com/a"]),
        ("Mail me@example.org!", ["me@example.org"]),
        ("mailto:me@example.org", ["mailto:me@example.org"]),
        ("example.com/path is one", ["example.com/path"]),
        ("a scheme such as “https://”", []),
        ("a sentence.In another, 1/2", []),
    ],
)
def test_addresses_end_where_the_sentence_goes_on(text: str, found: list[str]) -> None:
    assert [address.text for address in addresses_in(text)] == found


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("at https://a.org/x", "bei https://a.org/x", []),
        ("at https://a.org/en/x", "bei https://a.org/de/x", []),
        ("at http://a.org/", "bei https://a.org", []),
        ("at https://a.org/x", "bei https://a.org/y", ["urls/changed"]),
        ("at https://a.org/x", "dort", ["urls/missing"]),
        ("there", "bei https://a.org/x", ["urls/added"]),
        ("to me@a.org", "an me@a.org", []),
        ("to me@a.org", "an you@a.org", ["emails/changed"]),
        ("to me@a.org", "an mich", ["emails/missing"]),
    ],
)
def test_an_address_that_leads_elsewhere_is_found(
    source: str, target: str, expected: list[str], codes: Codes
) -> None:
    assert [code for code in codes(source, target) if code[:4] in ("urls", "emai")] == expected
