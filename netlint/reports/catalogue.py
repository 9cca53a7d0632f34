"""`netlint rules` and `netlint explain`."""

import re
from collections.abc import Sequence

from netlint.findings import Severity
from netlint.reports.check_text import WORD
from netlint.reports.color import Paint
from netlint.reports.json_text import VERSION, dumps
from netlint.rules.catalogue import Header
from netlint.rules.pages import sections


def summary(rule: Header) -> str:
    """The first sentence or paragraph of what the rule's page says it does, as plain text."""
    what = sections(rule.page()).get("What it does", "")
    return " ".join(what.partition("\n\n")[0].split())


def as_text(rules: Sequence[Header], paint: Paint) -> str:
    """One line a rule: code, severity, name; pedantic rules are marked."""
    lines = []
    for rule in rules:
        colour = {Severity.ERROR: paint.red, Severity.WARNING: paint.yellow, Severity.INFO: paint.blue}[rule.severity]
        group = "  (pedantic)" if rule.group == "pedantic" else ""
        lines.append(f"{paint.bold(rule.code)}  {colour(f'{WORD[rule.severity]:<7}')}  {rule.name}{group}")
    return "".join(f"{line}\n" for line in lines)


def as_json(rules: Sequence[Header]) -> str:
    """As in `schemas/rules.json`."""
    return dumps(
        {
            "version": VERSION,
            "rules": [
                {
                    "code": rule.code,
                    "name": rule.name,
                    "severity": rule.severity.value,
                    "group": rule.group,
                    "area": rule.area,
                    "summary": summary(rule),
                }
                for rule in rules
            ],
        }
    )


def as_markdown(rules: Sequence[Header]) -> str:
    """A table."""
    lines = ["| Code | Name | Severity | What it says |", "|---|---|---|---|"]
    for rule in rules:
        severity = rule.severity.value + (", pedantic" if rule.group == "pedantic" else "")
        said = summary(rule).replace("|", "\\|")
        lines.append(f"| {rule.code} | {rule.name} | {severity} | {said} |")
    return "".join(f"{line}\n" for line in lines)


def page_as_text(page: str, paint: Paint) -> str:
    """The page for a terminal: headings stand out, examples are set in, marks of Markdown that only clutter go."""
    lines = []
    fenced = False
    for line in page.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif fenced:
            lines.append(f"    {paint.dim(line)}" if line else "")
        elif line.startswith("#"):
            lines.append(paint.bold(line.lstrip("#").strip()))
        else:
            lines.append(re.sub(r"`([^`]*)`", lambda match: paint.blue(match[1]) if paint.enabled else match[0], line))
    return "".join(f"{line}\n" for line in lines)
