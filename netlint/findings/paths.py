"""Field paths: tuples of keys and indexes, written `a.b[0]["c.d/e"]` here and nowhere else."""

import re
from typing import TypeAlias

PathSegment: TypeAlias = str | int
Path: TypeAlias = tuple[PathSegment, ...]

_PLAIN_KEY = re.compile(r"[A-Za-z_$-][A-Za-z0-9_$-]*")
_SEGMENT = re.compile(r'\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.\[\]]+)')


def format_path(path: Path) -> str:
    """The path as text: `spec.ports[0].name`; a key that is no plain word stands quoted in brackets."""
    text = ""
    for segment in path:
        if isinstance(segment, int):
            text += f"[{segment}]"
        elif _PLAIN_KEY.fullmatch(segment):
            text += f".{segment}" if text else segment
        else:
            escaped = segment.replace("\\", "\\\\").replace('"', '\\"')
            text += f'["{escaped}"]'
    return text


def parse_path(text: str) -> Path:
    """The inverse of `format_path`. Raises ValueError where `text` is no path."""
    segments: list[PathSegment] = []
    position = 0
    while position < len(text):
        if text[position] == "." and segments:
            position += 1
        match = _SEGMENT.match(text, position)
        if match is None:
            raise ValueError(f"not a field path: {text!r} (at character {position + 1})")
        quoted, index, plain = match.groups()
        if quoted is not None:
            segments.append(re.sub(r"\\(.)", r"\1", quoted))
        elif index is not None:
            segments.append(int(index))
        else:
            segments.append(plain)
        position = match.end()
    return tuple(segments)
