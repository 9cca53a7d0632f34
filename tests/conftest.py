"""What all tests share: the folder of real data beside the checkout, and skips that CI can turn into failures."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

SHARED = Path(os.environ.get("NETLINT_SHARED", Path(__file__).resolve().parent.parent.parent / "shared"))
REQUIRE_ALL = os.environ.get("NETLINT_REQUIRE_ALL") == "1"

_skipped_for_shared: list[str] = []


@pytest.fixture
def shared(request: pytest.FixtureRequest) -> Path:
    """The folder of cases, conformance suites and corpus; the test is skipped by name where it is missing."""
    if not SHARED.is_dir():
        _skipped_for_shared.append(request.node.nodeid)
        pytest.skip("needs ../shared")
    return SHARED


@pytest.fixture
def program() -> Callable[[str], str]:
    """`program("helm")` is the path of an external program; the test is skipped by name where it is missing."""

    def find(name: str) -> str:
        path = shutil.which(name)
        if path is None:
            if REQUIRE_ALL:
                pytest.fail(f"needs the program {name}, and NETLINT_REQUIRE_ALL=1 forbids the skip")
            pytest.skip(f"needs the program {name}")
        return path

    return find
