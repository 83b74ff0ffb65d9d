"""Which sub-commands there are: every module of this package may have one, and so may distributions.

A command is called after its module, which is imported when the command is asked for, or all are listed.
That of a distribution is called after its entry point, of the group ``metaphrase.commands``, and imported
only when it is asked for.
"""

from __future__ import annotations

import argparse
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from metaphrase.entry_points import Origin, imported, installed, no_plugin, origin_of
from metaphrase.errors import OptionError, ResourceError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    Commands: TypeAlias = argparse._SubParsersAction[argparse.ArgumentParser]
AddArguments: TypeAlias = Callable[[argparse.ArgumentParser], None]

GROUP = "metaphrase.commands"


@dataclass(frozen=True, slots=True)
class Command:
    """What :func:`command` makes of a function; its parser is declared with ``about``."""

    add_arguments: AddArguments
    place: int
    about: Mapping[str, Any]

    def add_to(self, commands: Commands, name: str, **defaults: Any) -> None:
        """Declare the command and its arguments."""
        parser = commands.add_parser(name, **self.about)
        self.add_arguments(parser)
        parser.set_defaults(**defaults)


def command(*, place: int = 0, **about: Any) -> Callable[[AddArguments], Command]:
    """Decorator of the function ``add_arguments``, which says what is run: ``set_defaults(run=...)``.

    That is given the options, and returns the exit code. ``about`` the command is what argparse takes: a
    ``help`` of one line, a ``description``, an ``epilog`` with examples. Ours are listed by their ``place``.
    """
    return lambda add_arguments: Command(add_arguments, place, about)


def add_command(name: str, commands: Commands) -> bool:
    """Declare the command called ``name``, which is ours if we have one; False if nobody has."""
    if (ours := _own(name)) is not None:
        ours.add_to(commands, name)
    elif points := installed(GROUP).get(name):
        found, origin = command_of_others(name, points)
        try:
            found.add_to(commands, name, offered=(name, origin))
        except Exception as error:
            raise failure(error, name, origin) from error
    else:
        return False
    return True


def command_of_others(name: str, points: Sequence[EntryPoint]) -> tuple[Command, Origin]:
    """What distributions offer under a name, and where it is from; an error if it cannot be used."""
    if _own(name) is not None:
        raise OptionError(
            "MP523",
            f"{name!r} of {origin_of(points[0])} is the name of a command of metaphrase itself, too.",
            hint="Only that one is run; ask the authors for another name.",
        )
    found, origin = imported("command", name, points)
    if not isinstance(found, Command):
        fault = "it is no function under metaphrase.cli.command.command."
        raise no_plugin("command", name, points, origin, fault)
    return found, origin


def add_all_commands(commands: Commands) -> None:
    """Declare all commands of ours, and name those of others, of which nothing is imported."""
    ours = own_commands()
    for name, one in ours.items():
        one.add_to(commands, name)
    for name, points in installed(GROUP).items():
        if name not in ours:
            commands.add_parser(name, help=f"from {origin_of(points[0])}")


def own_commands() -> dict[str, Command]:
    """Ours by name, in the order in which they are listed."""
    found = {name: one for name in _modules() if (one := _own(name)) is not None}
    return dict(sorted(found.items(), key=lambda item: item[1].place))


def _own(name: str) -> Command | None:
    if name not in _modules():
        return None
    found = getattr(import_module(f"metaphrase.cli.{name}"), "add_arguments", None)
    return found if isinstance(found, Command) else None


def _modules() -> list[str]:
    return [
        module.name for module in pkgutil.iter_modules(import_module("metaphrase.cli").__path__)
    ]


def failure(error: Exception, name: str, origin: Origin) -> ResourceError:
    """``error`` said of a command of others."""
    return ResourceError(
        "MP526", f"the command {name} of {origin} failed: {type(error).__name__}: {error}."
    )
