"""The normal form that both sides of a comparison are brought to: it must see every difference, and only those."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from conformance_suites.nca_outputs import categories, connection
from conformance_suites.netpol_diffs import read_difference, said_of, wrong_words
from conformance_suites.netpol_explanations import read_explanations
from conformance_suites.netpol_exposures import read_exposure, read_part, split_other
from conformance_suites.netpol_tables import Table, read_rows
from conformance_suites.result import FAILING, LISTED, Case, Deviations
from conformance_suites.traffic import ALL, NOTHING, Traffic, parse_connection, steps

from netlint.policy.queries.diff import Change
from netlint.policy.queries.reach import Party
from netlint.predicates import ALL_TRAFFIC, NO_TRAFFIC, TrafficSet

WEB, DB = "shop/web[Deployment]", "shop/db[Deployment]"


def test_connections() -> None:
    found = parse_connection("SCTP 1-65535,TCP 1-79,81-65535,UDP 53")
    assert found.on("TCP") == ((1, 79), (81, 65535))
    assert found.on("UDP") == ((53, 53),)
    assert (found | parse_connection("TCP 80,UDP 1-52,54-65535")) == ALL
    assert found - ALL == NOTHING
    assert str(found) == "SCTP 1-65535,TCP 1-79,81-65535,UDP 53"
    assert parse_connection("TCP http") != parse_connection("TCP https")


def test_step_functions_have_one_form() -> None:
    tcp = parse_connection("TCP 80")
    assert steps([(0, 4, tcp), (5, 9, tcp)]) == steps([(0, 9, tcp)]) == ((0, 9, tcp),)
    assert steps([(0, 9, tcp), (3, 4, ALL)]) == ((0, 2, tcp), (3, 4, ALL), (5, 9, tcp))
    assert steps([(0, 9, NOTHING)]) == ()


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("txt", f"{WEB} => {DB} : TCP 5432\n0.0.0.0-255.255.255.255[External] => {WEB} : All Connections\n"),
        (
            "csv",
            f"src,dst,conn\n{WEB},{DB},TCP 5432\n0.0.0.0-255.255.255.255[External],{WEB},All Connections\n",
        ),
        (
            "md",
            "| src | dst | conn |\n|-----|-----|------|\n"
            f"| {WEB} | {DB} | TCP 5432 |\n| 0.0.0.0-255.255.255.255[External] | {WEB} | All Connections |\n",
        ),
        (
            "json",
            f'[{{"src": "{WEB}", "dst": "{DB}", "conn": "TCP 5432"}},'
            f' {{"src": "0.0.0.0-255.255.255.255[External]", "dst": "{WEB}", "conn": "All Connections"}}]',
        ),
    ],
)
def test_formats_say_the_same_and_differences_are_seen(form: str, text: str) -> None:
    table = Table.of(read_rows(text, form))
    same = Table({(WEB, DB): parse_connection("TCP 5432")}, {(WEB, "in"): ((0, 2**32 - 1, ALL),)})
    assert not table.differences(same)
    assert table.differences(Table({(WEB, DB): parse_connection("TCP 5433")}, dict(same.outside)))
    assert table.differences(Table(dict(same.pairs)))
    assert table.differences(Table(dict(same.pairs), {(WEB, "in"): ((0, 2**32 - 2, ALL),)}))
    assert table.differences(Table({**same.pairs, (DB, WEB): ALL}, dict(same.outside)))


class Said:
    """Stands for netlint's difference: the changes that it says, and the workloads that come and go."""

    def __init__(self, *changes: Change, added: tuple[str, ...] = (), removed: tuple[str, ...] = ()) -> None:
        self.changes = lambda: iter(changes)
        self.added, self.removed = added, removed


