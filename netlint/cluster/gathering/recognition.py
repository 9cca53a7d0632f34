"""Which plugins and policy engines are there, by the tables of netlint.knowledge.plugins. Positive evidence only."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from netlint.cluster.facts import Evidence
from netlint.cluster.gathering.objects import Objects, at, containers, get, image_parts, shown
from netlint.knowledge.plugins import AGENTS, CONFIG_MAPS, ENGINE_IMAGES, NODE_ANNOTATIONS, RESOURCES
from netlint.resources import Manifest

TRACE, SETTING, AGENT = 1, 2, 3
"""How much a sighting says: an object that the plugin reads, its configuration, its agent at work on nodes."""
_VERSION = re.compile(r"v?(\d+\.\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class Sighting:
    """One sign of a plugin. `role`: "network", "engine", or "meta" for what only delegates to others."""

    plugin: str
    role: str
    rank: int
    evidence: Evidence
    manifest: Manifest
    version: str | None = None
    tag: str | None = None
    image: str = ""


def sightings(objects: Objects) -> Iterator[Sighting]:
    for manifest in objects.daemon_sets():
        yield from _agent(manifest)
    for row in CONFIG_MAPS:
        for manifest in objects.config_maps(row.name, row.namespaces):
            data = get(manifest.raw, "data")
            if isinstance(data, dict) and any(key in data for key in row.keys):
                evidence = Evidence(f"{shown(manifest)} configures {row.plugin}", at(manifest), "object")
                yield Sighting(row.plugin, row.role, SETTING, evidence, manifest)
    for manifest in objects.of("operator.tigera.io", "Installation"):
        evidence = Evidence(f"{shown(manifest)} installs Calico", at(manifest), "object")
        yield Sighting("calico", "network", SETTING, evidence, manifest)
    for manifest in objects.of("helm.cattle.io", "HelmChartConfig"):
        plugin = (manifest.name or "").removeprefix("rke2-")
        if plugin != manifest.name and plugin in ("canal", "calico", "cilium", "flannel"):
            evidence = Evidence(f"{shown(manifest)} configures RKE2's {plugin}", at(manifest), "object")
            yield Sighting(plugin, "network", SETTING, evidence, manifest)
    for (group, kind), plugin in RESOURCES.items():
        for manifest in objects.of(group, kind):
            evidence = Evidence(f"{shown(manifest)} is an object of {plugin}", at(manifest), "object")
            yield Sighting(plugin, "network", TRACE, evidence, manifest)
    for node in objects.of("", "Node"):
        yield from _annotations(node)


def _agent(manifest: Manifest) -> Iterator[Sighting]:
    name = manifest.name or ""
    for path, container in containers(manifest):
        image, tag = image_parts(container.get("image"))
        version = _VERSION.match(tag or "")
        number = version[1] if version else None
        for engine, fragment in ENGINE_IMAGES.items():
            if fragment in image and "containers" in path:
                evidence = Evidence(f"{shown(manifest)} runs {image}", at(manifest, *path, "image"), "object")
                yield Sighting(engine, "engine", AGENT, evidence, manifest, number, tag, image)
        for row in AGENTS:
            if (
                "containers" in path
                and any(fnmatchcase(name, pattern) for pattern in row.names)
                and manifest.namespace in (None, *row.namespaces)
                and any(part in image for part in row.images)
            ):
                text = f"{shown(manifest)} runs {image}{':' + tag if tag else ''}"
                evidence = Evidence(text, at(manifest, *path, "image"), "object")
                yield Sighting(row.plugin, row.role, AGENT, evidence, manifest, number, tag, image)


def _annotations(node: Manifest) -> Iterator[Sighting]:
    annotations = get(node.raw, "metadata", "annotations")
    if not isinstance(annotations, dict):
        return
    seen: set[str] = set()
    for key in sorted(key for key in annotations if isinstance(key, str)):
        for prefix, plugin in NODE_ANNOTATIONS:
            if key.startswith(prefix) and plugin not in seen:
                seen.add(plugin)
                place = at(node, "metadata", "annotations", key)
                evidence = Evidence(f"{shown(node)} has the annotation {key}", place, "object")
                yield Sighting(plugin, "network", AGENT, evidence, node)
