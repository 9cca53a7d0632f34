"""The three answers to a question about every endpoint that could be."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from netlint.findings import Witness
from netlint.predicates import Endpoint


@dataclass(frozen=True, slots=True)
class Proved:
    """It holds for every endpoint that could be. The only answer that is true as a condition."""

    def __bool__(self) -> Literal[True]:
        return True


@dataclass(frozen=True, slots=True)
class Refuted:
    """It fails, and here is where: two endpoints that could be and one kind of traffic, tried in the concrete
    evaluator. For a question about one endpoint, `destination` is None and there is no traffic."""

    witness: Witness
    source: Endpoint
    destination: Endpoint | None = None
    protocol: str | None = None
    port: int | None = None

    def __bool__(self) -> Literal[False]:
        return False


@dataclass(frozen=True, slots=True)
class Unknown:
    """It could not be told, and why: something that was not read, something undefined, or a limit reached."""

    reason: str

    def __bool__(self) -> Literal[False]:
        return False


Answer: TypeAlias = Proved | Refuted | Unknown
