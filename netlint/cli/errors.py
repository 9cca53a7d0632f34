"""What goes wrong, in words: mistakes of the user (exit 2) and defects of netlint (exit 3), never a traceback."""

import sys

from netlint.reports.escape import safe


def user_errors(error: Exception) -> list[str]:
    """The lines to print where the error is the user's to mend; empty where it is a defect."""
    # Looked up among what is loaded: an error's class cannot be of a module that is not.
    names = (
        ("netlint.cluster.config", "ConfigError"),
        ("netlint.sources.options", "SourceError"),
        ("netlint.rules.catalogue", "PackError"),
        ("netlint.triage.selection", "UnknownRuleError"),
        ("netlint.triage.baseline", "BaselineError"),
    )
    for module, name in names:
        known = getattr(sys.modules.get(module), name, None)
        if known is not None and isinstance(error, known):
            lines = getattr(error, "lines", (str(error),))
            return [safe(line) if name == "ConfigError" else f"netlint: {safe(line)}" for line in lines]
    return []


def one_line(error: Exception) -> str:
    """A defect of netlint on one line: what, where, and how to report it."""
    trace = error.__traceback__
    where = ""
    while trace is not None:
        module = trace.tb_frame.f_globals.get("__name__", "")
        if module.startswith("netlint"):
            where = f" in {module}:{trace.tb_lineno}"
        trace = trace.tb_next
    text = safe(" ".join(str(error).split()))[:300]
    said = type(error).__name__ + (f": {text}" if text else "")
    return (
        f"netlint: internal error: {said}{where}. This is a defect of netlint, not of your input: please report it "
        "with this line and, if you can, the input (NETLINT_DEBUG=1 shows the traceback)."
    )
