"""A whole check of one text, as the command line does it."""

from collections.abc import Callable

import pytest

from netlint.cluster import build, divide
from netlint.cluster.config import parse_config
from netlint.resources import load
from netlint.sources import Reading, read_text
from netlint.triage import Options, Result, check


@pytest.fixture
def checked() -> Callable[..., Result]:
    """`checked(text, select=["NET004"])` or `checked({"a.yaml": text, ...}, config="...")`."""

    def run(text: str | dict[str, str], *, config: str = "", **options: object) -> Result:
        files = {"a.yaml": text} if isinstance(text, str) else text
        reading = Reading(roots=tuple(files))
        for file, content in files.items():
            part = read_text(content, file)
            reading.documents += part.documents
            reading.findings += part.findings
            reading.files |= part.files
        settings = parse_config(config)
        clusters = [build(part, settings) for part in divide(load(reading.documents), settings)]
        return check(reading, clusters, settings, Options(**options))  # type: ignore[arg-type]

    return run
