"""One family of exceptions; every one carries a code that can be searched for.

Library code raises; only the command line prints and exits. ``CATALOGUE`` lists each code with the
sentence under which ``docs/errors.md`` explains it.
"""

from __future__ import annotations

from os import PathLike, fspath

CATALOGUE: dict[str, str] = {
    # 1xx: corpora and files
    # 2xx: analysis
    # 3xx: lexical resources
    # 4xx: matching kernels
    # 5xx: metrics and scoring
    # 6xx: command line
}


class MetaphraseError(Exception):
    """Something the user can mend: a code, where it happened, what is wrong and what to do.

    ``where`` names the file (and ``line``, counted from 1) or the segment at fault.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        path: str | PathLike[str] | None = None,
        line: int | None = None,
        hint: str | None = None,
    ) -> None:
        self.code = code
        self.message = message
        self.path = None if path is None else fspath(path)
        self.line = line
        self.hint = hint
        super().__init__(str(self))

    def __str__(self) -> str:
        place = "" if self.path is None else self.path
        if self.line is not None:
            place += f", line {self.line}" if place else f"line {self.line}"
        text = f"[{self.code}] " + (f"{place}: " if place else "") + self.message
        return text if self.hint is None else f"{text} {self.hint}"

    def __reduce__(self) -> tuple[object, ...]:
        state = (self.code, self.message, self.path, self.line, self.hint)
        return _rebuild, (type(self), *state)


def _rebuild(
    kind: type[MetaphraseError],
    code: str,
    message: str,
    path: str | None,
    line: int | None,
    hint: str | None,
) -> MetaphraseError:
    return kind(code, message, path=path, line=line, hint=hint)


class InputError(MetaphraseError):
    """The text, file or judgement given cannot be used as it is."""


class OptionError(MetaphraseError):
    """An option or a combination of options makes no sense."""


class ResourceError(MetaphraseError):
    """A model, lexicon or optional package is missing or damaged."""
