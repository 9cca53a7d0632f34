"""Rules about nodes and devices."""
