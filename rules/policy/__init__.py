"""Rules about network policies."""
