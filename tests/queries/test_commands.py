"""The commands reach, why and diff as they are called: exit status, formats, messages, files."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from netlint.cli import run

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def shop(tmp_path: Path, shop_text: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "work" / "shop"
    folder.mkdir(parents=True)
    (folder / "shop.yaml").write_text(shop_text)
    monkeypatch.chdir(tmp_path / "work")
    return folder


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    def call(*arguments: str) -> tuple[int, str, str]:
        status = run(arguments)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


@pytest.mark.usefixtures("shop")
def test_why_says_what_decides_and_where(command: Command) -> None:
    status, out, _ = command("why", "shop/web", "shop/db", "shop", "--port", "5432/TCP")
    assert status == 0
    assert out.startswith("shop/web -> shop/db 5432/TCP: allowed\n")
    assert "NetworkPolicy/shop/db-ingress allows it (shop/shop.yaml:" in out


@pytest.mark.usefixtures("shop")
def test_why_exits_with_1_for_anything_but_allowed(command: Command) -> None:
    assert command("why", "shop/web", "shop/db", "--port", "80")[0] == 1
    assert command("why", "shop/web", "shop/db")[0] == 1
    assert command("why", "shop/db", "shop/web")[0] == 0


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("why", "shop/wbe", "shop/db"), "FROM: no workload shop/wbe in the input; nearest: shop/web"),
        (("why", "shop/web", "db"), "TO: 'db' names no namespace"),
        (("why", "shop/web", "shop/db", "--port", "80/ICMP"), "--port"),
        (("why", "shop/web", "shop/db", "--port", "http"), "give the pod's number"),
        (("why", "shop/web", "shop/db", "--port", "80-90"), "ask for one port, or for none"),
        (("why", "shop/web", "shop/db", "--port", "tcp/80"), "the port comes first, 80/TCP"),
        (("why", "./shop", "shop/web", "shop/db"), "FROM: './shop' is a path"),
        (("reach", "nowhere", "--from", "web"), "--from: 'web' names no namespace"),
        (("reach", "--from", "shop/nobody"), "--from: no workload shop/nobody"),
        (("reach", "--port", "http"), "give the number"),
        (("reach", "--exposure", "--format", "dot"), "--exposure"),
        (("diff", "shop"), "OLD and NEW"),
        (("diff", "shop", "nowhere"), "nowhere"),
    ],
)
def test_mistakes_are_said_and_exit_with_2(command: Command, arguments: tuple[str, ...], said: str) -> None:
    status, out, err = command(*arguments)
    assert status == 2
    assert not out
    assert said in err
    assert "Traceback" not in err


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize("form", ["text", "json", "csv", "markdown", "dot", "mermaid", "graphml", "svg", "svg-matrix"])
def test_reach_in_every_format(command: Command, form: str, tmp_path: Path) -> None:
    status, out, _ = command("reach", "shop", "--format", form)
    assert status == 0
    assert "5432" in out
    file = tmp_path / "out"
    assert command("reach", "shop", "--format", form, "--output", str(file))[1] == ""
    assert file.read_text() == out


@pytest.mark.usefixtures("shop")
def test_reach_filters(command: Command) -> None:
    to_db = json.loads(command("reach", "--to", "shop/db", "--format", "json")[1])
    assert [(one["from"], one["to"]) for one in to_db["connections"]] == [("shop/Deployment/web", "shop/Deployment/db")]
    by_label = json.loads(command("reach", "--from", "team=a:app=web", "--to", ":app=db", "--format", "json")[1])
    assert by_label["connections"] == to_db["connections"]
    assert not json.loads(command("reach", "--to", "shop/db", "--port", "80/TCP", "--format", "json")[1])["connections"]
    outside = json.loads(command("reach", "--from", "internet", "--format", "json")[1])
    assert {one["to"] for one in outside["connections"]} == {"shop/Deployment/web"}


@pytest.mark.usefixtures("shop")
def test_reach_with_exposure(command: Command) -> None:
    out = command("reach", "--exposure", "--to", "shop/db")[1]
    assert "shop/Deployment/db  <-  pods with app=web in shop: TCP 5432 (here: shop/Deployment/web)" in out


def test_reach_of_nothing(command: Command, tmp_path: Path) -> None:
    assert command("reach", str(tmp_path))[:2] == (0, "no workload in the input\n")


def test_diff_of_two_folders(command: Command, shop: Path, shop_text: str) -> None:
    new = shop.parent / "new"
    new.mkdir()
    (new / "shop.yaml").write_text(shop_text)
    assert command("diff", "shop", "new")[0] == 0
    (new / "shop.yaml").write_text(shop_text.replace("ports: [{port: 5432}]\n", "ports: [{port: 5433}]\n"))
    status, out, _ = command("diff", "shop", "new")
    assert status == 1
    assert "~ shop/Deployment/web -> shop/Deployment/db: TCP 5432 => TCP 5433\n" in out
    data = json.loads(command("diff", "shop", "new", "--format", "json")[1])
    assert data["equivalent"] is False
    assert data["witness"]["port"] in (5432, 5433)


def test_diff_with_a_revision(command: Command, shop: Path, shop_text: str, program: Callable[[str], str]) -> None:
    git = program("git")
    for arguments in (
        ("init", "-q"),
        ("add", "-A"),
        ("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "one"),
    ):
        subprocess.run([git, *arguments], cwd=shop.parent, check=True, capture_output=True)
    assert command("diff", "--rev", "HEAD")[0] == 0
    (shop / "shop.yaml").write_text(shop_text.replace("ports: [{port: 5432}]\n", ""))
    status, out, _ = command("diff", "--rev", "HEAD", "shop")
    assert status == 1
    assert "~ shop/Deployment/web -> shop/Deployment/db: TCP 5432 => all\n" in out
    assert command("diff", "--rev", "nothing")[0] == 2


def test_several_clusters_are_picked_by_name(command: Command, shop: Path, shop_text: str) -> None:
    for name in ("a", "b"):
        folder = shop / name
        folder.mkdir()
        (folder / "shop.yaml").write_text(shop_text.replace("5432", f"543{len(name) + ord(name) % 5}"))
    (shop / "shop.yaml").unlink()
    status, _, err = command("reach", "shop")
    assert status == 2
    assert "--cluster" in err
    name = err.strip().rpartition(": ")[2].split(", ")[0]
    assert command("reach", "shop", "--cluster", name)[0] == 0


@pytest.mark.usefixtures("shop")
def test_why_with_a_url(command: Command, shop: Path) -> None:
    (shop / "ingress.yaml").write_text(
        "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: web, namespace: shop}\n"
        "spec:\n  ingressClassName: nginx\n  tls: [{hosts: [shop.example.com], secretName: cert}]\n  rules:\n"
        "  - host: shop.example.com\n    http:\n      paths:\n"
        "      - {path: /cart, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}\n"
    )
    status, out, _ = command("why", "internet", "https://shop.example.com/cart")
    assert status == 1
    assert out.startswith("internet -> https://shop.example.com/cart 443/TCP: unknown\n  ingress")
    assert "(shop/ingress.yaml:11)" in out
    assert "controller of class nginx is not in the input" in out
    data = json.loads(command("why", "internet", "https://shop.example.com/cart", "--format", "json")[1])
    assert data["links"][0]["link"] == "ingress"
    assert data["to"]["endpoints"][0]["id"] == "shop/Deployment/web"


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("why", "internet", "https://shop.example.com/", "--port", "80"), "a URL names its port itself"),
        (("why", "https://shop.example.com/", "shop/web"), "a URL stands only as TO"),
        (("reach", "--to", "https://shop.example.com/"), "a URL stands only as TO"),
        (("why", "internet", "ftp://shop.example.com/"), "begins with http:// or https://"),
        (("why", "internet", "https:///cart"), "no URL of a host"),
        (("why", "internet", "https://user@shop.example.com/"), "no URL of a host"),
        (("why", "internet", "https://shop.example.com:0/"), "no URL of a host"),
        (("why", "internet", "https://shop.example.com:99999/"), "no URL"),
        (("why", "internet", "https://b\u00fccher.example/"), "xn--"),
    ],
)
def test_urls_that_cannot_be_asked(command: Command, arguments: tuple[str, ...], message: str) -> None:
    status, _, err = command(*arguments)
    assert status == 2
    assert message in err
