"""Baselines: the findings that were there before, by fingerprint, so that only new ones are reported."""

import json
from collections.abc import Iterable
from pathlib import Path

from netlint.findings import Finding

VERSION = 1


class BaselineError(Exception):
    """A baseline that cannot be read; the text is one line for people."""


def read_baseline(path: Path) -> frozenset[str]:
    """The fingerprints of a baseline. Raises BaselineError."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["version"] != VERSION:
            raise BaselineError(f"{path}: a baseline of version {data['version']}, and this netlint reads {VERSION}")
        return frozenset(str(entry["fingerprint"]) for entry in data["findings"])
    except FileNotFoundError:
        raise BaselineError(f"{path}: there is no such baseline; --write-baseline makes it") from None
    except OSError as error:
        raise BaselineError(f"{path}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError):
        raise BaselineError(f"{path}: not a baseline of netlint") from None


def write_baseline(path: Path, findings: Iterable[Finding]) -> int:
    """Write the findings as the new baseline, sorted so that it merges well. Returns how many. Raises BaselineError."""
    entries = [
        {
            "fingerprint": finding.fingerprint,
            "code": finding.code,
            "file": finding.location.file if finding.location else None,
            "message": finding.message,
        }
        for finding in findings
    ]
    entries.sort(key=lambda entry: (entry["file"] or "", entry["code"] or "", entry["fingerprint"] or ""))
    text = json.dumps({"version": VERSION, "findings": entries}, indent=2, ensure_ascii=True) + "\n"
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise BaselineError(f"{path}: {error.strerror or error}") from None
    return len(entries)
