"""One path, link by link: as text and as JSON (schemas/why.json)."""

from typing import Any

from netlint.findings import Place
from netlint.policy.queries.resolve import Target
from netlint.policy.queries.why import ALLOWED, DENIED, Why
from netlint.predicates import NAME, Endpoint
from netlint.reports.color import Paint
from netlint.reports.escape import safe, safe_file
from netlint.reports.json_text import VERSION, dumps, json_place


def why_text(answer: Why, paint: Paint) -> str:
    """The verdict first, then each link with what decides it and where that stands."""
    port = "/".join(str(part) for part in (answer.port, answer.protocol) if part is not None) or "any traffic"
    lines = [
        f"{paint.bold(safe(answer.source.text))} -> {paint.bold(safe(answer.destination.text))} {safe(port)}:"
        f" {_verdict(answer.verdict, paint)}"
    ]
    if answer.policy_verdict != answer.verdict:
        lines.append(f"  declared: {_verdict(answer.policy_verdict, paint)}, but not enforced")
    width = max((len(link.link) for link in answer.links), default=0)
    for link in answer.links:
        lines.append(f"  {link.link:<{width}}  {_verdict(link.verdict, paint)}")
        for reason in link.because:
            where = _where(reason.place)
            lines.append(f"  {'':<{width}}    {safe(reason.message)}{paint.dim(where)}")
    lines += [f"  note: {safe(note)}" for note in answer.notes]
    return "\n".join(lines) + "\n"


def _verdict(verdict: str, paint: Paint) -> str:
    if verdict == ALLOWED:
        return paint.green(verdict)
    return paint.red(verdict) if verdict == DENIED else paint.yellow(verdict)


def _where(place: Place | None) -> str:
    if place is None:
        return ""
    location = place.locate()
    return f" ({safe_file(location.file)}:{location.start_line})"


def why_json(answer: Why) -> str:
    """The answer as promised."""
    return dumps(
        {
            "version": VERSION,
            "cluster": answer.cluster,
            "verdict": answer.verdict,
            "policyVerdict": answer.policy_verdict,
            "from": target_data(answer.source),
            "to": target_data(answer.destination),
            "port": answer.port,
            "protocol": answer.protocol,
            "links": [
                {
                    "link": link.link,
                    "verdict": link.verdict,
                    "because": [{**json_place(one.place), "message": one.message} for one in link.because],
                }
                for link in answer.links
            ],
            "notes": list(answer.notes),
        }
    )


def target_data(target: Target) -> dict[str, Any]:
    """What was asked for, and the endpoints that it stands for."""
    return {"text": target.text, "endpoints": [endpoint_data(one) for one in target.endpoints]}


def endpoint_data(endpoint: Endpoint) -> dict[str, Any]:
    """One endpoint: a pod with its labels, a node, or addresses."""
    data: dict[str, Any] = {"id": endpoint.id, "kind": endpoint.kind.value, "hypothetical": endpoint.hypothetical}
    if endpoint.namespace is not None:
        data["namespace"] = endpoint.namespace
    if endpoint.labels:
        data["labels"] = dict(sorted(endpoint.labels.items()))
    own = {key: value for key, value in sorted(endpoint.namespace_labels.items()) if key != NAME}
    if own:
        data["namespaceLabels"] = own
    if endpoint.kind.value == "external":
        data["blocks"] = list(endpoint.addresses.blocks())
    return data
