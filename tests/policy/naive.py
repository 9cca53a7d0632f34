"""A third evaluator: one pair of pods, one port, straight from the API documents. No cleverness, no sharing.

It reads raw objects (plain dicts, as in YAML) and knows everything: every label and address is given. Sources:
networking/v1 types.go and defaults.go, "Network Policies" of the Kubernetes documentation, and the type comments of
policy.networking.k8s.io v1alpha1 and v1alpha2. It is written apart from netlint's own evaluators and imports none.
"""

import ipaddress


def allowed(world, source, destination, protocol, port):
    """Whether the policies let a connection through. `source` and `destination` are pods, or {"ip": ...} outside."""
    return direction_allowed(world, "Egress", source, destination, destination, protocol, port) and direction_allowed(
        world, "Ingress", destination, source, destination, protocol, port
    )


def direction_allowed(world, direction, subject, peer, destination, protocol, port):
    if "namespace" not in subject:
        return True  # no policy selects what is outside
    # 1. Admin tier: in order of priority, the first rule that matches decides; Pass goes on.
    verdict = admin_tier(world, "Admin", direction, subject, peer, destination, protocol, port)
    if verdict == "Deny":
        return False
    if verdict == "Allow":
        return True
    # 2. NetworkPolicy: final for pods that some policy selects for this direction.
    network_policies = [policy for policy in world["policies"] if policy["kind"] == "NetworkPolicy"]
    selecting = [policy for policy in network_policies if network_policy_selects(policy, direction, subject)]
    if selecting:
        for policy in selecting:
            for rule in policy["spec"].get("ingress" if direction == "Ingress" else "egress") or []:
                if network_policy_rule_matches(world, policy, direction, rule, peer, destination, protocol, port):
                    return True
        return False
    # 3. Baseline tier, then the default: allowed.
    return admin_tier(world, "Baseline", direction, subject, peer, destination, protocol, port) != "Deny"


def network_policy_selects(policy, direction, pod):
    if policy["metadata"]["namespace"] != pod["namespace"]:
        return False
    if direction not in policy_types(policy):
        return False
    selector = policy["spec"].get("podSelector")
    return selector is None or selector_matches(selector, pod["labels"])


def policy_types(policy):
    types = policy["spec"].get("policyTypes")
    if types:
        return types
    if policy["spec"].get("egress"):
        return ["Ingress", "Egress"]
    return ["Ingress"]


def network_policy_rule_matches(world, policy, direction, rule, peer, destination, protocol, port):
    peers = rule.get("from" if direction == "Ingress" else "to")
    if peers:
        found = False
        for entry in peers:
            if network_policy_peer_matches(world, policy, entry, peer):
                found = True
        if not found:
            return False
    ports = rule.get("ports")
    if ports:
        return any(network_policy_port_matches(entry, destination, protocol, port) for entry in ports)
    return True


def network_policy_peer_matches(world, policy, entry, peer):
    if entry.get("ipBlock") is not None:
        if "namespace" in peer and not world["ipblock_matches_pods"]:
            return False
        block = entry["ipBlock"]
        if not address_in(peer["ip"], block["cidr"]):
            return False
        return not any(address_in(peer["ip"], excepted) for excepted in block.get("except") or [])
    if "namespace" not in peer:
        return False
    if entry.get("namespaceSelector") is not None:
        if not selector_matches(entry["namespaceSelector"], namespace_labels(world, peer["namespace"])):
            return False
    elif peer["namespace"] != policy["metadata"]["namespace"]:
        return False
    if entry.get("podSelector") is not None:
        return selector_matches(entry["podSelector"], peer["labels"])
    return True


def network_policy_port_matches(entry, destination, protocol, port):
    if (entry.get("protocol") or "TCP") != protocol:
        return False
    wanted = entry.get("port")
    if wanted is None:
        return True
    if isinstance(wanted, str):
        for declared in destination.get("ports", []):
            if declared["name"] == wanted and declared["protocol"] == protocol and declared["containerPort"] == port:
                return True
        return False
    if entry.get("endPort") is not None:
        return wanted <= port <= entry["endPort"]
    return port == wanted


