"""Which Ingress serves a URL (networking/v1 types.go; "Ingress" of the Kubernetes documentation)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from netlint.cluster import Cluster, Workload
from netlint.findings import Path
from netlint.intent.names import ServiceNames
from netlint.intent.routes import IngressControllers, ingress_port
from netlint.intent.urls.entry import ALLOWED, DENIED, UNKNOWN, Backend, Because, Entry, missing
from netlint.intent.urls.matching import has_prefix, ingress_host, is_plain, own_pattern
from netlint.policy.queries.expressions import ByUrl
from netlint.resources.networking import HTTPIngressPath, Ingress, IngressBackend, IngressClass

_NGINX = "k8s.io/ingress-nginx"
_TRAEFIK = "traefik.io/ingress-controller"
# Controllers that compare the beginning of the text where pathType is ImplementationSpecific: ingress-nginx (a plain
# location), Traefik (its default matcher is PathPrefix).
_BY_BEGINNING = frozenset({_NGINX, _TRAEFIK})
_REGEX = ("nginx.ingress.kubernetes.io/use-regex", "nginx.ingress.kubernetes.io/rewrite-target")
_CANARY = "nginx.ingress.kubernetes.io/canary"
_DEFAULT = "ingressclass.kubernetes.io/is-default-class"
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class _Rule:
    """One path of a rule whose host is the request's. `level`: 2 for a precise host, 1 for a wildcard, 0 for none."""

    ingress: Ingress
    level: int
    entry: HTTPIngressPath
    path: Path

    @property
    def kind(self) -> str:
        return self.entry.path_type or "ImplementationSpecific"

    @property
    def order(self) -> tuple[int, bool]:
        """The longest path first, then Exact before the rest."""
        return -len((self.entry.path or "").rstrip("/")), self.kind != "Exact"

    @property
    def words(self) -> str:
        return f"{self.entry.path or '/'} ({self.kind})"


