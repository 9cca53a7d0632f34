"""The one form that every dialect is translated to: ordered rules in tiers. Nothing downstream knows a dialect."""

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Final, TypeAlias

from netlint.findings import Place
from netlint.predicates import ALL_PORTS, TRUE, AddressIn, AddressSet, Or, PortSet, Predicate, any_of
from netlint.predicates.traffic import union_of
from netlint.resources import KubernetesObject, Manifest

Order: TypeAlias = tuple[int | float, ...]
"""Where a policy or rule stands in its tier; the lower comes first. Policies of the same order have no order."""


PolicyObject: TypeAlias = KubernetesObject | Manifest
"""What a policy was read from; a manifest where its kind has no model."""


class Direction(enum.Enum):
    INGRESS = "ingress"
    EGRESS = "egress"

    __hash__ = object.__hash__  # members are single; the enum's own hash is a function call

    @property
    def other(self) -> "Direction":
        return Direction.EGRESS if self is Direction.INGRESS else Direction.INGRESS


class Action(enum.Enum):
    """PASS leaves the tier. UNKNOWN stands where a policy could not be read: any of the others is possible."""

    ALLOW = "allow"
    DENY = "deny"
    PASS = "pass"
    UNKNOWN = "unknown"

    __hash__ = object.__hash__


class Verdict(enum.Enum):
    ALLOWED = "allowed"
    DENIED = "denied"
    UNKNOWN = "unknown"


class Closing(enum.Enum):
    """What happens to traffic that no rule of a tier matched: denied where some policy of the tier isolates the
    endpoint in that direction, or passed on to the next tier in any case."""

    DENY_SELECTED = "deny-selected"
    PASS = "pass"


@dataclass(frozen=True, slots=True)
class Tier:
    """`additive`: its policies can only isolate and allow, so that none of them takes away what another gives."""

    name: str
    closing: Closing
    additive: bool = False


@dataclass(frozen=True, slots=True)
class Peer:
    """One entry of `from` or `to`."""

    predicate: Predicate
    origin: Place


@dataclass(frozen=True, slots=True)
class Ports:
    """One entry of `ports` or `protocols`."""

    ports: PortSet
    origin: Place


@dataclass(frozen=True, eq=False)
class Rule:
    """One rule of a policy, as seen by the endpoints in `subject`.

    Within a policy, rules of one `phase` are tried in their order; in a tier, a policy's rules of an earlier phase come
    before the rules of later phases of all policies of that order (a dialect in which denials come first).
    `peers` None takes every peer, `ports` None all traffic; an empty tuple takes none. `local` narrows the subject
    (dialects whose rules test the local side), `source_ports` the sender's ports. `condition` says in words what
    else must hold for the rule to match (a domain name, an HTTP method): the rule then matches only some of the
    traffic, so it never decides with certainty. `pass_to` names the tier that PASS leads to; None is the next one.
    """

    policy: PolicyObject
    tier: str
    order: Order
    direction: Direction
    subject: Predicate
    action: Action
    peers: tuple[Peer, ...] | None
    ports: tuple[Ports, ...] | None
    origin: Place
    name: str | None = None
    condition: str | None = None
    local: Predicate = TRUE
    source_ports: PortSet = ALL_PORTS
    pass_to: str | None = None
    phase: int = 0

    @property
    def conditional(self) -> bool:
        """Whether it matches only some of the traffic that it speaks of, by a condition or the sender's port."""
        return self.condition is not None or self.source_ports != ALL_PORTS

    @cached_property
    def peer(self) -> Predicate:
        """Whom the rule speaks of: the union of its peers."""
        return TRUE if self.peers is None else _union(*(peer.predicate for peer in self.peers))

    @cached_property
    def alternatives(self) -> tuple[Predicate, ...]:
        """The parts of `peer` of which one must hold: few distinct ones make up the peers of many rules."""
        return self.peer.parts if isinstance(self.peer, Or) else (self.peer,)

    @cached_property
    def port_set(self) -> PortSet:
        """The traffic the rule speaks of: the union of its ports."""
        if self.ports is None:
            return ALL_PORTS
        return self.ports[0].ports if len(self.ports) == 1 else union_of(entry.ports for entry in self.ports)

    def __repr__(self) -> str:
        return f"Rule({self.policy.ref}, {self.direction.value}, {self.action.value})"


@dataclass(frozen=True, eq=False)
class Policy:
    """One policy. `isolates` are the directions in which it counts as selecting its subject when its tier closes.

    `unknown` says for a direction why the policy could not be read there; the subject's traffic in that direction is
    then unknown wherever nothing else decides it.
    """

    object: PolicyObject
    dialect: str
    tier: str
    order: Order
    namespace: str | None
    subject: Predicate
    subject_origin: Place
    isolates: frozenset[Direction]
    rules: tuple[Rule, ...]
    unknown: Mapping[Direction, str] = field(default_factory=lambda: MappingProxyType({}))
    _by_direction: Mapping[Direction, tuple[Rule, ...]] = field(init=False, repr=False)

    def __repr__(self) -> str:
        return f"Policy({self.object.ref})"

    def __post_init__(self) -> None:
        by_direction: dict[Direction, list[Rule]] = {}
        for rule in self.rules:
            by_direction.setdefault(rule.direction, []).append(rule)
        object.__setattr__(self, "_by_direction", {way: tuple(rules) for way, rules in by_direction.items()})

    def rules_of(self, direction: Direction) -> tuple[Rule, ...]:
        """The rules of one direction, in the order in which they are tried."""
        return self._by_direction.get(direction, ())

    def concerns(self, direction: Direction) -> bool:
        """Whether the policy has any say in the direction."""
        return direction in self.isolates or direction in self.unknown or bool(self.rules_of(direction))


