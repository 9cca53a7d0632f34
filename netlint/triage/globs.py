"""Globs over paths: `**` crosses folders, `*` and `?` do not; a pattern that names a folder takes in all of it."""

import functools
import re


def matches(path: str, pattern: str) -> bool:
    """Whether a path with forward slashes matches a pattern."""
    return _compiled(pattern).fullmatch(path.removeprefix("./")) is not None


@functools.lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    pattern = pattern.removeprefix("./").rstrip("/")
    parts: list[str] = []
    position = 0
    while position < len(pattern):
        if pattern.startswith("**/", position):
            parts.append("(?:.*/)?")
            position += 3
        elif pattern.startswith("**", position):
            parts.append(".*")
            position += 2
        else:
            parts.append({"*": "[^/]*", "?": "[^/]"}.get(pattern[position], re.escape(pattern[position])))
            position += 1
    return re.compile(("".join(parts) if pattern not in ("", ".") else ".*") + "(?:/.*)?", re.DOTALL)
