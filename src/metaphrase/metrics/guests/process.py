"""A guest as a process: started when it is first asked, given time to answer, and ended with its children."""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, Queue
from typing import IO

from metaphrase.errors import ResourceError
from metaphrase.metrics.guests.protocol import Answer, Hello, Row, read_answer, read_hello, request

#: Bytes of an answer: far more than the scores of any batch.
_LONGEST_LINE = 1 << 24
#: Lines of what it wrote to standard error that a message shows, and bytes of each.
_LINES_SHOWN = 6
_LONGEST_SHOWN = 300
#: Who says nothing for so long is no guest; a model may be loaded afterwards.
_HELLO_SECONDS = 60.0
_HELLO_HINT = "A guest says hello before it does anything else (docs/guests.md); is it one?"
_SLOW_HINT = "Give it more time (timeout=SECONDS), or less at once (batch=ROWS)."
#: How long a guest that has been told that nothing more comes may take to end.
_FAREWELL_SECONDS = 2.0
#: Hundredths of a second that the readers of a guest that was killed are waited for.
_READER_PATIENCE = 50
#: Nothing is downloaded: what a library does not find on this machine is not there.
OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
}


@dataclass(frozen=True, slots=True)
class Start:
    """How a guest is started: its words, no shell; ``name`` is what messages call it.

    ``isolated``: without what is set for our own interpreter, because it is another one.
    """

    name: str
    words: tuple[str, ...]
    isolated: bool = False

    def environment(self) -> dict[str, str]:
        """That of this process, offline."""
        found = {**os.environ, **OFFLINE, "PYTHONUTF8": "1", "TOKENIZERS_PARALLELISM": "false"}
        if self.isolated:
            for name in ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "VIRTUAL_ENV"):
                found.pop(name, None)
        return found


