"""Findings made ready for people: located, filtered, suppressed, merged, ordered, named by fingerprints."""

from netlint.triage.result import CheckedCluster, Result, Suppressed
from netlint.triage.run import Options, check
from netlint.triage.selection import Selection, UnknownRuleError

__all__ = ["CheckedCluster", "Options", "Result", "Selection", "Suppressed", "UnknownRuleError", "check"]