class IngressEntries:
    """The Ingresses of a cluster, class by class: what one controller reads is one entry."""

    def __init__(self, cluster: Cluster, names: ServiceNames, url: ByUrl) -> None:
        self._cluster = cluster
        self._names = names
        self._url = url
        self._controllers = IngressControllers(cluster)
        classes = cluster.all(IngressClass)
        defaults = [one.name for one in classes if one.annotations.get(_DEFAULT) == "true"]
        self._default = defaults[0] if len(defaults) == 1 else None

    def entries(self) -> Iterator[Entry]:
        """One for each class that has the request's host, or a default backend."""
        by_class: dict[str | None, list[Ingress]] = {}
        for ingress in self._cluster.all(Ingress):
            by_class.setdefault(self._class_of(ingress), []).append(ingress)
        for name, members in sorted(by_class.items(), key=lambda item: item[0] or ""):
            entry = self._entry(name, members)
            if entry is not None:
                yield entry

    def _class_of(self, ingress: Ingress) -> str | None:
        stated = ingress.spec.ingress_class_name or ingress.annotations.get("kubernetes.io/ingress.class")
        return stated or self._default

    def _entry(self, name: str | None, ingresses: Sequence[Ingress]) -> Entry | None:
        plain = [one for one in ingresses if one.annotations.get(_CANARY) != "true"]
        hosts = sorted((level for one in plain for level in _levels(one, self._url.host)), reverse=True)
        level = hosts[0] if hosts else None
        rules = [rule for one in plain for rule in _rules(one, self._url.host)]
        own = [rule for rule in rules if rule.level == level]
        chosen, certain = self._chosen(name, own, ingresses)
        reasons: list[Because] = []
        split = len(chosen) > 1
        backends = [self._rule_backend(rule, self._match(name, rule, ingresses)) for rule in chosen]
        if not certain:
            lower = [rule for rule in rules if rule.level != level and self._match(name, rule, ingresses) is not False]
            defaults = self._defaults(plain, level)
            if not chosen and not lower and not defaults:
                return self._nothing(name, own, level)
            split = split or bool(chosen) or bool(lower) or len(defaults) > 1
            backends += [self._rule_backend(rule, None) for rule in lower]
            backends += [self._default_backend(one, certain=not chosen and not lower) for one in defaults]
            if lower:
                text = f"{lower[0].ingress.ref} has the path for other hosts: whether controllers fall back is theirs"
                reasons.append(Because(text, lower[0].ingress.at(*lower[0].path)))
            if not defaults or not (level is None or self._holds_host(defaults)):
                split = True
                backends.append(Backend(Because("what no rule takes is up to the controller"), verdict=UNKNOWN))
        elif split:
            reasons.append(Because("several rules take it: which of them wins is up to the controller"))
        for canary in ingresses:
            if canary not in plain:
                found, _ = self._chosen(name, list(_rules(canary, self._url.host)), ingresses)
                shares = "shares its requests by canary annotations"
                backends += [self._rule_backend(rule, self._match(name, rule, ingresses), shares) for rule in found[:1]]
        serving = [rule.ingress for rule in chosen] or plain
        verdict, told = self._transport(name, serving)
        proxies, proxy_text = self._proxies(name)
        return Entry(_title(name), verdict, (*reasons, *told), tuple(backends), split, proxies, proxy_text, bool(level))

    def _chosen(self, name: str | None, rules: list[_Rule], ingresses: Sequence[Ingress]) -> tuple[list[_Rule], bool]:
        """The rules that may take the request, the foremost first, and whether one of them certainly does."""
        found: list[_Rule] = []
        winner: _Rule | None = None
        for rule in sorted(rules, key=lambda rule: rule.order):
            if winner is not None and rule.order != winner.order:
                break
            matched = self._match(name, rule, ingresses)
            if matched is False:
                continue
            found.append(rule)
            if matched is True:
                winner = winner or rule
        return found, winner is not None

    def _match(self, name: str | None, rule: _Rule, ingresses: Sequence[Ingress]) -> bool | None:
        if rule.ingress.rejects(*rule.path):
            return None
        path, pattern = self._url.path, rule.entry.path or ""
        if not pattern:
            return True
        controller = self._controllers.named(name)
        plainly = self._by_type(rule.kind, pattern, path, controller)
        if controller not in (None, _NGINX) or not any(_turns_to_regex(one, self._url.host) for one in ingresses):
            return plainly
        as_regex = path.lower().startswith(pattern.lower()) if is_plain(pattern) and "." not in pattern else None
        return as_regex if controller == _NGINX or plainly == as_regex else None

    def _by_type(self, kind: str, pattern: str, path: str, controller: str | None) -> bool | None:
        if kind == "Exact":
            return path == pattern
        if kind == "Prefix":
            return has_prefix(path, pattern)
        return own_pattern(path, pattern, prefix=controller in _BY_BEGINNING)

    def _defaults(self, ingresses: Sequence[Ingress], level: int | None) -> list[Ingress]:
        """Whose default backend takes what no rule does: first those that have the host, else all."""
        holders = [one for one in ingresses if (one.spec.default_backend or one.spec.backend) is not None]
        own = [one for one in holders if level is not None and level in _levels(one, self._url.host)]
        return own or holders

    def _holds_host(self, ingresses: Sequence[Ingress]) -> bool:
        return any(_levels(one, self._url.host) for one in ingresses)

    def _nothing(self, name: str | None, rules: Sequence[_Rule], level: int | None) -> Entry | None:
        if level is None:
            return None
        if not rules:
            return Entry(
                _title(name), UNKNOWN, (Because("the rule of this host names no path and no default backend"),)
            )
        listed = ", ".join(dict.fromkeys(rule.words for rule in sorted(rules, key=lambda rule: rule.path)[:6]))
        text = f"no path of {self._url.host} takes {self._url.path}; there are {listed}"
        refs = dict.fromkeys(rule.ingress for rule in rules)
        because = tuple(Because(f"{one.ref}: {text}", one.at("spec", "rules")) for one in refs)
        otherwise = DENIED if self._cluster.world == "closed" else UNKNOWN
        return Entry(_title(name), otherwise, because, named=bool(level))

    def _rule_backend(self, rule: _Rule, matched: bool | None, also: str = "") -> Backend:
        host = ("any host", "its wildcard host", "its host")[rule.level]
        text = f"{rule.ingress.ref} {'takes' if matched else 'may take'} it by {host} and path {rule.words}"
        if rule.ingress.rejects(*rule.path):
            place = rule.ingress.at(*rule.path)
            return Backend(
                Because(f"{rule.ingress.ref}: the API server would refuse this path", place), verdict=UNKNOWN
            )
        return self._backend(rule.ingress, rule.entry.backend, (*rule.path, "backend"), f"{text} {also}".rstrip())

    def _default_backend(self, ingress: Ingress, *, certain: bool) -> Backend:
        field = "defaultBackend" if ingress.spec.default_backend is not None else "backend"
        backend = ingress.spec.default_backend or ingress.spec.backend
        text = f"{ingress.ref} {'takes' if certain else 'may take'} it by its default backend"
        return self._backend(ingress, backend, ("spec", field), text)

    def _backend(self, ingress: Ingress, backend: IngressBackend | None, path: Path, text: str) -> Backend:
        place = ingress.at(*path)
        name = (backend.service.name if backend.service else backend.service_name) if backend else None
        if backend is None or not name:
            what = f"{text}, to something that is no Service" if backend and backend.resource else f"{text}, to nobody"
            return Backend(Because(what, place), verdict=UNKNOWN)
        service, port = ingress_port(self._names, ingress, backend)
        if service is None:
            complete = self._cluster.world == "closed"
            return missing(f"{text}, to Service {name}, and there is no such Service", place, complete)
        if port is None:
            return Backend(Because(f"{text}, to a port that {service.ref} does not have", place), verdict=DENIED)
        return Backend(Because(text, place), service, port.name or port.port)

    def _transport(self, name: str | None, ingresses: Sequence[Ingress]) -> tuple[str, list[Because]]:
        """Whether the scheme and port of the URL are those of an Ingress."""
        url = self._url
        if url.port != _PORTS[url.scheme]:
            return UNKNOWN, [
                Because(f"an Ingress is reached at 80 and 443: what port {url.port} leads to is not known")
            ]
        covered = [one for one in ingresses if _covers(one, url.host)]
        if url.scheme == "http":
            text = "its tls names the host: most controllers answer http with a redirect to https"
            return ALLOWED, [Because(text, one.at("spec", "tls")) for one in covered[:1]]
        if covered or self._controllers.named(name) == _NGINX:
            return ALLOWED, []
        text = f"no tls of the Ingress names {url.host}: whether the controller answers https for it is not known"
        return UNKNOWN, [Because(text, ingresses[0].at("spec"))]

    def _proxies(self, name: str | None) -> tuple[tuple[Workload, ...], str]:
        found = self._controllers.of_class(name)
        if found is not None and (name is not None or self._controllers.named(None) == _TRAEFIK):
            return (found[0],), ""
        what = f"of class {name}" if name else "that takes Ingresses without a class"
        return (), f"the ingress controller {what} is not in the input, or cannot be told"


