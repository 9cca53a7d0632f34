"""`netlint why FROM TO`: one path, link by link."""

from collections.abc import Sequence

import click

from netlint.cli._questions import analyse, expression, outside, port, target
from netlint.cli.common import Invocation, emit, one_cluster, paths_argument, shared_options


@click.command(short_help="One connection, link by link: allowed or not.")
@click.argument("source", metavar="FROM")
@click.argument("destination", metavar="TO")
@paths_argument
@click.option("--port", "wanted", metavar="PORT/PROTOCOL", help="The pod's port, or the Service's: 80/TCP, 53/UDP.")
@shared_options("text", "json")
def command(invocation: Invocation, source: str, destination: str, paths: Sequence[str], wanted: str | None) -> int:
    """Say whether FROM may connect to TO, and what decides each link of the way.

    FROM and TO are shop/web, shop/Service/web, shop:app=web, team=a:app=web, 10.1.0.0/16 or internet. TO may also be a
    URL, https://shop.example.com/cart: through the Ingress or Gateway that serves it. Exit status 0: allowed, 1:
    anything else.
    """
    from netlint.policy.queries.expressions import ByUrl
    from netlint.policy.queries.why import ALLOWED, why
    from netlint.reports.color import Paint
    from netlint.reports.why_report import why_json, why_text

    number, protocol = port(wanted)
    expression(source, "FROM")
    url = expression(destination, "TO")
    cluster = one_cluster(invocation, paths)
    policy = analyse(invocation, cluster)
    start = target(source, "FROM", cluster, policy)
    if isinstance(url, ByUrl):
        if wanted is not None:
            raise click.UsageError("--port: a URL names its port itself, https://shop.example.com:8443/cart")
        from netlint.intent.urls import why_url

        answer = why_url(cluster, policy, start, url)
    else:
        end = target(destination, "TO", cluster, policy)
        if isinstance(number, str) and end.service is None:
            hint = "ask for one port, or for none" if number.replace("-", "").isdigit() else "give the pod's number"
            raise click.UsageError(f"--port {wanted}: a port by name is a Service's; {hint}")
        if outside(start) and outside(end):
            raise click.UsageError("FROM and TO are both outside the cluster: its policies do not decide there")
        answer = why(cluster, policy, start, end, number, protocol)
    emit(invocation, why_json(answer) if invocation.format == "json" else why_text(answer, Paint(invocation.color)))
    return 0 if answer.verdict == ALLOWED else 1
