"""What all encoders have in common: a file that is mapped into memory, and what it says of itself."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from metaphrase.corpus.lines import FilePath
from metaphrase.errors import ResourceError

_HINT = "Make or fetch the encoder again."


class _Described(Protocol):
    @property
    def fingerprint(self) -> int: ...
    @property
    def licence(self) -> str: ...
    @property
    def about(self) -> str: ...


Core = TypeVar("Core", bound=_Described)


class MappedModel(Generic[Core]):
    """A model to be asked, read-only; any number of threads may share it.

    The file is mapped into memory. Opening checks everything that a result relies on, so that a truncated
    or damaged file raises ``ResourceError``. It must not be overwritten in place while it is open.
    """

    def __init__(self, model: Core, path: Path) -> None:
        """Use :meth:`open`."""
        self._core = model
        self.path = path

    @property
    def name(self) -> str:
        """What signatures call it."""
        return self.path.stem

    @property
    def fingerprint(self) -> str:
        """The first 12 hexadecimal digits of the content's checksum."""
        return f"{self._core.fingerprint:016x}"[:12]

    @property
    def licence(self) -> str:
        """Under which the weights may be used."""
        return self._core.licence

    @property
    def about(self) -> str:
        """What its makers say of it."""
        return self._core.about


def map_model(read: Callable[[bytes], Core], path: FilePath) -> Core:
    """What ``read`` makes of the file; an unusable one is a ``ResourceError``."""
    # Asked first because opening a pipe would wait for its writer.
    if not Path(path).is_file():
        raise ResourceError("MP691", "There is no such encoder.", path=path, hint=_HINT)
    try:
        return read(os.fsencode(path))
    except OSError as error:
        reason = f"{error.strerror or error}."
        raise ResourceError("MP691", reason, path=path, hint=_HINT) from error
    except ValueError as error:
        raise ResourceError("MP692", f"{error}.", path=path, hint=_HINT) from error
