"""The texts that tell a workload where to connect: its environment, its command lines, the ConfigMaps it reads."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from netlint.cluster import Cluster, Workload
from netlint.findings import Place
from netlint.intent.arguments import argument_settings
from netlint.intent.configurations import text_settings
from netlint.intent.settings import Mention, Setting, mentions
from netlint.resources.core import ConfigMap, Container

_VARIABLE = re.compile(r"\$\$|\$\((?P<name>[A-Za-z_][\w.\-]*)\)")
_SHELL_VARIABLE = re.compile(r"\$\{(?P<braced>[A-Za-z_]\w*)(?::?-[^}]*)?\}|\$(?P<plain>[A-Za-z_]\w*)")
_LONGEST_TEXT = 256 * 1024
_NO_SETTINGS = re.compile(r"(?:readme|notes|changelog|licen[cs]e).*|.*\.(?:sql|crt|pem|md|rst|html)", re.IGNORECASE)
# Documents in JSON that configure no program of this pod: dashboards, interfaces, and data sources of Grafana, which
# reads them as YAML and gets them in JSON over its API.
_DOCUMENT = re.compile(
    r'^\s*\{.*"(?:(?:panels|__inputs|openapi|swagger|\$schema)"\s*:|access"\s*:\s*"(?:proxy|direct)")', re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Group:
    """Settings that are read together: a host in one may take its port from another. `text`: from a mounted file."""

    settings: tuple[Setting, ...]
    text: bool = False


_KNOWN: WeakKeyDictionary[Workload, tuple[Group, ...]] = WeakKeyDictionary()
_MENTIONS: WeakKeyDictionary[Workload, tuple[tuple[Mention, bool], ...]] = WeakKeyDictionary()


def groups(cluster: Cluster, workload: Workload) -> tuple[Group, ...]:
    """Every group of settings of a workload, containers first."""
    known = _KNOWN.get(workload)
    if known is None:
        known = _KNOWN[workload] = tuple(_groups(cluster, workload))
    return known


def mentioned(cluster: Cluster, workload: Workload) -> tuple[tuple[Mention, bool], ...]:
    """The hosts that a workload's settings name, each with whether it stands in a mounted file."""
    known = _MENTIONS.get(workload)
    if known is None:
        found = groups(cluster, workload)
        known = tuple((mention, group.text) for group in found for mention in mentions(group.settings))
        _MENTIONS[workload] = known
    return known


def _groups(cluster: Cluster, workload: Workload) -> Iterator[Group]:
    for field in ("containers", "initContainers"):
        containers = workload.spec.containers if field == "containers" else workload.spec.init_containers
        for index, container in enumerate(containers or ()):
            environment = _environment(cluster, workload, (field, index), container)
            variables = {setting.name: setting.value for setting in environment}
            if environment:
                yield Group(tuple(environment))
            for variable in environment:
                if "\n" in variable.value.strip() or variable.value.lstrip().startswith("{"):
                    yield Group(text_settings(variable.value, variable.place, variable.label), text=True)
            if container.command or container.args:
                yield Group(_command(workload, (field, index), container, variables))
    yield from _mounted(cluster, workload)


def _environment(cluster: Cluster, workload: Workload, at: tuple[str, int], container: Container) -> Sequence[Setting]:
    """The variables of a container as the kubelet sets them: envFrom first, then env, `$(NAME)` filled in."""
    found: dict[str, Setting] = {}
    for source in container.env_from or ():
        name = source.config_map_ref.name if source.config_map_ref else None
        config_map = cluster.get(ConfigMap, workload.namespace, name) if name else None
        for key, value in _data(config_map):
            variable = (source.prefix or "") + key
            place = config_map.at("data", key) if config_map else workload.at(*at, "envFrom")
            found[variable] = Setting(variable, value, place, f"ConfigMap {name}, {key}")
    for index, variable_ in enumerate(container.env or ()):
        if not variable_.name:
            continue
        given = variable_.value
        place = workload.at(*at, "env", index, "value")
        label = f"env {variable_.name}"
        reference = variable_.value_from.config_map_key_ref if variable_.value_from else None
        if reference is not None and reference.name and reference.key:
            config_map = cluster.get(ConfigMap, workload.namespace, reference.name)
            given = dict(_data(config_map)).get(reference.key)
            if config_map is not None:
                place = config_map.at("data", reference.key)
                label = f"env {variable_.name} from ConfigMap {reference.name}"
        if given is None:
            found.pop(variable_.name, None)
            continue
        known = {name: setting.value for name, setting in found.items()}
        found[variable_.name] = Setting(variable_.name, expand(given, known), place, label)
    return list(found.values())


