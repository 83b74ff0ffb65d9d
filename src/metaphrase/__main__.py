"""``python -m metaphrase`` is the command ``metaphrase``."""

import signal
import sys


def main() -> int:
    """Run the command line; the exit code."""
    # Until there is somebody to say that we were interrupted, it ends the process without a word.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        from metaphrase.cli import main as run
    except (ImportError, MemoryError) as error:
        return _failed_to_start(error)
    finally:
        signal.signal(signal.SIGINT, before)
    code = run()
    # What is left to be done is the interpreter's, which would show where in it we were interrupted.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return code


def _failed_to_start(error: ImportError | MemoryError) -> int:
    """Say that there is no room for the program itself; whatever else is wrong is shown as it is."""
    from metaphrase.memory import out_of_memory

    if (lack := out_of_memory(error)) is None:
        raise error
    if sys.stderr is not None:
        print(f"metaphrase: {lack}", file=sys.stderr)
    return 3


if __name__ == "__main__":
    sys.exit(main())
