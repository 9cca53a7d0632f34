"""netlint matcher: problem matchers for what `netlint check` prints."""

import click


@click.command(short_help="A problem matcher for GitHub or VS Code.")
@click.argument("tool", type=click.Choice(["github", "vscode"]))
def command(tool: str) -> int:
    """Print the problem matcher of TOOL for the text that `netlint check` prints."""
    from netlint.reports.matchers import github_matcher, vscode_matcher

    click.echo(github_matcher() if tool == "github" else vscode_matcher(), nl=False)
    return 0