UNTRANSLATED: Final = Tier("untranslated", Closing.PASS)
ADMIN: Final = Tier("admin", Closing.PASS)
NETWORK_POLICY: Final = Tier("network-policy", Closing.DENY_SELECTED, additive=True)
BASELINE: Final = Tier("baseline", Closing.PASS)
KUBERNETES_TIERS: Final = (UNTRANSLATED, ADMIN, NETWORK_POLICY, BASELINE)


class PolicySet:
    """Policies in their tiers, the first tier first. What no tier decides is allowed. Immutable."""

    def __init__(self, policies: Iterable[Policy] = (), tiers: tuple[Tier, ...] = KUBERNETES_TIERS) -> None:
        self.tiers = tiers
        places = {tier.name: place for place, tier in enumerate(tiers)}
        self.policies: tuple[Policy, ...] = tuple(
            sorted(policies, key=lambda each: (places[each.tier], *_identity(each)))
        )

    @cached_property
    def _by_tier(self) -> dict[str, tuple[Policy, ...]]:
        found: dict[str, list[Policy]] = {tier.name: [] for tier in self.tiers}
        for policy in self.policies:
            found[policy.tier].append(policy)
        return {name: tuple(members) for name, members in found.items()}

    @cached_property
    def _by_object(self) -> dict[PolicyObject, Policy]:
        return {policy.object: policy for policy in self.policies}

    def in_tier(self, tier: Tier) -> tuple[Policy, ...]:
        return self._by_tier[tier.name]

    @cached_property
    def _by_namespace(self) -> dict[str, dict[str | None, list[int]]]:
        found: dict[str, dict[str | None, list[int]]] = {}
        for tier in self.tiers:
            held = found.setdefault(tier.name, {})
            for place, policy in enumerate(self._by_tier[tier.name]):
                held.setdefault(policy.namespace, []).append(place)
        return found

    def near(self, tier: Tier, namespaces: frozenset[str] | None) -> tuple[Policy, ...]:
        """The policies of a tier that may select pods of some namespaces (None: of any), in the set's order."""
        members = self._by_tier[tier.name]
        if namespaces is None:
            return members
        held = self._by_namespace[tier.name]
        places = list(held.get(None, ()))
        for name in namespaces:
            places += held.get(name, ())
        return tuple(members[place] for place in sorted(places))

    def about(self, namespace: str | None) -> tuple[Policy, ...]:
        """The policies that may select pods of a namespace, tier by tier. None: what is in no namespace, as nodes."""
        spaces = frozenset((namespace,) if namespace is not None else ())
        return tuple(policy for tier in self.tiers for policy in self.near(tier, spaces))

    def of(self, obj: PolicyObject) -> Policy | None:
        """The policy that an object was translated to."""
        return self._by_object.get(obj)

    def policy_of(self, rule: Rule) -> Policy | None:
        return self._by_object.get(rule.policy)

    @cached_property
    def predicates(self) -> tuple[Predicate, ...]:
        """The distinct predicates of all policies, in their order."""
        found: dict[Predicate, None] = {}
        for policy in self.policies:
            found[policy.subject] = None
            for rule in policy.rules:
                found.update(dict.fromkeys(rule.alternatives))
                found[rule.local] = None
        return tuple(found)

    @cached_property
    def blocks(self) -> tuple[AddressSet, ...]:
        """The distinct address blocks that the policies mention."""
        atoms = (atom for predicate in self.predicates for atom in predicate.atoms())
        return tuple(dict.fromkeys(atom.addresses for atom in atoms if isinstance(atom, AddressIn)))

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(rule for policy in self.policies for rule in policy.rules)

    def with_policies(self, *policies: Policy) -> "PolicySet":
        """These and the given ones; a given one takes the place of one with the same object."""
        given = {policy.object for policy in policies}
        return PolicySet((*(each for each in self.policies if each.object not in given), *policies), self.tiers)

    def without(self, *policies: Policy) -> "PolicySet":
        left_out = set(policies)
        return PolicySet((each for each in self.policies if each not in left_out), self.tiers)

    def replace(self, old: Policy, new: Policy) -> "PolicySet":
        return self.without(old).with_policies(new)

    def __len__(self) -> int:
        return len(self.policies)


@lru_cache(maxsize=1 << 14)  # policies repeat each other's rules
def _union(*peers: Predicate) -> Predicate:
    return any_of(*peers)


def _identity(policy: Policy) -> tuple[Order, str, str, str]:
    ref = policy.object.ref
    return policy.order, ref.namespace or "", ref.name or "", ref.kind
