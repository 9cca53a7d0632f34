"""NET110: an exception that another rule for the same pods opens again."""

from collections.abc import Iterator

from netlint.findings import Finding, Related, Severity
from netlint.policy import Action, Policy, Rule
from netlint.policy.form import NETWORK_POLICY
from netlint.predicates import ALL_ADDRESSES, AddressIn, AddressSet
from netlint.resources.networking import IPBlock, NetworkPolicy
from netlint.rules.analysis import Analysis
from netlint.rules.policy._selection import network_policies, peers
from netlint.rules.registry import rule


@rule("NET110", "rule-undone", Severity.WARNING, reads=(NetworkPolicy,))
def rule_undone(analysis: Analysis) -> Iterator[Finding]:
    """The addresses that a rule leaves out are let in by another rule for the same pods: rules only add up."""
    for obj, policy in network_policies(analysis):
        for direction, index, side, number, peer in peers(obj):
            path = ("spec", direction, index, side, number)
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
