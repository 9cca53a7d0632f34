"""core/v1 Pod and everything in a pod template that says what runs, where, and what it listens to."""

from pydantic import Field

from netlint.resources.base import (
    IntOrString,
    KubernetesObject,
    Labels,
    LabelSelector,
    LabelSelectorRequirement,
    Model,
    ObjectMeta,
    ResourceList,
)


class ContainerPort(Model):
    name: str | None = None
    container_port: int | None = None
    host_port: int | None = None
    host_ip: str | None = None
    protocol: str | None = None


class KeySelector(Model):
    """core/v1 ConfigMapKeySelector and SecretKeySelector."""

    name: str | None = None
    key: str | None = None
    optional: bool | None = None


class ObjectFieldSelector(Model):
    field_path: str | None = None


class EnvVarSource(Model):
    field_ref: ObjectFieldSelector | None = None
    config_map_key_ref: KeySelector | None = None
    secret_key_ref: KeySelector | None = None


class EnvVar(Model):
    name: str | None = None
    value: str | None = None
    value_from: EnvVarSource | None = None


class ConfigMapEnvSource(Model):
    """core/v1 ConfigMapEnvSource and SecretEnvSource."""

    name: str | None = None
    optional: bool | None = None


class EnvFromSource(Model):
    prefix: str | None = None
    config_map_ref: ConfigMapEnvSource | None = None
    secret_ref: ConfigMapEnvSource | None = None


class HTTPGetAction(Model):
    path: str | None = None
    port: IntOrString | None = None
    host: str | None = None
    scheme: str | None = None


class TCPSocketAction(Model):
    port: IntOrString | None = None
    host: str | None = None


class GRPCAction(Model):
    port: int | None = None
    service: str | None = None


class ExecAction(Model):
    command: list[str] | None = None


class Probe(Model):
    http_get: HTTPGetAction | None = None
    tcp_socket: TCPSocketAction | None = None
    grpc: GRPCAction | None = None
    exec: ExecAction | None = None


class ResourceClaimUse(Model):
    """core/v1 ResourceClaim, inside a container's resources: the name of an entry of spec.resourceClaims."""

    name: str | None = None
    request: str | None = None


class ResourceRequirements(Model):
    requests: ResourceList | None = None
    limits: ResourceList | None = None
    claims: list[ResourceClaimUse] | None = None


class VolumeMount(Model):
    name: str | None = None
    mount_path: str | None = None
    sub_path: str | None = None


class Container(Model):
    """core/v1 Container; `restart_policy: Always` on an init container makes it a sidecar."""

    name: str | None = None
    image: str | None = None
    command: list[str] | None = None
    args: list[str] | None = None
    ports: list[ContainerPort] | None = None
    env: list[EnvVar] | None = None
    env_from: list[EnvFromSource] | None = None
    liveness_probe: Probe | None = None
    readiness_probe: Probe | None = None
    startup_probe: Probe | None = None
    resources: ResourceRequirements | None = None
    volume_mounts: list[VolumeMount] | None = None
    restart_policy: str | None = None


class KeyToPath(Model):
    key: str | None = None
    path: str | None = None


class ConfigMapVolumeSource(Model):
    name: str | None = None
    items: list[KeyToPath] | None = None
    optional: bool | None = None


class SecretVolumeSource(Model):
    secret_name: str | None = None
    items: list[KeyToPath] | None = None
    optional: bool | None = None


class VolumeProjection(Model):
    config_map: ConfigMapVolumeSource | None = None
    secret: ConfigMapVolumeSource | None = None


class ProjectedVolumeSource(Model):
    sources: list[VolumeProjection] | None = None


class HostPathVolumeSource(Model):
    path: str | None = None


class Volume(Model):
    name: str | None = None
    config_map: ConfigMapVolumeSource | None = None
    secret: SecretVolumeSource | None = None
    projected: ProjectedVolumeSource | None = None
    host_path: HostPathVolumeSource | None = None


class NodeSelectorTerm(Model):
    """core/v1 NodeSelectorTerm: its requirements are ANDed; an empty term matches no node."""

    match_expressions: list[LabelSelectorRequirement] | None = None
    match_fields: list[LabelSelectorRequirement] | None = None


class NodeSelector(Model):
    node_selector_terms: list[NodeSelectorTerm] | None = None


class NodeAffinity(Model):
    required_during_scheduling_ignored_during_execution: NodeSelector | None = None


class PodAffinityTerm(Model):
    label_selector: LabelSelector | None = None
    namespace_selector: LabelSelector | None = None
    namespaces: list[str] | None = None
    topology_key: str | None = None
    match_label_keys: list[str] | None = None
    mismatch_label_keys: list[str] | None = None


class PodAffinity(Model):
    """core/v1 PodAffinity and PodAntiAffinity."""

    required_during_scheduling_ignored_during_execution: list[PodAffinityTerm] | None = None


class Affinity(Model):
    node_affinity: NodeAffinity | None = None
    pod_affinity: PodAffinity | None = None
    pod_anti_affinity: PodAffinity | None = None


class Toleration(Model):
    key: str | None = None
    operator: str | None = None
    value: str | None = None
    effect: str | None = None


class TopologySpreadConstraint(Model):
    max_skew: int | None = None
    topology_key: str | None = None
    when_unsatisfiable: str | None = None
    label_selector: LabelSelector | None = None
    min_domains: int | None = None
    node_affinity_policy: str | None = None
    node_taints_policy: str | None = None
    match_label_keys: list[str] | None = None


class PodDNSConfigOption(Model):
    name: str | None = None
    value: str | None = None


class PodDNSConfig(Model):
    nameservers: list[str] | None = None
    searches: list[str] | None = None
    options: list[PodDNSConfigOption] | None = None


class HostAlias(Model):
    ip: str | None = None
    hostnames: list[str] | None = None


class PodResourceClaim(Model):
    name: str | None = None
    resource_claim_name: str | None = None
    resource_claim_template_name: str | None = None


class PodReadinessGate(Model):
    condition_type: str | None = None


class PodSpec(Model):
    containers: list[Container] | None = None
    init_containers: list[Container] | None = None
    volumes: list[Volume] | None = None
    host_network: bool | None = None
    dns_policy: str | None = None
    dns_config: PodDNSConfig | None = None
    hostname: str | None = None
    subdomain: str | None = None
    host_aliases: list[HostAlias] | None = None
    service_account_name: str | None = None
    service_account: str | None = None
    restart_policy: str | None = None
    node_name: str | None = None
    node_selector: Labels | None = None
    affinity: Affinity | None = None
    tolerations: list[Toleration] | None = None
    topology_spread_constraints: list[TopologySpreadConstraint] | None = None
    scheduler_name: str | None = None
    runtime_class_name: str | None = None
    enable_service_links: bool | None = None
    resource_claims: list[PodResourceClaim] | None = None
    resources: ResourceRequirements | None = None
    overhead: ResourceList | None = None
    readiness_gates: list[PodReadinessGate] | None = None


class PodTemplateSpec(Model):
    metadata: ObjectMeta | None = None
    spec: PodSpec | None = None


class PodIP(Model):
    ip: str | None = None


class PodCondition(Model):
    type: str | None = None
    status: str | None = None
    reason: str | None = None


class PodStatus(Model):
    phase: str | None = None
    pod_ip: str | None = None
    pod_ips: list[PodIP] | None = None
    host_ip: str | None = None
    conditions: list[PodCondition] | None = None


class Pod(KubernetesObject):
    """core/v1 Pod."""

    spec: PodSpec = Field(default_factory=PodSpec)
    status: PodStatus | None = None