def _command(
    workload: Workload, at: tuple[str, int], container: Container, variables: dict[str, str]
) -> tuple[Setting, ...]:
    parts: list[tuple[str, Place]] = []
    for field, texts in (("command", container.command), ("args", container.args)):
        for index, text in enumerate(texts or ()):
            if len(text) <= _LONGEST_TEXT:
                parts.append((expand(text, variables), workload.at(*at, field, index)))
    # the shell's own variables are the container's
    return tuple(
        replace(setting, value=_shell_expand(setting.value, variables)) if setting.command else setting
        for setting in argument_settings(parts)
    )


def _mounted(cluster: Cluster, workload: Workload) -> Iterator[Group]:
    seen: set[tuple[str, tuple[str, ...]]] = set()
    mounts = _mounts(workload)
    for volume in workload.spec.volumes or ():
        within = mounts.get(volume.name or "")
        sources = [volume.config_map] if volume.config_map else []
        if volume.projected:
            sources += [part.config_map for part in volume.projected.sources or () if part.config_map]
        for source in sources if within is not None else ():
            config_map = cluster.get(ConfigMap, workload.namespace, source.name) if source.name else None
            if config_map is None or within is None:
                continue
            files = [(key, key) for key, _ in _data(config_map)]
            if source.items:
                files = [(item.key or "", item.path or "") for item in source.items]
            keys = tuple(key for key, path in files if any(_below(path, start) for start in within))
            if (config_map.name, keys) not in seen:
                seen.add((config_map.name, keys))
                yield from config_groups(config_map, keys)


def _mounts(workload: Workload) -> dict[str, list[str]]:
    """The volumes that containers mount, each with what of it: the sub-paths, or an empty one for all."""
    found: dict[str, list[str]] = {}
    for container in (*(workload.spec.init_containers or ()), *(workload.spec.containers or ())):
        for mount in container.volume_mounts or ():
            found.setdefault(mount.name or "", []).append((mount.sub_path or "").strip("/"))
    return found


def _below(path: str, start: str) -> bool:
    return start in ("", ".") or path == start or path.startswith(start + "/")


def config_groups(config_map: ConfigMap, keys: tuple[str, ...] | None = None) -> Iterator[Group]:
    """The groups of a ConfigMap that is read as files: each text by its lines, and short values by their keys."""
    short: list[Setting] = []
    for key, value in _data(config_map):
        if keys is not None and key not in keys:
            continue
        place = config_map.at("data", key)
        label = f"ConfigMap {config_map.name}, {key}"
        if "\n" not in value.strip() and "." not in key:
            short.append(Setting(key, value.strip(), place, label))
        elif len(value) <= _LONGEST_TEXT and not _NO_SETTINGS.fullmatch(key) and not _DOCUMENT.search(value):
            yield Group(text_settings(value, place, label, script=key.endswith((".sh", ".bash"))), text=True)
    if short:
        yield Group(tuple(short), text=True)


def _data(config_map: ConfigMap | None) -> list[tuple[str, str]]:
    return sorted((config_map.data or {}).items()) if config_map else []


def expand(value: str, variables: dict[str, str]) -> str:
    """`$(NAME)` as Kubernetes fills it in: unknown names stay as they are, `$$` is a dollar sign."""

    def fill(match: re.Match[str]) -> str:
        if match[0] == "$$":
            return "$"
        return variables.get(match["name"], match[0])

    return _VARIABLE.sub(fill, value) if "$" in value else value


def _shell_expand(value: str, variables: dict[str, str]) -> str:
    def fill(match: re.Match[str]) -> str:
        return variables.get(match["braced"] or match["plain"], match[0])

    return _SHELL_VARIABLE.sub(fill, value) if "$" in value else value
