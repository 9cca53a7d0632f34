"""Suggested policies as text."""

from collections.abc import Iterable

from netlint.intent.suggest import Suggestion
from netlint.intent.yaml_text import to_yaml
from netlint.reports.escape import safe
from netlint.reports.json_text import dumps


def suggestions_yaml(suggestions: Iterable[Suggestion]) -> str:
    """The policies as one YAML stream, each under comments that say what its rules are for."""
    return "".join(_document(suggestion) for suggestion in suggestions)


def _document(suggestion: Suggestion) -> str:
    comments = "".join(f"# {safe(note)}\n" for note in suggestion.notes or ("needs nothing that the manifests show",))
    return f"---\n{comments}{to_yaml(suggestion.manifest)}"


def suggestions_json(suggestions: Iterable[Suggestion], cluster: str) -> str:
    """The policies as a JSON document."""
    data = {
        "version": 1,
        "cluster": cluster,
        "policies": [{"workload": s.workload.id, "notes": list(s.notes), "manifest": s.manifest} for s in suggestions],
    }
    return dumps(data)
