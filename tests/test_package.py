"""What a user imports, and what importing costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import metaphrase


def test_everything_promised_can_be_imported() -> None:
    for name in metaphrase.__all__:
        assert getattr(metaphrase, name) is not None
    with pytest.raises(AttributeError):
        metaphrase.no_such_name  # noqa: B018


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = (
        "import sys, metaphrase;"
        "print(*{'numpy', 'sacrebleu', 'rich', 'spacy', 'scipy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_tesla_m_needs_no_optional_package() -> None:
    code = (
        "import sys, metaphrase; metaphrase.TeslaM().sentence_score('a', ['b']);"
        "print(*{'sacrebleu', 'rich', 'spacy', 'scipy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
