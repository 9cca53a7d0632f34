"""What address ranges are for, and which of these must be apart.

Read in August 2026. Sources: kubernetes/kubernetes `pkg/controller/nodeipam`; kubernetes and kubeadm documentation;
projectcalico/calico `kube-controllers/pkg/controllers/ippool`; openshift/api `operator/v1/types_network.go`; kube-ovn
documentation; metallb issues #364, #1397, #2585 and `internal/config`; cilium documentation of lb-ipam; moby
`libnetwork/ipamutils`; AWS EKS, Azure AKS documentation. A load-balancer pool against pods and Services is derived.
"""

import enum
from typing import Literal, NamedTuple


class Role(enum.Enum):
    """What a range is for. Two ranges of one role may hold each other, but for POOL, SLICE and LOAD_BALANCER."""

    POD = "pod range"
    POOL = "pool of pod addresses"
    SLICE = "slice of the pod range"
    SERVICE = "Service range"
    NODE = "node network"
    NODE_ADDRESS = "node address"
    VPC = "VPC range"
    PEER = "peer network"
    DOCKER = "Docker bridge"
    LOAD_BALANCER = "load-balancer pool"
    SECONDARY = "secondary network"
    INTERNAL = "range of the plugin's own"


class Apart(NamedTuple):
    """How bad it is where two roles meet, and what happens then."""

    severity: Literal["error", "warning"]
    why: str


PODS = (Role.POD, Role.POOL)
_TABLE: tuple[tuple[tuple[Role, ...], tuple[Role, ...], Apart], ...] = (
    ((Role.SERVICE,), PODS, Apart("error", "an address can be a pod's and a Service's at once")),
    (PODS, (Role.NODE, Role.NODE_ADDRESS), Apart("error", "routes to nodes are taken for routes to pods")),
    ((Role.SERVICE,), (Role.NODE, Role.NODE_ADDRESS), Apart("error", "Service addresses hide machines")),
    ((Role.SLICE,), (Role.SLICE,), Apart("error", "two nodes give out the same pod addresses")),
    ((Role.POOL,), (Role.POOL,), Apart("error", "Calico refuses or disables a pool that overlaps another")),
    ((*PODS, Role.SERVICE), (Role.DOCKER,), Apart("warning", "every node routes these addresses to docker0")),
    (
        (Role.PEER, Role.VPC, Role.NODE, Role.NODE_ADDRESS),
        (Role.DOCKER,),
        Apart("warning", "every node routes these addresses to docker0 instead of to that network"),
    ),
    ((*PODS, Role.SERVICE), (Role.PEER,), Apart("error", "what is meant for the peer network stays in the cluster")),
    ((*PODS, Role.SERVICE), (Role.VPC,), Apart("error", "machines of the VPC cannot be reached from pods")),
    ((Role.PEER,), (Role.VPC, Role.NODE), Apart("warning", "a route can lead to one of the two only")),
    (
        (Role.LOAD_BALANCER,),
        (*PODS, Role.SERVICE),
        Apart("error", "an address can be given out twice, inside the cluster and by the load balancer"),
    ),
    (
        (Role.LOAD_BALANCER,),
        (Role.NODE_ADDRESS,),
        Apart("error", "the load balancer answers for an address that is a node's"),
    ),
    ((Role.LOAD_BALANCER,), (Role.LOAD_BALANCER,), Apart("error", "overlapping pools are refused")),
    (
        (Role.SECONDARY,),
        (*PODS, Role.SERVICE),
        Apart("warning", "pods with this interface reach these addresses through it, not through the cluster network"),
    ),
    (
        (*PODS, Role.SERVICE, Role.NODE, Role.NODE_ADDRESS),
        (Role.INTERNAL,),
        Apart("error", "the plugin uses these addresses inside the nodes"),
    ),
)
MUST_BE_APART: dict[tuple[Role, Role], Apart] = {
    (one, other): apart for ones, others, apart in _TABLE for one in ones for other in others
}
"""By the role that a finding is reported on and the other's. A load-balancer pool inside the node network is right:
only the nodes' own addresses must not be in it."""

FROM_THE_VPC = frozenset({"aws-vpc-cni", "azure-cni"})
"""Plugins that give pods addresses of the VPC, and so of the nodes' networks: that overlap is the design."""

PLUGIN_INTERNAL: dict[str, tuple[tuple[str, str], ...]] = {
    "ovn-kubernetes": (("100.64.0.0/16", "join subnet"), ("100.88.0.0/16", "transit switch subnet")),
    "kube-ovn": (("100.64.0.0/16", "join subnet"),),
}
"""Ranges that a plugin uses inside the nodes by default, with their names."""

DOCKER_BRIDGE = "172.17.0.0/16"
"""docker0 by default (moby libnetwork/ipamutils)."""
