"""Named settings (variables, flags, keys of a configuration): which of them say where a client connects to."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from netlint.findings import Place
from netlint.intent.references import Reference, command_references, name_list, references, whole_name

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words of a name whose value is an address that the program connects to.
_HOST_WORDS = _words(
    "addr addrs address addresses bootstrap brokers dsn endpoint endpoints host hostname hosts masters nodes peers "
    "seeds server servers upstream upstreams uri uris url urls zookeeper "
)
# Words of a name whose value may be an address, but also the kind or the title of something (CACHE_BACKEND=redis,
# DD_SERVICE=web): a single word there is no host, unless its port stands beside it.
_PERHAPS_HOST_WORDS = _words(
    "backend broker collector discovery master peer primary proxy quorum registry seed service target"
)
# Last words of a name that says something about a host, but not which.
_NO_HOST_LAST = _words(
    "account class db database enabled engine env environment family format group id key kind label mode password path "
    "port prefix profile protocol region role scheme scope strategy style suffix tag tier timeout transport type user "
    "username version zone "
)
# Words of a name whose value is dotted without being a host.
_DOTTED_WORDS = _words(
    "bucket class event events exchange field file group index key logger metric module package path prefix property "
    "queue role schema subject table topic topics view "
)
# Words of a name whose value is an address that somebody else uses, that is listened on, or that is no address.
_OTHER_WORDS = _words(
    "advertise advertised alias aliases allow allowed audience bind broadcast callback certificate cn "
    "cookie cors cert csrf dashboard description disallow docs domain domains exclude excluded external "
    "hosted hostname_override identity image images label labels link links listen listener listeners "
    "origin origins public redirect referer referrer san sans self subject tls title trusted vhost virtual whitelist "
)
# Sections of a configuration whose addresses are listened on, or compared with.
_OTHER_SECTIONS = _words(
    "advertise advertised allowed bind cors csrf listen listener listeners origins public redirect "
)
_BROWSER_PREFIXES = ("react_app_", "vite_", "next_public_", "nuxt_public_", "vue_app_", "expo_public_", "ng_app_")
_OWN_NAMES = frozenset({"hostname", "host_name", "nodename", "node_name", "pod_name", "servername", "server_name"})
_PAIR = re.compile(
    r"(?P<stem>.*?)(?P<word>hostname|hosts|host|servers|server|addresses|address|addrs|addr|service|endpoint|url|uri)$",
    re.IGNORECASE,
)
_PORTS = ("port", "port_value", "portvalue")
_NO_PROXY = re.compile(r"no_?proxy", re.IGNORECASE)
_PROPERTY = re.compile(r"(?:^|(?<=[\s\"']))-D(?P<name>[A-Za-z_][\w.\-]*)=(?P<value>[^\s\"']*)")


@dataclass(frozen=True, slots=True)
class Setting:
    """One name with its value, and where the value stands. `label` is how a message calls it: `env DB_HOST`.

    `section` is the part of a configuration that holds it, as far as there are parts.
    """

    name: str
    value: str
    place: Place
    label: str
    command: bool = False
    section: str = ""


@dataclass(frozen=True, slots=True)
class Mention:
    """A reference that some setting makes. `named` says that the setting's name speaks of a host to connect to."""

    reference: Reference
    place: Place
    label: str
    named: bool


@lru_cache(maxsize=4096)  # workloads repeat each other's settings
def words(name: str) -> tuple[str, ...]:
    """The words of a name in lower case: `DB_HOST`, `dbHost`, `db.host` and `--db-host` give db, host."""
    return tuple(word.lower() for word in _WORDS.findall(name))


@lru_cache(maxsize=4096)
def names_a_host(name: str) -> bool:
    """Whether a setting's name says that its value is an address to connect to."""
    parts = words(name)
    lowered = name.lower()
    if not parts or lowered in _OWN_NAMES or speaks_of_others(name):
        return False
    if parts[-1] in ("name", "names"):
        return len(parts) > 1 and parts[-2] == "host"
    if parts[-1] in _NO_HOST_LAST:
        return False
    if any(part in _HOST_WORDS for part in parts):
        return True
    return lowered.replace("_", "").endswith(("host", "hosts", "addr", "url", "uri"))


@lru_cache(maxsize=4096)
def may_name_a_host(name: str) -> bool:
    """Whether a setting's name allows for an address, but for a title or a kind as well."""
    parts = words(name)
    return bool(parts) and parts[-1] in _PERHAPS_HOST_WORDS and not speaks_of_others(name)


@lru_cache(maxsize=4096)
def speaks_of_others(name: str) -> bool:
    """Whether a setting's name says that its value is listened on, shown to browsers, or compared with."""
    lowered = name.lower().lstrip("-").replace("-", "_")
    if lowered.startswith(_BROWSER_PREFIXES) or _NO_PROXY.search(lowered):
        return True
    parts = set(words(name))
    if "issuer" in parts and not parts & {"url", "uri", "host"}:
        return True  # the issuer of a token is compared with, unless the name says that it is looked up
    return bool(parts & _OTHER_WORDS) or {"root", "url"} <= parts or {"base", "href"} <= parts


def mentions(settings: Sequence[Setting]) -> Iterator[Mention]:
    """The hosts that a group of settings (the environment of one container, one file) connects to.

    A host in one setting takes its port from another of the same stem (DB_HOST and DB_PORT, PGHOST and PGPORT).
    """
    settings = [part for setting in settings for part in _with_properties(setting)]
    ports = _port_settings(settings)
    for setting in settings:
        if speaks_of_others(setting.name) or len(setting.value) > 65536:
            continue
        if setting.section and not _OTHER_SECTIONS.isdisjoint(words(setting.section)):
            continue
        named = names_a_host(setting.name)
        value = setting.value
        found: Iterable[Reference] = command_references(value) if setting.command else references(value)
        found = list(found)
        port = _pair(setting, ports)
        if named or may_name_a_host(setting.name):
            known = {reference.host for reference in found}
            listed = [reference for reference in name_list(value) if reference.host not in known]
            found += [reference for reference in listed if named or port or reference.form != "bare"]
        elif not found and (whole := whole_name(value)) is not None and whole.form == "dotted":
            found = [whole] if _DOTTED_WORDS.isdisjoint(words(setting.name)) else []
        for reference in found:
            if reference.port is None and reference.port_name is None and port is not None:
                reference = replace(reference, port=port)
            yield Mention(reference, setting.place, setting.label, named)


def _with_properties(setting: Setting) -> Iterator[Setting]:
    """A setting and the `-Dname=value` in its value, each as a setting of its own."""
    if "-D" not in setting.value or setting.command:
        yield setting
        return
    yield replace(setting, value=_PROPERTY.sub("", setting.value))
    for match in _PROPERTY.finditer(setting.value):
        yield replace(setting, name=match["name"], value=match["value"])


def _port_settings(settings: Sequence[Setting]) -> dict[tuple[str, str], int]:
    return {
        (setting.section, _key(setting.name)): int(setting.value)
        for setting in settings
        if setting.name.lower().endswith(_PORTS) and setting.value.isdigit() and 0 < int(setting.value) < 65536
    }


def _pair(setting: Setting, ports: dict[tuple[str, str], int]) -> int | None:
    match = _PAIR.fullmatch(setting.name)
    if match is None and not may_name_a_host(setting.name):
        return None
    for stem in (match["stem"], setting.name) if match else (setting.name,):
        for word in ("port", "portvalue"):
            if (port := ports.get((setting.section, _key(stem + word)))) is not None:
                return port
    return None


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
