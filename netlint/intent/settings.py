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
    "addr addrs address addresses backend bootstrap broker brokers collector discovery dsn endpoint "
    "endpoints host hostname hosts master masters nodes peer peers primary proxy quorum registry seed "
    "seeds server servers service target upstream upstreams uri uris url urls zookeeper "
)
# Words of a name whose value is an address that somebody else uses, that is listened on, or that is no address.
_OTHER_WORDS = _words(
    "advertise advertised alias aliases allow allowed audience bind broadcast callback certificate cn "
    "cookie cors cert csrf dashboard description disallow docs domain domains exclude excluded external "
    "hosted hostname_override identity image images label labels link links listen listener listeners "
    "origin origins public redirect referer referrer san sans subject tls title trusted whitelist "
)
_BROWSER_PREFIXES = ("react_app_", "vite_", "next_public_", "nuxt_public_", "vue_app_", "expo_public_", "ng_app_")
_OWN_NAMES = frozenset({"hostname", "host_name", "nodename", "node_name", "pod_name", "servername"})
_PAIR = re.compile(
    r"(?P<stem>.*?)(?P<word>hostname|hosts|host|servers|server|addresses|address|addrs|addr|service|endpoint|url|uri)$",
    re.IGNORECASE,
)
_NO_PROXY = re.compile(r"no_?proxy", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Setting:
    """One name with its value, and where the value stands. `label` is how a message calls it: `env DB_HOST`."""

    name: str
    value: str
    place: Place
    label: str
    command: bool = False


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
    if parts[-1] in ("name", "names", "id", "type", "account", "port", "path", "enabled", "timeout"):
        return len(parts) > 1 and parts[-1] in ("name", "names") and parts[-2] in ("host", "server")
    if any(part in _HOST_WORDS for part in parts):
        return True
    return lowered.replace("_", "").endswith(("host", "hosts", "addr", "url", "uri"))


@lru_cache(maxsize=4096)
def speaks_of_others(name: str) -> bool:
    """Whether a setting's name says that its value is listened on, shown to browsers, or compared with."""
    lowered = name.lower().lstrip("-").replace("-", "_")
    if lowered.startswith(_BROWSER_PREFIXES) or _NO_PROXY.search(lowered):
        return True
    parts = words(name)
    return (
        any(part in _OTHER_WORDS for part in parts) or {"root", "url"} <= set(parts) or {"base", "href"} <= set(parts)
    )


def mentions(settings: Sequence[Setting]) -> Iterator[Mention]:
    """The hosts that a group of settings (the environment of one container, one file) connects to.

    A host in one setting takes its port from another of the same stem (DB_HOST and DB_PORT, PGHOST and PGPORT).
    """
    ports = _port_settings(settings)
    for setting in settings:
        if speaks_of_others(setting.name) or len(setting.value) > 65536:
            continue
        named = names_a_host(setting.name)
        value = setting.value
        found: Iterable[Reference] = command_references(value) if setting.command else references(value)
        found = list(found)
        if named:
            known = {reference.host for reference in found}
            found += [reference for reference in name_list(value) if reference.host not in known]
        elif not found and (whole := whole_name(value)) is not None and whole.form == "dotted":
            found = [whole]
        for reference in found:
            if reference.port is None and reference.port_name is None:
                port = _pair(setting.name, ports)
                if port is not None:
                    reference = replace(reference, port=port)
            yield Mention(reference, setting.place, setting.label, named)


def _port_settings(settings: Sequence[Setting]) -> dict[str, int]:
    return {
        _key(setting.name): int(setting.value)
        for setting in settings
        if setting.name.lower().endswith("port") and setting.value.isdigit() and 0 < int(setting.value) < 65536
    }


def _pair(name: str, ports: dict[str, int]) -> int | None:
    match = _PAIR.fullmatch(name)
    if match is None:
        return None
    for candidate in (match["stem"] + "port", name + "port"):
        if (port := ports.get(_key(candidate))) is not None:
            return port
    return None


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


_TEXT_LINE = re.compile(
    r"^[ \t-]*[\"']?(?P<name>[A-Za-z_][\w.\-]*)[\"']?[ \t]*(?::[ \t]|=|[ \t]+(?=\S+;?$))"
    r"[ \t]*(?P<value>[^\n]*?)[ \t,;]*$"
)
_COMMENT = re.compile(r"(?:^[ \t]*|[ \t])(?:#|//|--[ \t])[^\n]*|^[ \t]*;[^\n]*", re.MULTILINE)


def text_settings(text: str, place: Place, label: str) -> tuple[Setting, ...]:
    """The `name: value`, `name = value` and `name value;` lines of a configuration text, and the other lines unnamed.

    Comments are left out. All settings share one place: the text stands in one field.
    """
    found = []
    for line in _COMMENT.sub("", text).splitlines():
        if not line.strip():
            continue
        match = _TEXT_LINE.match(line)
        if match:
            value = match["value"].strip()
            if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
                value = value[1:-1]
            found.append(Setting(match["name"], value, place, label))
        else:
            found.append(Setting("", line, place, label))
    return tuple(found)
