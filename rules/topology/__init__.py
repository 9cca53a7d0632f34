"""Rules about traffic topology."""
