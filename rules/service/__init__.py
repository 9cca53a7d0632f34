"""Rules about Services and ports."""
