import pytest

from netlint.intent.references import command_references, name_list, references, whole_name


def hosts(text: str) -> list[tuple[str, int | None]]:
    return [(r.host, r.port or r.default_port) for r in references(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://db:8080/x", [("db", 8080)]),
        ("https://api.shop.svc.cluster.local./v1", [("api.shop.svc.cluster.local", 443)]),
        ("tcp://db:9000", [("db", 9000)]),
        ("jdbc:postgresql://db/shop", [("db", 5432)]),
        ("jdbc:mysql://user:pw@db.shop:3307/x?ssl=true", [("db.shop", 3307)]),
        ("jdbc:oracle:thin:@ora:1521:sid", [("ora", 1521)]),
        ("redis://:secret@cache", [("cache", 6379)]),
        ("amqp://guest:guest@rabbit", [("rabbit", 5672)]),
        ("mongodb://a,b:27018,c/shop", [("a", 27017), ("b", 27018), ("c", 27017)]),
        ("mongodb+srv://mongo.shop.svc", [("mongo.shop.svc", None)]),
        ("kafka-0.kafka:9092,kafka-1.kafka:9092", [("kafka-0.kafka", 9092), ("kafka-1.kafka", 9092)]),
        ("PLAINTEXT://kafka:9092", [("kafka", 9092)]),
        ("user:pw@tcp(db:3306)/shop", [("db", 3306)]),
        ("host=db port=5433 user=shop", [("db", 5433)]),
        ("Server=sql,1433;Database=shop", [("sql", 1433)]),
        ("Host=db;Port=5433;Database=shop;Username=x", [("db", 5433)]),
        ("Server=sql;Initial Catalog=shop", [("sql", None)]),
        ("Data Source=tcp:sql,1434;User ID=x", [("sql", 1434)]),
        ("port=5433 dbname=shop host=db", [("db", 5433)]),
        ("host=db dbname=shop", [("db", 5432)]),
        ("dns:///store:9000", [("store", 9000)]),
        ("a=http://one:2380,b=http://two:2380", [("one", 2380), ("two", 2380)]),
        ("proxy_pass http://api:8080;", [("api", 8080)]),
        ("db.shop.svc.cluster.local", [("db.shop.svc.cluster.local", None)]),
        ("registry.models.svc:5000", [("registry.models.svc", 5000)]),
        ("http://DB:80", [("db", 80)]),
    ],
)
def test_addresses_in_text(text: str, expected: list[tuple[str, int | None]]) -> None:
    assert hosts(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "http://127.0.0.1:6000",
        "http://localhost:6000",
        "0.0.0.0:8080",
        ":8080",
        "http://[2001:db8::1]:80",
        "tcp://10.0.0.1:80",
        "http://$(HOST):80",
        "http://api-$(SUFFIX):80",
        "http://{{ .host }}:80",
        "http://${HOST}:80",
        "$(HOST):80",
        "12:30:45",
        "nginx:1.27.0",
        "just a sentence: with words",
        "sha256:0123456789abcdef",
        "a:99999999",
        "a:0",
        "http://a:0",
        "level=debug;name=db",
        "host=db",
    ],
)
def test_what_is_no_service_address(text: str) -> None:
    assert references(text) == ()


def test_srv_names_carry_the_port_name() -> None:
    (reference,) = references("dnssrv+_grpc._tcp.store.mon.svc.cluster.local")
    assert (reference.host, reference.port_name, reference.protocol) == ("store.mon.svc.cluster.local", "grpc", "TCP")


def test_udp_by_scheme() -> None:
    assert references("udp://statsd:8125")[0].protocol == "UDP"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("until nc -z db 5432; do sleep 1; done", [("db", 5432)]),
        ("nc -zv -w 5 db.shop 5432", [("db.shop", 5432)]),
        ("pg_isready -h pg -p 5433 -U x", [("pg", 5433)]),
        ("mysql -h db -u root", [("db", 3306)]),
        ("redis-cli -h cache ping", [("cache", 6379)]),
        ("curl -s http://x:81/ && sleep 1", [("x", 81)]),
        ("while ! timeout 1 bash -c '</dev/tcp/db/5432'; do sleep 1; done", [("db", 5432)]),
        ("telnet db 5432", [("db", 5432)]),
        ("sleep 5432", []),
    ],
)
def test_command_lines(text: str, expected: list[tuple[str, int]]) -> None:
    assert [(r.host, r.port) for r in command_references(text)] == expected


def test_whole_names() -> None:
    assert whole_name("db") is not None
    assert whole_name("db.shop") is not None
    assert whole_name("db and more") is None
    assert whole_name("5432") is None
    assert whole_name("10.0.0.1") is None


def test_lists_of_names_and_nothing_else() -> None:
    assert [(r.host, r.port) for r in name_list("a, b:92 c")] == [("a", None), ("b", 92), ("c", None)]
    assert name_list("a, b=c") == ()
