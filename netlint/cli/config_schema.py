"""netlint config-schema: the JSON Schema of netlint.yaml."""

import click


@click.command(short_help="The JSON Schema of netlint.yaml, for editors.")
def command() -> int:
    """Print the JSON Schema of netlint.yaml."""
    from importlib.resources import files

    click.echo(files("netlint.reports").joinpath("schemas/config.json").read_text(encoding="utf-8"), nl=False)
    return 0
