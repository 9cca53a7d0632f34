"""Policies of every dialect in one ordered form, evaluated over the endpoints that are there and proved over all that
could be."""

from netlint.policy.analysis import PolicyAnalysis, Selection
from netlint.policy.classes import EndpointClass
from netlint.policy.endpoints import Ranges
from netlint.policy.form import (
    Action,
    Closing,
    Direction,
    Peer,
    Policy,
    PolicyObject,
    PolicySet,
    Ports,
    Rule,
    Tier,
    Verdict,
)
from netlint.policy.matrix import Cell, Row
from netlint.policy.outcome import Connection, Explanation, Side
from netlint.policy.proofs import Answer, Assumptions, Proved, Prover, Refuted, Unknown
from netlint.policy.readings import Readings
from netlint.policy.translate import translate, translate_one

__all__ = [
    "Action",
    "Answer",
    "Assumptions",
    "Cell",
    "Closing",
    "Connection",
    "Direction",
    "EndpointClass",
    "Explanation",
    "Peer",
    "Policy",
    "PolicyAnalysis",
    "PolicyObject",
    "PolicySet",
    "Ports",
    "Proved",
    "Prover",
    "Ranges",
    "Readings",
    "Refuted",
    "Row",
    "Rule",
    "Selection",
    "Side",
    "Tier",
    "Unknown",
    "Verdict",
    "translate",
    "translate_one",
]
