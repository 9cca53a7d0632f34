import pytest

from netlint.findings import Place
from netlint.intent.arguments import argument_settings
from netlint.intent.settings import Setting, mentions, names_a_host, speaks_of_others, text_settings

HERE = Place(None)  # type: ignore[arg-type]


def found(*pairs: tuple[str, str]) -> list[tuple[str, int | None, bool]]:
    settings = [Setting(name, value, HERE, name) for name, value in pairs]
    return [(m.reference.host, m.reference.port, m.named) for m in mentions(settings)]


@pytest.mark.parametrize(
    "name",
    ["DB_HOST", "dbHost", "db.host", "PGHOST", "REDIS_ADDR", "API_URL", "KAFKA_BROKERS", "spring.datasource.url",
     "REDIS_SERVER", "ELASTICSEARCH_HOSTS", "PRODUCT_CATALOG_SERVICE_ADDR", "UPSTREAM"],
)  # fmt: skip
def test_names_of_hosts(name: str) -> None:
    assert names_a_host(name)


@pytest.mark.parametrize(
    "name",
    ["HOSTNAME", "OTEL_SERVICE_NAME", "SERVICE_NAME", "DB_NAME", "DB_PORT", "ALLOWED_HOSTS", "CORS_ORIGIN_URL",
     "KAFKA_ADVERTISED_LISTENERS", "LISTEN_ADDR", "REACT_APP_API_URL", "NO_PROXY", "GF_SERVER_ROOT_URL", "LOG_LEVEL",
     "EXTERNAL_URL", "SERVICE_ACCOUNT"],
)  # fmt: skip
def test_names_of_other_things(name: str) -> None:
    assert not names_a_host(name)


def test_a_host_takes_the_port_of_its_stem() -> None:
    assert found(("DB_HOST", "db"), ("DB_PORT", "5432")) == [("db", 5432, True)]
    assert found(("PGHOST", "pg"), ("PGPORT", "9999")) == [("pg", 9999, True)]
    assert found(("db.host", "db"), ("db.port", "1")) == [("db", 1, True)]
    assert found(("DB_HOST", "db"), ("CACHE_PORT", "6379")) == [("db", None, True)]
    assert found(("DB_HOST", "db:1"), ("DB_PORT", "2")) == [("db", 1, True)]


def test_bare_words_count_only_under_a_name_that_speaks_of_a_host() -> None:
    assert found(("MODE", "db")) == []
    assert found(("CACHE", "memcached:11211")) == [("memcached", 11211, False)]
    assert found(("API", "http://api.backend.svc:8080")) == [("api.backend.svc", 8080, False)]


def test_addresses_for_somebody_else_do_not_count() -> None:
    assert found(("CORS_ORIGIN", "http://web:80"), ("LISTEN", "web:80"), ("REACT_APP_API", "http://api:80")) == []
    assert speaks_of_others("--listen-address")


def test_flags_take_the_next_word() -> None:
    settings = argument_settings([("--redis", HERE), ("redis:6379", HERE), ("--v=2", HERE), ("serve", HERE)])
    assert [(s.name, s.value) for s in settings] == [("redis", "redis:6379"), ("v", "2"), ("", "serve")]


def test_a_shell_script_is_read_as_a_command() -> None:
    settings = argument_settings([("sh", HERE), ("-c", HERE), ("until nc -z db 5432; do sleep 1; done", HERE)])
    assert [(m.reference.host, m.reference.port) for m in mentions(settings)] == [("db", 5432)]


def test_configuration_texts() -> None:
    text = """
    # db.host=old
    db.host = db        # the database
    db.port = 5432
    cache:
      url: "redis://cache:6379"
    upstream api { server api:8080 weight=5; }
    // http://gone:80
    """
    settings = text_settings(text, HERE, "x")
    pairs = sorted({(m.reference.host, m.reference.port) for m in mentions(settings)})
    assert pairs == [("api", 8080), ("cache", 6379), ("db", 5432)]
