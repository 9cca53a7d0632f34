"""Progress on standard error: only on a terminal, and only when work takes over a second."""

import sys
import time
from types import TracebackType

_PATIENCE = 1.0


class Progress:
    """Call it with what is being done. It must be cleared before anything else is printed."""

    def __init__(self, *, enabled: bool) -> None:
        self._enabled = enabled and sys.stderr.isatty()
        self._start = time.monotonic()
        self._shown = False

    def __call__(self, what: str) -> None:
        if self._enabled and time.monotonic() - self._start > _PATIENCE:
            from netlint.reports.escape import safe

            sys.stderr.write(f"\r\x1b[K{safe(what)[:70]} ...")
            sys.stderr.flush()
            self._shown = True

    def clear(self) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()
