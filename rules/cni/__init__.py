"""Rules about the network plugin."""
