"""The normal form that both sides of a comparison are brought to: it must see every difference, and only those."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from conformance_suites.nca_outputs import categories, connection
from conformance_suites.netpol_diffs import compare_tables, read_difference
from conformance_suites.netpol_explanations import read_explanations
from conformance_suites.netpol_exposures import read_exposure, read_part, split_other
from conformance_suites.netpol_tables import Table, read_rows
from conformance_suites.result import FAILING, LISTED, Case, Deviations
from conformance_suites.traffic import ALL, NOTHING, Traffic, parse_connection, steps

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


def test_differences_of_two_tables() -> None:
    text = (
        f"diff-type: changed, source: {WEB}, destination: {DB}, ref1: TCP 1, ref2: TCP 2\n"
        f"diff-type: added, source: {DB}, destination: {WEB}, ref1: No Connections, ref2: All Connections,"
        f" workloads-diff-info: workload {WEB} added\n"
    )
    before = Table({(WEB, DB): parse_connection("TCP 1")})
    after = Table({(WEB, DB): parse_connection("TCP 2"), (DB, WEB): ALL})
    wanted = read_difference(text, "txt")
    assert not wanted.differences(compare_tables(before, after, {DB}, {DB, WEB}))
    assert wanted.differences(compare_tables(before, after, {DB, WEB}, {DB, WEB}))
    assert wanted.differences(compare_tables(after, after, {DB}, {DB, WEB}))


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
