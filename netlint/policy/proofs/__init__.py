"""Proofs about every endpoint that could be, with counterexamples that a person can read."""

from netlint.policy.proofs.answers import Answer, Proved, Refuted, Unknown
from netlint.policy.proofs.assumptions import Assumptions
from netlint.policy.proofs.prover import Prover

__all__ = ["Answer", "Assumptions", "Proved", "Prover", "Refuted", "Unknown"]
