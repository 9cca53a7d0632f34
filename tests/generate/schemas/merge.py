"""Makes netlint/resources/schemas/field_names.json out of what main.go printed and of CustomResourceDefinitions.

    python tests/generate/schemas/merge.py OUT.json GO.json [GO.json ...] -- CRD.yaml [CRD.yaml ...]

Fields are the union over everything that is given, so give old versions too: a field that some served version of an
apiVersion had is legal text. A CustomResourceDefinition is read for the kinds of CUSTOM only.
"""

import json
import sys
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

BUILT_IN = {
    "": {
        "ConfigMap", "Endpoints", "Namespace", "Node", "Pod", "PodTemplate", "ReplicationController", "Secret",
        "Service", "ServiceAccount",
    },
    "admissionregistration.k8s.io": {"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"},
    "apiregistration.k8s.io": {"APIService"},
    "apps": None,
    "argoproj.io": {"Rollout"},
    "batch": None,
    "discovery.k8s.io": None,
    "extensions": None,
    "gateway.networking.k8s.io": None,
    "monitoring.coreos.com": {"ServiceMonitor", "PodMonitor"},
    "networking.istio.io": {"DestinationRule", "Gateway", "ServiceEntry", "VirtualService"},
    "networking.k8s.io": None,
    "policy.networking.k8s.io": None,
    "projectcontour.io": {"HTTPProxy"},
    "resource.k8s.io": {"DeviceClass", "ResourceClaim", "ResourceClaimTemplate"},
}  # fmt: skip
CUSTOM = {
    "crd.antrea.io": {"ClusterGroup", "ClusterNetworkPolicy", "Group", "IPPool", "NetworkPolicy", "Tier"},
    "crd.projectcalico.org": {
        "BGPConfiguration", "BGPPeer", "FelixConfiguration", "GlobalNetworkPolicy", "GlobalNetworkSet",
        "HostEndpoint", "IPPool", "NetworkPolicy", "NetworkSet", "Tier",
    },
    "k8s.cni.cncf.io": {"MultiNetworkPolicy", "NetworkAttachmentDefinition"},
    "metallb.io": {"BGPAdvertisement", "BGPPeer", "IPAddressPool", "L2Advertisement"},
    "sriovnetwork.openshift.io": {"OVSNetwork", "SriovIBNetwork", "SriovNetwork", "SriovNetworkNodePolicy"},
}  # fmt: skip
# Legal once, and gone from the Go types that are read.
EXTRA = {
    "k8s.io/api/core/v1.ServiceSpec": {"ipFamily": "", "topologyKeys": ""},
    "k8s.io/api/networking/v1.NetworkPolicy": {"status": ""},
    "istio.networking.v1alpha3.HTTPRoute": {"websocketUpgrade": ""},
}
LOOSE = {"sigs.k8s.io/network-policy-api/apis/v1alpha1": ("namespaces",)}

Types = dict[str, dict[str, str]]


def main(arguments: list[str]) -> None:
    output, *inputs = arguments
    divider = inputs.index("--")
    types: Types = {}
    kinds: dict[str, str] = {}
    for file in inputs[:divider]:
        read = json.loads(Path(file).read_text())
        for identity, fields in read["types"].items():
            union(types, identity, fields)
        for kind, identity in read["kinds"].items():
            group, _version, name = kind.split("/")
            wanted = BUILT_IN.get(group, set())
            if wanted is None or name in wanted:
                kinds[kind] = identity
    for identity, fields in EXTRA.items():
        union(types, identity, fields)
    for identity, fields in types.items():
        for prefix, names in LOOSE.items():
            if identity.startswith(prefix):
                fields.update({name: "" for name in names if name in fields and identity.endswith("Peer")})
    for file in inputs[divider + 1 :]:
        for document in YAML(typ="safe").load_all(Path(file).read_text()):
            if isinstance(document, dict) and document.get("kind") == "CustomResourceDefinition":
                definition(document["spec"], types, kinds)
    Path(output).write_text(compact(types, kinds))


def union(types: Types, identity: str, fields: dict[str, str]) -> None:
    known = types.setdefault(identity, {})
    for name, reference in fields.items():
        # A field that was opaque in one version stays opaque: what stood below it is unknown.
        known[name] = reference if known.get(name, reference) == reference else ""


def definition(spec: dict[str, Any], types: Types, kinds: dict[str, str]) -> None:
    group, kind = spec["group"], spec["names"]["kind"]
    if kind not in CUSTOM.get(group, ()):
        return
    for version in spec.get("versions") or ():
        schema = (version.get("schema") or {}).get("openAPIV3Schema")
        if not schema or not schema.get("properties"):
            continue
        identity = f"{group}/{version['name']}/{kind}"
        schema["properties"].pop("status", None)
        schema["properties"].pop("metadata", None)
        if custom(schema, identity, types):
            base = {"apiVersion": "", "kind": "", "status": "", "metadata": META}
            union(types, identity, base)
            kinds[identity] = identity
            if group == "crd.projectcalico.org":
                # The same specs: libcalico-go declares both kinds over the types of projectcalico.org/v3.
                kinds[f"projectcalico.org/v3/{kind}"] = identity


META = "k8s.io/apimachinery/pkg/apis/meta/v1.ObjectMeta"


def custom(schema: dict[str, Any], identity: str, types: Types) -> str:
    if schema.get("type") == "array":
        return custom(schema.get("items") or {}, identity, types)
    if schema.get("x-kubernetes-preserve-unknown-fields") or schema.get("x-kubernetes-embedded-resource"):
        return ""
    extra = schema.get("additionalProperties")
    if isinstance(extra, dict):
        inner = custom(extra, identity + ".*", types)
        return "" if not inner or inner.startswith("*") else "*" + inner
    if not schema.get("properties"):
        return ""
    fields = {name: custom(below, f"{identity}.{name}", types) for name, below in schema["properties"].items()}
    union(types, identity, fields)
    return identity


def compact(types: Types, kinds: dict[str, str]) -> str:
    """Types numbered from 1 by first use; a negative number is a map of that type, 0 is not looked into."""
    numbers: dict[str, int] = {}
    order: list[str] = []

    def number(reference: str) -> int:
        if not reference:
            return 0
        identity = reference.lstrip("*")
        if identity not in numbers:
            numbers[identity] = len(numbers) + 1
            order.append(identity)
        return -numbers[identity] if reference.startswith("*") else numbers[identity]

    table = {kind: number(identity) for kind, identity in sorted(kinds.items()) if identity}
    rows: list[str] = []
    done = 0
    while done < len(order):
        fields = types[order[done]]
        rows.append(json.dumps({name: number(fields[name]) for name in sorted(fields)}, separators=(",", ":")))
        done += 1
    lines = ",\n".join(rows)
    heads = ",\n".join(f"{json.dumps(kind)}:{table[kind]}" for kind in table)
    return '{"kinds":{\n' + heads + '\n},\n"types":[{},\n' + lines + "\n]}\n"


if __name__ == "__main__":
    main(sys.argv[1:])
