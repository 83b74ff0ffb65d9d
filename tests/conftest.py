"""What all tests share.

Property tests do not judge time: a busy machine and a first run, which tabulates Unicode, pass too.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from metaphrase.metrics import available, registry

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


@pytest.fixture
def own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever metrics a test loads, the next one does not know them."""
    monkeypatch.setattr(registry, "_metrics", dict(available()))
