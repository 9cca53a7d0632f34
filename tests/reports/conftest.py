"""Results made by hand, so that reports are tested without rules."""

from collections.abc import Callable

import pytest

from netlint.findings import Finding, Fix, Location, ObjectRef, Place, Related, Severity, TextEdit, Witness
from netlint.findings.paths import Path
from netlint.sources import SourceFile
from netlint.triage import CheckedCluster, Result, Suppressed

TEXT = "kind: Service\nspec:\n  ports:\n    - port: 80\n      nodePort: 30080\n"


class Somewhere:
    """An object that stands at one line of a file."""

    def __init__(self, file: str = "shop/web.yaml", name: str = "web", line: int = 5) -> None:
        self.ref = ObjectRef("v1", "Service", "shop", name)
        self.file = file
        self.line = line

    def locate(self, path: Path, anchor: str = "value") -> Location:
        return Location(self.file, self.line, 17, self.line, 22)


@pytest.fixture
def result() -> Callable[..., Result]:
    """`result(message=..., file=..., text=...)`: one finding with everything that a finding can have."""

    def make(
        message: str = "both ask for node port 30080",
        *,
        file: str = "shop/web.yaml",
        text: str = TEXT,
        name: str = "web",
        help: str | None = "Choose another number.",
        severity: Severity = Severity.ERROR,
        location: Location | None = None,
        **more: object,
    ) -> Result:
        place = Place(Somewhere(file, name), ("spec", "ports", 0, "nodePort"))
        other = Place(Somewhere("shop/admin.yaml", "admin", 7), ("spec", "ports", 0, "nodePort"))
        finding = Finding(
            "NET004",
            "invalid-value",
            severity,
            message,
            place=place,
            location=location or place.locate(),
            help=help,
            related=(Related(f"the other one: {message}", other, other.locate()),),
            witness=Witness({"namespace": "shop"}, {"address": "10.0.0.1"}, 80, "TCP", f"a pod of shop: {message}"),
            fixes=(Fix("mend it", "safe", (TextEdit(Location(file, 5, 17, 5, 22), "30081"),)),),
            clusters=("default",),
            fingerprint="abc",
        )
        values: dict[str, object] = {
            "findings": (finding,),
            "clusters": (CheckedCluster("default", "open", 2, 2),),
            "suppressed": (Suppressed(finding, "inSource", f"why {message}"),),
            "unchecked": (f"what {message}",),
            "files": {file: SourceFile(file, text)},
        }
        return Result(**{**values, **more})  # type: ignore[arg-type]

    return make