def test_differences_and_what_they_are_called() -> None:
    text = (
        f"diff-type: changed, source: {WEB}, destination: {DB}, ref1: TCP 1, ref2: TCP 2\n"
        f"diff-type: added, source: {DB}, destination: {WEB}, ref1: No Connections, ref2: All Connections,"
        f" workloads-diff-info: workload {WEB} added\n"
        f"diff-type: removed, source: 0.0.0.0-127.255.255.255[External], destination: {DB}, ref1: TCP 1,"
        " ref2: No Connections\n"
    )
    web, db = (Party(f"shop/Deployment/{name}", "workload") for name in ("web", "db"))
    half = Party("0.0.0.0/1,::/1", "address", blocks=("0.0.0.0/1", "::/1"))
    one, two, every = TrafficSet.of("TCP", 1), TrafficSet.of("TCP", 2), ALL_TRAFFIC
    changes = (
        Change("changed", web, db, one, two),
        Change("added", db, web, NO_TRAFFIC, every),
        Change("removed", half, db, one, NO_TRAFFIC),
        Change("changed", db, web, every, every.without_other()),
    )
    wanted = read_difference(text, "txt")
    assert not wanted.differences(said_of(Said(*changes, added=(web.id,))))
    assert wanted.differences(said_of(Said(*changes)))
    assert wanted.differences(said_of(Said(*changes, added=(web.id,), removed=(db.id,))))
    for missing in range(3):
        fewer = changes[:missing] + changes[missing + 1 :]
        assert wanted.differences(said_of(Said(*fewer, added=(web.id,))))
    assert wanted.differences(said_of(Said(*changes, Change("added", web, web, NO_TRAFFIC, one), added=(web.id,))))
    assert not wrong_words(Said(*changes))
    assert wrong_words(Said(Change("added", web, db, one, NO_TRAFFIC)))
    assert wrong_words(Said(Change("changed", web, db, NO_TRAFFIC, one)))
    assert wrong_words(Said(Change("changed", web, db, one, two, unknown_after=one)))


def test_explanations_name_who_decides() -> None:
    text = (
        f"Connections between {WEB} => {DB}:\n\nDenied connections:\n"
        "\tDenied TCP:[1-79,81-65535], UDP due to the following policies and rules:\n"
        "\t\tEgress (Allowed) due to the system default (Allow all)\n\t\tIngress (Denied)\n\t\t\tNetworkPolicy list:\n"
        "\t\t\t\t- NetworkPolicy 'shop/a' selects shop/db[Deployment], but it is not allowed by any Ingress rule\n"
        "\t\t\t\t- NetworkPolicy 'shop/b' selects shop/db[Deployment], but it is not allowed by any Ingress rule\n"
    )
    (reason,) = read_explanations(text).pairs[WEB, DB]
    assert not reason.allowed
    assert reason.traffic == parse_connection("TCP 1-79,81-65535,UDP 1-65535")
    assert reason.ingress is not None
    assert reason.ingress.deciding == {("NetworkPolicy", "shop/a"), ("NetworkPolicy", "shop/b")}
    with pytest.raises(ValueError, match="not understood"):
        read_explanations("something else\n")


def test_exposure_groups() -> None:
    assert read_part("[all pods]") == frozenset()
    assert read_part("shop") == "shop"
    assert read_part("[pod with {app=x,{Key:role,Operator:NotIn,Values:[b a],}}]") == {
        ("app", "In", ("x",)),
        ("role", "NotIn", ("a", "b")),
    }
    group = split_other("[namespace with {{Key:a.b/c,Operator:Exists,Values:[],}}]/[all pods]")
    assert group == ({("a.b/c", "Exists", ())}, frozenset())
    text = f"Exposure Analysis Result:\nIngress Exposure:\n{DB} \t<= \tentire-cluster : TCP 80\n"
    assert read_exposure(text, "txt").groups == {(DB, "in", frozenset(), frozenset()): parse_connection("TCP 80")}


def test_words_of_nca() -> None:
    assert connection("All connections").other
    assert connection("{protocols:TCP,dst_ports:1-79,90}") == parse_connection("TCP 1-79,90")
    assert connection("{protocols:all but UDP}").on("UDP") == ()
    with pytest.raises(ValueError, match="beyond ports"):
        connection("{protocols:TCP,dst_ports:80,hosts:example.com}")
    before, after = Table({(WEB, DB): ALL}), Table({(WEB, "shop/new[Pod]"): ALL})
    assert set(categories(before, after, {WEB, DB}, {WEB, DB, "shop/new[Pod]"})) == {
        ("lost", "stay-stay"),
        ("new", "stay-came"),
    }


def test_a_listed_case_that_agrees_is_a_fault_of_the_list() -> None:
    deviations = Deviations({}, {("suite", "query", "one"): "because"})
    agreeing = Case("suite", "query", "tier", "one", list)
    differing = Case("suite", "query", "tier", "one", lambda: ["differs"])
    unlisted = Case("suite", "query", "tier", "two", lambda: ["differs"])
    crashing = Case("suite", "query", "tier", "three", lambda: [str(1 // 0)])
    assert deviations.judge(agreeing).status == FAILING
    assert deviations.judge(differing).status == LISTED
    assert deviations.judge(unlisted).status == FAILING
    assert deviations.judge(crashing).status == FAILING


def test_only_what_passes_counts() -> None:
    assert Traffic.of({"TCP": [(0, 70000)]}) == parse_connection("TCP 1-65535")
