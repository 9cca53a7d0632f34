"""netlint rules: the catalogue."""

import click

from netlint.cli.common import Invocation, emit, shared_options


@click.command(short_help="The catalogue of rules.")
@shared_options("text", "json", "markdown")
def command(invocation: Invocation) -> int:
    """List every rule, those of the packs that the configuration names too."""
    from netlint.reports import catalogue
    from netlint.rules.catalogue import headers

    rules = headers(invocation.config.rule_packs)
    match invocation.format:
        case "json":
            emit(invocation, catalogue.as_json(rules))
        case "markdown":
            emit(invocation, catalogue.as_markdown(rules))
        case _:
            from netlint.reports.color import Paint

            emit(invocation, catalogue.as_text(rules, Paint(invocation.color)))
    return 0
