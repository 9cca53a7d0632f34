"""Selectors, label predicates, traffic and addresses: the one place where a label is matched. It knows no Kubernetes
object; rooms that do build predicates from plain data."""

from netlint.predicates.addresses import ALL_ADDRESSES, ALL_IPV4, ALL_IPV6, NO_ADDRESSES, AddressSet, parse_network
from netlint.predicates.endpoint import NAME, Endpoint, EndpointKind, Scope
from netlint.predicates.intervals import IntervalSet
from netlint.predicates.labelled import Labelled
from netlint.predicates.labels import OTHER, Values, cells, labels_match, requirement
from netlint.predicates.near import NearMiss, edit_distance, near_misses
from netlint.predicates.predicate import (
    FALSE,
    TRUE,
    AddressIn,
    And,
    Assumption,
    Constant,
    Label,
    Not,
    OfKind,
    Or,
    Predicate,
    all_of,
    any_of,
    negate,
    selector,
)
from netlint.predicates.traffic import (
    ALL_PORTS,
    ALL_TRAFFIC,
    NO_TRAFFIC,
    PORT_PROTOCOLS,
    EndpointPort,
    NamedPort,
    PortSet,
    TrafficSet,
)

__all__ = [
    "ALL_ADDRESSES",
    "ALL_IPV4",
    "ALL_IPV6",
    "ALL_PORTS",
    "ALL_TRAFFIC",
    "FALSE",
    "NAME",
    "NO_ADDRESSES",
    "NO_TRAFFIC",
    "OTHER",
    "PORT_PROTOCOLS",
    "TRUE",
    "AddressIn",
    "AddressSet",
    "And",
    "Assumption",
    "Constant",
    "Endpoint",
    "EndpointKind",
    "EndpointPort",
    "IntervalSet",
    "Label",
    "Labelled",
    "NamedPort",
    "NearMiss",
    "Not",
    "OfKind",
    "Or",
    "PortSet",
    "Predicate",
    "Scope",
    "TrafficSet",
    "Values",
    "all_of",
    "any_of",
    "cells",
    "edit_distance",
    "labels_match",
    "near_misses",
    "negate",
    "parse_network",
    "requirement",
    "selector",
]
