"""The configurations of network-config-analyzer's schemes: which pods, namespaces and policies belong together."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from conformance_suites.netpol_tables import Table
from conformance_suites.world import peer_name, table_of, without_ranges
from netlint.cluster import ClusterInput, build
from netlint.policy import Direction, Policy, PolicyAnalysis, PolicySet, Readings
from netlint.predicates import Endpoint, EndpointKind
from netlint.resources import Manifest, load
from netlint.sources import ReadOptions, read

_POLICIES = ("NetworkPolicy",)


@dataclass
class Configuration:
    """Pods and namespaces with a set of policies, and the policies of it that are looked at."""

    name: str
    policy: PolicyAnalysis
    policies: PolicySet
    mentions_ipv6: bool
    owners: dict[str, str]

    @cached_property
    def pods(self) -> dict[str, Endpoint]:
        kinds = (EndpointKind.POD, EndpointKind.HOST)
        return {peer_name(one.id): one for one in self.policy.endpoints if one.kind in kinds}

    @cached_property
    def topology(self) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
        return sorted((name, tuple(sorted(pod.labels.items()))) for name, pod in self.pods.items())

    @cached_property
    def table(self) -> Table:
        return self.with_policies(self.policies)

    def with_policies(self, policies: PolicySet) -> Table:
        return table_of(self.policy.with_policies(policies), everything=True)

    def only(self, policy: Policy) -> Configuration:
        chosen = PolicySet([policy], self.policies.tiers)
        return Configuration(f"{self.name}/{policy.object.name}", self.policy, chosen, self.mentions_ipv6, self.owners)

    def captured(self, direction: Direction) -> set[str]:
        """Names of the pods that some policy of the set selects for the direction."""
        return {
            name
            for name, pod in self.pods.items()
            for policy in self.policies.policies
            if direction in policy.isolates and policy.subject.holds(pod)
        }

    @cached_property
    def explicit(self) -> Table:
        """What is allowed where a policy captures at least one end."""
        senders, receivers = self.captured(Direction.EGRESS), self.captured(Direction.INGRESS)
        shown = Table()
        shown.pairs = {
            pair: traffic for pair, traffic in self.table.pairs.items() if pair[0] in senders or pair[1] in receivers
        }
        shown.outside = {
            side: blocks
            for side, blocks in self.table.outside.items()
            if side[0] in (senders if side[1] == "out" else receivers)
        }
        return shown


@dataclass
class Suite:
    root: Path
    readings: Readings
    _configurations: dict[tuple[str, str], Configuration] = field(default_factory=dict)
    _read: dict[str, list[Manifest]] = field(default_factory=dict)

    @cached_property
    def described(self) -> dict[str, dict[str, dict[str, Any]]]:
        found: dict[str, dict[str, dict[str, Any]]] = json.loads((self.root / "configs.json").read_text())
        return found

    def configuration(self, scheme: str, name: str) -> Configuration:
        """A configuration by name, or `name/namespace/policy` for one policy of it. Raises KeyError."""
        if (scheme, name) in self._configurations:
            return self._configurations[scheme, name]
        plain, _, policy = name.partition("/")
        key = (scheme, plain)
        if key not in self._configurations:
            self._configurations[key] = self._load(plain, self.described[scheme][plain])
        found = self._configurations[key]
        if not policy:
            return found
        namespace, _, policy_name = policy.rpartition("/")
        namespace = namespace.rpartition("/")[2]
        chosen = [
            one
            for one in found.policies.policies
            if one.object.name == policy_name and (not namespace or one.namespace == namespace)
        ]
        if len(chosen) != 1:
            raise KeyError(f"{len(chosen)} policies are called {policy} in {plain}")
        return self._configurations.setdefault((scheme, name), found.only(chosen[0]))

    def _load(self, name: str, described: dict[str, Any]) -> Configuration:
        lists = {key: _listed(described.get(key)) for key in _LISTS}
        everything = lists["resourceList"]
        manifests = [one for one in self._manifests(lists["namespaceList"] or everything) if one.kind == "Namespace"]
        pods = self._manifests(lists["podList"] or everything)
        manifests += [_alone(one) for one in pods if one.kind not in ("Namespace", *_POLICIES)]
        policies = [one for one in self._manifests(lists["networkPolicyList"] or everything) if one.kind in _POLICIES]
        text = json.dumps([one.raw for one in policies])
        if '"kube-dns"' in text and not any(_labels(one).get("k8s-app") == "kube-dns" for one in manifests):
            manifests += map(_core, self._manifests([_DNS_PODS]))  # upstream adds pods for the DNS that policies name
        cluster = build(ClusterInput(name, (*manifests, *policies)), world="closed")
        analysis = without_ranges(PolicyAnalysis.of(cluster, readings=self.readings))
        mentions = any(
            ":" in part and "/" in part
            for part in text.replace('"', " ").split()
            if part[0].isalnum() and part[-1].isdigit()
        )
        owners = {
            f"{one.namespace or 'default'}/{one.name}[Pod]": owner
            for one in pods
            if one.kind == "Pod" and (owner := _owner(one))
        }
        return Configuration(name, analysis, analysis.policies, mentions, owners)

    def _manifests(self, names: Sequence[str]) -> list[Manifest]:
        found: list[Manifest] = []
        for name in names:
            # An address of upstream's own repository means the file that the suite holds at the same path.
            name = _REPOSITORY.sub("", name)
            if name not in self._read:
                self._read[name] = load(
                    read([str(self.root / name.removesuffix("/**"))], options=ReadOptions()).documents
                )
            found += self._read[name]
        return found


def _alone(manifest: Manifest) -> Manifest:
    """A pod without its owner: upstream looks at each pod by itself."""
    metadata = manifest.raw.get("metadata")
    if manifest.kind != "Pod" or not isinstance(metadata, dict) or "ownerReferences" not in metadata:
        return manifest
    raw = {**manifest.raw, "metadata": {key: metadata[key] for key in metadata if key != "ownerReferences"}}
    return Manifest(manifest.document, manifest.prefix, raw)


def _core(manifest: Manifest) -> Manifest:
    """Upstream writes its own pod under apps/v1, which has none."""
    if manifest.kind != "Pod":
        return manifest
    return Manifest(manifest.document, manifest.prefix, {**manifest.raw, "apiVersion": "v1"})


def _labels(manifest: Manifest) -> dict[str, str]:
    return (manifest.raw.get("metadata") or {}).get("labels") or {}


def _owner(manifest: Manifest) -> str | None:
    """What upstream calls a pod in its texts: its owner, by name and kind."""
    for owner in (manifest.raw.get("metadata") or {}).get("ownerReferences") or ():
        return f"{manifest.namespace or 'default'}/{owner['name']}[{owner['kind']}]"
    return None


_REPOSITORY = re.compile(
    r"https://(?:github\.com|raw\.githubusercontent\.com)/np-guard/network-config-analyzer/(?:(?:tree|blob)/)?master/"
)
_DNS_PODS = "livesim/dns_pods.yaml"
_LISTS = ("namespaceList", "podList", "networkPolicyList", "resourceList")


def _listed(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value or ())
