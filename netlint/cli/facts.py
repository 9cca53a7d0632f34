"""netlint facts: the cluster as netlint understands it."""

import click

from netlint.cli.common import Invocation, emit, load_clusters, paths_argument, shared_options


@click.command(short_help="The cluster as understood, with evidence.")
@shared_options("text", "json")
@paths_argument
def command(invocation: Invocation, paths: tuple[str, ...]) -> int:
    """Print what is known of each cluster's network, where it is known from, and what is not known."""
    from netlint.reports.color import Paint
    from netlint.reports.facts import facts_json, facts_text

    clusters = load_clusters(invocation, paths)
    if invocation.format == "json":
        emit(invocation, facts_json(clusters))
    else:
        emit(invocation, facts_text(clusters, Paint(invocation.color), verbose=invocation.verbose))
    return 0
