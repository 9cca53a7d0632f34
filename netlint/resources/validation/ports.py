"""Ports and protocols, which many kinds write alike."""

from collections.abc import Iterator

from netlint.findings import Path
from netlint.resources.base import IntOrString
from netlint.resources.validation.text import PROTOCOLS, port_hint, port_name, port_number
from netlint.resources.values import FieldProblem, quoted


def check_port(path: Path, port: IntOrString) -> Iterator[FieldProblem]:
    """A port by number or name."""
    if isinstance(port, int):
        if wrong := port_number(port):
            yield FieldProblem(path, f"{port} {wrong}")
    elif wrong := port_name(port):
        yield FieldProblem(path, f"{quoted(port)} {wrong}", port_hint(port))


def check_protocol(path: Path, protocol: str | None) -> Iterator[FieldProblem]:
    """TCP, UDP or SCTP, in capitals."""
    if protocol is not None and protocol != "" and protocol not in PROTOCOLS:
        hint = f"write {protocol.upper()}" if protocol.upper() in PROTOCOLS else None
        yield FieldProblem(path, f"must be TCP, UDP or SCTP, is {quoted(protocol)}", hint)
