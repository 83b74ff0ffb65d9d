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
    "MP310": "There is no lexicon of that name.",
    # 4xx: matching kernels
    # 5xx: metrics and scoring
    "MP501": "A metric has no such option.",
    "MP502": "The metric cannot explain its scores.",
    "MP503": "A string was given where a list of texts is needed.",
    "MP504": "There is no metric of that name.",
    "MP505": "A metric specification is not written NAME:option=value.",
    "MP506": "An option's value is not of the option's type.",
    "MP507": "An option's value is not one of its choices.",
    "MP508": "An option's value is out of range.",
    "MP509": "There is no built-in analyser for the language.",
    "MP510": "A segment is too long to be explained word by word.",
    "MP511": "A tokeniser of sacreBLEU is unknown or would download a model.",
    "MP512": "There is no such level.",
    "MP513": "There are no segments to score.",
    "MP514": "No metric was asked for.",
    "MP515": "A metric was asked for twice.",
    "MP516": "Document scores were asked for without document ids.",
    "MP517": "Pieces of one corpus have different systems or references.",
    # 6xx: command line
    "MP601": "--corpus was given together with files of references or hypotheses.",
    "MP602": "No reference was given.",
    "MP603": "Two systems have the same name.",
    "MP604": "The texts to explain were given in two ways, or only one side of them.",
    "MP605": "There is no segment of that number.",
    "MP699": "Something unexpected happened: a bug of ours.",
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
