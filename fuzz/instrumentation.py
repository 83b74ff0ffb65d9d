"""The package with counters at its branches; to be imported before anything of the package is."""

from __future__ import annotations

import io
import pkgutil
from contextlib import redirect_stderr, suppress
from importlib import import_module
from typing import Any

#: Modules that do something when they are imported, or that are only imported by other programs.
_NOT_IMPORTED = ("metaphrase.__main__", "metaphrase.interchange.metaphrase_evaluate")


def instrumented() -> Any:
    """Atheris, when all modules of the package are imported and instrumented; None if it is not installed."""
    try:
        import atheris
    except ImportError:
        return None
    with redirect_stderr(io.StringIO()), atheris.instrument_imports(include=["metaphrase"]):
        package = import_module("metaphrase")
        for module in pkgutil.walk_packages(package.__path__, "metaphrase."):
            if module.name not in _NOT_IMPORTED:
                with suppress(ImportError):  # of an extra that is not installed
                    import_module(module.name)
    return atheris
