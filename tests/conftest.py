"""What all tests share.

Property tests do not judge time: a busy machine and a first run, which tabulates Unicode, pass too. They draw
the same examples in each run, so that a change that breaks nothing never fails; with METAPHRASE_RANDOM
(`make test-random`) they draw others.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings

from metaphrase.errors import ResourceError
from metaphrase.metrics import temporary_metrics
from metaphrase.shipped import is_installed

TESTS = Path(__file__).parent

settings.register_profile(
    "patient",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="METAPHRASE_RANDOM" not in os.environ,
)
settings.register_profile("quick", settings.get_profile("patient"), max_examples=20)
settings.load_profile("quick" if "METAPHRASE_QUICK" in os.environ else "patient")
# Who runs tests in the background of a shell ignores Ctrl-C, and so would the programs that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
# What programs remember of tests is nobody's.
_CACHE = TemporaryDirectory(prefix="metaphrase-tests-")
os.environ["METAPHRASE_CACHE"] = _CACHE.name


#: What `make quick` leaves out: it starts processes, loads large models or draws much work.
SLOW = {
    "matching/test_covering.py",
    "matching/test_edit_machine_long.py",
    "matching/test_edit_rate.py",
    "matching/test_meteor.py",
    "matching/test_soft_matches.py",
    "matching/test_transport.py",
    "matching/test_word_alignment_properties.py",
    "meta/test_shared_tasks.py",
    "metrics/test_accord_context.py",
    "metrics/test_accord_losses.py",
    "metrics/test_comparison.py",
    "metrics/test_explaining.py",
    "metrics/test_guests.py",
    "metrics/test_invariances.py",
    "metrics/test_text_table.py",
    "scoring/test_ranking.py",
    "scoring/test_refusals.py",
    "statistics/test_coefficients.py",
    "statistics/test_pairwise.py",
}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(TESTS) and item.path.relative_to(TESTS).as_posix() in SLOW:
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """Tests that read Czech are skipped where its package is not installed; `make test` installs it."""
    try:
        return (yield)
    except ResourceError as error:
        if error.code == "MP970" and not is_installed("metaphrase_czech"):
            pytest.skip(error.message)
        raise


@pytest.fixture
def own_registry() -> Iterator[None]:
    """Whatever metrics and formats a test loads, the next one does not know them."""
    with temporary_metrics():
        yield
