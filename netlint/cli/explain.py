"""netlint explain: one rule's page."""

import click

from netlint.cli.common import Invocation, emit, shared_options


@click.command(short_help="One rule's page.")
@shared_options("text", "markdown")
@click.argument("rule")
def command(invocation: Invocation, rule: str) -> int:
    """Print the page of RULE: a code such as NET301, or a name such as nodeport-conflict."""
    from netlint.reports.catalogue import page_as_text
    from netlint.reports.color import Paint
    from netlint.rules.catalogue import headers
    from netlint.triage.selection import EXACT, UnknownRuleError, exactness

    rules = headers(invocation.config.rule_packs)
    header = next((header for header in rules if exactness(rule, header) == EXACT), None)
    if header is None:
        raise UnknownRuleError(rule, rules)
    page = header.page()
    emit(invocation, page if invocation.format == "markdown" else page_as_text(page, Paint(invocation.color)))
    return 0
