"""What decides one side of a connection, in words, each with the rule or selector that says it."""

from collections.abc import Iterator
from dataclasses import dataclass

from netlint.findings import Place
from netlint.policy import Action, Direction, Policy, Rule, Side, Verdict
from netlint.predicates import (
    AddressIn,
    And,
    Assumption,
    Endpoint,
    EndpointKind,
    Label,
    Not,
    Or,
    Predicate,
    Scope,
)

_VERBS = {
    Action.ALLOW: "allow it",
    Action.DENY: "deny it",
    Action.PASS: "leave it to later tiers",
    Action.UNKNOWN: "allow or deny it",
}
_OWN = "whether the rule speaks of the other side is not known"


@dataclass(frozen=True, slots=True)
class Because:
    """One reason of a link, with its place where it has one."""

    message: str
    place: Place | None = None


def reasons_of(side: Side, subject: Endpoint, other: Endpoint, prefix: str = "") -> list[Because]:
    """Why `subject` lets traffic with `other` pass on its side or not."""
    word = "egress" if side.direction is Direction.EGRESS else "ingress"
    reasons = [Because(f"{prefix}{_name(rule.policy)} leaves it to later tiers", rule.origin) for rule in side.passed]
    if side.basis == "rule":
        verb = "allows" if side.verdict is Verdict.ALLOWED else "denies"
        reasons += [Because(f"{prefix}{_name(rule.policy)} {verb} it", rule.origin) for rule in side.rules]
    elif side.basis == "isolated":
        reasons += [
            Because(
                f"{prefix}{_policy_name(found)} selects {subject.id}, and none of its {word} rules admits {other.id}"
                " on this port",
                found.subject_origin,
            )
            for found in side.selected_by
            if side.direction in found.isolates
        ]
    elif side.basis == "no-policy":
        reasons.append(Because(f"{prefix}{_unselected(subject, word)}"))
    elif side.basis == "exempt":
        reasons.append(Because(f"{prefix}the engine lets nodes reach every pod"))
    elif side.basis == "unknown":
        reasons += [
            Because(f"{prefix}{text}", rule.origin) for rule in side.rules for text in _may(rule, subject, other)
        ]
    reasons += [Because(f"{prefix}{text}") for text in side.unknown_because if not _said(text, side)]
    return reasons


def _may(rule: Rule, subject: Endpoint, other: Endpoint) -> Iterator[str]:
    """What a rule does if what is not known turns out so. One that surely matches says what it does."""
    name = _name(rule.policy)
    missing = list(dict.fromkeys((*_missing(rule.subject, subject), *_missing(rule.peer, other))))
    if rule.condition is not None:
        missing.append(rule.condition)
    if missing:
        yield f"{name} may {_VERBS[rule.action]}: {'; '.join(missing)}"
    elif rule.action in (Action.ALLOW, Action.DENY):
        yield f"{name} would {_VERBS[rule.action]}"


def _missing(predicate: Predicate, other: Endpoint) -> Iterator[str]:
    """What one would have to know of an endpoint to tell whether a predicate holds."""
    if predicate.holds(other) is not None:
        return
    if isinstance(predicate, And | Or):
        for part in predicate.parts:
            yield from _missing(part, other)
    elif isinstance(predicate, Not):
        yield from _missing(predicate.part, other)
    elif isinstance(predicate, AddressIn):
        yield f"whether {predicate.addresses} holds the address of {other.id} is not known"
    elif isinstance(predicate, Assumption):
        yield f"whether {predicate.name} is not known"
    elif isinstance(predicate, Label):
        yield _label(predicate, other)


def _label(label: Label, other: Endpoint) -> str:
    where = {
        Scope.POD: "",
        Scope.NAMESPACE: f" of namespace {other.namespace}" if other.namespace else " of the namespace",
        Scope.NODE: " of the node",
        Scope.SERVICE_ACCOUNT: " of the service account",
    }[label.scope]
    return f"the label {label.key}{where or f' of {other.id}'} is not known"


def _said(text: str, side: Side) -> bool:
    """Whether the rules say it better, with their places."""
    return side.basis == "unknown" and text.endswith(_OWN)


def _unselected(subject: Endpoint, word: str) -> str:
    """Why no policy has a say about one side."""
    if subject.kind is EndpointKind.HOST:
        return f"{subject.id} uses the host's network: no policy selects it"
    if subject.kind is not EndpointKind.POD:
        return f"{subject.id} is no pod: no policy selects it"
    return f"no policy selects {subject.id} for {word}, so everything passes"


def _name(policy: object) -> str:
    return str(getattr(policy, "ref", policy))


def _policy_name(policy: Policy) -> str:
    return _name(policy.object)
