"""What a rule is, and the decorator that makes one."""

import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Literal, TypeAlias

from netlint.findings import Finding, Fix, Place, Related, Severity, Witness

if TYPE_CHECKING:
    from netlint.resources import KubernetesObject
    from netlint.rules.analysis import Analysis

Group: TypeAlias = Literal["default", "pedantic"]
Check: TypeAlias = "Callable[[Analysis], Iterator[Finding]]"


class Rule:
    """One rule. Calling it with an Analysis gives its findings.

    `reads` are the kinds of object that the rule asks the cluster for. `needs` are those of them that it has nothing
    to say without: it is not loaded where the input holds none of them. An empty `needs` means that it always runs.
    """

    def __init__(
        self,
        code: str,
        name: str,
        severity: Severity,
        *,
        reads: "tuple[type[KubernetesObject], ...]",
        needs: "tuple[type[KubernetesObject], ...]",
        group: Group,
        check: Check,
    ) -> None:
        self.code = code
        self.name = name
        self.severity = severity
        self.reads = reads
        self.needs = needs
        self.group = group
        self.check = check
        self.module = check.__module__

    def __repr__(self) -> str:
        return f"<Rule {self.code} {self.name}>"

    def __call__(self, analysis: "Analysis") -> Iterator[Finding]:
        return self.check(analysis)

    @property
    def summary(self) -> str:
        """The sentence that the rule's function opens with."""
        return (inspect.getdoc(self.check) or "").partition("\n\n")[0].replace("\n", " ")

    def finding(
        self,
        place: Place | None,
        message: str,
        *,
        severity: Severity | None = None,
        help: str | None = None,
        related: Iterable[Related] = (),
        witness: Witness | None = None,
        fixes: Iterable[Fix] = (),
    ) -> Finding:
        """A finding of this rule, of its usual severity unless the evidence says otherwise."""
        return Finding(
            self.code,
            self.name,
            severity or self.severity,
            message,
            place=place,
            help=help,
            related=tuple(related),
            witness=witness,
            fixes=tuple(fixes),
        )


def rule(
    code: str,
    name: str,
    severity: Severity,
    *,
    reads: "tuple[type[KubernetesObject], ...]" = (),
    needs: "tuple[type[KubernetesObject], ...] | None" = None,
    group: Group = "default",
) -> Callable[[Check], Rule]:
    """Make a rule of a function; `needs` is `reads` where it is not given.

    Written with literals, so that the catalogue can tell what it is without loading it:

    @rule("NET301", "nodeport-conflict", Severity.ERROR, reads=(Service,))
    """

    def decorate(check: Check) -> Rule:
        return Rule(
            code, name, severity, reads=reads, needs=reads if needs is None else needs, group=group, check=check
        )

    return decorate
