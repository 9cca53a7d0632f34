"""The objects of a cluster as raw data, in the few ways that the readers of facts look at them."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from netlint.findings import Path, Place
from netlint.resources import Manifest


class Setting(NamedTuple):
    """A value and where it stands."""

    value: Any
    place: Place


class Objects:
    """The manifests of a cluster by kind and by name."""

    def __init__(self, manifests: Iterable[Manifest]) -> None:
        self.all = tuple(manifests)
        self._by_kind: dict[str, list[Manifest]] = {}
        for manifest in self.all:
            self._by_kind.setdefault(manifest.kind, []).append(manifest)

    def of(self, group: str, kind: str) -> list[Manifest]:
        return [manifest for manifest in self._by_kind.get(kind, ()) if manifest.group == group]

    def config_maps(self, name: str, namespaces: Iterable[str] = ("kube-system",)) -> list[Manifest]:
        """The ConfigMaps of that name in these namespaces, or without a namespace in the manifest."""
        allowed = {None, *namespaces}
        return [m for m in self.of("", "ConfigMap") if m.name == name and m.namespace in allowed]

    def daemon_sets(self) -> list[Manifest]:
        return [*self.of("apps", "DaemonSet"), *self.of("extensions", "DaemonSet")]

    def system_pods(self, container: str) -> Iterator[tuple[Manifest, Path, dict[str, Any]]]:
        """The static pods and DaemonSets of kube-system with a container of that name: manifest, path, container."""
        for manifest in [*self.of("", "Pod"), *self.daemon_sets()]:
            if manifest.namespace == "kube-system":
                for path, found in containers(manifest):
                    if found.get("name") == container:
                        yield manifest, path, found


def get(data: Any, *path: str | int) -> Any:
    """The value at a path, or None."""
    for segment in path:
        if isinstance(data, dict):
            data = data.get(segment)
        elif isinstance(data, list) and isinstance(segment, int) and segment < len(data):
            data = data[segment]
        else:
            return None
    return data


def items(data: Any, *path: str | int) -> list[Any]:
    """The list at a path; empty where there is none."""
    found = get(data, *path)
    return found if isinstance(found, list) else []


def shown(manifest: Manifest) -> str:
    """The object in words: `ConfigMap kube-system/cilium-config`."""
    name = "/".join(part for part in (manifest.namespace, manifest.name) if part)
    return f"{manifest.kind} {name}" if name else f"{manifest.kind} in {manifest.document.file}"


def at(manifest: Manifest, *path: str | int) -> Place:
    return Place(manifest, path)


def containers(manifest: Manifest) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The containers and init containers of a pod or of a pod template at spec.template, with their paths."""
    base: Path = ("spec",) if manifest.kind == "Pod" else ("spec", "template", "spec")
    for field in ("containers", "initContainers"):
        for index, container in enumerate(items(manifest.raw, *base, field)):
            if isinstance(container, dict):
                yield (*base, field, index), container


def environment(manifest: Manifest) -> dict[str, Setting]:
    """The variables of all containers that have a literal value, by name; the first container wins."""
    found: dict[str, Setting] = {}
    for path, container in containers(manifest):
        for index, variable in enumerate(items(container, "env")):
            name, value = get(variable, "name"), get(variable, "value")
            if isinstance(name, str) and value is not None:
                found.setdefault(name, Setting(value, at(manifest, *path, "env", index, "value")))
    return found


def flags(manifest: Manifest, path: Path, container: dict[str, Any]) -> dict[str, Setting]:
    """The `--name=value` and `--name value` options of a container's command and args; a bare option is "true"."""
    found: dict[str, Setting] = {}
    for field in ("command", "args"):
        words = [word if isinstance(word, str) else "" for word in items(container, field)]
        for index, (name, value, offset) in _options(words):
            found[name] = Setting(value, at(manifest, *path, field, index + offset))
    return found


def options(words: Iterable[Any]) -> dict[str, str]:
    """The options of a command line, with dashes as written."""
    return {name: value for _, (name, value, _) in _options([w if isinstance(w, str) else "" for w in words])}


def _options(words: list[str]) -> Iterator[tuple[int, tuple[str, str, int]]]:
    for index, word in enumerate(words):
        if not word.startswith("-") or word.strip("-") == "":
            continue
        name, equals, value = word.lstrip("-").partition("=")
        if equals:
            yield index, (name, value, 0)
        elif index + 1 < len(words) and not words[index + 1].startswith("-"):
            yield index, (name, words[index + 1], 1)
        else:
            yield index, (name, "true", 0)


def image_parts(image: Any) -> tuple[str, str | None]:
    """The repository and the tag of an image: `quay.io/calico/node:v3.30.1` is `quay.io/calico/node`, `v3.30.1`."""
    if not isinstance(image, str):
        return "", None
    name = image.partition("@")[0]
    head, colon, tag = name.rpartition(":")
    if not colon or "/" in tag:
        return name, None
    return head, tag


def embedded(text: Any) -> Any:
    """The data of a JSON or YAML text; None where it cannot be read (another rule says so)."""
    if not isinstance(text, str):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    from netlint.sources.embedded import parse_embedded

    return parse_embedded(text).data
