"""Rules about address ranges."""
