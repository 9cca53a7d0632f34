"""Connectivity drawn: a matrix, and a graph whose workloads stand in the box of their namespace."""

import math
from collections.abc import Iterator
from html import escape

from netlint.policy.queries.reach import Party, Passage, Reachability
from netlint.predicates import ALL_TRAFFIC
from netlint.reports.escape import safe
from netlint.reports.reach_graphs import by_namespace, edge_text, short
from netlint.reports.reach_tables import shown

_STYLE = """<style>
text{font:12px system-ui,"Segoe UI",sans-serif;fill:#1d2733}
.head{font-weight:600}.faint{fill:#6b7785}
.all{fill:#1f7a53}.some{fill:#8ccbb0}.unknown{fill:#e3b341}.self{fill:#eef1f4}
.grid{stroke:#dfe4e9;stroke-width:1}.box{fill:#f6f8fa;stroke:#c9d1d9}.node{fill:#fff;stroke:#8a949e}
.edge{fill:none;stroke:#5b7f9c;stroke-width:1.2;opacity:.75}.maybe{stroke:#c08a1a;stroke-dasharray:4 3}
.edge:hover{stroke:#c2410c;stroke-width:2.4;opacity:1}
</style>"""
_CHARACTER = 7.4
_CELL = 18
_ROW = 26
_GAP = 90


def matrix(reach: Reachability) -> Iterator[str]:
    """Who sends (rows) to whom (columns): dark for everything, light for some ports, yellow for unknown."""
    parties = reach.parties
    index = {party: place for place, party in enumerate(parties)}
    label = max([len(shown(party)) for party in parties] + [4]) * _CHARACTER + 12
    label = min(label, 420)
    size = len(parties) * _CELL
    # Column names lean to the right by 60 degrees.
    width, height = max(label + size + label / 2 + 20, 480), label + size + 80
    yield _open(width, height, "who may talk to whom, as a matrix")
    yield f'<text x="8" y="20" class="head">from (rows) to (columns): {escape(safe(reach.cluster))}</text>\n'
    top = label + 30
    for party, place in index.items():
        middle = place * _CELL + _CELL / 2
        name = _cut(shown(party), label)
        yield f'<text x="{label - 6:.0f}" y="{top + middle + 4:.0f}" text-anchor="end">{name}</text>\n'
        x, y = label + middle + 4, top - 6
        yield f'<text x="{x:.0f}" y="{y:.0f}" transform="rotate(-60 {x:.0f} {y:.0f})">{name}</text>\n'
        yield _cell("self", label + place * _CELL, top + place * _CELL, "itself")
    for passage in reach.passages():
        x, y = label + index[passage.destination] * _CELL, top + index[passage.source] * _CELL
        yield _cell(_class(passage), x, y, _title(passage))
    for place in range(len(parties) + 1):
        at = place * _CELL
        yield f'<path class="grid" d="M{label:.0f} {top + at:.0f}h{size}M{label + at:.0f} {top:.0f}v{size}"/>\n'
    x, y = 8.0, top + size + 16
    for kind, meaning in (("all", "everything"), ("some", "some ports"), ("unknown", "not known")):
        yield _cell(kind, x, y, meaning) + f'<text x="{x + 24:.0f}" y="{y + 13:.0f}" class="faint">{meaning}</text>\n'
        x += 120
    yield "</svg>\n"


def graph(reach: Reachability) -> Iterator[str]:
    """Boxes of namespaces with their workloads, curves for what may pass; the title of a curve says what."""
    groups = by_namespace(reach)
    boxes, places, width, height = _layout(groups)
    yield _open(width, height, "who may talk to whom, grouped by namespace")
    for (namespace, _), (x, y, box_width, box_height) in zip(groups, boxes, strict=True):
        title = _cut(safe(namespace or "outside"), box_width)
        yield (
            f'<rect class="box" x="{x:.0f}" y="{y:.0f}" width="{box_width:.0f}" height="{box_height:.0f}" rx="8"/>'
            f'<text class="head" x="{x + 12:.0f}" y="{y + 20:.0f}">{title}</text>\n'
        )
    yield (
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0L8 4L0 8z" fill="#5b7f9c"/></marker></defs>\n'
    )
    for passage in reach.passages():
        yield _curve(passage, places)
    for party in reach.parties:
        x, y, node_width = places[party]
        yield (
            f'<g><title>{escape(shown(party))}</title><rect class="node" x="{x:.0f}" y="{y:.0f}"'
            f' width="{node_width:.0f}" height="20" rx="10"/>'
            f'<text x="{x + 10:.0f}" y="{y + 14:.0f}">{_cut(short(party), node_width - 14)}</text></g>\n'
        )
    yield "</svg>\n"


