"""From the policies of each dialect to the one form."""

from collections.abc import Iterable

from netlint.policy.form import Policy, PolicyObject, PolicySet
from netlint.policy.readings import Readings
from netlint.policy.translate.admin import translate_admin, translate_cluster
from netlint.policy.translate.foreign import translate_foreign
from netlint.policy.translate.kubernetes import translate_network_policy
from netlint.resources import Manifest
from netlint.resources.networking import NetworkPolicy
from netlint.resources.policy_k8s_io import AdminNetworkPolicy, BaselineAdminNetworkPolicy, ClusterNetworkPolicy

__all__ = ["translate", "translate_one"]


def translate(objects: Iterable[PolicyObject], readings: Readings | None = None) -> PolicySet:
    """The policies among the objects, in their tiers. What is no policy is left out; a policy of a kind that cannot be
    translated, or of which the API server would refuse a part, is there with that direction unknown."""
    found = (translate_one(obj, readings or Readings()) for obj in objects)
    return PolicySet(policy for policy in found if policy is not None)


def translate_one(obj: PolicyObject, readings: Readings) -> Policy | None:
    """The form of one object, or None where it is no policy."""
    if isinstance(obj, NetworkPolicy):
        return translate_network_policy(obj, readings)
    if isinstance(obj, AdminNetworkPolicy | BaselineAdminNetworkPolicy):
        return translate_admin(obj, readings)
    if isinstance(obj, ClusterNetworkPolicy):
        return translate_cluster(obj, readings)
    return translate_foreign(obj, obj if isinstance(obj, Manifest) else obj.manifest)
