"""The command line. It only wires: every command is a module of this package, imported when it is called."""

import errno
import gc
import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from netlint import __version__
from netlint.cli.errors import one_line, user_errors

# pydantic would look for plugins among all installed packages, which takes as long as everything else.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

OK, FOUND, CANNOT_RUN, DEFECT = 0, 1, 2, 3
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
_NOT_COMMANDS = frozenset({"common", "errors", "progress"})


class LazyGroup(click.Group):
    """The commands are the modules of this package that hold a `command`; the name of one is that of its module."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        modules = (module.name for module in pkgutil.iter_modules(__path__) if module.name not in _NOT_COMMANDS)
        return sorted(name.replace("_", "-") for name in modules if not name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"{__name__}.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if args and os.path.exists(args[0]):
                raise click.UsageError(f"{error.message} To check it: netlint check {args[0]}", ctx) from None
            import difflib  # for mistakes only

            near = difflib.get_close_matches(args[0], self.list_commands(ctx), 1) if args else []
            if near:
                raise click.UsageError(f"{error.message} Did you mean {near[0]!r}?", ctx) from None
            raise


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(__version__, "-V", "--version", message="netlint %(version)s")
def cli() -> None:
    """Find what is wrong with the networking of Kubernetes manifests, offline.

    Exit status: 0 nothing to report, 1 findings, 2 could not run, 3 a defect of netlint.
    """


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status. Nothing but KeyboardInterrupt of the caller ever leaves it."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started netlint
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - for as long as the program runs
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        os.getcwd()
    except OSError as error:
        click.echo(f"netlint: the working directory cannot be used: {error.strerror}", err=True)
        return CANNOT_RUN
    try:
        if os.environ.get("_NETLINT_COMPLETE"):
            cli.main(arguments, prog_name="netlint")  # a shell asks for completions
        # Not click's main: what it makes of a closed pipe and of Ctrl-C differs from version to version.
        with cli.make_context("netlint", list(sys.argv[1:] if arguments is None else arguments)) as context:
            status = cli.invoke(context)
        sys.stdout.flush()
        return status if isinstance(status, int) else OK
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        error.show()
        return CANNOT_RUN
    except (KeyboardInterrupt, click.Abort):
        return 130
    except BrokenPipeError:
        # Python flushes standard output once more at exit, and would complain there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception as error:
        if os.environ.get("NETLINT_DEBUG"):
            raise
        known = user_errors(error)
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            known = [f"netlint: cannot write the result: {error.strerror}"]
        if known:
            click.echo("\n".join(known), err=True)
            return CANNOT_RUN
        click.echo(one_line(error), err=True)
        return DEFECT


def main() -> NoReturn:
    """The command `netlint`."""
    # Nearly all that a check makes lives to its end, so looking for garbage is mostly waste.
    gc.set_threshold(100_000, 50, 100)
    status = run()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        status = status or 141
    # Taking everything apart again, object by object, is a good part of a small run; the system does it at once.
    os._exit(status)
