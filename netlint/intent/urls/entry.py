"""What serves a URL: an entry (the Ingresses of one class, or one Gateway) and the backends that it picks."""

from collections.abc import Iterable
from dataclasses import dataclass

from netlint.cluster import Workload
from netlint.findings import Place
from netlint.policy.queries.reasons import Because
from netlint.policy.queries.why import ALLOWED, DENIED, UNKNOWN, together
from netlint.resources.core import Service


@dataclass(frozen=True, slots=True)
class Backend:
    """Where an entry sends the request. Without a Service, `verdict` and `because` say what becomes of it."""

    because: Because
    service: Service | None = None
    port: int | str | None = None
    verdict: str = ALLOWED


@dataclass(frozen=True, slots=True)
class Entry:
    """`split` says that the input cannot tell which backend answers, or by which rule: its answer stands only where all
    agree. Otherwise several backends share the requests. `verdict` is the routing's own: `denied` where the entry has
    the host and no rule for the path. `proxies` is empty where the input does not hold the program that listens.
    `named`: it names the host, and does not just take any.
    """

    name: str
    verdict: str
    because: tuple[Because, ...]
    backends: tuple[Backend, ...] = ()
    split: bool = False
    proxies: tuple[Workload, ...] = ()
    proxy_text: str = ""
    named: bool = False


def agreed(verdicts: Iterable[str]) -> str:
    """One word for several possibilities of which one is true."""
    distinct = set(verdicts)
    return distinct.pop() if len(distinct) == 1 else UNKNOWN


def combined(verdicts: list[str], split: bool) -> str:
    """One word for what several backends do with a request."""
    return agreed(verdicts) if split else together(verdicts)


def missing(text: str, place: Place, complete: bool) -> Backend:
    """A backend that is not in the input: there is none where the input holds all."""
    if complete:
        return Backend(Because(text, place), verdict=DENIED)
    return Backend(Because(f"{text} of the input; it may exist elsewhere", place), verdict=UNKNOWN)


__all__ = [
    "ALLOWED",
    "DENIED",
    "UNKNOWN",
    "Backend",
    "Because",
    "Entry",
    "agreed",
    "combined",
    "missing",
    "together",
]
