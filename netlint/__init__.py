"""netlint: a static analyzer for Kubernetes networking."""

__version__ = "0.1.0"
