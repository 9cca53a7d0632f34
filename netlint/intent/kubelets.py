"""The flows to the kubelets: metrics-server asks every node for the usage of its pods."""

import re
from collections.abc import Iterator

from netlint.cluster import Cluster
from netlint.intent.flow import KUBELET, Evidence, Flow

# Its own image, the mirrors of distributions, and the older one with the architecture in its name.
_IMAGE = re.compile(r"(?:^|/)(?:mirrored-)?metrics-server(?:-amd64|-arm64)?(?::|@|$)")
_PORT = re.compile(r"--kubelet-port=(\d{1,5})")
_USUAL = 10250


def kubelet_flows(cluster: Cluster) -> Iterator[Flow]:
    """metrics-server to the kubelets, on the port that its flag names or on the kubelet's usual one."""
    for workload in cluster.running(_IMAGE.search):
        for index, container in enumerate(workload.spec.containers or ()):
            if workload.host_network or not _IMAGE.search(container.image or ""):
                continue
            words = [*(container.command or ()), *(container.args or ())]
            port = next((int(match[1]) for word in words if (match := _PORT.fullmatch(word))), _USUAL)
            evidence = (Evidence("metrics-server asks the kubelets", workload.at("containers", index, "image")),)
            yield Flow(workload, KUBELET, port, "TCP", evidence, "certain", by_name=False)
