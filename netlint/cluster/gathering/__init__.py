"""From objects and configuration to facts: small readers make claims, and one place weighs them."""

from netlint.cluster.gathering.resolving import gather

__all__ = ["gather"]
