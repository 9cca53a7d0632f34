"""Which Gateway serves a URL (gateway.networking.k8s.io/v1 gateway_types.go, httproute_types.go)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias
from urllib.parse import parse_qsl

from netlint.cluster import Cluster
from netlint.findings import Path
from netlint.intent.gateways import granted, listeners_of, proxies_of
from netlint.intent.names import ServiceNames
from netlint.intent.targets import find_port
from netlint.intent.urls.entry import ALLOWED, DENIED, UNKNOWN, Backend, Because, Entry, missing
from netlint.intent.urls.matching import gateway_host, has_prefix, host_order
from netlint.policy.queries.expressions import ByUrl
from netlint.resources.gateway import (
    Gateway,
    GRPCRoute,
    HTTPRoute,
    HTTPRouteMatch,
    HTTPRouteRule,
    Listener,
    RouteBackend,
    RouteRule,
    TLSRoute,
)

_Rank: TypeAlias = tuple[int, int, bool, int, int]
_Route: TypeAlias = HTTPRoute | GRPCRoute | TLSRoute
_KINDS: tuple[type[_Route], ...] = (HTTPRoute, GRPCRoute, TLSRoute)
_CATCH_ALL = HTTPRouteMatch()
_REDIRECT = "RequestRedirect"


class _Attached(NamedTuple):
    """A route on a listener that has the request's host. `hostname` is the route's that matches, or the listener's."""

    route: _Route
    listener: Listener
    hostname: str | None


@dataclass(frozen=True, slots=True)
class _Match:
    """A match of a rule that may take the request. `certain`: by its path, host and query alone. `fixed`: what else it
    asks (method, headers) depends on the request, not on the implementation."""

    route: HTTPRoute
    rule: HTTPRouteRule
    index: int
    rank: _Rank
    order: tuple[object, ...]
    words: str
    certain: bool
    fixed: bool = True


