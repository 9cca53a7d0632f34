"""Connectivity as graphs that other programs draw: Graphviz dot, Mermaid, GraphML."""

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from netlint.policy.queries.reach import Party, Passage, Reachability
from netlint.reports.escape import safe, safe_start
from netlint.reports.reach_tables import shown
from netlint.reports.traffic_words import traffic_text


def by_namespace(reach: Reachability) -> list[tuple[str | None, list[Party]]]:
    """The parties of each namespace, in order; None holds what has no namespace."""
    groups: dict[str | None, list[Party]] = {}
    for party in reach.parties:
        groups.setdefault(party.namespace, []).append(party)
    return sorted(groups.items(), key=lambda item: (item[0] is None, item[0] or ""))


def edge_text(passage: Passage) -> str:
    """What the line between two nodes says."""
    if passage.allowed and passage.unknown:
        return f"{traffic_text(passage.allowed)} (unknown: {traffic_text(passage.unknown)})"
    return traffic_text(passage.allowed) if passage.allowed else f"unknown: {traffic_text(passage.unknown)}"


def dot(reach: Reachability) -> Iterator[str]:
    """Graphviz: a box a namespace; dashed where the input cannot tell."""
    yield "digraph reach {\n  rankdir=LR;\n"
    yield '  node [shape=box, style="rounded,filled", fillcolor=white, fontname="sans-serif"];\n'
    for index, (namespace, parties) in enumerate(by_namespace(reach)):
        if namespace is None:
            for party in parties:
                yield f"  {_dot(party.id)} [label={_dot(shown(party))}, shape=ellipse];\n"
            continue
        yield f"  subgraph cluster_{index} {{\n    label={_dot(safe(namespace))}; style=rounded;\n"
        for party in parties:
            yield f"    {_dot(party.id)} [label={_dot(short(party))}];\n"
        yield "  }\n"
    for passage in reach.passages():
        style = "" if passage.allowed else ", style=dashed"
        ends = f"{_dot(passage.source.id)} -> {_dot(passage.destination.id)}"
        yield f"  {ends} [label={_dot(edge_text(passage))}{style}];\n"
    yield "}\n"


def _dot(text: str) -> str:
    quoted = safe(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'


def short(party: Party) -> str:
    """A name inside its namespace's box: the namespace is not repeated."""
    return shown(party) if party.namespace is None else shown(party).removeprefix(f"{safe_start(party.namespace)}/")


def mermaid(reach: Reachability) -> Iterator[str]:
    """A Mermaid flowchart, for Markdown pages that draw one."""
    names = {party.id: f"n{index}" for index, party in enumerate(reach.parties)}
    yield "flowchart LR\n"
    for index, (namespace, parties) in enumerate(by_namespace(reach)):
        if namespace is None:
            for party in parties:
                yield f"  {names[party.id]}([{_mermaid(shown(party))}])\n"
            continue
        yield f"  subgraph s{index}[{_mermaid(safe(namespace))}]\n"
        for party in parties:
            yield f"    {names[party.id]}[{_mermaid(short(party))}]\n"
        yield "  end\n"
    for passage in reach.passages():
        arrow = "-->" if passage.allowed else "-.->"
        label = _mermaid(edge_text(passage))
        yield f"  {names[passage.source.id]} {arrow}|{label}| {names[passage.destination.id]}\n"


def _mermaid(text: str) -> str:
    """A quoted label; what Mermaid would read as markup stands as character numbers."""
    plain = "".join(
        character if character.isalnum() or character in " /.,:+-_()" else f"#{ord(character)};"
        for character in safe(text)
    )
    return f'"{plain}"'


def graphml(reach: Reachability) -> Iterator[str]:
    """GraphML, as yEd, Gephi and networkx read it."""
    yield (
        '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
        '<key id="kind" for="node" attr.name="kind" attr.type="string"/>\n'
        '<key id="namespace" for="node" attr.name="namespace" attr.type="string"/>\n'
        '<key id="name" for="node" attr.name="name" attr.type="string"/>\n'
        '<key id="allowed" for="edge" attr.name="allowed" attr.type="string"/>\n'
        '<key id="unknown" for="edge" attr.name="unknown" attr.type="string"/>\n'
        '<graph id="reach" edgedefault="directed">\n'
    )
    for party in reach.parties:
        yield f"<node id={quoteattr(safe(party.id))}>"
        yield _data("kind", party.kind) + _data("name", shown(party))
        if party.namespace is not None:
            yield _data("namespace", safe(party.namespace))
        yield "</node>\n"
    for passage in reach.passages():
        yield f"<edge source={quoteattr(safe(passage.source.id))} target={quoteattr(safe(passage.destination.id))}>"
        yield _data("allowed", traffic_text(passage.allowed) if passage.allowed else "")
        yield _data("unknown", traffic_text(passage.unknown) if passage.unknown else "") + "</edge>\n"
    yield "</graph>\n</graphml>\n"


def _data(key: str, value: str) -> str:
    return f'<data key="{key}">{escape(value)}</data>' if value else ""
