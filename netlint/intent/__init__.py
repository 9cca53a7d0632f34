"""What the manifests need: the flows that they plainly ask for, each with its evidence."""

from netlint.intent.flow import API_SERVER, End, Evidence, Flow, Outside, Strength, short
from netlint.intent.needs import Intents, flows

__all__ = ["API_SERVER", "End", "Evidence", "Flow", "Intents", "Outside", "Strength", "flows", "short"]
