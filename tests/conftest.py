"""Property tests do not judge time: a busy machine, or the first run, which tabulates Unicode, must pass too."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
