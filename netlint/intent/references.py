"""References to other hosts in plain text: addresses of connection strings, configuration values and command lines.

Pure functions from text to `Reference`s. Whether a host is a Service of the cluster is decided in names.py; a text that
may or may not be an address is given out here with its `form`, and its reader decides whether that is enough.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

Form = Literal["url", "host-port", "dotted", "bare"]

# The ports that clients use when a URL names none: IANA's registrations and the drivers' documented defaults.
DEFAULT_PORTS = {
    "amqp": 5672,
    "amqps": 5671,
    "bolt": 7687,
    "cassandra": 9042,
    "clickhouse": 9000,
    "cockroachdb": 26257,
    "elasticsearch": 9200,
    "ftp": 21,
    "http": 80,
    "https": 443,
    "kafka": 9092,
    "ldap": 389,
    "ldaps": 636,
    "mariadb": 3306,
    "memcache": 11211,
    "memcached": 11211,
    "mongodb": 27017,
    "mqtt": 1883,
    "mqtts": 8883,
    "mysql": 3306,
    "mysql2": 3306,
    "nats": 4222,
    "neo4j": 7687,
    "oracle": 1521,
    "postgres": 5432,
    "postgresql": 5432,
    "redis": 6379,
    "rediss": 6379,
    "smtp": 25,
    "sqlserver": 1433,
    "ws": 80,
    "wss": 443,
}
_UDP_SCHEMES = frozenset({"udp", "statsd", "syslog+udp", "udp4"})

_LABEL = r"[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9])?"
_HOST = rf"{_LABEL}(?:\.{_LABEL})*\.?"
_URL = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.:-]*?)://"
    r"(?:(?P<user>[^\s/@\"'<>|]*)@)?"
    rf"(?P<hosts>\[[0-9A-Fa-f:.]+\](?::\d+)?|(?:{_HOST}|)(?::\d{{1,5}})?"
    rf"(?:,(?:[A-Za-z0-9+.-]+://)?{_HOST}(?::\d{{1,5}})?)*)"
)
_HOST_PORT = re.compile(rf"(?<![\w./:@$)}}%-])(?P<host>{_HOST}):(?P<port>\d{{1,5}})(?![\w.:$(-])")
_DRIVER_HOST = re.compile(rf"(?:@?(?:tcp|udp)\(|@/{{0,2}})(?P<host>{_HOST}):(?P<port>\d{{1,5}})(?![\w.$(-])")
_KEYWORD_DSN = re.compile(rf"(?:^|\s)host=(?P<host>{_HOST})(?=\s|$|[;'\"])(?:[^;\n]*?\sport=(?P<port>\d{{1,5}}))?")
_SERVER_DSN = re.compile(
    rf"(?:^|[;\s])(?:server|host|data source|addr)=(?:tcp:)?(?P<host>{_HOST})"
    rf"(?:[,:](?P<port>\d{{1,5}}))?(?=[;\s\"']|$)",
    re.IGNORECASE,
)
# A connection string in pairs: the keys of the host and the port, and those that only a database's has.
_DSN_PART = re.compile(r"\s*(?P<key>[A-Za-z][\w ]*?)\s*=\s*(?P<value>.*?)\s*")
_DSN_HOSTS = ("host", "hostname", "server", "data source", "datasource", "address", "addr", "network address")
_DSN_MARKS = frozenset(
    {"database", "dbname", "db", "initial catalog", "user", "user id", "userid", "uid", "username", "password", "pwd"}
)
_DSN_HOST = re.compile(rf"(?:tcp:)?(?P<host>{_HOST})(?:[,:](?P<port>\d{{1,5}}))?")
_DOTTED = re.compile(rf"(?<![\w./:@$)}}%*-])(?P<host>{_LABEL}(?:\.{_LABEL})*\.svc(?:\.{_LABEL})*\.?)(?![\w(-])")
_WHOLE_HOST = re.compile(_HOST)
_DISCOVERY = re.compile(r"(?:^|(?<=[\s=,\"']))(?:dns|dnssrv|dnssrvnoa)\+")
_SRV = re.compile(r"_(?P<port>[a-z0-9-]+)\._(?P<protocol>tcp|udp|sctp)\.(?P<host>.+)", re.IGNORECASE)
_NC = re.compile(
    rf"\b(?:nc|ncat|netcat|telnet)\b(?P<options>(?:\s+-\w+(?:\s+\d+(?=\s+-|\s+[A-Za-z]))?)*)"
    rf"\s+[\"']?(?P<host>{_HOST})[\"']?\s+(?P<port>\d{{1,5}})\b"
)
_BASH_SOCKET = re.compile(rf"/dev/(?P<protocol>tcp|udp)/(?P<host>{_HOST})/(?P<port>\d{{1,5}})\b")
_SHELL_COMMENT = re.compile(r"(?:^|(?<=\s))#[^\n]*", re.MULTILINE)
_CLIENT = re.compile(
    r"\b(?P<tool>pg_isready|psql|pg_dump|mysql|mysqladmin|mysqldump|mariadb|redis-cli|mongo|mongosh)\b(?P<rest>[^;&|\n]*)"
)
_CLIENT_HOST = re.compile(rf"(?:\s-h[=\s]?|\s--host[=\s])[\"']?(?P<host>{_HOST})[\"']?(?=\s|$|;)")
_CLIENT_PORT = re.compile(r"(?:\s-[pP][=\s]?|\s--port[=\s])[\"']?(?P<port>\d{1,5})\b")
_CLIENT_DEFAULTS = {
    "pg_isready": 5432,
    "psql": 5432,
    "pg_dump": 5432,
    "mysql": 3306,
    "mysqladmin": 3306,
    "mysqldump": 3306,
    "mariadb": 3306,
    "redis-cli": 6379,
    "mongo": 27017,
    "mongosh": 27017,
}
CLIENTS = frozenset({*_CLIENT_DEFAULTS, "nc", "ncat", "netcat", "telnet"})


_LONGEST_DSN = 2000


@dataclass(frozen=True, slots=True)
class Reference:
    """A host that a text names.

    `host` is lower-case without a final dot. `port` is the number written, None where none is; `default_port` is the
    one that the scheme implies. `port_name` comes from an SRV name (`_grpc._tcp.store`). `protocol` is TCP unless the
    text says UDP. `text` is the stretch of the input that was read.
    """

    host: str
    port: int | None
    form: Form
    text: str
    scheme: str | None = None
    default_port: int | None = None
    port_name: str | None = None
    protocol: str = "TCP"

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the host name, from the left."""
        return tuple(self.host.split("."))


