"""Dated, sourced tables of Kubernetes networking. Nothing here looks at the input."""
