"""Training that was interrupted: what was known when it was, in a file of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from metaphrase.corpus.lines import FilePath
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError
from metaphrase.trained.checked_json import DamagedJsonError, parse_object, read_limited

FORMAT = "metaphrase training checkpoint"
VERSION = 1
#: Generous: thousands of evaluations of a hundred-odd weights, or the losses of a million translations.
_MOST_BYTES = 1 << 30


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A file that goes with one problem: ``problem`` says all that what is kept depends on."""

    path: FilePath
    problem: Mapping[str, Any]

    def save(self, state: Mapping[str, Any]) -> None:
        """Replace what the file says, whole or not at all."""
        body = json.dumps({"problem": self.problem, "state": state}, allow_nan=False)
        whole = f'{{"format": "{FORMAT}", "version": {VERSION}, "hash": "{_hash(body)}", "body":\n'
        with atomic_writer(self.path) as stream:
            stream.write(f"{whole}{body}\n}}\n".encode())

    def load(self) -> dict[str, Any]:
        """The state in the file, if it is of this very problem."""
        body = self._body()
        for name, value in self.problem.items():
            if body["problem"].get(name) != json.loads(json.dumps(value)):
                what = "data" if name == "data" else f"{name.replace('_', ' ')} "
                raise InputError(
                    "MP641",
                    f"The checkpoint is of a training with other {what.strip()}.",
                    path=self.path,
                    hint="Train with the same data and options, or without --resume and with another "
                    "checkpoint.",
                )
        state: dict[str, Any] = body["state"]
        return state

    def _body(self) -> dict[str, Any]:
        try:
            content = read_limited(self.path, _MOST_BYTES)
            whole = parse_object(content)
            if (whole.get("format"), whole.get("version")) != (FORMAT, VERSION):
                raise DamagedJsonError("it is none, or of another version")
            lines = content.decode().split("\n")
            body = whole.get("body")
            if len(lines) != 4 or whole.get("hash") != _hash(lines[1]) or not _is_body(body):
                raise DamagedJsonError("its content is not what was written")
        except OSError as error:
            raise self._unusable(f"it cannot be read: {error.strerror}") from None
        except DamagedJsonError as error:
            raise self._unusable(str(error)) from None
        found: dict[str, Any] = whole["body"]
        return found

    def _unusable(self, reason: str) -> InputError:
        return InputError(
            "MP640",
            f"Training cannot be resumed from the checkpoint: {reason}.",
            path=self.path,
            hint="Begin anew, without --resume.",
        )


def _is_body(found: object) -> bool:
    return isinstance(found, dict) and all(
        isinstance(found.get(part), dict) for part in ("problem", "state")
    )


def _hash(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()
