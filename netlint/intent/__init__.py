"""What the manifests need: the flows that they plainly ask for, each with its evidence."""

from typing import TYPE_CHECKING, Any

from netlint.intent.flow import API_SERVER, End, Evidence, Flow, Outside, Strength, short

if TYPE_CHECKING:
    from netlint.intent.needs import Intents, flows

__all__ = ["API_SERVER", "End", "Evidence", "Flow", "Intents", "Outside", "Strength", "flows", "short"]


def __getattr__(name: str) -> Any:
    """`Intents` and `flows` come at the first question for them, since they bring the policy engine along."""
    if name not in ("Intents", "flows"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from netlint.intent import needs

    return getattr(needs, name)
