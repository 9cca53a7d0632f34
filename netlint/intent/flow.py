"""What a need is: who must reach whom, on which port, and what in the manifests says so."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from netlint.cluster import Workload
from netlint.findings import Place
from netlint.resources.core import Service

Strength: TypeAlias = Literal["certain", "likely"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A field that shows a need. `text` is how a message calls it: `env DB_HOST`."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Outside:
    """An end that is no pod of the input: `internet`, `api-server`, `kubelet`, `cluster-dns`."""

    name: str

    @property
    def id(self) -> str:
        return self.name


End: TypeAlias = Workload | Outside
API_SERVER = Outside("api-server")
KUBELET = Outside("kubelet")
API_SERVER_PORTS = (443, 6443)


@dataclass(frozen=True, slots=True)
class Flow:
    """One connection that the manifests need: `source` opens it to `port` (the pod's port, after Services).

    `port` is None where the number cannot be known. `service` and `service_port` tell the Service that leads there.
    `certain`: the manifests say so in so many words. `likely`: they say so by a convention (an annotation, a
    configuration text that may hold unused parts, a Service's only port).
    """

    source: End
    destination: End
    port: int | None
    protocol: str
    evidence: tuple[Evidence, ...]
    strength: Strength
    service: Service | None = None
    service_port: int | None = None
    by_name: bool = True

    @property
    def certain(self) -> bool:
        return self.strength == "certain"

    @property
    def key(self) -> tuple[str, str, int, str]:
        """What tells flows apart and orders them."""
        return (self.source.id, self.destination.id, self.port or 0, self.protocol)

    def __str__(self) -> str:
        port = f":{self.port}/{self.protocol}" if self.port else ""
        return f"{short(self.source)} -> {short(self.destination)}{port}"


def short(end: End) -> str:
    """An end as messages write it: `shop/web`, `the internet`, `the API server`."""
    if isinstance(end, Workload):
        return f"{end.namespace}/{end.name}"
    return {
        "internet": "the internet",
        "api-server": "the API server",
        "kubelet": "the kubelet",
        "cluster-dns": "the cluster DNS",
    }.get(end.name, end.name)
