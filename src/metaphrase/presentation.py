"""What becomes of a result where it is looked at: HTML in a notebook, a data frame.

Results lie below the layers that draw them and know nothing of them. They ask here; the top of the package
says which module presents what (:func:`presented_by`), and that module, imported when it is first needed,
says how (:func:`presents`).
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

_Way = TypeVar("_Way", bound=Callable[[Any], Any])

_modules: dict[str, str] = {}
_ways: dict[tuple[str, type], Callable[[Any], Any]] = {}


def presented_by(**modules: str) -> None:
    """Say which module presents results in which form."""
    _modules.update(modules)


def presents(form: str, *kinds: type) -> Callable[[_Way], _Way]:
    """Decorator of a function that makes ``form`` of results of these kinds."""

    def remember(way: _Way) -> _Way:
        _ways.update({(form, kind): way for kind in kinds})
        return way

    return remember


def present(result: object, form: str) -> Any:
    """``result`` in one of the forms."""
    import_module(_modules[form])
    return next(_ways[form, kind] for kind in type(result).__mro__ if (form, kind) in _ways)(result)
