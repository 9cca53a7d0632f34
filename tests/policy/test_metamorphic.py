"""Changes that must not change what passes."""

import json

import worlds
from hypothesis import given
from hypothesis import strategies as st


def table(analysis, rename=str):
    """Everything that passes between the pods, by id."""
    pods = [endpoint for endpoint in analysis.inside if endpoint.namespace]
    return {
        (rename(source.id), rename(destination.id)): analysis.connection(source, destination)
        for source in pods
        for destination in pods
        if source is not destination
    }


def rows(analysis):
    return [
        ([str(each) for each in row.sources], [(str(cell.connection), cell.bits) for cell in row.cells])
        for row in analysis.rows()
    ]


@given(worlds.worlds(), st.randoms(use_true_random=False))
def test_the_order_of_objects_does_not_matter(world, random):
    objects = worlds.manifests(world)
    shuffled = list(objects)
    random.shuffle(shuffled)
    one, other = worlds.analysis_of(world), worlds.analysis_of(world, shuffled)
    assert table(one) == table(other)
    assert rows(one) == rows(other)


@given(worlds.worlds())
def test_labels_may_be_called_anything(world):
    text = json.dumps(world)
    for old, new in (('"app"', '"application"'), ('"x/y"', '"zone.example.com/x"')):
        text = text.replace(old, new)
    assert table(worlds.analysis_of(world)) == table(worlds.analysis_of(json.loads(text)))


@given(worlds.worlds())
def test_a_pod_that_nothing_selects_changes_nothing_for_others(world):
    more = {
        **world,
        "namespaces": {**world["namespaces"], "apart": {}},
        "pods": [*world["pods"], {"name": "new", "namespace": "apart", "labels": {}, "ip": "172.16.0.1", "ports": []}],
    }
    before, after = table(worlds.analysis_of(world)), table(worlds.analysis_of(more))
    assert before == {pair: found for pair, found in after.items() if "apart/Pod/new" not in pair}


@given(worlds.worlds(admin=False))
def test_a_policy_may_be_cut_in_two(world):
    cut = []
    for policy in world["policies"]:
        types = policy["spec"].get("policyTypes") or (
            ["Ingress", "Egress"] if policy["spec"].get("egress") else ["Ingress"]
        )
        for half in (0, 1):
            spec = {**policy["spec"], "policyTypes": types}
            for field in ("ingress", "egress"):
                spec[field] = [rule for place, rule in enumerate(spec.get(field) or []) if place % 2 == half]
            metadata = {**policy["metadata"], "name": f"{policy['metadata']['name']}-{half}"}
            cut.append({**policy, "metadata": metadata, "spec": spec})
    one, other = worlds.analysis_of(world), worlds.analysis_of({**world, "policies": cut})
    assert table(one) == table(other)
    assert one.prover.equivalent(one.policies, other.policies)


@given(worlds.worlds(admin=False))
def test_a_policy_may_be_there_twice(world):
    copies = [
        {**policy, "metadata": {**policy["metadata"], "name": policy["metadata"]["name"] + "-copy"}}
        for policy in world["policies"]
    ]
    one = worlds.analysis_of(world)
    other = worlds.analysis_of({**world, "policies": world["policies"] + copies})
    assert table(one) == table(other)
    assert one.prover.equivalent(other.policies, one.policies)
    for policy in other.policies.policies:
        assert other.prover.policy_redundant(policy)