class GatewayEntries:
    """The Gateways of a cluster that have a listener for the URL: each is one entry."""

    def __init__(self, cluster: Cluster, names: ServiceNames, url: ByUrl) -> None:
        self._cluster = cluster
        self._names = names
        self._url = url
        self._otherwise = DENIED if cluster.world == "closed" else UNKNOWN
        self._query = dict(reversed(parse_qsl(url.query, keep_blank_values=True)))

    def entries(self) -> Iterator[Entry]:
        attached: dict[Gateway, list[_Attached]] = {}
        for kind in _KINDS:
            for route in self._cluster.all(kind):
                for gateway, listener in listeners_of(self._cluster, route):
                    found = self._attached(route, listener)
                    if found is not None:
                        attached.setdefault(gateway, []).append(found)
        for gateway in self._cluster.all(Gateway):
            if gateway in attached:
                entry = self._entry(gateway, attached[gateway])
                if entry is not None:
                    yield entry
        yield from self._orphans()

    def _attached(self, route: _Route, listener: Listener) -> _Attached | None:
        protocols = {"http": ("HTTP",), "https": ("HTTPS", "TLS")}[self._url.scheme]
        if listener.protocol not in protocols or not self._has_host(listener.hostname):
            return None
        if not route.spec.hostnames:
            return _Attached(route, listener, listener.hostname)
        own = [name for name in route.spec.hostnames if gateway_host(self._url.host, name)]
        return _Attached(route, listener, max(own, key=host_order)) if own else None

    def _has_host(self, wanted: str | None) -> bool:
        return not wanted or gateway_host(self._url.host, wanted)

    def _entry(self, gateway: Gateway, attached: Sequence[_Attached]) -> Entry | None:
        url = self._url
        reasons: list[Because] = []
        verdict = ALLOWED
        named = any(one.hostname for one in attached)
        here = [one for one in attached if one.listener.port == url.port]
        if not here:
            ports = ", ".join(str(port) for port in sorted({one.listener.port or 0 for one in attached}))
            text = f"{gateway.ref} listens for {url.host} at {ports}: whether port {url.port} leads there is not known"
            reasons.append(Because(text, gateway.at("spec", "listeners")))
            verdict, here = UNKNOWN, list(attached)
        # A request belongs to the most specific listener; some implementations let it fall to others.
        listeners = [
            one
            for one in gateway.spec.listeners or ()
            if one.port in {each.listener.port for each in here}
            and one.protocol in {each.listener.protocol for each in here}
            and self._has_host(one.hostname)
        ]
        foremost = max([host_order(one.hostname) for one in listeners], default=(0, 0))
        first = [one for one in here if host_order(one.listener.hostname) >= foremost]
        backends, split, certain, told = self._routed(first)
        if not certain:
            rest, _, _, more = self._routed([one for one in here if one not in first])
            if rest:
                text = "a route of a less specific listener has it: whether it gets there is up to the implementation"
                reasons.append(Because(text, gateway.at("spec", "listeners")))
                backends, split = [*backends, *rest], True
            if not backends:
                return Entry(str(gateway.ref), self._otherwise, (*told, *more), named=named)
            backends.append(self._no_rule())
        proxies = proxies_of(self._cluster, self._names, gateway)
        text = "" if proxies else f"the proxy of {gateway.ref} is not in the input"
        return Entry(str(gateway.ref), verdict, tuple(reasons), tuple(backends), split, proxies, text, named)

    def _routed(self, attached: Sequence[_Attached]) -> tuple[list[Backend], bool, bool, list[Because]]:
        """The backends that routes give the request, whether the input cannot tell which, whether some rule certainly
        takes it, and what to say where none may."""
        passed = [one for one in attached if isinstance(one.route, TLSRoute)]
        if passed:
            foremost = max(host_order(one.hostname) for one in passed)
            tls = list(dict.fromkeys(one.route for one in passed if host_order(one.hostname) == foremost))
            return [each for route in tls for each in self._passthrough(route)], len(tls) > 1, True, []
        calls = [one for one in attached if isinstance(one.route, GRPCRoute)]
        backends = [
            Backend(
                Because(f"{one.route.ref} is for gRPC calls: not read as paths", one.route.at("spec")), verdict=UNKNOWN
            )
            for one in calls
        ]
        levels = sorted(
            {host_order(one.hostname) for one in attached if isinstance(one.route, HTTPRoute)}, reverse=True
        )
        split = bool(calls)
        told: list[Because] = []
        for number, level in enumerate(levels):
            routes = dict.fromkeys(one.route for one in attached if host_order(one.hostname) == level)
            http = [route for route in routes if isinstance(route, HTTPRoute)]
            matches = sorted((one for route in http for one in self._matches(route)), key=lambda one: one.order)
            taken, open_ = _foremost(matches)
            # Whether a host's own routes hide those of a wider one is not laid down.
            split = split or open_ or bool(taken and number)
            backends += [backend for match in taken for backend in self._rule_backends(match)]
            if any(match.certain for match in taken):
                return backends, split, not number, told
            told += [self._no_path(route) for route in http]
        return backends, split, False, told

    def _no_path(self, route: HTTPRoute) -> Because:
        listed = dict.fromkeys(
            _words(match) for rule in route.spec.rules or () for match in rule.matches or (_CATCH_ALL,)
        )
        text = f"{route.ref}: no rule takes {self._url.path}; there are {', '.join(list(listed)[:6]) or 'none'}"
        return Because(text, route.at("spec", "rules"))

    def _matches(self, route: HTTPRoute) -> Iterator[_Match]:
        rules = [HTTPRouteRule()] if route.spec.rules is None else route.spec.rules
        for index, rule in enumerate(rules):
            for match in rule.matches or (_CATCH_ALL,):
                path = self._path(match)
                query = [self._parameter(one.type, one.name, one.value) for one in match.query_params or ()]
                if path is False or False in query:
                    continue
                refused = route.rejects("spec", "rules", index)
                asks = bool(match.method or match.headers)
                rank = _precedence(match)
                order = (*rank, _age(route), route.namespace, route.name, index)
                certain = path is True and all(query) and not asks and not refused
                fixed = path is True and None not in query and not refused
                yield _Match(route, rule, index, rank, order, _words(match), certain, fixed)

    def _path(self, match: HTTPRouteMatch) -> bool | None:
        wanted = (match.path.value if match.path else None) or "/"
        match match.path.type if match.path and match.path.type else "PathPrefix":
            case "PathPrefix":
                return has_prefix(self._url.path, wanted)
            case "Exact":
                return self._url.path == wanted
        return None

    def _parameter(self, kind: str | None, name: str | None, value: str | None) -> bool | None:
        found = self._query.get(name or "")
        if found is None:
            return False
        return found == value if kind in (None, "Exact") else None

    def _rule_backends(self, match: _Match) -> list[Backend]:
        route, path = match.route, ("spec", "rules", match.index)
        words = f"{route.ref} {'takes' if match.certain else 'may take'} it by {match.words}"
        if route.rejects(*path):
            return [
                Backend(
                    Because(f"{route.ref}: the API server would refuse this rule", route.at(*path)), verdict=UNKNOWN
                )
            ]
        for number, one in enumerate(match.rule.filters or ()):
            if one.type == _REDIRECT:
                text = f"{words} and answers with a redirect: no backend is asked"
                return [Backend(Because(text, route.at(*path, "filters", number)), verdict=UNKNOWN)]
        if not match.rule.backend_refs and any(one.type == "ExtensionRef" for one in match.rule.filters or ()):
            return [Backend(Because(f"{words}, and an extension answers", route.at(*path)), verdict=UNKNOWN)]
        return self._backends(route, match.rule, path, words)

    def _passthrough(self, route: HTTPRoute | GRPCRoute | TLSRoute) -> list[Backend]:
        return [
            backend
            for index, rule in enumerate(_rules(route))
            for backend in self._backends(
                route, rule, ("spec", "rules", index), f"{route.ref} passes TLS on by its host"
            )
        ]

    def _backends(self, route: _Route, rule: HTTPRouteRule | RouteRule, path: Path, words: str) -> list[Backend]:
        weighed = [
            self._backend(route, one, (*path, "backendRefs", number), words)
            for number, one in enumerate(rule.backend_refs or ())
            if one.weight != 0
        ]
        if weighed:
            return weighed
        return [
            Backend(Because(f"{words} and has no backend: the answer is an error", route.at(*path)), verdict=DENIED)
        ]

    def _backend(self, route: _Route, backend: RouteBackend, path: Path, words: str) -> Backend:
        place = route.at(*path)
        if backend.group or backend.kind not in (None, "Service") or not backend.name:
            return Backend(
                Because(f"{words}, to a {backend.kind or 'backend'} that is no Service", place), verdict=UNKNOWN
            )
        own = route.namespace or "default"
        space = backend.namespace or own
        complete = self._cluster.world == "closed"
        if space != own and not granted(self._cluster, route, space, backend.name):
            text = f"{words}, to Service {backend.name} of {space}, and no ReferenceGrant there lets it"
            return missing(text, place, complete)
        service = self._names.get(space, backend.name)
        if service is None:
            text = f"{words}, to Service {backend.name} of {space}, and there is no such Service"
            return missing(text, place, complete)
        port = find_port(service, backend.port) if backend.port else None
        if port is None:
            return Backend(Because(f"{words}, to a port that {service.ref} does not have", place), verdict=DENIED)
        return Backend(Because(words, place), service, port.name or port.port)

    def _orphans(self) -> Iterator[Entry]:
        """Gateways that routes with the URL name and the input does not hold: whether they take them is not known."""
        absent: dict[tuple[str, str], list[tuple[HTTPRoute, int]]] = {}
        for route in self._cluster.all(HTTPRoute):
            if any(gateway_host(self._url.host, name) for name in route.spec.hostnames or ()):
                for number, parent in enumerate(route.spec.parent_refs or ()):
                    space = parent.namespace or route.namespace or "default"
                    if parent.kind in (None, "Gateway") and not self._cluster.get(Gateway, space, parent.name or ""):
                        absent.setdefault((space, parent.name or ""), []).append((route, number))
        for (space, name), members in sorted(absent.items(), key=lambda item: item[0]):
            complete = self._cluster.world == "closed"
            what = f"there is no Gateway/{space}/{name}" if complete else f"Gateway/{space}/{name} is not in the input"
            reasons = [
                Because(f"{what} to take {route.ref}", route.at("spec", "parentRefs", number))
                for route, number in members
            ]
            attached = [_Attached(route, Listener(), self._url.host) for route, _ in members]
            backends, split, certain, told = ([], False, False, []) if complete else self._routed(attached)
            if backends and not certain:
                backends.append(self._no_rule())
            proxy = f"the proxy of Gateway/{space}/{name} is not in the input"
            verdict = DENIED if complete else UNKNOWN
            yield Entry(
                f"Gateway/{space}/{name}",
                verdict,
                (*reasons, *told),
                tuple(backends),
                split,
                proxy_text=proxy,
                named=True,
            )

    def _no_rule(self) -> Backend:
        """What becomes of a request that no rule takes; in an open world, a route that is not in the input may."""
        return Backend(Because("a request that no rule takes is answered with 404"), verdict=self._otherwise)


