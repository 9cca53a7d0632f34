"""Labels that controllers and programs put on pods at run time: unknown to whoever reads the manifests, not absent.

Read in August 2026. Sources: the Kubernetes documentation, "Well-Known Labels, Annotations and Taints"; Argo Rollouts,
`pkg/apis/rollouts/v1alpha1/types.go`; HashiCorp Vault, documentation of `service_registration "kubernetes"`; Patroni,
documentation of the Kubernetes settings (`PATRONI_KUBERNETES_ROLE_LABEL`, default `role`); Zalando Spilo;
CloudNativePG, `pkg/utils/labels_annotations.go`; Crunchy postgres-operator, `internal/naming/labels.go`; Istio,
`pkg/config/constants` and the injection templates; Linkerd, `pkg/k8s/labels.go`.
"""

from typing import NamedTuple

POD_TEMPLATE_HASH = "pod-template-hash"
ROLLOUT_HASH = "rollouts-pod-template-hash"

BY_KIND: dict[str, frozenset[str]] = {
    "Deployment": frozenset({POD_TEMPLATE_HASH}),
    "ReplicaSet": frozenset({POD_TEMPLATE_HASH, ROLLOUT_HASH}),
    "Rollout": frozenset({ROLLOUT_HASH, "role"}),
    "DaemonSet": frozenset({"controller-revision-hash", "pod-template-generation"}),
    "StatefulSet": frozenset(
        {"controller-revision-hash", "statefulset.kubernetes.io/pod-name", "apps.kubernetes.io/pod-index"}
    ),
    "Job": frozenset(
        {
            "batch.kubernetes.io/controller-uid",
            "batch.kubernetes.io/job-name",
            "batch.kubernetes.io/job-completion-index",
            "controller-uid",
            "job-name",
        }
    ),
    "DeploymentConfig": frozenset({"deployment", "deploymentconfig"}),
}
"""What the controller of each kind adds to the labels of its template."""
BY_KIND["CronJob"] = BY_KIND["Job"]

ANYWHERE = frozenset(
    {
        # Elected leaders and states, under keys that nobody else uses.
        "vault-active",
        "vault-initialized",
        "vault-perf-standby",
        "vault-sealed",
        "vault-version",
        "spilo-role",
        "cnpg.io/instanceRole",
        "postgres-operator.crunchydata.com/role",
        "redisfailovers-role",
        "redis-role",
        "opstreelabs.in/redis-role",
        # Sidecar injectors.
        "istio.io/rev",
        "security.istio.io/tlsMode",
        "service.istio.io/canonical-name",
        "service.istio.io/canonical-revision",
        "linkerd.io/control-plane-ns",
        "linkerd.io/proxy-deployment",
        "linkerd.io/workload-ns",
    }
)
"""Keys that only a program sets, whatever pod it is on."""


class LeaderLabel(NamedTuple):
    """Keys that are set at run time on the pods that show the evidence: an environment variable or an image."""

    keys: frozenset[str]
    env_prefixes: tuple[str, ...] = ()
    images: tuple[str, ...] = ()


LEADERS = (
    LeaderLabel(frozenset({"role"}), ("PATRONI_", "SPILO_"), ("patroni", "/spilo", "timescaledb-ha", "cloudnative-pg")),
)
"""General-purpose keys, which are unknown only where the program that sets them evidently runs."""

ROLE_KEY_VARIABLE = "PATRONI_KUBERNETES_ROLE_LABEL"
"""The environment variable that renames Patroni's label."""
