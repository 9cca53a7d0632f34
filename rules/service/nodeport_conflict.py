"""NET301: one node port number, asked for twice."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from netlint.findings import Finding, Related, Severity
from netlint.resources.core import Service
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule
from netlint.rules.service._node_ports import NodePort, node_ports

_SAMPLES = frozenset({"e2e", "example", "examples", "sample", "samples", "test", "testdata", "tests"})


@rule("NET301", "nodeport-conflict", Severity.ERROR, reads=(Service,))
def nodeport_conflict(analysis: Analysis) -> Iterator[Finding]:
    """Two Services ask for the same node port: the cluster gives each number once, whatever protocol and namespace."""
    taken: dict[int, NodePort] = {}
    for claim in node_ports(analysis.cluster):
        first = taken.setdefault(claim.number, claim)
        if first is claim or _shared(first, claim) or _may_be_one(first, claim):
            continue
        yield nodeport_conflict.finding(
            claim.place,
            _message(first, claim),
            severity=Severity.INFO if _samples(first, claim) else Severity.ERROR,
            help="leave nodePort out to be given a free number, or choose another one",
            related=[Related(f"the {first.words} of {_name(first)}", first.place)],
        )


def _shared(one: NodePort, other: NodePort) -> bool:
    """One Service may offer one port under two protocols on one node port."""
    return one.service is other.service and one.port is not None and one.port == other.port


def _may_be_one(one: NodePort, other: NodePort) -> bool:
    """Services of one name, of which one leaves its namespace to whoever applies it."""
    namespaces = {one.service.manifest.namespace, other.service.manifest.namespace}
    return one.service.name == other.service.name and None in namespaces and len(namespaces) > 1


def _samples(one: NodePort, other: NodePort) -> bool:
    """Two files of tests or examples, which are hardly applied together."""
    files = [PurePosixPath(claim.service.manifest.document.file) for claim in (one, other)]
    return files[0] != files[1] and all(_SAMPLES.intersection(file.parts[:-1]) for file in files)


def _message(first: NodePort, claim: NodePort) -> str:
    if first.service is not claim.service:
        across = ""
        if claim.port is not None and first.port is not None and first.protocol != claim.protocol:
            across = f" (for {first.protocol}, which makes no difference: a number is given once)"
        return f"{claim.words} {claim.number} is already the {first.words} of {_name(first)}{across}"
    if claim.port is None:
        return f"{claim.words} {claim.number} is already a node port of this Service"
    return (
        f"node port {claim.number} stands for port {first.port}/{first.protocol} and for port "
        f"{claim.port}/{claim.protocol}: two protocols share a node port only where the port is the same"
    )


def _name(claim: NodePort) -> str:
    return f"Service {claim.service.namespace}/{claim.service.name}"
