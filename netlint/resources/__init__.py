"""From documents to typed Kubernetes objects, one model a kind; what the API server would refuse is named."""

from netlint.resources.base import KubernetesObject, LabelSelector, LabelSelectorRequirement, Model, ObjectMeta
from netlint.resources.loading import load
from netlint.resources.manifest import Manifest
from netlint.resources.names import api_name
from netlint.resources.problems import problems, rejected
from netlint.resources.registry import model_of
from netlint.resources.templates import PodTemplateView, TemplatedObject, pod_template
from netlint.resources.typing import typed
from netlint.resources.unknown import UnknownField, unknown_fields
from netlint.resources.values import FieldProblem

__all__ = [
    "FieldProblem",
    "KubernetesObject",
    "LabelSelector",
    "LabelSelectorRequirement",
    "Manifest",
    "Model",
    "ObjectMeta",
    "PodTemplateView",
    "TemplatedObject",
    "UnknownField",
    "api_name",
    "load",
    "model_of",
    "pod_template",
    "problems",
    "rejected",
    "typed",
    "unknown_fields",
]
