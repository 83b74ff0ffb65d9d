"""Errors on their way through HTTP: the same codes as on the command line, with a status beside them."""

from __future__ import annotations

import errno
from typing import Any

from metaphrase.errors import InputError, MetaphraseError, ResourceError

#: What is not simply a wrong request.
_STATUS = {
    "MP822": 507,
    "MP824": 413,
    "MP825": 408,
    "MP827": 403,
    "MP828": 503,
    "MP829": 404,
    "MP830": 409,
    "MP831": 504,
    "MP832": 507,
    "MP833": 500,
    "MP834": 503,
    "MP837": 401,
    "MP699": 500,
}


#: How systems say that there is no room on the disk.
_FULL = (errno.ENOSPC, errno.EDQUOT)
#: And that the disk, or who may write to it, is at fault.
_UNUSABLE = (errno.EIO, errno.EROFS, errno.EACCES, errno.EPERM, errno.ESTALE)


def status_of(error: MetaphraseError) -> int:
    """The HTTP status that goes with the code."""
    return _STATUS.get(error.code, 400)


def to_record(error: MetaphraseError) -> dict[str, Any]:
    """The error as JSON."""
    return {name: getattr(error, name) for name in ("code", "message", "path", "line", "hint")}


def from_record(record: dict[str, Any]) -> MetaphraseError:
    """The error again, as it came from a worker."""
    return MetaphraseError(**record)


def not_found(what: str) -> InputError:
    """Something was asked for that is not there, or no longer."""
    return InputError("MP829", f"there is no {what}.", hint="It may have been deleted.")


def out_of_time(what: str, seconds: float) -> InputError:
    """A worker was stopped because it took too long."""
    return InputError(
        "MP831",
        f"{what} took longer than {seconds:g} seconds and was stopped.",
        hint="Give fewer segments or faster metrics, or start the server with a larger --time-limit.",
    )


def cannot_keep(what: str, error: OSError) -> ResourceError:
    """Something could not be written into the store."""
    hint = "Is the disk full?" if error.errno in _FULL else "May the server write to its folder?"
    return ResourceError("MP822", f"{what} cannot be kept: {error.strerror}.", hint=hint)


def coded(error: BaseException) -> MetaphraseError:
    """The error with a code: its own, that of a disk that cannot be used, or else that of a bug of ours.

    Its text may hold pieces of somebody's files, its type does not.
    """
    cause = error.__cause__ if isinstance(error, MetaphraseError) else error
    if isinstance(cause, OSError) and cause.errno in _FULL:
        return cannot_keep("the files or results", cause)
    if isinstance(error, MetaphraseError):
        return error
    if isinstance(error, OSError) and error.errno in _UNUSABLE:
        return cannot_keep("the files or results", error)
    return MetaphraseError(
        "MP699",
        f"this is a bug of ours: {type(error).__name__}.",
        hint="Please report it, with what `metaphrase score` says about the same files.",
    )
