"""Attribute names against the API's names."""

import typing
from collections import defaultdict
from importlib import import_module
from typing import Any

import pytest

from netlint.resources import api_name
from netlint.resources.base import Model
from netlint.resources.registry import _MODULES
from netlint.resources.unknown import _tables


@pytest.mark.parametrize(
    ("attribute", "field"),
    [
        ("from_", "from"),
        ("except_", "except"),
        ("cluster_ip", "clusterIP"),
        ("cluster_ips", "clusterIPs"),
        ("ip_families", "ipFamilies"),
        ("pod_ip", "podIP"),
        ("host_ip", "hostIP"),
        ("pod_cidr", "podCIDR"),
        ("pod_cidrs", "podCIDRs"),
        ("external_ips", "externalIPs"),
        ("load_balancer_ip", "loadBalancerIP"),
        ("provider_id", "providerID"),
        ("cluster_dns", "clusterDNS"),
        ("vxlan_mtu_v6", "vxlanMTUV6"),
        ("as_number", "asNumber"),
        ("ip_address_pools", "ipAddressPools"),
        ("http_get", "httpGet"),
        ("name", "name"),
    ],
)
def test_attribute_is_written_as_the_api_writes_it(attribute: str, field: str) -> None:
    assert api_name(attribute) == field


def _models(annotation: Any) -> list[type[Model]]:
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return [annotation]
    return [model for part in typing.get_args(annotation) for model in _models(part)]


def _collect(model: type[Model], number: int, seen: dict[type[Model], set[int]]) -> None:
    if number in seen[model]:
        return
    seen[model].add(number)
    _, types = _tables()
    for field in model.model_fields.values():
        below = abs(types[number].fields.get(field.alias or "", 0))
        for inner in _models(field.annotation):
            if below:
                _collect(inner, below, seen)


def test_every_declared_field_exists_in_the_published_schema() -> None:
    kinds, types = _tables()
    seen: dict[type[Model], set[int]] = defaultdict(set)
    for kind, number in kinds.items():
        group, _, name = kind.split("/")
        for module in _MODULES.get(group, ()):
            model = import_module(f"netlint.resources.{module}").KINDS.get(name)
            if model is not None:
                _collect(model, number, seen)
    assert len(seen) > 150
    strange = sorted(
        f"{model.__name__}.{field.alias}"
        for model, numbers in seen.items()
        for field in model.model_fields.values()
        if not any(field.alias in types[number].fields for number in numbers)
    )
    assert strange == []
