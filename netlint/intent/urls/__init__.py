"""From a URL to the pods that answer it: which Ingress or Gateway serves it, and by which rule."""

from netlint.intent.urls.join import why_url

__all__ = ["why_url"]
