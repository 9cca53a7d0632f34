"""Rules about the size of packets."""
