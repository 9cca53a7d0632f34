import pytest

from netlint.findings import Place
from netlint.intent.arguments import argument_settings
from netlint.intent.configurations import text_settings
from netlint.intent.settings import Setting, mentions, names_a_host, speaks_of_others

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
     "EXTERNAL_URL", "SERVICE_ACCOUNT", "RABBITMQ_VHOST", "VIRTUAL_HOST", "SERVER_NAME", "URL_PREFIX",
     "BROKER_TRANSPORT", "SERVER_MODE", "JWT_ISSUER", "SELF_URL"],
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


@pytest.mark.parametrize(
    "name", ["DD_SERVICE", "K_SERVICE", "CACHE_BACKEND", "BROKER", "TARGET", "--service", "registry"]
)
def test_a_word_may_be_a_kind_or_a_title_under_such_names(name: str) -> None:
    assert found((name, "redis")) == []
    assert found((name, "redis:6379")) == [("redis", 6379, False)]
    assert found((name, "redis.shop")) == [("redis.shop", None, False)]


def test_a_port_of_its_stem_makes_an_address_of_a_word() -> None:
    assert found(("API_SERVICE", "api"), ("API_PORT", "8080")) == [("api", 8080, False)]
    assert found(("TARGET", "api"), ("TARGET_PORT", "8080")) == [("api", 8080, False)]


@pytest.mark.parametrize("name", ["TOPIC", "ROUTING_KEY", "DB_TABLE", "DJANGO_SETTINGS_MODULE", "LOG_INDEX"])
def test_dotted_words_that_name_something_else(name: str) -> None:
    assert found((name, "orders.payments")) == []


def test_a_url_keeps_the_port_of_its_scheme() -> None:
    (mention,) = mentions([Setting("API", "http://api", HERE, "API"), Setting("API_PORT", "9090", HERE, "API_PORT")])
    assert (mention.reference.port, mention.reference.default_port) == (None, 80)


def test_an_issuer_counts_where_it_is_looked_up() -> None:
    assert found(("JWT_ISSUER", "http://auth:8080")) == []
    assert found(("OIDC_ISSUER_URL", "http://auth:8080")) == [("auth", 8080, True)]


def test_properties_in_the_options_of_a_virtual_machine() -> None:
    options = "-Xmx1g -Dspring.profiles.active=db -Ddb.host=db -Ddb.port=5432 -Dserver.public.url=http://web:80"
    assert found(("JAVA_OPTS", options)) == [("db", 5432, True)]


def test_addresses_for_somebody_else_do_not_count() -> None:
    assert found(("CORS_ORIGIN", "http://web:80"), ("LISTEN", "web:80"), ("REACT_APP_API", "http://api:80")) == []
    assert speaks_of_others("--listen-address")


def test_flags_take_the_next_word() -> None:
    settings = argument_settings([("--redis", HERE), ("redis:6379", HERE), ("--v=2", HERE), ("serve", HERE)])
    assert [(s.name, s.value) for s in settings] == [("redis", "redis:6379"), ("v", "2"), ("", "serve")]


def test_a_shell_script_is_read_as_a_command() -> None:
    settings = argument_settings([("sh", HERE), ("-c", HERE), ("until nc -z db 5432; do sleep 1; done", HERE)])
    assert [(m.reference.host, m.reference.port) for m in mentions(settings)] == [("db", 5432)]


@pytest.mark.parametrize("flag", ["-c", "-ec", "-euc", "-euxc", "-lc"])
def test_a_shell_takes_its_script_after_any_options(flag: str) -> None:
    settings = argument_settings([("bash", HERE), (flag, HERE), ("pg_isready -h db", HERE)])
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


def pairs_of(text: str) -> list[tuple[str, int | None]]:
    return sorted({(m.reference.host, m.reference.port) for m in mentions(text_settings(text, HERE, "x"))})


def test_a_host_takes_the_port_of_its_own_section() -> None:
    yaml = """
    redis:
      host: cache
      port: 6379
    database:
      host: db
      port: 5432
    """
    assert pairs_of(yaml) == [("cache", 6379), ("db", 5432)]
    listed = """
    servers:
      - host: a
        port: 1
      - host: b
        port: 2
    """
    assert pairs_of(listed) == [("a", 1), ("b", 2)]
    table = """
    [redis]
    host = "cache"
    port = 6379
    [database]
    port = 5432
    host = "db"
    """
    assert pairs_of(table) == [("cache", 6379), ("db", 5432)]
    json = """
    {
      "redis": {
        "host": "cache",
        "port": 6379
      },
      "database": {
        "host": "db",
        "port": 5432
      }
    }
    """
    assert pairs_of(json) == [("cache", 6379), ("db", 5432)]
    envoy = """
    - endpoint:
        address:
          socket_address:
            address: api
            port_value: 8080
    """
    assert pairs_of(envoy) == [("api", 8080)]


def test_json_on_one_line() -> None:
    text = '{"db": {"host": "db", "port": 5432}, "apis": ["http://api:8080"], "spring.redis.url": "redis://cache"}'
    assert pairs_of(text) == [("api", 8080), ("cache", None), ("db", 5432)]
    assert pairs_of('{"cors": {"origins": ["http://web:80"]}}') == []
    assert pairs_of('{"url": "http://api:8080", {{ template }}}') == [("api", 8080)]


def test_sections_for_somebody_else_do_not_count() -> None:
    assert pairs_of("cors:\n  origins:\n    - http://web:80\napi:\n  url: http://api:8080\n") == [("api", 8080)]
    assert pairs_of("listeners:\n  main: web:80\n") == []


def test_comments_of_a_script_say_nothing() -> None:
    script = "# curl http://old:80\ncurl http://api:8080 # not http://gone:80"
    settings = argument_settings([("sh", HERE), ("-c", HERE), (script, HERE)])
    assert [(m.reference.host, m.reference.port) for m in mentions(settings)] == [("api", 8080)]


@pytest.mark.parametrize(
    ("words", "host", "port"),
    [
        (("pg_isready", "-h", "db", "-p", "5433"), "db", 5433),
        (("/usr/bin/redis-cli", "-h", "cache", "ping"), "cache", 6379),
        (("mysqladmin", "ping", "-hmysql"), "mysql", 3306),
        (("nc", "-z", "db", "5432"), "db", 5432),
    ],
)
def test_well_known_clients_word_by_word(words: tuple[str, ...], host: str, port: int) -> None:
    settings = argument_settings([(word, HERE) for word in words])
    assert [(m.reference.host, m.reference.port) for m in mentions(settings)] == [(host, port)]


def test_deep_texts_take_no_longer_than_they_are() -> None:
    text = "\n".join(" " * depth + f"k{depth}:" for depth in range(3000)) + "\n" + " " * 3000 + "url: http://api:8080"
    assert max(len(setting.section) for setting in text_settings(text, HERE, "x")) < 500
    assert pairs_of(text) == [("api", 8080)]