_Box = tuple[float, float, float, float]


def _layout(
    groups: list[tuple[str | None, list[Party]]],
) -> tuple[list[_Box], dict[Party, tuple[float, float, float]], float, float]:
    """Boxes in columns of about equal height, nodes under each other in their box."""
    sizes = []
    for namespace, parties in groups:
        longest = max([*(len(short(party)) for party in parties), len(safe(namespace or "outside"))])
        sizes.append((min(longest * _CHARACTER + 48, 360), len(parties) * _ROW + 40))
    total = sum(height + 30 for _, height in sizes)
    columns = max(1, min(len(sizes), round(math.sqrt(total / 160))))
    limit = max([total / columns] + [height for _, height in sizes])
    boxes: list[_Box] = []
    places: dict[Party, tuple[float, float, float]] = {}
    x, y, column_width, lowest = 30.0, 30.0, 0.0, 30.0
    for (_, parties), (width, height) in zip(groups, sizes, strict=True):
        if y > 30 and y + height > limit + 60:
            x, y, column_width = x + column_width + _GAP, 30.0, 0.0
        boxes.append((x, y, width, height))
        for place, party in enumerate(parties):
            places[party] = (x + 12, y + 30 + place * _ROW, width - 24)
        column_width = max(column_width, width)
        y += height + 30
        lowest = max(lowest, y)
    return boxes, places, x + column_width + 30 + _GAP, lowest + 10


def _curve(passage: Passage, places: dict[Party, tuple[float, float, float]]) -> str:
    sx, sy, sw = places[passage.source]
    tx, ty, tw = places[passage.destination]
    sy, ty = sy + 10, ty + 10
    if abs(sx - tx) < 1:
        start, end = sx + sw, tx + tw
        bow = 24 + min(abs(sy - ty) / 3, 60)
        path = f"M{start:.0f} {sy:.0f}C{start + bow:.0f} {sy:.0f} {end + bow:.0f} {ty:.0f} {end:.0f} {ty:.0f}"
    else:
        start, end = (sx + sw, tx) if sx < tx else (sx, tx + tw)
        half = (end - start) / 2
        path = f"M{start:.0f} {sy:.0f}C{start + half:.0f} {sy:.0f} {end - half:.0f} {ty:.0f} {end:.0f} {ty:.0f}"
    extra = "" if passage.allowed else " maybe"
    title = escape(_title(passage))
    return f'<path class="edge{extra}" marker-end="url(#tip)" d="{path}"><title>{title}</title></path>\n'


def _open(width: float, height: float, title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}"'
        f' viewBox="0 0 {width:.0f} {height:.0f}" role="img"><title>{escape(title)}</title>\n{_STYLE}\n'
        f'<rect width="100%" height="100%" fill="#fff"/>\n'
    )


def _cell(kind: str, x: float, y: float, title: str) -> str:
    rect = f'<rect class="{kind}" x="{x:.0f}" y="{y:.0f}" width="{_CELL}" height="{_CELL}">'
    return f"{rect}<title>{escape(title)}</title></rect>\n"


def _class(passage: Passage) -> str:
    if not passage.allowed:
        return "unknown"
    return "all" if ALL_TRAFFIC.without_other() <= passage.allowed else "some"


def _title(passage: Passage) -> str:
    return f"{shown(passage.source)} -> {shown(passage.destination)}: {edge_text(passage)}"


def _cut(text: str, width: float) -> str:
    room = max(4, int(width / _CHARACTER))
    return escape(text if len(text) <= room else text[: room - 1] + "…")
