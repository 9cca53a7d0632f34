"""What is said about a single value: the problem record, and words for what a value is."""

import re
from dataclasses import dataclass
from typing import Any, Literal

from netlint.findings import Path

_PLACEHOLDER = re.compile(
    r"\$\{|\$\(|\{\{|\}\}|\{[A-Z_]+\}|<[^<>]+>|\$[A-Z_]{2}|%[A-Za-z_]+%|@@?[A-Za-z_]+@|^__[A-Za-z_]+__$|\[\["
)


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """A value that the API server would refuse, or ("warning") that some supported version of it would."""

    path: Path
    message: str
    hint: str | None = None
    severity_hint: Literal["error", "warning"] = "error"


def is_placeholder(text: str) -> bool:
    """Whether the text waits for a template engine or a shell: `${PORT}`, `{{ .Values.x }}`, `<your-name>`."""
    return _PLACEHOLDER.search(text) is not None


def has_placeholder(value: Any) -> bool:
    """Whether anything in the value waits for a template engine, also as YAML reads an unquoted `{{ x }}`."""
    if isinstance(value, str):
        return is_placeholder(value)
    if isinstance(value, dict):
        if len(value) == 1 and next(iter(value.values())) is None:
            return True
        return any(has_placeholder(key) or has_placeholder(item) for key, item in value.items())
    if isinstance(value, list):
        return any(has_placeholder(item) for item in value)
    return False


def describe(value: Any) -> str:
    """The value in words, short: `the number 80`, `the string "web"`, `a list`."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"the boolean {str(value).lower()}"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, str):
        return f"the string {quoted(value)}"
    return "a list" if isinstance(value, list) else "a mapping"


def quoted(text: str) -> str:
    """The text in double quotes, cut where it is long."""
    return f'"{text}"' if len(text) <= 60 else f'"{text[:57]}..."'
