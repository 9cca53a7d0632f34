"""netlint.yaml: what the manifests cannot tell about the cluster, and what the user wants checked.

The form is promised to users; `netlint config-schema` prints its JSON Schema. A mistake in the file is a `ConfigError`
whose lines each say file, line and column.
"""

import ipaddress
import os
import re
from collections.abc import Callable
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, model_validator

from netlint.findings import Location, ObjectRef, Path, Place

if TYPE_CHECKING:
    from netlint.sources import Document, SourceFile

_ACRONYMS = {"cidr": "CIDR", "cidrs": "CIDRs", "dns": "DNS", "mtu": "MTU", "ip": "IP"}
_SHORT = 5
"""Shorter names are too much alike: eks, aks, gke, k3s."""
_VERSION = re.compile(r"v?\d+\.\d+")
_PORT_RANGE = re.compile(r"(\d{1,5})-(\d{1,5})")


class ConfigError(Exception):
    """The configuration cannot be used. Each line is whole: `netlint.yaml:3:5: unknown key podCidrs (...)`."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


def _key(name: str) -> str:
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(_ACRONYMS.get(word, word.capitalize()) for word in rest)


def _block(text: str) -> str:
    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise ValueError(f"{text!r} is no address block such as 10.244.0.0/16") from None
    return text


def _address(text: str) -> str:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        raise ValueError(f"{text!r} is no IP address") from None
    return text


def _port_range(text: str) -> str:
    match = _PORT_RANGE.fullmatch(text)
    if not match or not 1 <= int(match[1]) <= int(match[2]) <= 65535:
        raise ValueError(f"{text!r} is no range of ports such as 30000-32767")
    return text


def _service(text: str) -> str:
    namespace, slash, name = text.partition("/")
    if not (namespace and slash and name) or "/" in name:
        raise ValueError(f"{text!r} names no Service; write namespace/name")
    return text


def _version(text: str) -> str:
    if not _VERSION.match(text):
        raise ValueError(f"{text!r} is no version such as 1.33")
    return text


def _spelt(what: str, known: Callable[[], list[str]]) -> AfterValidator:
    """Takes any name but one that is, by a letter or two, none of those that netlint knows."""

    def check(text: str) -> str:
        names = known()
        word = text.strip().lower()
        if len(word) < _SHORT or word in names:
            return text
        import difflib  # for names that netlint does not know

        near = difflib.get_close_matches(word, names, 1, 0.8)
        if near and word.replace("-", "").replace("_", "").replace(" ", "") != near[0].replace("-", ""):
            raise ValueError(f"{text!r} is no {what} that netlint knows (did you mean {near[0]!r}?)")
        return text

    return AfterValidator(check)


def _plugins() -> list[str]:
    from netlint.knowledge.capabilities import ALIASES, ENGINES

    return [*ENGINES, *ALIASES, "multus"]


def _encapsulations() -> list[str]:
    from netlint.knowledge.encapsulation import OVERHEADS

    return [*OVERHEADS, "vxlancrosssubnet", "ipipcrosssubnet", "host-gw", "ip-in-ip", "native", "wireguard-native"]


def _distributions() -> list[str]:
    from netlint.knowledge.distributions import DISTRIBUTIONS

    return list(DISTRIBUTIONS)


Plugin = Annotated[str, _spelt("network plugin", _plugins)]
Block = Annotated[str, AfterValidator(_block), Field(description="An address block, such as 10.244.0.0/16.")]
Address = Annotated[str, AfterValidator(_address), Field(description="An IPv4 or IPv6 address.")]
MTU = Annotated[int, Field(ge=68, le=65535, description="Bytes.")]


class Settings(BaseModel):
    """A block of the configuration: typed as written, with no unknown key."""

    model_config = ConfigDict(
        alias_generator=_key, extra="forbid", strict=True, frozen=True, populate_by_name=True, defer_build=True
    )


class CNISettings(Settings):
    """The network plugin."""

    name: Plugin | None = Field(None, description="flannel, calico, canal, cilium, aws-vpc-cni, ...")
    version: str | None = None
    encapsulation: Annotated[str, _spelt("encapsulation", _encapsulations)] | None = Field(
        None, description="vxlan, ipip, geneve, wireguard, none, ..."
    )
    mtu: MTU | None = Field(None, description="The MTU that the plugin gives to pods, in bytes.")
    policy_engine: Plugin | None = Field(None, description="What enforces NetworkPolicies, where it is not the plugin.")
    enforces_network_policy: bool | None = Field(None, description="Whether NetworkPolicies have an effect at all.")


class ClusterDNSSettings(Settings):
    """The cluster's DNS."""

    service: Annotated[str, AfterValidator(_service)] | None = Field(None, description="namespace/name")
    addresses: list[Address] | None = None


