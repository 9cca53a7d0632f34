"""Policies of a service mesh: seen, and said not to be evaluated."""

from netlint.cluster import Cluster

_MESH_KINDS = {
    ("security.istio.io", "AuthorizationPolicy"): "Istio",
    ("security.istio.io", "PeerAuthentication"): "Istio",
    ("security.istio.io", "RequestAuthentication"): "Istio",
    ("networking.istio.io", "Sidecar"): "Istio",
    ("policy.linkerd.io", "AuthorizationPolicy"): "Linkerd",
    ("policy.linkerd.io", "Server"): "Linkerd",
    ("policy.linkerd.io", "ServerAuthorization"): "Linkerd",
    ("consul.hashicorp.com", "ServiceIntentions"): "Consul",
    ("kuma.io", "MeshTrafficPermission"): "Kuma",
}


def mesh_notes(cluster: Cluster) -> list[str]:
    """One note a mesh whose policies the input holds. They decide above the network, on their own."""
    kinds: dict[str, set[str]] = {}
    for manifest in cluster.manifests:
        mesh = _MESH_KINDS.get((manifest.group, manifest.kind))
        if mesh is not None:
            kinds.setdefault(mesh, set()).add(manifest.kind)
    return [
        f"{mesh} policies are present ({', '.join(sorted(found))}) and were not evaluated: they may deny more"
        for mesh, found in sorted(kinds.items())
    ]
