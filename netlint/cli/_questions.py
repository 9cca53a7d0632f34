"""What `reach`, `why` and `diff` share: endpoints and ports of the command line, and the analysis of a cluster."""

from typing import TYPE_CHECKING

import click

from netlint.cli.common import Invocation

if TYPE_CHECKING:
    from netlint.cluster import Cluster
    from netlint.policy import PolicyAnalysis
    from netlint.policy.queries.expressions import Expression
    from netlint.policy.queries.resolve import Target


def analyse(invocation: Invocation, cluster: "Cluster") -> "PolicyAnalysis":
    """The policies of a cluster in one form, with the readings of its network plugin."""
    from netlint.policy import PolicyAnalysis

    invocation.progress("reading policies")
    return PolicyAnalysis.of(cluster)


def expression(text: str, option: str) -> "Expression":
    """An endpoint of the command line. Raises click.UsageError."""
    from netlint.policy.queries.expressions import ExpressionError, parse_endpoint

    try:
        return parse_endpoint(text)
    except ExpressionError as error:
        raise click.UsageError(f"{option}: {error}") from None


def target(text: str, option: str, cluster: "Cluster", policy: "PolicyAnalysis") -> "Target":
    """The endpoints that a word of the command line stands for. Raises click.UsageError, with the nearest names."""
    from netlint.policy.queries.addresses import resolve_address
    from netlint.policy.queries.expressions import ByAddress, ExpressionError
    from netlint.policy.queries.resolve import resolve
    from netlint.reports.escape import safe

    meant = expression(text, option)
    try:
        if isinstance(meant, ByAddress):
            return resolve_address(meant, cluster, policy)
        return resolve(meant, cluster, policy)
    except ExpressionError as error:
        raise click.UsageError(safe(f"{option}: {error}")) from None


def outside(target: "Target") -> bool:
    """Whether a target is addresses outside the cluster."""
    from netlint.predicates import EndpointKind

    return bool(target.endpoints) and all(one.kind is EndpointKind.EXTERNAL for one in target.endpoints)


def port(text: str | None) -> tuple[int | str | None, str | None]:
    """`--port` as number (or name) and protocol; both None where it is not given. Raises click.UsageError."""
    from netlint.policy.queries.expressions import ExpressionError, parse_port

    if text is None:
        return None, None
    try:
        return parse_port(text)
    except ExpressionError as error:
        raise click.UsageError(f"--port: {error}") from None


def notes_of(cluster: "Cluster") -> tuple[str, ...]:
    """What the reader of declared connectivity should know of the whole cluster."""
    from netlint.policy.queries.mesh import mesh_notes

    notes = tuple(mesh_notes(cluster))
    if cluster.facts.enforces_network_policy.value is False:
        notes += ("nothing in this cluster enforces policies: this is what they declare, not what happens",)
    return notes
