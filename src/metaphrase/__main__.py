"""``python -m metaphrase`` is the command ``metaphrase``."""

import sys

from metaphrase.cli import main

if __name__ == "__main__":
    sys.exit(main())