class LoadBalancerSettings(Settings):
    """What serves Services of type LoadBalancer."""

    provider: str | None = Field(None, description="metallb, servicelb, kube-vip, a cloud's name, ...")


class RuleSettings(Settings):
    """What changes for one rule (by code, prefix of codes, or name)."""

    enabled: bool | None = None
    severity: Literal["error", "warning", "info"] | None = None
    paths: list[str] | None = Field(
        None, description="Globs, from the configuration's folder: where this applies. Everywhere when absent."
    )


class ClusterSettings(Settings):
    """One cluster: its facts, and with several clusters the paths that belong to it.

    A field that is None says nothing about the cluster; an empty list says that there is none.
    """

    name: str | None = None
    paths: list[str] | None = Field(None, description="Files and folders of this cluster, from the configuration's.")
    world: Literal["auto", "open", "closed"] | None = None
    rules: dict[str, RuleSettings] = Field(default_factory=dict, description="Settings for this cluster only.")
    kubernetes_version: Annotated[str, AfterValidator(_version)] | None = Field(
        None, description='Quoted: "1.30" is text, 1.30 is the number 1.3.'
    )
    distribution: Annotated[str, _spelt("distribution", _distributions)] | None = Field(
        None, description="k3s, rke2, openshift, eks, kind, ..."
    )
    cni: CNISettings | None = None
    pod_cidrs: list[Block] | None = None
    service_cidrs: list[Block] | None = None
    node_cidrs: list[Block] | None = None
    vpc_cidrs: list[Block] | None = None
    peer_cidrs: list[Block] | None = Field(None, description="Networks reached over VPN or peering.")
    docker_bridge_cidr: Block | None = None
    node_mtu: MTU | None = Field(None, description="MTU of the nodes' uplink, in bytes.")
    proxy_mode: str | None = Field(None, description="iptables, ipvs, nftables, ...")
    node_port_range: Annotated[str, AfterValidator(_port_range)] | None = None
    cluster_dns: ClusterDNSSettings | None = None
    load_balancer: LoadBalancerSettings | None = None
    k3s_config: dict[str, Any] | None = Field(None, description="The k3s server's configuration file, as it stands.")

    _config: "Config | None" = PrivateAttr(default=None)
    _prefix: Path = PrivateAttr(default=("cluster",))

    def at(self, *path: str | int) -> Place:
        """The place of a key of this block, by its path inside the block: `settings.at("podCIDRs", 0)`."""
        return (self._config or no_config()).at(*self._prefix, *path)

    @property
    def node_ports(self) -> tuple[int, int] | None:
        """First and last of `nodePortRange`."""
        match = _PORT_RANGE.fullmatch(self.node_port_range or "")
        return (int(match[1]), int(match[2])) if match else None


class FlowSettings(Settings):
    """A flow: two endpoints in the words of the command line, and a port."""

    from_: str
    to: str
    port: int | str | None = Field(None, description="5432, 53/UDP, 8000-8080/TCP; all ports when absent.")
    hops: bool | None = Field(None, description="With deny and from: internet. Not through other workloads either.")


class IsolatedSettings(Settings):
    """No traffic between namespaces that differ in this label."""

    by: str = Field(description="The key of a namespace label.")


class Assertion(Settings):
    """What must hold for every pod that could exist. Exactly one of allow, deny and isolated."""

    name: str
    allow: FlowSettings | None = None
    deny: FlowSettings | None = None
    isolated: IsolatedSettings | None = None

    @model_validator(mode="after")
    def _one(self) -> "Assertion":
        if sum(part is not None for part in (self.allow, self.deny, self.isolated)) != 1:
            raise ValueError("an assertion has exactly one of allow, deny and isolated")
        return self


class ChartSettings(Settings):
    """A Helm chart, and the sets of values files that it is rendered with: each set is a cluster."""

    path: str
    values: list[list[str]] = Field(default_factory=list)


