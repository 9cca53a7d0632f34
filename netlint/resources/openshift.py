"""route, apps, operator and config.openshift.io: Route, DeploymentConfig, Network."""

from typing import ClassVar

from pydantic import Field

from netlint.resources.base import IntOrString, KubernetesObject, Labels, Model
from netlint.resources.pod import PodTemplateSpec


class RouteTarget(Model):
    kind: str | None = None
    name: str | None = None
    weight: int | None = None


class RoutePort(Model):
    target_port: IntOrString | None = None


class RouteTLS(Model):
    termination: str | None = None


class RouteSpec(Model):
    host: str | None = None
    path: str | None = None
    to: RouteTarget | None = None
    alternate_backends: list[RouteTarget] | None = None
    port: RoutePort | None = None
    tls: RouteTLS | None = None


class Route(KubernetesObject):
    """route.openshift.io Route; its port is the Service's target port, by name or number."""

    GROUP: ClassVar[str] = "route.openshift.io"

    spec: RouteSpec = Field(default_factory=RouteSpec)


class DeploymentConfigSpec(Model):
    replicas: int | None = None
    selector: Labels | None = None
    template: PodTemplateSpec | None = None


class DeploymentConfig(KubernetesObject):
    """apps.openshift.io DeploymentConfig."""

    GROUP: ClassVar[str] = "apps.openshift.io"

    spec: DeploymentConfigSpec = Field(default_factory=DeploymentConfigSpec)


class ClusterNetworkEntry(Model):
    cidr: str | None = None
    host_prefix: int | None = None


class OVNIPConfig(Model):
    internal_transit_switch_subnet: str | None = None
    internal_join_subnet: str | None = None
    internal_masquerade_subnet: str | None = None


class OVNGatewayConfig(Model):
    ipv4: OVNIPConfig | None = None
    ipv6: OVNIPConfig | None = None


class OVNIPsecConfig(Model):
    mode: str | None = None


class OVNKubernetesConfig(Model):
    mtu: int | None = None
    geneve_port: int | None = None
    ipsec_config: OVNIPsecConfig | None = None
    v4_internal_subnet: str | None = None
    v6_internal_subnet: str | None = None
    ipv4: OVNIPConfig | None = None
    ipv6: OVNIPConfig | None = None
    gateway_config: OVNGatewayConfig | None = None
    transport: str | None = None


class OpenShiftSDNConfig(Model):
    mode: str | None = None
    mtu: int | None = None
    vxlan_port: int | None = None


class DefaultNetwork(Model):
    type: str | None = None
    ovn_kubernetes_config: OVNKubernetesConfig | None = None
    openshift_sdn_config: OpenShiftSDNConfig | None = None


class AdditionalNetwork(Model):
    type: str | None = None
    name: str | None = None
    namespace: str | None = None
    raw_cni_config: str | None = None


class NetworkSpec(Model):
    cluster_network: list[ClusterNetworkEntry] | None = None
    service_network: list[str] | None = None
    network_type: str | None = None
    default_network: DefaultNetwork | None = None
    additional_networks: list[AdditionalNetwork] | None = None
    disable_multi_network: bool | None = None
    use_multi_network_policy: bool | None = None


class NetworkStatus(Model):
    cluster_network: list[ClusterNetworkEntry] | None = None
    service_network: list[str] | None = None
    network_type: str | None = None
    cluster_network_mtu: int | None = None


class OpenShiftNetwork(KubernetesObject):
    """Network of operator.openshift.io and of config.openshift.io, the one named cluster."""

    GROUP: ClassVar[str] = "operator.openshift.io"
    NAMESPACED: ClassVar[bool] = False

    spec: NetworkSpec = Field(default_factory=NetworkSpec)
    status: NetworkStatus | None = None


KINDS: dict[str, type[KubernetesObject]] = {
    "Route": Route,
    "DeploymentConfig": DeploymentConfig,
    "Network": OpenShiftNetwork,
}
