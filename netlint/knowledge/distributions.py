"""What each distribution of Kubernetes brings by default, and how a node shows which one it is.

Read in August 2026. Sources: k3s documentation (networking, server flags); rancher/rke2-docs; kind
`pkg/apis/config/v1alpha4`; canonical/microk8s; siderolabs/talos `pkg/machinery`; k0sproject/k0s documentation;
openshift/api; AWS EKS, Azure AKS and Google Cloud documentation; kubernetes documentation of kubeadm.
"""

from dataclasses import dataclass

KUBERNETES_NODE_PORTS = (30000, 32767)
"""kube-apiserver's --service-node-port-range by default."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """Defaults; None and empty where there is none, or it differs from cluster to cluster."""

    name: str
    cni: str | None = None
    pod_cidrs: tuple[str, ...] = ()
    service_cidrs: tuple[str, ...] = ()
    dns_service: str | None = "kube-system/kube-dns"
    dns_addresses: tuple[str, ...] = ()
    load_balancer: str | None = None
    source: str = ""


DISTRIBUTIONS: dict[str, Distribution] = {
    row.name: row
    for row in (
        Distribution("kubeadm", service_cidrs=("10.96.0.0/12",), source="kubernetes documentation, kubeadm-config"),
        Distribution(
            "kind", "kindnet", ("10.244.0.0/16",), ("10.96.0.0/16",), source="kind pkg/apis/config/v1alpha4 defaults"
        ),
        Distribution(
            "k3s",
            "flannel",
            ("10.42.0.0/16",),
            ("10.43.0.0/16",),
            dns_addresses=("10.43.0.10",),
            load_balancer="servicelb",
            source="k3s documentation",
        ),
        Distribution(
            "rke2",
            "canal",
            ("10.42.0.0/16",),
            ("10.43.0.0/16",),
            dns_service="kube-system/rke2-coredns-rke2-coredns",
            dns_addresses=("10.43.0.10",),
            source="rke2-docs server_config",
        ),
        Distribution("microk8s", "calico", ("10.1.0.0/16",), ("10.152.183.0/24",), source="canonical/microk8s"),
        Distribution("talos", "flannel", ("10.244.0.0/16",), ("10.96.0.0/12",), source="siderolabs/talos"),
        Distribution("k0s", "kube-router", ("10.244.0.0/16",), ("10.96.0.0/12",), source="k0s documentation"),
        Distribution(
            "openshift",
            "ovn-kubernetes",
            ("10.128.0.0/14",),
            ("172.30.0.0/16",),
            dns_service="openshift-dns/dns-default",
            dns_addresses=("172.30.0.10",),
            source="openshift documentation",
        ),
        Distribution("eks", "aws-vpc-cni", load_balancer="aws", source="AWS EKS documentation"),
        Distribution("aks", load_balancer="azure", source="azure-aks-docs"),
        Distribution("gke", load_balancer="gce", source="Google Cloud documentation"),
        Distribution("minikube", source="kubernetes/minikube"),
    )
}

KUBELET_VERSION_MARKS = (("+k3s", "k3s"), ("+rke2", "rke2"), ("-eks-", "eks"), ("-gke.", "gke"), ("+k0s", "k0s"))
"""A part of Node.status.nodeInfo.kubeletVersion and the distribution that builds it so."""

PROVIDER_ID_MARKS = (("kind://", "kind"), ("k3s://", "k3s"))
"""The beginning of Node.spec.providerID."""

NODE_LABEL_MARKS = (
    ("microk8s.io/cluster", "microk8s"),
    ("kubernetes.azure.com/cluster", "aks"),
    ("eks.amazonaws.com/nodegroup", "eks"),
    ("cloud.google.com/gke-nodepool", "gke"),
    ("node.openshift.io/os_id", "openshift"),
    ("minikube.k8s.io/name", "minikube"),
)
"""A label that only nodes of this distribution have."""

CLOUD_LOAD_BALANCERS = {"aws": "aws", "gce": "gce", "azure": "azure"}
"""The beginning of Node.spec.providerID and whose load balancers serve there."""

REMOVED_LOAD_BALANCER = {"k3s": "servicelb"}
"""What `disable:` of the distribution's configuration calls its load balancer."""
