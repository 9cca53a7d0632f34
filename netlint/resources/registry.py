"""Which module holds the model of a kind. A module is imported when an object of its group appears, not before."""

from functools import cache
from importlib import import_module

from netlint.resources.base import KubernetesObject

_MODULES: dict[str, tuple[str, ...]] = {
    "": ("core",),
    "admissionregistration.k8s.io": ("extension_points",),
    "apiregistration.k8s.io": ("extension_points",),
    "apps": ("apps",),
    "apps.openshift.io": ("openshift",),
    "argoproj.io": ("argoproj",),
    "batch": ("batch",),
    "cilium.io": ("cilium",),
    "cluster.x-k8s.io": ("cluster_config",),
    "config.openshift.io": ("openshift",),
    "crd.antrea.io": ("antrea",),
    "crd.projectcalico.org": ("calico",),
    "discovery.k8s.io": ("discovery",),
    "extensions": ("apps", "networking"),
    "gateway.networking.k8s.io": ("gateway",),
    "gateway.networking.x-k8s.io": ("gateway",),
    "helm.cattle.io": ("cluster_config",),
    "k0s.k0sproject.io": ("cluster_config",),
    "k8s.cni.cncf.io": ("secondary_networks",),
    "k8s.ovn.org": ("secondary_networks",),
    "kind.x-k8s.io": ("kind",),
    "kubeadm.k8s.io": ("cluster_config",),
    "kubelet.config.k8s.io": ("cluster_config",),
    "kubeovn.io": ("cluster_config",),
    "kubeproxy.config.k8s.io": ("cluster_config",),
    "kubevirt.io": ("kubevirt",),
    "metallb.io": ("metallb",),
    "monitoring.coreos.com": ("monitoring",),
    "networking.istio.io": ("http_routes",),
    "networking.k8s.io": ("networking",),
    "nmstate.io": ("secondary_networks",),
    "operator.openshift.io": ("openshift",),
    "operator.tigera.io": ("calico",),
    "policy.networking.k8s.io": ("policy_k8s_io",),
    "projectcalico.org": ("calico",),
    "projectcontour.io": ("http_routes",),
    "resource.k8s.io": ("devices",),
    "route.openshift.io": ("openshift",),
    "sriovnetwork.openshift.io": ("secondary_networks",),
    "topology.node.k8s.io": ("devices",),
    "traefik.containo.us": ("http_routes",),
    "traefik.io": ("http_routes",),
    "whereabouts.cni.cncf.io": ("secondary_networks",),
}


@cache
def model_of(api_version: str, kind: str) -> type[KubernetesObject] | None:
    """The model of a kind, or None where netlint has none."""
    for module in _MODULES.get(api_version.rpartition("/")[0], ()):
        kinds: dict[str, type[KubernetesObject]] = import_module(f"netlint.resources.{module}").KINDS
        if kind in kinds:
            return kinds[kind]
    return None
