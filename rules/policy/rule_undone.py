"""NET110: an exception that another rule for the same pods opens again."""

from collections.abc import Iterator

from netlint.findings import Finding, Related, Severity
from netlint.policy import Action, Policy, Rule
from netlint.policy.form import NETWORK_POLICY
from netlint.predicates import ALL_ADDRESSES, AddressIn, AddressSet
from netlint.resources.networking import IPBlock, NetworkPolicy
from netlint.rules.analysis import Analysis
from netlint.rules.policy._selection import network_policies, peers, takes_all
from netlint.rules.registry import rule


@rule("NET110", "rule-undone", Severity.WARNING, reads=(NetworkPolicy,))
def rule_undone(analysis: Analysis) -> Iterator[Finding]:
    """What a policy keeps out, another policy for the same pods lets in: rules only add up."""
    for obj, policy in network_policies(analysis):
        yield from _default_deny(analysis, obj, policy)
        for _, path, peer in peers(obj):
            if peer.ip_block is None or not peer.ip_block.except_ or obj.rejects(*path):
                continue
            mine = next((r for r in policy.rules if r.origin.path == path[:3]), None)
            left_out = _addresses(peer.ip_block)
            if mine is None or not left_out:
                continue
            same: dict[Policy, bool] = {}
            for owner, other in _others(analysis, policy, mine):
                opened = _opened(other, mine, path)
                undone = [text for text, block in left_out if block <= opened]
                if undone and owner not in same:
                    same[owner] = _same_pods(analysis, policy, owner)
                if undone and same[owner]:
                    yield rule_undone.finding(
                        obj.at(*path, "ipBlock", "except"),
                        f"leaves out {', '.join(undone)}, but {_name(obj, other)} lets them in again: rules add up, "
                        "and none takes away",
                        related=[Related(f"allows {', '.join(undone)}", other.origin)],
                        help="put the exception into every rule that covers the addresses, or drop the wider rule",
                    )
                    break


def _default_deny(analysis: Analysis, obj: NetworkPolicy, policy: Policy) -> Iterator[Finding]:
    """A policy that denies all in every direction that it isolates, beside policies that allow its pods just that."""
    if not policy.isolates or policy.rules or obj.rejects("spec"):
        return
    opening: list[Rule] = []
    for direction in sorted(policy.isolates, key=lambda each: each.value):
        for other in analysis.policy.policies.near(NETWORK_POLICY, frozenset({policy.namespace or "default"})):
            found = next((r for r in other.rules_of(direction) if r.peers is None and r.ports is None), None)
            if found is not None and _same_pods(analysis, policy, other):
                opening.append(found)
                break
        else:
            return
    names = " and ".join(dict.fromkeys(f"policy {r.policy.namespace}/{r.policy.name}" for r in opening))
    ways = " and ".join(rule_.direction.value for rule_ in opening)
    yield rule_undone.finding(
        obj.at("spec", "policyTypes"),
        f"denies all {ways}, but {names} allows all of it for the same pods: rules add up, and none takes away",
        # a denial for some pods may be there to be completed by what they need, be it everything
        severity=Severity.WARNING if takes_all(obj.spec.pod_selector) else Severity.INFO,
        related=[Related(f"allows all {rule_.direction.value}", rule_.origin) for rule_ in opening],
        help="drop the policy that is not meant; what is to be allowed stands in rules of its own",
    )


def _addresses(block: IPBlock) -> list[tuple[str, AddressSet]]:
    found = []
    for text in block.except_ or ():
        try:
            found.append((text, AddressSet.parse(text)))
        except ValueError:
            continue
    return found


def _others(analysis: Analysis, policy: Policy, mine: Rule) -> Iterator[tuple[Policy, Rule]]:
    """The other rules of the same direction in the same namespace."""
    for other in analysis.policy.policies.near(NETWORK_POLICY, frozenset({policy.namespace or "default"})):
        for rule_ in other.rules_of(mine.direction):
            if rule_ is not mine and rule_.action is Action.ALLOW:
                yield other, rule_


def _same_pods(analysis: Analysis, policy: Policy, other: Policy) -> bool:
    """Whether another policy covers all the pods of this one, whichever there may be."""
    if other is policy or other.subject == policy.subject:
        return True
    return bool(analysis.policy.prover.implies(policy.subject, other.subject))


def _opened(other: Rule, mine: Rule, path: tuple[str | int, ...]) -> AddressSet:
    """The addresses that another rule opens for all the traffic of mine."""
    if other.ports is not None:
        if mine.ports is None or not mine.port_set.traffic <= other.port_set.traffic:
            return AddressSet()
        if mine.port_set.named - other.port_set.named:
            return AddressSet()
    if other.peers is None:
        return ALL_ADDRESSES
    found = AddressSet()
    for peer in other.peers:
        for atom in peer.predicate.atoms():
            if isinstance(atom, AddressIn):
                found = found | atom.addresses
    return found


def _name(obj: NetworkPolicy, other: Rule) -> str:
    if other.policy is obj:
        return f"another {other.direction.value} rule of this policy"
    return f"policy {other.policy.namespace}/{other.policy.name}"
