"""Label maps and label selectors (apimachinery `pkg/apis/meta/v1/validation`)."""

from collections.abc import Collection, Iterator

from netlint.findings import Path
from netlint.resources.base import Labels, LabelSelector, LabelSelectorRequirement
from netlint.resources.validation.text import label_key, label_value
from netlint.resources.values import FieldProblem, quoted

LABEL_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist")
NODE_OPERATORS = (*LABEL_OPERATORS, "Gt", "Lt")


def check_labels(path: Path, labels: Labels | None) -> Iterator[FieldProblem]:
    """Keys and values of a label map."""
    for key, value in (labels or {}).items():
        if wrong := label_key(key):
            yield FieldProblem((*path, key), f"the label key {quoted(key)} {wrong}")
        if wrong := label_value(value):
            yield FieldProblem((*path, key), f"the label value {quoted(value)} {wrong}")


def check_selector(path: Path, selector: LabelSelector | None) -> Iterator[FieldProblem]:
    """A label selector: syntax, operators, and how many values each takes."""
    if selector is None:
        return
    if selector.match_labels:
        yield from check_labels((*path, "matchLabels"), selector.match_labels)
    for index, requirement in enumerate(selector.match_expressions or ()):
        yield from check_requirement((*path, "matchExpressions", index), requirement, LABEL_OPERATORS)


def check_requirement(
    path: Path, requirement: LabelSelectorRequirement, operators: Collection[str]
) -> Iterator[FieldProblem]:
    """One requirement of a label selector or of a node selector."""
    operator, values = requirement.operator, requirement.values or []
    if wrong := label_key(requirement.key):
        yield FieldProblem((*path, "key"), f"the label key {quoted(requirement.key)} {wrong}")
    if operator not in operators:
        meant = next((known for known in operators if known.lower() == operator.lower()), None)
        yield FieldProblem(
            (*path, "operator"),
            f"must be one of {', '.join(operators)}, is {quoted(operator)}",
            f"write {meant}" if meant else None,
        )
    elif operator in {"In", "NotIn"}:
        if not values:
            yield FieldProblem((*path, "values"), f"must hold at least one value for the operator {operator}")
        if "Gt" not in operators:
            for index, value in enumerate(values):
                if wrong := label_value(value):
                    yield FieldProblem((*path, "values", index), f"the label value {quoted(value)} {wrong}")
    elif operator in {"Exists", "DoesNotExist"}:
        if values:
            yield FieldProblem((*path, "values"), f"must be empty for the operator {operator}")
    elif len(values) != 1:
        yield FieldProblem((*path, "values"), f"must hold exactly one value for the operator {operator}")
    elif not values[0].lstrip("-").isdigit():
        yield FieldProblem((*path, "values", 0), f"must be a whole number for the operator {operator}")


def matches(selector: LabelSelector, labels: Labels) -> bool:
    """Whether a selector without faults takes these labels (for the check of a workload's own selector only)."""
    if any(labels.get(key) != value for key, value in (selector.match_labels or {}).items()):
        return False
    for requirement in selector.match_expressions or ():
        value, values = labels.get(requirement.key), requirement.values or []
        holds = {
            "In": value is not None and value in values,
            "NotIn": value is None or value not in values,
            "Exists": value is not None,
            "DoesNotExist": value is None,
        }
        if not holds.get(requirement.operator, True):
            return False
    return True
