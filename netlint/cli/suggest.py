"""netlint suggest: the least-privilege policies."""

import click

from netlint.cli.common import Invocation, emit, one_cluster, paths_argument, shared_options


@click.command(short_help="Least-privilege NetworkPolicies for what the manifests need.")
@shared_options("yaml", "json")
@click.option("--namespace", "-n", multiple=True, metavar="NAME", help="Only for workloads of this namespace.")
@paths_argument
def command(invocation: Invocation, namespace: tuple[str, ...], paths: tuple[str, ...]) -> int:
    """Print NetworkPolicies that admit what the manifests in PATHS need, with DNS, and nothing else.

    One policy for each workload. What programs need without any manifest showing it is not among them: read the
    comments, and try the policies before they are applied.
    """
    from netlint.intent import Intents
    from netlint.intent.suggest import suggest
    from netlint.policy import PolicyAnalysis
    from netlint.reports.escape import safe
    from netlint.reports.suggest import suggestions_json, suggestions_yaml

    cluster = one_cluster(invocation, paths)
    found = suggest(cluster, PolicyAnalysis.of(cluster), Intents(cluster))
    found = tuple(each for each in found if not namespace or each.workload.namespace in namespace)
    if not found:
        where = f" in namespace {safe(', '.join(namespace))}" if namespace else ""
        click.echo(f"netlint: the input holds no workload{where} that a NetworkPolicy could be for", err=True)
    emit(
        invocation,
        suggestions_json(found, cluster.name) if invocation.format == "json" else suggestions_yaml(found),
    )
    return 0
