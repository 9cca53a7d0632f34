"""Writing a result piece by piece, so that a large one never stands in memory."""

import sys
from collections.abc import Iterable
from pathlib import Path

import click

from netlint.cli.common import Invocation


def stream(invocation: Invocation, pieces: Iterable[str]) -> None:
    """Print the pieces, or write them where `--output` says. Raises click.FileError."""
    invocation.progress.clear()
    if invocation.output is None or invocation.output == "-":
        for piece in pieces:
            sys.stdout.write(piece)
        return
    try:
        with Path(invocation.output).open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.writelines(pieces)
    except OSError as error:
        raise click.FileError(invocation.output, error.strerror or str(error)) from None
