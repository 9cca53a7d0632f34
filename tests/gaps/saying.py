"""Small worlds, and what the policy rules say of them."""

import textwrap

from netlint.cluster import build, divide
from netlint.cluster.config import parse_config
from netlint.findings import Finding, format_path
from netlint.resources import load
from netlint.sources import read_text
from netlint.triage import Options, check


def findings(*texts: str, config: str = "", pedantic: bool = False) -> list[Finding]:
    reading = read_text("\n---\n".join(textwrap.dedent(text) for text in texts), "x.yaml")
    settings = parse_config(config)
    clusters = [build(part, settings) for part in divide(load(reading.documents), settings)]
    result = check(reading, clusters, settings, Options(select=("NET1",), pedantic=pedantic))
    assert not result.failed
    return list(result.findings)


def said(*texts: str, config: str = "") -> list[str]:
    return [
        f"{f.severity.value} {f.code} {format_path(f.place.path) if f.place else '-'}"
        for f in findings(*texts, config=config)
    ]


def pod(name: str, namespace: str = "shop", *, labels: str = "", spec: str = "", container: str = "") -> str:
    return f"""
apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: {namespace}, labels: {{{labels or "app: " + name}}}}}
spec:
{textwrap.indent(spec, "  ")}
  containers:
    - name: main
      image: x
      ports: [{{containerPort: 8080, name: http}}]
{textwrap.indent(container, "      ")}
"""


def policy(spec: str, namespace: str = "shop", name: str = "p") -> str:
    head = (
        f"apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {{name: {name}, namespace: {namespace}}}\n"
    )
    return head + "spec:\n" + textwrap.indent(textwrap.dedent(spec).strip(), "  ") + "\n"


def namespace(name: str, labels: str = "") -> str:
    return f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: {name}, labels: {{{labels}}}}}\n"


SHOP = namespace("shop")