@lru_cache(maxsize=4096)  # workloads repeat each other's settings
def references(text: str) -> tuple[Reference, ...]:
    """Every host that stands in `text` in a form that is an address by itself: URL, host:port, *.svc name."""
    found: dict[tuple[str, int | None, str | None, str], Reference] = {}
    for reference in _scan(_DISCOVERY.sub("", text)):
        key = (reference.host, reference.port, reference.port_name, reference.protocol)
        if _is_name(reference.host) and key not in found:
            found[key] = reference
    hosts_with_port = {reference.host for reference in found.values() if reference.port or reference.default_port}
    return tuple(
        reference for reference in found.values() if reference.form != "dotted" or reference.host not in hosts_with_port
    )


def whole_name(text: str) -> Reference | None:
    """The host name that `text` is as a whole (`db`, `db.shop`), or None where it is anything more."""
    text = text.strip()
    if not _WHOLE_HOST.fullmatch(text) or not _is_name(text):
        return None
    return _make(text, None, "dotted" if "." in text.rstrip(".") else "bare", text)


def name_list(text: str) -> tuple[Reference, ...]:
    """The host names of a text that is a list of nothing else (`kafka-0.kafka,kafka-1.kafka:9092`), else nothing."""
    parts = [part for part in re.split(r"[,;\s]+", text.strip()) if part]
    found: list[Reference] = []
    for part in parts:
        host, colon, port = part.partition(":")
        reference = whole_name(host)
        if reference is None or (colon and not port.isdigit()):
            return ()
        found.append(_make(host, int(port), "host-port", part) if port else reference)
    return tuple(found)


def command_references(text: str) -> tuple[Reference, ...]:
    """What `references` finds in a command line, and the hosts of well-known clients: `nc -z db 5432`, `psql -h db`.

    Comments of a script are left out.
    """
    text = _SHELL_COMMENT.sub("", text)
    found = {(r.host, r.port): r for r in references(text)}
    sockets = [(match, "UDP" if re.search(r"-\w*u", match["options"]) else "TCP") for match in _NC.finditer(text)]
    sockets += [(match, match["protocol"].upper()) for match in _BASH_SOCKET.finditer(text)]
    for match, protocol in sockets:
        reference = _make(match["host"], int(match["port"]), "host-port", match[0].strip(), protocol=protocol)
        if _is_name(reference.host):
            found.setdefault((reference.host, reference.port), reference)
    for match in _CLIENT.finditer(text):
        host = _CLIENT_HOST.search(match["rest"])
        if host is None or not _is_name(host["host"]):
            continue
        port = _CLIENT_PORT.search(match["rest"])
        number = int(port["port"]) if port else _CLIENT_DEFAULTS[match["tool"]]
        reference = _make(host["host"], number, "host-port", match[0].strip())
        found.setdefault((reference.host, reference.port), reference)
    return tuple(found.values())


