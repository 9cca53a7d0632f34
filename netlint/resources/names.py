"""How a Python attribute is written in the Kubernetes API: `pod_cidrs` is `podCIDRs`, `from_` is `from`."""

_ACRONYMS = {
    "api": "API",
    "arp": "ARP",
    "as": "AS",
    "asn": "ASN",
    "bgp": "BGP",
    "cidr": "CIDR",
    "cidrs": "CIDRs",
    "cni": "CNI",
    "dns": "DNS",
    "fqdn": "FQDN",
    "fqdns": "FQDNs",
    "gid": "GID",
    "id": "ID",
    "ip": "IP",
    "ipam": "IPAM",
    "ipc": "IPC",
    "ips": "IPs",
    "mtu": "MTU",
    "pid": "PID",
    "sdn": "SDN",
    "tls": "TLS",
    "uid": "UID",
    "uri": "URI",
    "url": "URL",
    "v4": "V4",
    "v6": "V6",
}


def api_name(attribute: str) -> str:
    """The API's field name: camelCase by the API conventions, whose acronyms are upper case but for the first word."""
    first, *rest = attribute.rstrip("_").split("_")
    return first + "".join(_ACRONYMS.get(word) or word.capitalize() for word in rest)
