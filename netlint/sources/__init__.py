"""From bytes to documents: plain data with exact positions. Nothing here knows a Kubernetes kind."""