def _title(name: str | None) -> str:
    return f"Ingress class {name}" if name else "Ingresses without a class"


def _levels(ingress: Ingress, host: str) -> list[int]:
    """How the rules of an Ingress name a host."""
    return [level for rule in ingress.spec.rules or () if (level := _level(rule.host, host)) is not None]


def _level(wanted: str | None, host: str) -> int | None:
    if not wanted:
        return 0
    if not ingress_host(host, wanted):
        return None
    return 1 if wanted.startswith("*.") else 2


def _rules(ingress: Ingress, host: str) -> Iterator[_Rule]:
    for index, rule in enumerate(ingress.spec.rules or ()):
        level = _level(rule.host, host)
        if level is not None:
            for number, entry in enumerate(rule.http.paths or () if rule.http else ()):
                yield _Rule(ingress, level, entry, ("spec", "rules", index, "http", "paths", number))


def _turns_to_regex(ingress: Ingress, host: str) -> bool:
    """ingress-nginx: one such Ingress of a host turns every path of the host into a regular expression."""
    use, rewrite = (ingress.annotations.get(key) for key in _REGEX)
    return (use == "true" or bool(rewrite)) and bool(_levels(ingress, host))


def _covers(ingress: Ingress, host: str) -> bool:
    """Whether a certificate is named for the host; an entry of `tls` without hosts is for all of them."""
    return any(
        not one.hosts or any(ingress_host(host, wanted) for wanted in one.hosts) for one in ingress.spec.tls or ()
    )


def ingress_hosts(cluster: Cluster) -> list[str]:
    """Every host that a rule of an Ingress names."""
    return sorted({rule.host for one in cluster.all(Ingress) for rule in one.spec.rules or () if rule.host})
