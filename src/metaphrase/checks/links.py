"""The checks of URLs and e-mail addresses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from metaphrase.checks.addresses import addresses_in, missing_and_added
from metaphrase.checks.check import Check, by_pair
from metaphrase.checks.copied_pieces import disagreements
from metaphrase.checks.finding import Finding, Kind
from metaphrase.checks.pair import Pair


def _kinds(name: str, what: str) -> tuple[Kind, Kind, Kind]:
    return (
        Kind(f"{name}/missing", "major", f"{what} of the source is missing"),
        Kind(f"{name}/added", "major", f"{what} that the source does not have"),
        Kind(f"{name}/changed", "critical", f"{what} leads somewhere else"),
    )


def _finder(kind: str, kinds: tuple[Kind, Kind, Kind]) -> Callable[[Pair], Iterable[Finding]]:
    lacking, superfluous, changed = kinds

    def find(pair: Pair) -> Iterator[Finding]:
        if not any(sign in pair.source + pair.target for sign in ("@", "/", "www.")):
            return
        source, target = (
            [address for address in addresses_in(text) if address.kind == kind]
            for text in (pair.source, pair.target)
        )
        missing, added = missing_and_added(source, target)
        yield from disagreements(
            missing, added, lacking=lacking, superfluous=superfluous, changed=changed
        )

    return find


_URL_KINDS = _kinds("urls", "a URL")
_EMAIL_KINDS = _kinds("emails", "an e-mail address")
URLS = Check(
    "urls",
    "inconsistent-entities",
    "addresses of pages",
    _URL_KINDS,
    by_pair(_finder("url", _URL_KINDS)),
)
EMAILS = Check(
    "emails",
    "inconsistent-entities",
    "e-mail addresses",
    _EMAIL_KINDS,
    by_pair(_finder("email", _EMAIL_KINDS)),
)