def _scan(text: str) -> Iterator[Reference]:
    covered: list[tuple[int, int]] = []
    if "://" in text:
        for match in _URL.finditer(text):
            covered.append(match.span())
            yield from _url(match, text)
    for pattern in (_DRIVER_HOST, _HOST_PORT):
        for match in pattern.finditer(text) if ":" in text else ():
            if _is_port(match["port"]) and not _inside(match.start("host"), covered):
                covered.append(match.span())
                protocol = "UDP" if "udp(" in match[0] else "TCP"
                yield _make(match["host"], int(match["port"]), "host-port", match[0], protocol=protocol)
    if "=" in text:
        if (dsn := _pairs_dsn(text)) is not None:
            yield dsn
        for pattern in (_KEYWORD_DSN, _SERVER_DSN):
            for match in pattern.finditer(text):
                if not _inside(match.start("host"), covered):
                    covered.append(match.span())
                    port = int(match["port"]) if match["port"] else None
                    form: Form = "host-port" if port else ("dotted" if "." in match["host"] else "bare")
                    if form != "bare":
                        yield _make(match["host"], port, form, match[0].strip("; "))
    if ".svc" in text:
        for match in _DOTTED.finditer(text):
            if not _inside(match.start("host"), covered):
                yield _make(match["host"], None, "dotted", match["host"])


def _pairs_dsn(text: str) -> Reference | None:
    """The host of a connection string in pairs (libpq, ADO.NET): `host=db dbname=x`, `Server=db;Port=3306;Uid=x`."""
    if len(text) > _LONGEST_DSN or "\n" in text:
        return None
    parts = [_DSN_PART.fullmatch(part) for part in (text.split(";") if ";" in text else text.split()) if part.strip()]
    pairs = {part["key"].lower(): part["value"] for part in parts if part is not None}
    if None in parts or not _DSN_MARKS & pairs.keys():
        return None
    host = next((_DSN_HOST.fullmatch(pairs[key]) for key in _DSN_HOSTS if key in pairs), None)
    if host is None:
        return None
    port = host["port"] or pairs.get("port", "")
    number = int(port) if port.isdigit() and _is_port(port) else None
    reference = _make(host["host"], number, "host-port", text)
    # only libpq has this key, and its port of old
    return replace(reference, default_port=DEFAULT_PORTS["postgresql"]) if "dbname" in pairs else reference


def _is_port(text: str) -> bool:
    return 0 < int(text) < 65536


def _url(match: re.Match[str], text: str) -> Iterator[Reference]:
    scheme = match["scheme"].lower()
    hosts = match["hosts"]
    if not hosts and text[match.end() : match.end() + 1] == "/":
        # gRPC's target form: dns:///host:port, passthrough:///host:port
        rest = re.match(rf"/(?P<host>{_HOST})(?::(?P<port>\d{{1,5}}))?", text[match.end() :])
        if rest and scheme in ("dns", "passthrough"):
            yield _make(rest["host"], int(rest["port"]) if rest["port"] else None, "url", match[0] + rest[0], scheme)
        return
    if hosts.startswith("["):
        return
    following = text[match.end() : match.end() + 1]
    parts = [part.rpartition("://")[2] for part in hosts.split(",")]
    for position, part in enumerate(parts):
        host, _, port = part.partition(":")
        if not host or (position == len(parts) - 1 and following and following in "$({%:@-_="):
            continue  # a placeholder continues the name or the port, or the name is a key
        if port and not _is_port(port):
            continue
        yield _make(host, int(port) if port else None, "url", match[0], scheme)


def _make(
    host: str,
    port: int | None,
    form: Form,
    text: str,
    scheme: str | None = None,
    protocol: str = "TCP",
) -> Reference:
    name = host.rstrip(".").lower()
    port_name = None
    if match := _SRV.fullmatch(name):
        name, port_name, protocol = match["host"], match["port"], match["protocol"].upper()
    bare_scheme = re.split(r"[:+]", scheme)[-1] if scheme else None
    if scheme and scheme.startswith("jdbc:"):
        bare_scheme = scheme.split(":")[1]
    elif scheme and scheme.split("+")[0] in DEFAULT_PORTS:
        bare_scheme = scheme.split("+")[0]
    if scheme in _UDP_SCHEMES:
        protocol = "UDP"
    default = DEFAULT_PORTS.get(bare_scheme) if bare_scheme else None
    if scheme and "+srv" in scheme:
        default = None
    return Reference(name, port or None, form, text.strip(), bare_scheme, default, port_name, protocol)


def _is_name(host: str) -> bool:
    """Whether `host` can be the name of a Service: not an address, not the pod itself, no bare number."""
    name = host.rstrip(".").lower()
    if name in ("localhost", "localhost.localdomain") or len(name) > 253:
        return False
    labels = name.split(".")
    return any(character.isalpha() for character in labels[0]) and not labels[-1].isdigit()


def _inside(position: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= position < end for start, end in spans)
