"""`netlint reach`: who can talk to whom."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from netlint.cli._questions import analyse, expression, notes_of, outside, port, target
from netlint.cli._streams import stream
from netlint.cli.common import Invocation, one_cluster, paths_argument, shared_options

if TYPE_CHECKING:
    from netlint.cluster import Cluster
    from netlint.policy import PolicyAnalysis
    from netlint.policy.queries.reach import Question

_FOLDED = ("text", "json", "csv", "markdown")
_FORMATS = ("text", "json", "csv", "markdown", "dot", "mermaid", "graphml", "svg", "svg-matrix")


@click.command(short_help="Who may connect to whom, as declared.")
@paths_argument
@click.option("--from", "source", metavar="ENDPOINT", help="Only what this may send: shop/web, shop:app=web, ...")
@click.option("--to", "destination", metavar="ENDPOINT", help="Only what may be sent to this.")
@click.option("--port", "wanted", metavar="PORT/PROTOCOL", help="Only this port: 80/TCP, 53/UDP.")
@click.option("--group", "grouped", is_flag=True, help="Fold workloads that no policy tells apart into one.")
@click.option("--exposure", is_flag=True, help="Also what workloads are open to beyond what the input holds.")
@click.option("--hops", is_flag=True, help="With --from internet: the shortest chain to each workload, or to TO.")
@shared_options(*_FORMATS)
def command(
    invocation: Invocation,
    paths: Sequence[str],
    source: str | None,
    destination: str | None,
    wanted: str | None,
    grouped: bool,
    exposure: bool,
    hops: bool,
) -> int:
    """Show which workloads may connect to which, and to and from which addresses, as the policies declare it."""
    from netlint.policy.queries.exposure import exposures
    from netlint.policy.queries.reach import Reachability
    from netlint.policy.queries.reach_groups import GroupedReachability

    if exposure and invocation.format not in ("text", "json", "csv", "markdown"):
        raise click.UsageError("--exposure is written as text, json, csv or markdown")
    for text, option in ((source, "--from"), (destination, "--to")):
        if text is not None:
            expression(text, option)
    cluster = one_cluster(invocation, paths)
    policy = analyse(invocation, cluster)
    if hops:
        if wanted is not None or grouped or exposure:
            raise click.UsageError("--hops goes with --from internet and --to, not with --port, --group or --exposure")
        return _hops(invocation, cluster, policy, source, destination)
    question = _question(cluster, policy, source, destination, wanted, grouped)
    # A drawing shows groups; in what is read the groups that go together are one more time folded.
    kind = GroupedReachability if grouped and invocation.format in _FOLDED else Reachability
    reach = kind(cluster.name, policy, question)
    shown = None
    if exposure:
        asked = (question.sources or frozenset()) | (question.destinations or frozenset())
        shown = tuple(exposures(policy, asked or policy.endpoints))
    stream(invocation, _writer(invocation.format)(reach, shown, notes_of(cluster)))
    return 0


def _hops(
    invocation: Invocation, cluster: "Cluster", policy: "PolicyAnalysis", source: str | None, destination: str | None
) -> int:
    """The chains from the internet to every workload, or to those that `destination` means."""
    from netlint.intent.exposure import chains
    from netlint.reports.hops import hops_json, hops_text

    if source != "internet" or invocation.format not in ("text", "json"):
        raise click.UsageError("--hops goes with --from internet, as text or json")
    ends, addresses = _ends(cluster, policy, destination, "--to")
    if addresses is not None:
        raise click.UsageError(f"--to {destination}: a chain leads to a workload")
    found = chains(cluster, policy)
    if ends is not None:
        found = tuple(chain for chain in found if not ends.isdisjoint(policy.endpoints_of(chain.workload)))
    stream(invocation, hops_text(found) if invocation.format == "text" else iter([hops_json(found, cluster.name)]))
    return 0


def _question(
    cluster: "Cluster",
    policy: "PolicyAnalysis",
    source: str | None,
    destination: str | None,
    wanted: str | None,
    grouped: bool,
) -> "Question":
    from netlint.policy.queries.reach import Question
    from netlint.predicates import TrafficSet

    number, protocol = port(wanted)
    if isinstance(number, str):
        raise click.UsageError(f"--port {wanted}: connectivity is on pods' ports; give the number")
    traffic = None if protocol is None else TrafficSet.of(protocol, number)
    from_ends, from_addresses = _ends(cluster, policy, source, "--from")
    to_ends, to_addresses = _ends(cluster, policy, destination, "--to")
    if from_addresses is not None and to_addresses is not None:
        raise click.UsageError("--from and --to are both outside the cluster: its policies do not decide there")
    return Question(from_ends, to_ends, from_addresses, to_addresses, traffic, grouped)


def _ends(cluster: "Cluster", policy: "PolicyAnalysis", text: str | None, option: str) -> tuple[Any, Any]:
    """The endpoints of the input that a word means: for labels every pod that has them. Or the addresses."""
    from netlint.policy.queries.expressions import ByLabels
    from netlint.policy.queries.reach import addresses_of
    from netlint.policy.queries.resolve import pods_with
    from netlint.reports.escape import safe

    if text is None:
        return None, None
    meant = expression(text, option)
    if isinstance(meant, ByLabels):
        pods = pods_with(meant, policy)
        if not pods:
            raise click.UsageError(
                safe(f"{option}: {text} is no pod of the input; `netlint why` answers for pods that are not there")
            )
        return pods, None
    found = target(text, option, cluster, policy)
    if outside(found):
        return frozenset(), addresses_of(found.endpoints)
    if not found.endpoints:
        raise click.UsageError(safe(f"{option}: {text} has no pods in the input"))
    return frozenset(found.endpoints), None


def _writer(form: str) -> Callable[..., Iterator[str]]:
    from netlint.reports import reach_graphs, reach_json, reach_svg, reach_tables

    plain: dict[str, Callable[[Any], Iterator[str]]] = {
        "dot": reach_graphs.dot,
        "mermaid": reach_graphs.mermaid,
        "graphml": reach_graphs.graphml,
        "svg": reach_svg.graph,
        "svg-matrix": reach_svg.matrix,
    }
    if form in plain:
        return lambda reach, shown, notes: plain[form](reach)
    tables: dict[str, Callable[..., Iterator[str]]] = {
        "json": lambda reach, shown, notes: reach_json.render(reach, shown, notes),
        "csv": lambda reach, shown, notes: reach_tables.csv_rows(reach, shown),
        "markdown": lambda reach, shown, notes: reach_tables.markdown(reach, shown, notes=notes),
        "text": lambda reach, shown, notes: reach_tables.text(reach, shown, notes=notes),
    }
    return tables[form]
