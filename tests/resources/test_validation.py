"""What the API server refuses by meaning: each fault at its field, and no fault in what it accepts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from netlint.resources import Manifest, problems

Make = Callable[..., Manifest]


def said(manifest: Manifest) -> list[tuple[tuple[Any, ...], str, str]]:
    return [(p.path, p.message, p.severity_hint) for p in problems(manifest)]


@pytest.mark.parametrize(
    ("spec", "path", "message"),
    [
        ({"type": "Loadbalancer"}, ("type",), "must be one of ClusterIP"),
        ({"ports": [{"port": 70000}]}, ("ports", 0, "port"), "between 1 and 65535"),
        ({"ports": [{"name": "a"}]}, ("ports", 0, "port"), "must be set"),
        ({"ports": [{"port": 1, "name": "a"}, {"port": 2}]}, ("ports", 1, "name"), "more than one port"),
        ({"ports": [{"port": 1, "name": "a"}, {"port": 2, "name": "a"}]}, ("ports", 1, "name"), "ports[0]"),
        ({"ports": [{"port": 1, "name": "a"}, {"port": 1, "name": "b"}]}, ("ports", 1, "port"), "twice"),
        ({"ports": [{"port": 1, "name": "Web"}]}, ("ports", 0, "name"), "lower case"),
        ({"ports": [{"port": 1, "protocol": "HTTP"}]}, ("ports", 0, "protocol"), "must be TCP, UDP or SCTP"),
        ({"ports": [{"port": 1, "targetPort": "8080"}]}, ("ports", 0, "targetPort"), "made of digits"),
        ({"ports": [{"port": 1, "nodePort": 30000}]}, ("ports", 0, "nodePort"), "type ClusterIP"),
        ({"type": "NodePort", "clusterIP": "None"}, ("clusterIP",), "must not be None"),
        ({"clusterIP": "10.0.0"}, ("clusterIP",), "IP address"),
        ({"clusterIP": "10.0.0.1", "clusterIPs": ["10.0.0.2"]}, ("clusterIPs", 0), "same as clusterIP"),
        ({"type": "ExternalName"}, ("externalName",), "must be set"),
        ({"type": "ExternalName", "externalName": "a_b"}, ("externalName",), "lower case"),
        ({"type": "ExternalName", "externalName": "a.b", "clusterIP": "10.0.0.1"}, ("clusterIP",), "ExternalName"),
        ({"externalTrafficPolicy": "Local"}, ("externalTrafficPolicy",), "from outside"),
        ({"type": "NodePort", "externalTrafficPolicy": "local"}, ("externalTrafficPolicy",), "Cluster or Local"),
        ({"internalTrafficPolicy": "Global"}, ("internalTrafficPolicy",), "Cluster or Local"),
        ({"loadBalancerClass": "a/b"}, ("loadBalancerClass",), "LoadBalancer"),
        ({"type": "LoadBalancer", "loadBalancerSourceRanges": ["x"]}, ("loadBalancerSourceRanges", 0), "CIDR"),
        ({"type": "LoadBalancer", "healthCheckNodePort": 30000}, ("healthCheckNodePort",), "externalTrafficPolicy"),
        ({"sessionAffinity": "Cookie"}, ("sessionAffinity",), "ClientIP"),
        ({"sessionAffinityConfig": {"clientIP": {}}}, ("sessionAffinityConfig",), "sessionAffinity ClientIP"),
        (
            {"sessionAffinity": "ClientIP", "sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 86401}}},
            ("sessionAffinityConfig", "clientIP", "timeoutSeconds"),
            "86400",
        ),
        ({"ipFamilies": ["IPv4", "IPv4"]}, ("ipFamilies", 1), "twice"),
        ({"ipFamilies": ["ipv4"]}, ("ipFamilies", 0), "IPv4 or IPv6"),
        ({"externalIPs": ["127.0.0.1"]}, ("externalIPs", 0), "loopback"),
    ],
)
def test_service_fault(manifest: Make, spec: dict[str, Any], path: tuple[Any, ...], message: str) -> None:
    ((where, text, severity),) = said(manifest("v1", "Service", spec=spec))
    assert where == ("spec", *path)
    assert message in text
    assert severity == "error"


def test_a_type_that_is_none_hides_no_other_fault(manifest: Make) -> None:
    spec = {"type": "nodeport", "clusterIP": "None", "ports": [{"port": 70000, "nodePort": 30000}]}
    found = problems(manifest("v1", "Service", spec=spec))
    assert [(one.path[1:], one.hint) for one in found] == [(("type",), "write NodePort"), (("ports", 0, "port"), None)]


@pytest.mark.parametrize(
    "spec",
    [
        {"clusterIP": "None", "selector": {"a": "b"}},
        {"ports": [{"port": 53, "name": "a"}, {"port": 53, "name": "b", "protocol": "UDP"}]},
        {
            "type": "NodePort",
            "ports": [
                {"port": 53, "name": "a", "nodePort": 30053},
                {"port": 53, "name": "b", "nodePort": 30053, "protocol": "UDP"},
            ],
        },
        {"type": "ExternalName", "externalName": "db.example.com.", "ports": [{"port": 5432}]},
        {"type": "LoadBalancer", "externalTrafficPolicy": "Local", "healthCheckNodePort": 30000},
        {"externalIPs": ["192.0.2.1"], "externalTrafficPolicy": "Local"},
        {"type": "LoadBalancer", "loadBalancerSourceRanges": [" 10.0.0.0/8 "]},
        {"selector": {"a": "b"}},
    ],
)
def test_service_that_is_accepted(manifest: Make, spec: dict[str, Any]) -> None:
    assert said(manifest("v1", "Service", spec=spec)) == []


def test_service_name_that_starts_with_a_digit_is_refused_by_older_servers(
    manifests: Callable[..., list[Manifest]],
) -> None:
    (thing,) = manifests({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "2web"}})
    assert [(path, severity) for path, _, severity in said(thing)] == [(("metadata", "name"), "warning")]


def _pod(**spec: Any) -> dict[str, Any]:
    return {"containers": [{"name": "main", "image": "x", **spec.pop("main", {})}], **spec}


@pytest.mark.parametrize(
    ("spec", "path", "message"),
    [
        (_pod(main={"ports": [{"containerPort": 0}]}), ("containers", 0, "ports", 0, "containerPort"), "between"),
        (_pod(main={"ports": [{"name": "a"}]}), ("containers", 0, "ports", 0, "containerPort"), "must be set"),
        (
            _pod(main={"ports": [{"containerPort": 1, "name": "a"}, {"containerPort": 2, "name": "a"}]}),
            ("containers", 0, "ports", 1, "name"),
            "twice",
        ),
        (
            _pod(main={"ports": [{"containerPort": 80, "hostPort": 81}]}, hostNetwork=True),
            ("containers", 0, "ports", 0, "hostPort"),
            "containerPort 80",
        ),
        (
            _pod(main={"ports": [{"containerPort": 1, "hostPort": 80}, {"containerPort": 2, "hostPort": 80}]}),
            ("containers", 0, "ports", 1, "hostPort"),
            "twice",
        ),
        (_pod(main={"livenessProbe": {"periodSeconds": 1}}), ("containers", 0, "livenessProbe"), "must hold httpGet"),
        (
            _pod(main={"livenessProbe": {"exec": {}, "tcpSocket": {"port": 1}}}),
            ("containers", 0, "livenessProbe"),
            "one way",
        ),
        (
            _pod(main={"readinessProbe": {"httpGet": {"port": "8080"}}}),
            ("containers", 0, "readinessProbe", "httpGet", "port"),
            "made of digits",
        ),
        (_pod(main={"name": "Main"}), ("containers", 0, "name"), "lower case"),
        (_pod(initContainers=[{"name": "main", "image": "y"}]), ("initContainers", 0, "name"), "twice"),
        (_pod(dnsPolicy="clusterFirst"), ("dnsPolicy",), "ClusterFirst"),
        (_pod(dnsPolicy="None"), ("dnsPolicy",), "nameserver"),
        (_pod(tolerations=[{"operator": "exists"}]), ("tolerations", 0, "operator"), "Exists"),
        (_pod(tolerations=[{"value": "a"}]), ("tolerations", 0, "operator"), "no key"),
        (_pod(nodeSelector={"a": "b c"}), ("nodeSelector", "a"), "label value"),
        (_pod(main={"resources": {"limits": {"memory": "1GB"}}}), ("containers", 0, "resources", "limits", "memory"),
         "quantity"),
        (
            _pod(topologySpreadConstraints=[{"maxSkew": 0, "topologyKey": "a", "whenUnsatisfiable": "DoNotSchedule"}]),
            ("topologySpreadConstraints", 0, "maxSkew"),
            "greater than 0",
        ),
    ],
)  # fmt: skip
def test_pod_fault(manifest: Make, spec: dict[str, Any], path: tuple[Any, ...], message: str) -> None:
    ((where, text, severity),) = said(manifest("v1", "Pod", spec=spec))
    assert where == ("spec", *path)
    assert message in text
    assert severity == "error"


@pytest.mark.parametrize(
    "spec",
    [
        _pod(main={"ports": [{"containerPort": 53}, {"containerPort": 53, "protocol": "UDP"}]}),
        _pod(main={"ports": [{"containerPort": 80, "hostPort": 80}]}, hostNetwork=True),
        {"containers": [{"name": "main", "livenessProbe": {"periodSeconds": 5}}]},
        _pod(tolerations=[{"operator": "Exists"}, {"key": "a", "value": "b", "effect": "NoExecute"}]),
        _pod(main={"resources": {"limits": {"cpu": 1, "memory": "1.5Gi", "a/b": "1"}}}),
        _pod(main={"env": [{"name": "A", "value": "", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}}]}),
        _pod(
            affinity={
                "nodeAffinity": {
                    "requiredDuringSchedulingIgnoredDuringExecution": {
                        "nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["-1"]}]}]
                    }
                }
            }
        ),
    ],
)
def test_pod_that_is_accepted(manifest: Make, spec: dict[str, Any]) -> None:
    assert said(manifest("v1", "Pod", spec=spec)) == []


def _deployment(selector: Any, labels: Any) -> dict[str, Any]:
    return {"selector": selector, "template": {"metadata": {"labels": labels}, "spec": _pod()}}


@pytest.mark.parametrize(
    "selector", [{"matchLabels": {"app": "web"}}, {"matchExpressions": [{"key": "b", "operator": "Exists"}]}, {}]
)
def test_selector_that_does_not_take_its_own_template(manifest: Make, selector: Any) -> None:
    ((path, _, _),) = said(manifest("apps/v1", "Deployment", spec=_deployment(selector, {"app": "wep"})))
    assert path == ("spec", "selector")


def test_selector_that_takes_its_own_template_or_is_left_out(manifest: Make) -> None:
    for selector in ({"matchLabels": {"app": "web"}}, None):
        spec = _deployment(selector, {"app": "web", "tier": "front"})
        assert said(manifest("apps/v1", "Deployment", spec=spec)) == []


def test_restart_policy_of_the_kind(manifest: Make) -> None:
    template = {"spec": {**_pod(), "restartPolicy": "Always"}}
    ((path, _, _),) = said(manifest("batch/v1", "Job", spec={"template": template}))
    assert path == ("spec", "template", "spec", "restartPolicy")
    assert said(manifest("apps/v1", "DaemonSet", spec={"template": template})) == []


def _path(**fields: Any) -> dict[str, Any]:
    backend = {"service": {"name": "web", "port": {"number": 80}}}
    return {"rules": [{"http": {"paths": [{"path": "/", "pathType": "Prefix", "backend": backend, **fields}]}}]}


PATHS = ("rules", 0, "http", "paths")


@pytest.mark.parametrize(
    ("spec", "path", "message"),
    [
        (_path(pathType=None), (*PATHS, 0, "pathType"), "must be set"),
        (_path(pathType="prefix"), (*PATHS, 0, "pathType"), "must be one of Exact"),
        (_path(path="web"), (*PATHS, 0, "path"), "start with '/'"),
        (_path(path="/a//b"), (*PATHS, 0, "path"), "'//'"),
        (_path(path="/a/.."), (*PATHS, 0, "path"), "'/..'"),
        (_path(path="web", pathType="ImplementationSpecific"), (*PATHS, 0, "path"), "start with '/'"),
        (_path(backend=None), (*PATHS, 0, "backend"), "must be set"),
        (_path(backend={}), (*PATHS, 0, "backend"), "service or resource"),
        (
            _path(backend={"service": {"name": "web", "port": {"name": "a", "number": 1}}}),
            (*PATHS, 0, "backend", "service", "port"),
            "not both",
        ),
        (
            _path(backend={"service": {"name": "web", "port": {"name": "80"}}}),
            (*PATHS, 0, "backend", "service", "port", "name"),
            "made of digits",
        ),
        ({"rules": [{"host": "10.0.0.1"}]}, ("rules", 0, "host"), "IP address"),
        ({"rules": [{"host": "a.*.com"}]}, ("rules", 0, "host"), "whole first label"),
        ({"rules": [{"host": "A.com"}]}, ("rules", 0, "host"), "lower case"),
        ({"rules": [{"http": {"paths": []}}]}, PATHS, "at least one path"),
    ],
)
def test_ingress_fault(manifest: Make, spec: dict[str, Any], path: tuple[Any, ...], message: str) -> None:
    ((where, text, severity),) = said(manifest("networking.k8s.io/v1", "Ingress", spec=spec))
    assert where == ("spec", *path)
    assert message in text
    assert severity == "error"


@pytest.mark.parametrize(
    "spec",
    [
        _path(),
        _path(path="/[a-z]*(/|$)", pathType="ImplementationSpecific"),
        _path(path=None, pathType="ImplementationSpecific"),
        {"rules": [{"host": "*.example.com"}], "tls": [{"hosts": ["*.example.com"]}]},
        {"defaultBackend": {"resource": {"kind": "Bucket", "name": "a"}}},
        {"ingressClassName": "nginx"},
    ],
)
def test_ingress_that_is_accepted(manifest: Make, spec: dict[str, Any]) -> None:
    assert said(manifest("networking.k8s.io/v1", "Ingress", spec=spec)) == []


def test_endpoint_slice_faults(manifest: Make) -> None:
    found = said(
        manifest(
            "discovery.k8s.io/v1",
            "EndpointSlice",
            addressType="IPv4",
            endpoints=[{"addresses": ["10.0.0.1"]}, {"addresses": ["2001:db8::1"]}, {"addresses": ["127.0.0.1"]}, {}],
            ports=[{"name": "a", "port": 0}, {"name": "a", "protocol": "tcp"}],
        )
    )
    assert [path for path, _, _ in found] == [
        ("endpoints", 1, "addresses", 0),
        ("endpoints", 2, "addresses", 0),
        ("endpoints", 3, "addresses"),
        ("ports", 0, "port"),
        ("ports", 1, "name"),
        ("ports", 1, "protocol"),
    ]


def test_gateway_faults(manifest: Make) -> None:
    refs = [{"name": "cert"}]
    listeners = [
        {"name": "a", "port": 80, "protocol": "HTTP"},
        {"name": "a", "port": 443, "protocol": "HTTPS", "tls": {"certificateRefs": refs}},
        {"name": "b", "port": 80, "protocol": "HTTP"},
        {"name": "c", "port": 81, "protocol": "HTTP", "tls": {"certificateRefs": refs}},
        {"name": "d", "port": 444, "protocol": "HTTPS", "tls": {}},
        {"name": "e", "port": 53, "protocol": "UDP", "hostname": "a.b"},
    ]
    found = said(manifest("gateway.networking.k8s.io/v1", "Gateway", spec={"listeners": listeners}))
    here = ("spec", "listeners")
    assert [path for path, _, _ in found] == [
        (*here, 1, "name"),
        (*here, 2),
        (*here, 3, "tls"),
        (*here, 4, "tls"),
        (*here, 5, "hostname"),
    ]


def test_route_faults(manifest: Make) -> None:
    rules = [
        {"matches": [{"path": {"value": "web"}}], "backendRefs": [{"name": "web"}]},
        {
            "backendRefs": [
                {"name": "bucket", "kind": "Bucket", "group": "x.io"},
                {"name": "web", "port": 1, "weight": -1},
            ]
        },
    ]
    found = said(manifest("gateway.networking.k8s.io/v1", "HTTPRoute", spec={"rules": rules}))
    assert [path[2:] for path, _, _ in found] == [
        (0, "matches", 0, "path", "value"),
        (0, "backendRefs", 0, "port"),
        (1, "backendRefs", 1, "weight"),
    ]


@pytest.mark.parametrize(
    ("metadata", "paths"),
    [
        ({"name": "a_b"}, [("name",)]),
        ({"name": "a.b"}, []),
        ({"generateName": "a-"}, []),
        ({"name": "RELEASE-NAME-web"}, []),
        ({"name": "${NAME}"}, []),
        ({"name": "a", "namespace": "a.b"}, [("namespace",)]),
        ({"name": "a", "labels": {"a": "b/c", "d": "e"}}, [("labels", "a")]),
        ({"name": "a", "annotations": {"A.example.com/x": "any text", "b c": ""}}, [("annotations", "b c")]),
    ],
)
def test_metadata(
    manifests: Callable[..., list[Manifest]], metadata: dict[str, Any], paths: list[tuple[str, ...]]
) -> None:
    (thing,) = manifests({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata})
    assert [path for path, _, _ in said(thing)] == [("metadata", *path) for path in paths]


def test_patches_are_left_alone(manifest: Make) -> None:
    spec = {"template": {"spec": {"containers": [{"name": "A", "$patch": "delete"}]}}}
    assert said(manifest("apps/v1", "Deployment", spec=spec)) == []


def test_the_cases_are_accepted(shared: Path, manifests: Callable[..., list[Manifest]]) -> None:
    documents = [
        document
        for file in sorted((shared / "cases").glob("*/manifests/**/*.yaml"))
        for document in YAML(typ="safe").load_all(file.read_text())
    ]
    assert len(documents) > 200
    # The one case whose fault this is: headless-nodeport.
    found = [(m.kind, m.name, p.path) for m in manifests(*documents) for p in problems(m)]
    assert found == [("Service", "kamailio", ("spec", "clusterIP"))]
