"""netlint version."""

import click

from netlint import __version__


@click.command(short_help="The version.")
def command() -> int:
    """Print the version."""
    click.echo(f"netlint {__version__}")
    return 0
