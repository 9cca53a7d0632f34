"""What cannot be read has no part in an answer, and the reader is told so."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from netlint.cli import run

BROKEN = "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: x}\nspec: {podSelector: [\n"

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ask(tmp_path: Path, shop_text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "shop.yaml").write_text(shop_text)
    (tmp_path / "new" / "broken.yaml").write_text(BROKEN)
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        status = run(arguments)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


@pytest.mark.parametrize(
    "arguments", [("reach", "new"), ("why", "shop/web", "shop/db", "new"), ("diff", "old", "new"), ("facts", "new")]
)
def test_it_is_said_beside_the_answer(ask: Ask, arguments: tuple[str, ...]) -> None:
    _, out, err = ask(*arguments)
    assert err.startswith("new/broken.yaml:")
    assert "error[NET001]" in err
    assert "the answer is without what could not be read" in err
    assert out
    assert "NET001" not in out
    assert ask(*arguments, "--quiet")[2] == ""


def test_nothing_is_said_where_all_was_read(ask: Ask) -> None:
    assert ask("reach", "old")[2] == ""


def test_a_policy_that_could_not_be_read_may_be_a_difference(ask: Ask, tmp_path: Path) -> None:
    status, out, _ = ask("diff", "old", "new")
    assert status == 0
    assert "is not known: a part of the input could not be read" in out
    assert "the policies allow the same" not in out
    data = json.loads(ask("diff", "old", "new", "--format", "json")[1])
    assert data["equivalent"] is None
    (tmp_path / "new" / "broken.yaml").unlink()
    assert "the policies allow the same" in ask("diff", "old", "new")[1]


def test_many_are_counted(ask: Ask, tmp_path: Path) -> None:
    for number in range(9):
        (tmp_path / "new" / f"{number}.yaml").write_text(BROKEN)
    err = ask("reach", "new")[2]
    assert err.count("NET001") == 5
    assert "(5 more: netlint check)" in err


def test_a_cluster_of_both_versions_is_picked_by_its_own_name(ask: Ask, tmp_path: Path, shop_text: str) -> None:
    for version in ("old", "new"):
        (tmp_path / version / "shop.yaml").unlink()
        for name in ("dev", "prod"):
            (tmp_path / version / name).mkdir()
            text = shop_text if version == "old" else shop_text.replace("port: 5432}", "port: 5433}")
            (tmp_path / version / name / "shop.yaml").write_text(text.replace("image: x", f"image: {name}"))
    data = json.loads(ask("diff", "old", "new", "--cluster", "prod", "--format", "json")[1])
    assert {one["cluster"] for one in data["connections"]} == {"prod"}
    status, _, err = ask("diff", "old", "new", "--cluster", "test")
    assert status == 2
    assert "the input holds: dev, prod" in err
