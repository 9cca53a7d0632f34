"""HYPOTHESIS_PROFILE=ci runs more examples, and other ones each time."""

import os

from hypothesis import HealthCheck, settings

_QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
settings.register_profile("default", max_examples=60, deadline=None, derandomize=True, suppress_health_check=_QUIET)
settings.register_profile("ci", max_examples=1000, deadline=None, suppress_health_check=_QUIET)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