class Config(Settings):
    """A whole netlint.yaml; `Config()` is what holds where there is none.

    It is `Located`: `config.at("cluster", "peerCIDRs", 0)` is the place of that entry, of kind `Config`.
    """

    model_config = ConfigDict(title="netlint.yaml")

    schema_: str | None = Field(None, alias="$schema", description="For editors.")
    cluster: ClusterSettings | None = None
    clusters: list[ClusterSettings] | None = None
    world: Literal["auto", "open", "closed"] = "auto"
    rules: dict[str, RuleSettings] = Field(default_factory=dict)
    rule_packs: list[str] = Field(default_factory=list, description="Installed packs of rules to load, by name.")
    exclude: list[str] = Field(default_factory=list, description="Globs of files and folders that are not read.")
    assertions: list[Assertion] = Field(default_factory=list)
    charts: list[ChartSettings] = Field(default_factory=list)

    _document: "Document | None" = PrivateAttr(default=None)
    _source: "SourceFile | None" = PrivateAttr(default=None)
    _root: str = PrivateAttr(default=".")

    @model_validator(mode="after")
    def _clusters(self) -> "Config":
        if self.cluster is not None and self.clusters is not None:
            raise ValueError("cluster and clusters exclude each other")
        named = [block.name for block in self.clusters or ()]
        if any(name is None for name in named) or len(set(named)) < len(named):
            raise ValueError("every cluster of clusters needs a name of its own")
        return self

    def model_post_init(self, context: Any) -> None:
        if self.cluster is not None:
            self.cluster._config, self.cluster._prefix = self, ("cluster",)
        for index, block in enumerate(self.clusters or ()):
            block._config, block._prefix = self, ("clusters", index)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)  # places are hashed with what they lie in

    @property
    def file(self) -> str | None:
        """The file as shown to people, None where there is no configuration file."""
        return self._source.file if self._source else None

    @property
    def source(self) -> "SourceFile | None":
        """The text of the file, for excerpts."""
        return self._source

    @property
    def root(self) -> str:
        """The folder that paths of the configuration start from, as seen from the working directory."""
        return self._root

    @property
    def ref(self) -> ObjectRef:
        return ObjectRef("", "Config", None, self.file)

    def locate(self, path: Path, anchor: Literal["value", "key"] = "value") -> Location:
        if self._document is None:
            return Location(self.file or "netlint.yaml", 1, 1, 1, 1)
        return self._document.locate(path, anchor)

    def at(self, *path: str | int) -> Place:
        """The place of a key, by its path from the root: `config.at("assertions", 0, "deny")`."""
        return Place(self, path)

    def from_root(self, file: str) -> str:
        """A path that is shown from the working directory, as seen from the configuration's folder."""
        if self._root in ("", "."):
            return file
        return os.path.relpath(file, self._root).replace(os.sep, "/")


def no_config() -> Config:
    """What holds where there is no configuration file; cheaper than `Config()`, which builds the validators."""
    return Config.model_construct()


def load_config(path: FilePath | str, *, shown: str | None = None) -> Config:
    """Read a configuration file. Raises ConfigError, also where the file cannot be read."""
    shown = shown or str(path)
    try:
        raw = FilePath(path).read_bytes()
    except OSError as error:
        raise ConfigError(f"{shown}: {error.strerror or error}") from None
    config = parse_config(raw, shown)
    config._root = os.path.relpath(FilePath(path).resolve().parent).replace(os.sep, "/")
    return config


def parse_config(text: str | bytes, file: str = "netlint.yaml") -> Config:
    """The configuration in a text. Raises ConfigError with one line for each mistake, in the order of the file."""
    from netlint.sources import read_text  # the reader is needed only where there is a configuration

    reading = read_text(text, file=file)
    wrong = [finding for finding in reading.findings if finding.code in ("NET001", "NET002") and finding.location]
    if wrong:
        raise ConfigError(*(_line(finding.location, finding.message) for finding in wrong))
    for finding in reading.findings:
        if finding.code == "NET006":
            raise ConfigError(_line(finding.location, "a configuration cannot be a template; render it first"))
    documents = [document for document in reading.documents if document.data is not None]
    if len(documents) > 1:
        raise ConfigError(_line(documents[1].locate(()), "a configuration is one document"))
    data = documents[0].data if documents else {}
    if not isinstance(data, dict):
        raise ConfigError(_line(documents[0].locate(()), "a configuration is a mapping"))
    try:
        config = Config.model_validate(data)
    except ValidationError as error:
        from netlint.cluster.config_mistakes import mistakes

        lines = sorted(set(mistakes(error, documents[0])))
        raise ConfigError(*(_line(location, message) for location, message in lines)) from None
    config._document = documents[0] if documents else None
    config._source = reading.files.get(file)
    return config


def _line(location: Location | None, message: str) -> str:
    where = f"{location.file}:{location.start_line}:{location.start_column}: " if location else ""
    return where + message