def _rules(route: _Route) -> Sequence[HTTPRouteRule | RouteRule]:
    rules: Sequence[HTTPRouteRule | RouteRule] = route.spec.rules or ()
    return rules


def _precedence(match: HTTPRouteMatch) -> _Rank:
    """Exact before prefix, the longest prefix, then method, number of headers, number of query parameters. Where
    regular expressions stand is up to the implementation: here first, for they are never certain."""
    kind = match.path.type if match.path and match.path.type else "PathPrefix"
    value = (match.path.value if match.path else None) or "/"
    rank = {"RegularExpression": 0, "Exact": 1}.get(kind, 2)
    length = 0 if kind != "PathPrefix" else -len(value.rstrip("/"))
    return rank, length, match.method is None, -len(match.headers or ()), -len(match.query_params or ())


def _foremost(matches: Sequence[_Match]) -> tuple[list[_Match], bool]:
    """The matches up to the first that is certain, and whether the input cannot tell which of them it is: the oldest of
    two routes wins, and manifests that were not read from a cluster have no age."""
    taken: list[_Match] = []
    for match in matches:
        taken.append(match)
        if match.certain:
            rivals = [
                other
                for other in matches
                if other.rank == match.rank and other.route is not match.route and other not in taken
                if not (_age(other.route) and _age(match.route))
            ]
            return [*taken, *rivals], bool(rivals) or not all(one.fixed for one in taken)
    return taken, not all(one.fixed for one in taken)


def _age(route: HTTPRoute) -> str:
    return str(route.metadata.creation_timestamp or "")


def _words(match: HTTPRouteMatch) -> str:
    kind = match.path.type if match.path and match.path.type else "PathPrefix"
    parts = [f"path {(match.path.value if match.path else None) or '/'} ({kind})"]
    parts += [f"method {match.method}"] if match.method else []
    parts += [f"header {one.name}" for one in match.headers or ()]
    parts += [f"query {one.name}" for one in match.query_params or ()]
    return ", ".join(parts)


def gateway_hosts(cluster: Cluster) -> list[str]:
    """Every hostname that a listener or a route names."""
    found = {one.hostname for gateway in cluster.all(Gateway) for one in gateway.spec.listeners or () if one.hostname}
    for kind in _KINDS:
        found |= {name for route in cluster.all(kind) for name in route.spec.hostnames or ()}
    return sorted(found)