class GuestProcess:
    """A running guest; whatever goes wrong ends it, and the next question starts another."""

    def __init__(self, start: Start, *, timeout: float) -> None:
        self.start = start
        self._number = 0
        self._lock = threading.Lock()
        self._said: Queue[bytes | None] = Queue(maxsize=4)
        self._complaints: deque[str] = deque(maxlen=_LINES_SHOWN)
        self._closed = False
        try:
            self._process = subprocess.Popen(
                start.words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=start.environment(),
                # A group of its own: Ctrl-C is ours to pass on, and its children end with it.
                start_new_session=os.name == "posix",
            )
        except (OSError, ValueError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise ResourceError(
                "MP716",
                f"{start.name}: {start.words[0]!r} cannot be started: {reason}.",
                hint="Name a program of this machine; words are split as a shell does, without one.",
            ) from error
        self._readers = [
            threading.Thread(target=work, daemon=True) for work in (self._read, self._read_errors)
        ]
        for reader in self._readers:
            reader.start()
        try:
            patience = min(timeout, max(_HELLO_SECONDS, timeout / 10))
            self.hello: Hello = read_hello(self._next_line(patience, "to say hello", _HELLO_HINT))
        except BaseException as error:
            raise self._ended(error) from None

    @property
    def is_usable(self) -> bool:
        """Whether it can be asked something."""
        return not self._closed

    def ask(self, rows: Sequence[Row], *, timeout: float) -> Answer:
        """The scores of ``rows``; one question at a time, whichever thread asks."""
        with self._lock:
            self._number += 1
            question = request(self._number, rows)
            try:
                # It may not read while it writes; what comes back is read meanwhile.
                writer = threading.Thread(target=self._write, args=(question,), daemon=True)
                writer.start()
                line = self._next_line(timeout, f"for {len(rows)} rows", _SLOW_HINT)
                return read_answer(
                    line, self._number, rows, self.hello.bounds, spans=self.hello.spans
                )
            except BaseException as error:
                # Also on Ctrl-C: an answer that nobody reads would be taken for that of the next question.
                raise self._ended(error) from None

    def close(self) -> None:
        """Tell it that nothing more comes, and end it if it does not end by itself."""
        if self._closed:
            return
        self._closed = True
        _RUNNING.pop((os.getpid(), self.start), None)
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_FAREWELL_SECONDS)
        self._kill()

    def _kill(self) -> None:
        self._closed = True
        _RUNNING.pop((os.getpid(), self.start), None)
        with suppress(OSError):
            if os.name == "posix":
                # The whole group, even if its first process is gone: that one's children may not be.
                os.kill(-self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        # Readers come to the end now, unless somebody who left the group holds on to the pipes.
        for _ in range(_READER_PATIENCE):
            with suppress(Empty):  # one may wait for a place in the queue
                self._said.get_nowait()
            for reader in self._readers:
                reader.join(0.01)
            if not any(reader.is_alive() for reader in self._readers):
                for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
                    with suppress(OSError):
                        _stream(stream).close()
                return

    def _ended(self, error: BaseException) -> BaseException:
        """``error`` after the end of the guest, with its name and its last words."""
        exit_code = self._process.poll()
        self._kill()
        if not isinstance(error, ResourceError):
            return error
        message = f"{self.start.name}: {error.message}"
        if error.code == "MP717":
            exit_code = self._process.returncode if exit_code is None else exit_code
            message = f"{self.start.name}: {error.message} ({_exit(exit_code)})."
        if self._complaints and error.code != "MP722":  # of which it has said the reason
            message += f' Its last words: "{" / ".join(self._complaints)}".'
        kept = "What was scored before is kept: the next run goes on from there."
        return ResourceError(
            error.code, message, hint=error.hint or (kept if self._number else None)
        )

    def _next_line(self, timeout: float, what: str, hint: str) -> bytes:
        try:
            line = self._said.get(timeout=timeout)
        except Empty:
            raise ResourceError(
                "MP718",
                f"it took more than {timeout:g} s {what}.",
                hint=hint,
            ) from None
        if line is None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_FAREWELL_SECONDS)
            raise ResourceError("MP717", "it ended without an answer")
        if len(line) >= _LONGEST_LINE:
            raise ResourceError("MP719", "it wrote a line without an end.")
        return line

    def _read(self) -> None:
        stream = _stream(self._process.stdout)
        with suppress(OSError, ValueError):
            while line := stream.readline(_LONGEST_LINE):
                self._said.put(line)
        self._said.put(None)

    def _read_errors(self) -> None:
        stream = _stream(self._process.stderr)
        with suppress(OSError, ValueError):
            while line := stream.readline(1 << 16):
                # Progress bars overwrite their line: what is seen of it is the last state.
                shown = line.decode("utf-8", "replace").rstrip().rpartition("\r")[2].strip()
                if shown:
                    self._complaints.append(shown[:_LONGEST_SHOWN])

    def _write(self, question: bytes) -> None:
        stream = _stream(self._process.stdin)
        with suppress(OSError, ValueError):  # whoever waits for the answer finds out
            stream.write(question)
            stream.flush()


def _stream(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream


def _exit(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    with suppress(ValueError):
        return f"killed by {signal.Signals(-code).name}"
    return f"killed by signal {-code}"


#: By the process that started them: after a fork they are the parent's.
_RUNNING: dict[tuple[int, Start], GuestProcess] = {}
_LOCK = threading.Lock()


def running(start: Start, *, timeout: float) -> GuestProcess:
    """The guest of this process that was started so, started now if there is none."""
    with _LOCK:
        guest = _RUNNING.get((os.getpid(), start))
        if guest is None or not guest.is_usable:
            guest = GuestProcess(start, timeout=timeout)
            _RUNNING[os.getpid(), start] = guest
        return guest


@atexit.register
def close_all() -> None:
    """End all guests of this process."""
    for (process, _), guest in list(_RUNNING.items()):
        if process == os.getpid():
            guest.close()


def _forget() -> None:
    """In a child of this process: guests are its parent's, whose pipes it must not hold open."""
    global _LOCK
    _RUNNING.clear()
    _LOCK = threading.Lock()  # a thread that is not here may have held the other


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
