"""From bytes to documents: plain data with exact positions. Nothing here knows a Kubernetes kind."""

from netlint.sources.document import PLAIN, Document, Positions, SourceUnit
from netlint.sources.embedded import Embedded, parse_embedded
from netlint.sources.files import SourceFile, SuppressionComment
from netlint.sources.options import ChartSpec, Limits, ReadOptions, SourceError
from netlint.sources.reading import Reading, read, read_text
from netlint.sources.streams import holds_placeholder

__all__ = [
    "PLAIN",
    "ChartSpec",
    "Document",
    "Embedded",
    "Limits",
    "Positions",
    "ReadOptions",
    "Reading",
    "SourceError",
    "SourceFile",
    "SourceUnit",
    "SuppressionComment",
    "holds_placeholder",
    "parse_embedded",
    "read",
    "read_text",
]
