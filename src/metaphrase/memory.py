"""Memory that runs out shows itself in many ways; whoever tells of it needs one."""

from __future__ import annotations

import errno

from metaphrase.errors import ResourceError


def out_of_memory(error: BaseException) -> ResourceError | None:
    """The error to tell if it was memory that failed."""
    # A compiled library that is there but finds no room for itself cannot be imported.
    no_room = isinstance(error, ImportError) and (
        "failed to map segment" in str(error) or "cannot allocate memory" in str(error).lower()
    )
    no_pages = isinstance(error, OSError) and error.errno == errno.ENOMEM
    if not (isinstance(error, MemoryError) or no_room or no_pages):
        return None
    return ResourceError(
        "MP980",
        "there is not enough memory.",
        hint="Give fewer texts or metrics at a time, use fewer --threads, or score the corpus as a job.",
    )