def admin_tier(world, tier, direction, subject, peer, destination, protocol, port):
    """Allow, Deny, Pass, or None where no rule matches."""
    policies = []
    for policy in world["policies"]:
        kind = policy["kind"]
        if kind == "ClusterNetworkPolicy" and policy["spec"]["tier"] == tier:
            policies.append((policy["spec"]["priority"], policy))
        if kind == "AdminNetworkPolicy" and tier == "Admin":
            policies.append((policy["spec"]["priority"], policy))
        if kind == "BaselineAdminNetworkPolicy" and tier == "Baseline":
            policies.append((0, policy))
    policies.sort(key=lambda pair: pair[0])
    for _, policy in policies:
        if not admin_selects(world, policy["spec"]["subject"], subject):
            continue
        for rule in policy["spec"].get("ingress" if direction == "Ingress" else "egress") or []:
            peers = rule["from" if direction == "Ingress" else "to"]
            if not any(admin_peer_matches(world, entry, peer) for entry in peers):
                continue
            if not admin_ports_match(policy, rule, destination, protocol, port):
                continue
            return "Allow" if rule["action"] == "Accept" else rule["action"]
    return None


def admin_selects(world, subject, pod):
    if subject.get("namespaces") is not None:
        return selector_matches(subject["namespaces"], namespace_labels(world, pod["namespace"]))
    return selector_matches(
        subject["pods"]["namespaceSelector"], namespace_labels(world, pod["namespace"])
    ) and selector_matches(subject["pods"]["podSelector"], pod["labels"])


def admin_peer_matches(world, entry, peer):
    if "networks" in entry:
        return any(address_in(peer["ip"], network) for network in entry["networks"])
    return "namespace" in peer and admin_selects(world, entry, peer)


def admin_ports_match(policy, rule, destination, protocol, port):
    entries = rule.get("protocols" if policy["kind"] == "ClusterNetworkPolicy" else "ports")
    if not entries:
        return True
    return any(admin_port_matches(entry, destination, protocol, port) for entry in entries)


def admin_port_matches(entry, destination, protocol, port):
    for name in ("namedPort", "destinationNamedPort"):
        if name in entry:
            for declared in destination.get("ports", []):
                if declared["name"] == entry[name] and (declared["protocol"], declared["containerPort"]) == (
                    protocol,
                    port,
                ):
                    return True
            return False
    if "portNumber" in entry:
        held = entry["portNumber"]
        return held.get("protocol", "TCP") == protocol and held["port"] == port
    if "portRange" in entry:
        held = entry["portRange"]
        return held.get("protocol", "TCP") == protocol and held["start"] <= port <= held["end"]
    (key, held), *_ = entry.items()
    if key.upper() != protocol:
        return False
    if "number" in held["destinationPort"]:
        return held["destinationPort"]["number"] == port
    return held["destinationPort"]["range"]["start"] <= port <= held["destinationPort"]["range"]["end"]


def selector_matches(selector, labels):
    for key, value in (selector.get("matchLabels") or {}).items():
        if labels.get(key) != value:
            return False
    for expression in selector.get("matchExpressions") or []:
        key, operator = expression["key"], expression["operator"]
        if operator == "In" and (key not in labels or labels[key] not in expression["values"]):
            return False
        if operator == "NotIn" and key in labels and labels[key] in expression["values"]:
            return False
        if operator == "Exists" and key not in labels:
            return False
        if operator == "DoesNotExist" and key in labels:
            return False
    return True


def namespace_labels(world, name):
    return {**world["namespaces"][name], "kubernetes.io/metadata.name": name}


def address_in(address, block):
    parsed, network = ipaddress.ip_address(address), ipaddress.ip_network(block)
    return parsed.version == network.version and parsed in network
