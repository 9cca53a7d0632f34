"""Rules about reading and validity of the input."""
