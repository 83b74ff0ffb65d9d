"""What installed distributions offer: metrics, formats and commands of others, by entry points.

Nothing of a distribution is imported before somebody asks for what it offers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metaphrase.errors import OptionError, ResourceError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a metric, format or command comes from that is not ours.

    That is a distribution and its version, or a file (``path``) and the hash of its content.
    """

    name: str
    fingerprint: str
    path: str | None = None

    def __str__(self) -> str:
        return f"{self.name}@{self.fingerprint}"


def installed(group: str) -> dict[str, list[EntryPoint]]:
    """The entry points of a group by name; there is more than one if distributions clash."""
    from importlib.metadata import entry_points  # only those who look for plug-ins pay for it

    found: dict[str, list[EntryPoint]] = {}
    for point in sorted(
        entry_points(group=group), key=lambda point: (point.name, origin_of(point).name)
    ):
        found.setdefault(point.name, []).append(point)
    return found


def origin_of(point: EntryPoint) -> Origin:
    """The distribution that an entry point belongs to, with its version."""
    if point.dist is None:
        return Origin(point.module, "unknown")
    return Origin(point.dist.name, point.dist.version)


def imported(kind: str, name: str, points: Sequence[EntryPoint]) -> tuple[Any, Origin]:
    """What is called ``name``, which must have one entry point, and where it is from."""
    if len(points) > 1:
        origins = " and ".join(str(origin_of(point)) for point in points)
        raise OptionError(
            "MP523", f"{origins} both have a {kind} called {name!r}.", hint="Uninstall one."
        )
    (point,) = points
    origin = origin_of(point)
    try:
        return point.load(), origin
    except (Exception, SystemExit) as error:
        raise ResourceError(
            "MP525",
            f"the {kind} {name!r} of {origin} cannot be imported: {type(error).__name__}: {error}.",
            hint="Install the distribution again, or ask its authors.",
        ) from error


def no_plugin(
    kind: str, name: str, points: Sequence[EntryPoint], origin: Origin, fault: str
) -> ResourceError:
    """The error for an entry point that offers something else."""
    return ResourceError(
        "MP524",
        f"{points[0].value}, the {kind} {name!r} of {origin}, is none: {fault}",
        hint="Ask its authors.",
    )
