"""Rules about Ingress and Gateway."""
