"""Policies of dialects that are not translated: what they may select becomes unknown, never wider or narrower.

Kinds by tigera/docs `calico/reference/resources`, cilium/cilium `Documentation/security/policy`, antrea-io/antrea
`docs/antrea-network-policy.md`, kubernetes-sigs/network-policy-api, aws `networking.k8s.aws`. Staged Calico policies
enforce nothing; MultiNetworkPolicy concerns other networks than the pod network.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from netlint.findings import Place
from netlint.policy.form import UNTRANSLATED, Direction, Policy, PolicyObject
from netlint.policy.translate.parts import in_namespace, pods_in
from netlint.predicates import TRUE, Label, Predicate, Scope, Values, all_of
from netlint.resources import Manifest


@dataclass(frozen=True, slots=True)
class _Kind:
    dialect: str
    namespaced: bool
    subject: str
    ingress: tuple[str, ...] = ("ingress",)
    egress: tuple[str, ...] = ("egress",)


_CILIUM_SECTIONS = (("ingress", "ingressDeny"), ("egress", "egressDeny"))
_KINDS: Final[Mapping[tuple[str, str], _Kind]] = {
    ("projectcalico.org", "NetworkPolicy"): _Kind("calico", True, "selector"),
    ("projectcalico.org", "GlobalNetworkPolicy"): _Kind("calico", False, "selector"),
    ("crd.projectcalico.org", "NetworkPolicy"): _Kind("calico", True, "selector"),
    ("crd.projectcalico.org", "GlobalNetworkPolicy"): _Kind("calico", False, "selector"),
    ("cilium.io", "CiliumNetworkPolicy"): _Kind("cilium", True, "endpointSelector", *_CILIUM_SECTIONS),
    ("cilium.io", "CiliumClusterwideNetworkPolicy"): _Kind("cilium", False, "endpointSelector", *_CILIUM_SECTIONS),
    ("crd.antrea.io", "NetworkPolicy"): _Kind("antrea", True, "appliedTo"),
    ("crd.antrea.io", "ClusterNetworkPolicy"): _Kind("antrea", False, "appliedTo"),
    ("security.antrea.tanzu.vmware.com", "NetworkPolicy"): _Kind("antrea", True, "appliedTo"),
    ("security.antrea.tanzu.vmware.com", "ClusterNetworkPolicy"): _Kind("antrea", False, "appliedTo"),
    ("policy.networking.k8s.io", "AdminNetworkPolicy"): _Kind("kubernetes", False, "subject"),
    ("policy.networking.k8s.io", "BaselineAdminNetworkPolicy"): _Kind("kubernetes", False, "subject"),
    ("policy.networking.k8s.io", "ClusterNetworkPolicy"): _Kind("kubernetes", False, "subject"),
    ("networking.k8s.io", "NetworkPolicy"): _Kind("kubernetes", True, "podSelector"),
    ("extensions", "NetworkPolicy"): _Kind("kubernetes", True, "podSelector"),
    ("networking.k8s.aws", "ApplicationNetworkPolicy"): _Kind("aws-vpc-cni", True, "podSelector"),
    ("networking.k8s.aws", "ClusterNetworkPolicy"): _Kind("aws-vpc-cni", False, "subject"),
}
_ENGINES: Final[Mapping[str, frozenset[str]]] = {
    "calico": frozenset({"calico", "canal"}),
    "cilium": frozenset({"cilium"}),
    "antrea": frozenset({"antrea"}),
    "aws-vpc-cni": frozenset({"aws-vpc-cni"}),
}


def dialect_of(manifest: Manifest) -> str | None:
    """The dialect whose policy a manifest is, or None where it is no policy of the pod network."""
    kind = _KINDS.get((manifest.group, manifest.kind))
    return kind.dialect if kind else None


def enforces(engine: str | None, dialect: str) -> bool:
    """Whether an engine may enforce a dialect; an unknown engine may enforce any."""
    return engine is None or dialect not in _ENGINES or engine.lower() in _ENGINES[dialect]


def translate_foreign(obj: PolicyObject, manifest: Manifest) -> Policy | None:
    """A policy in the first tier that says nothing of what it does; None for an object that is no policy."""
    kind = _KINDS.get((manifest.group, manifest.kind))
    if kind is None:
        return None
    specs = manifest.raw.get("specs") if isinstance(manifest.raw.get("specs"), list) else [manifest.raw.get("spec")]
    directions = set()
    for spec in specs or ():
        directions |= _directions(kind, spec)
    namespace = (manifest.namespace or "default") if kind.namespaced else None
    subject = pods_in(TRUE if namespace is None else in_namespace(namespace), _subject(kind, specs or []))
    reason = f"{manifest.kind} ({manifest.group}) is not evaluated"
    return Policy(
        object=obj,
        dialect=manifest.kind,
        tier=UNTRANSLATED.name,
        order=(),
        namespace=namespace,
        subject=subject,
        subject_origin=Place(obj, ("spec", kind.subject)),
        isolates=frozenset(),
        rules=(),
        unknown=dict.fromkeys((way for way in Direction if way in directions), reason),
    )


def _directions(kind: _Kind, spec: Any) -> set[Direction]:
    """The directions that the policy may say something about; both where that cannot be told."""
    if not isinstance(spec, dict):
        return set(Direction)
    found = set()
    if any(spec.get(name) for name in kind.ingress):
        found.add(Direction.INGRESS)
    if any(spec.get(name) for name in kind.egress):
        found.add(Direction.EGRESS)
    if kind.dialect in ("calico", "kubernetes"):
        types = spec.get("types", spec.get("policyTypes"))
        if isinstance(types, list):
            found |= {Direction.INGRESS} if "Ingress" in types else set()
            found |= {Direction.EGRESS} if "Egress" in types else set()
        elif Direction.EGRESS not in found or kind.subject == "podSelector":
            found.add(Direction.INGRESS)
    return found


def _subject(kind: _Kind, specs: list[Any]) -> Predicate:
    """What every pod that the policy selects surely has, as far as that is plain to see; TRUE where it is not."""
    if kind.dialect != "cilium" or len(specs) != 1 or not isinstance(specs[0], dict):
        return TRUE
    selector = specs[0].get("endpointSelector")
    labels = selector.get("matchLabels") if isinstance(selector, dict) else None
    if not isinstance(labels, dict):
        return TRUE
    parts: list[Predicate] = []
    for key, value in sorted(labels.items(), key=str):
        source, colon, name = str(key).partition(":")
        plain = name if colon and source in ("k8s", "any") else str(key) if not colon else ""
        if plain and not plain.startswith("io.") and isinstance(value, str):
            parts.append(Label(Scope.POD, plain, Values.one_of(value)))
    return all_of(*parts)
