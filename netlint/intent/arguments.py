"""Command lines as settings: `--db-host=db`, `--redis redis:6379`, `sh -c "until nc -z db 5432"`."""

import re
from collections.abc import Sequence

from netlint.findings import Place
from netlint.intent.references import CLIENTS, command_references
from netlint.intent.settings import Setting

_FLAG = re.compile(r"--?(?P<name>[A-Za-z][\w.\-]*)(?:=(?P<value>.*))?", re.DOTALL)
_SCRIPT = re.compile(r"[eilux]{0,5}c|e|cmd|command")
_ASSIGNMENT = re.compile(r"(?P<name>[A-Za-z_][\w.\-]*)=(?P<value>.*)", re.DOTALL)


def argument_settings(arguments: Sequence[tuple[str, Place]], word: str = "argument") -> tuple[Setting, ...]:
    """The settings of one command line. A flag takes the next word as its value where that is no flag itself."""
    found: list[Setting] = []
    pending: tuple[str, Place] | None = None
    for text, place in arguments:
        flag = _FLAG.fullmatch(text) if text.startswith("-") else None
        if flag is not None:
            pending = None
            if flag["value"] is None:
                pending = (flag["name"], place)
            else:
                found.append(_setting(flag["name"], flag["value"], place, f"{word} {text.partition('=')[0]}"))
            continue
        if pending is not None:
            prefix = "-" if len(pending[0]) == 1 else "--"
            found.append(_setting(pending[0], text, place, f"{word} {prefix}{pending[0]}"))
            pending = None
            continue
        assignment = _ASSIGNMENT.fullmatch(text)
        if assignment is not None and "\n" not in text and " " not in text:
            found.append(_setting(assignment["name"], assignment["value"], place, f"{word} {assignment['name']}"))
        else:
            found.append(Setting("", text, place, word, command=True))
    return (*found, *_client(arguments, word))


def _client(arguments: Sequence[tuple[str, Place]], word: str) -> tuple[Setting, ...]:
    """The whole command line of a well-known client, at the word that names its host."""
    if not arguments or arguments[0][0].rpartition("/")[2] not in CLIENTS:
        return ()
    line = " ".join(text for text, _ in arguments)
    for reference in command_references(line):
        for text, place in arguments[1:]:
            if text.lower().rstrip(".").endswith(reference.host):
                return (Setting("", line, place, word, command=True),)
    return ()


def _setting(name: str, value: str, place: Place, label: str) -> Setting:
    # -c and -e hand a script to an interpreter
    command = bool(_SCRIPT.fullmatch(name)) or "\n" in value
    return Setting("" if command else name, value, place, label, command=command)
