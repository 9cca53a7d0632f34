"""NET401: address ranges that meet and must be apart."""

from collections.abc import Iterator

from netlint.cluster.addresses import AddressRange
from netlint.findings import Finding, Related, Severity
from netlint.rules.analysis import Analysis
from netlint.rules.registry import rule

SHOWN = 4


@rule("NET401", "cidr-overlap", Severity.ERROR, needs=())
def cidr_overlap(analysis: Analysis) -> Iterator[Finding]:
    """Two ranges of the cluster share addresses, so one of the two cannot be reached as declared."""
    for clash in analysis.cluster.addresses.clashes():
        first = clash.others[0]
        others = len({(other.first, other.last) for other in clash.others}) - 1  # one range may have several sources
        more = f" and {others} more" if others else ""
        yield cidr_overlap.finding(
            clash.range.place,
            f"{_words(clash.range)} {_relation(clash.range, first)} {_words(first)}{more}: {clash.why}",
            severity=clash.severity,
            help="choose ranges that share no address; `netlint facts` shows all that are known",
            related=[Related(f"{_words(other)}, from {other.source}", other.place) for other in clash.others[:SHOWN]],
        )


def _words(entry: AddressRange) -> str:
    return f"{entry.role.value} {entry.text}"


def _relation(one: AddressRange, other: AddressRange) -> str:
    if (one.first, one.last) == (other.first, other.last):
        return "is the same as"
    if one.holds(other):
        return "contains"
    return "lies inside" if other.holds(one) else "overlaps"
