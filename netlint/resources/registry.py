"""Which module holds the model of a kind. A module is imported when an object of its group appears, not before."""

from functools import cache
from importlib import import_module

from netlint.resources.base import KubernetesObject

_MODULES: dict[str, tuple[str, ...]] = {
    "": ("core",),
    "apps": ("apps",),
    "batch": ("batch",),
    "discovery.k8s.io": ("discovery",),
    "extensions": ("apps", "networking"),
    "monitoring.coreos.com": ("monitoring",),
    "networking.k8s.io": ("networking",),
    "policy.networking.k8s.io": ("policy_k8s_io",),
}


@cache
def model_of(api_version: str, kind: str) -> type[KubernetesObject] | None:
    """The model of a kind, or None where netlint has none."""
    for module in _MODULES.get(api_version.rpartition("/")[0], ()):
        kinds: dict[str, type[KubernetesObject]] = import_module(f"netlint.resources.{module}").KINDS
        if kind in kinds:
            return kinds[kind]
    return None
