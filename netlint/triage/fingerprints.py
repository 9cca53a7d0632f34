"""A name for a finding that stays when lines move, files are renamed and other entries come before it in a list."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from netlint.findings import Finding, Path

_as_text = json.JSONEncoder(sort_keys=True, default=str).encode
_POSITION = re.compile(r"\S*:\d+:\d+|\bline \d+")
_NAMES = ("name", "key", "id", "cidr", "topologyKey", "host", "path", "port", "containerPort")


def fingerprinted(findings: Iterable[Finding]) -> list[Finding]:
    """The findings with their fingerprints; equal ones are numbered in their order."""
    seen: Counter[str] = Counter()
    named = []
    for finding in findings:
        digest = hashlib.sha256(_identity(finding).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        seen[digest] += 1
        number = "" if seen[digest] == 1 else f"-{seen[digest]}"
        named.append(replace(finding, fingerprint=digest + number))
    return named


def _identity(finding: Finding) -> str:
    ref = finding.ref
    where: list[Any]
    if ref is None or finding.place is None:
        where = [finding.location.file if finding.location else ""]
    else:
        group = ref.api_version.rpartition("/")[0]
        raw = _raw(finding.place.source)
        where = [group, ref.kind, ref.namespace, ref.name, _stable(raw, finding.place.path)]
    message = finding.message
    if ":" in message or "line " in message:
        message = _POSITION.sub("", message)
    return json.dumps([finding.code, where, message], ensure_ascii=True)


def _raw(source: Any) -> Any:
    """The plain data that a place's path leads through, None where the source does not say."""
    manifest = getattr(source, "manifest", source)
    return getattr(manifest, "raw", None)


def _stable(data: Any, path: Path) -> list[str]:
    """The path with each index replaced by what names the entry."""
    steps = []
    for segment in path:
        try:
            data = data[segment]
        except (KeyError, IndexError, TypeError):
            data = None
        steps.append(segment if isinstance(segment, str) else _entry(data))
    return steps


def _entry(data: Any) -> str:
    if isinstance(data, dict):
        for key in _NAMES:
            if isinstance(data.get(key), str | int):
                return f"[{key}={data[key]}]"
    text = _as_text(data)
    return f"[{text}]" if len(text) <= 64 else f"[{hashlib.sha256(text.encode()).hexdigest()[:16]}]"
