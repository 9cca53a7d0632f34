"""The README shows what netlint really says."""

import importlib.util
from pathlib import Path

_spec = importlib.util.spec_from_file_location("readme_update", Path(__file__).with_name("update.py"))
assert _spec is not None
assert _spec.loader is not None
update = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(update)


def test_the_generated_parts_are_current() -> None:
    text = update.README.read_text(encoding="utf-8")
    assert text == update.updated(text), "README.md is stale: run `make readme`"


def test_the_example_shows_a_finding() -> None:
    assert "NET301" in update.example()
