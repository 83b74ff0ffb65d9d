"""What all tests share.

Property tests do not judge time: a busy machine and a first run, which tabulates Unicode, pass too. They draw
the same examples in each run, so that a change that breaks nothing never fails; with METAPHRASE_RANDOM
(`make test-random`) they draw others.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings

from metaphrase.errors import ResourceError
from metaphrase.metrics import temporary_metrics
from metaphrase.shipped import is_installed

settings.register_profile(
    "patient",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="METAPHRASE_RANDOM" not in os.environ,
)
settings.load_profile("patient")
# Who runs tests in the background of a shell ignores Ctrl-C, and so would the programs that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
# What programs remember of tests is nobody's.
_CACHE = TemporaryDirectory(prefix="metaphrase-tests-")
os.environ["METAPHRASE_CACHE"] = _CACHE.name


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
