"""Property tests do not judge time: a busy machine and a first run, which tabulates Unicode, pass too."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
