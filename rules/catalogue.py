"""Finds the rules: every module of every folder of `netlint.rules`, and the packs that the configuration names.

A rule's header (code, name, severity, group, the names of the kinds it needs) is read off its decorator without
importing the module, since importing models that the input does not need is most of what start-up would cost.
"""

import ast
import functools
import importlib
import pkgutil
import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.abc import InspectLoader

from netlint.findings import Severity
from netlint.rules.registry import Group, Rule

PACKS = "netlint.rules"  # the entry point group of third-party packs
_DECORATOR = re.compile(r"^@rule\(", re.MULTILINE)


class PackError(Exception):
    """A pack of rules that the configuration names is not installed, cannot be loaded, or clashes with another."""


@dataclass(frozen=True, slots=True)
class Header:
    """What is known of a rule before it is loaded. `needs` is None where only loading can tell."""

    code: str
    name: str
    severity: Severity
    group: Group
    needs: tuple[str, ...] | None
    module: str
    area: str

    def load(self) -> Rule:
        """The rule itself. Raises what its module raises."""
        return _rule_of(self.module)

    def wanted(self, kinds: Iterable[str]) -> bool:
        """Whether the input may hold a kind that the rule needs; a rule that needs none always runs.

        A model whose kind another group uses too bears the kind at the end of its name: CalicoNetworkPolicy.
        """
        return not self.needs or any(
            model == kind or (model.endswith(kind) and model not in kinds) for kind in kinds for model in self.needs
        )

    def page(self) -> str:
        """The rule's page, Markdown. Empty where a third-party rule has none."""
        return page_of(self.module)


def headers(packs: Iterable[str] = ()) -> tuple[Header, ...]:
    """Every rule there is, by code. Raises PackError, also where two rules share a code or a name."""
    found = [*_own(), *(header for pack in packs for header in _pack(pack))]
    found.sort(key=lambda header: (header.code, header.module))
    seen: dict[str, Header] = {}
    for header in found:
        for word in (header.code, header.name):
            if word in seen:
                raise PackError(f"{header.module} and {seen[word].module} are both called {word}")
            seen[word] = header
    return tuple(found)


def load_all(packs: Iterable[str] = ()) -> tuple[Rule, ...]:
    """Every rule, loaded."""
    return tuple(header.load() for header in headers(packs))


def page_of(module: str) -> str:
    """The page beside a rule's module."""
    package, _, name = module.rpartition(".")
    try:
        page = pkgutil.get_data(package, f"{name}.md")
    except OSError:
        return ""
    return (page or b"").decode()


@functools.cache
def _own() -> tuple[Header, ...]:
    return tuple(_walk("netlint.rules"))


def _walk(root: str) -> list[Header]:
    package = importlib.import_module(root)
    found: list[Header] = []
    for area in pkgutil.iter_modules(package.__path__, f"{root}."):
        if not area.ispkg:
            continue
        spec = area.module_finder.find_spec(area.name)  # type: ignore[call-arg]
        if spec is None or spec.submodule_search_locations is None:
            continue
        modules = pkgutil.iter_modules(list(spec.submodule_search_locations), f"{area.name}.")
        names = (module for module in modules if not module.ispkg and "._" not in module.name)
        found.extend(map(_header, names))
    return found


def _header(module: pkgutil.ModuleInfo) -> Header:
    area = module.name.rpartition(".")[0].rpartition(".")[2]
    spec = module.module_finder.find_spec(module.name)  # type: ignore[call-arg]
    loader = spec.loader if spec else None
    source = loader.get_source(module.name) if isinstance(loader, InspectLoader) else None
    return _read(source or "", module.name, area) or _loaded(module.name, area)


def _read(source: str, module: str, area: str) -> Header | None:
    """The header as written, None where it is not written with literals."""
    match = _DECORATOR.search(source)
    if match is None:
        return None
    end = source.find("\ndef ", match.start())
    try:
        call = ast.parse(source[match.start() + 1 : end], mode="eval").body
        assert isinstance(call, ast.Call)
        code, name = (ast.literal_eval(argument) for argument in call.args[:2])
        severity = call.args[2]
        assert isinstance(severity, ast.Attribute)
        words = {keyword.arg: keyword.value for keyword in call.keywords}
        group: Group = ast.literal_eval(words["group"]) if "group" in words else "default"
        declared = words.get("needs", words.get("reads"))
        needs = _names(declared) if declared is not None else ()
        return Header(code, name, Severity[severity.attr], group, needs, module, area)
    except (SyntaxError, ValueError, AssertionError, KeyError, IndexError):
        return None


def _names(node: ast.expr) -> tuple[str, ...] | None:
    """The class names of a literal tuple, None where it takes in a shared one."""
    if isinstance(node, ast.Tuple) and all(isinstance(part, ast.Name) for part in node.elts):
        return tuple(part.id for part in node.elts if isinstance(part, ast.Name))
    return None


def _loaded(module: str, area: str) -> Header:
    rule = _rule_of(module)
    models = tuple(model.__name__ for model in rule.needs)
    return Header(rule.code, rule.name, rule.severity, rule.group, models, module, area)


@functools.cache
def _rule_of(module: str) -> Rule:
    rules = [value for value in vars(importlib.import_module(module)).values() if isinstance(value, Rule)]
    own = [rule for rule in rules if rule.module == module]
    if len(own) != 1:
        raise ImportError(f"{module} must hold exactly one rule, not {len(own)}")
    return own[0]


def _pack(name: str) -> list[Header]:
    """The rules of an installed pack: an entry point of group `netlint.rules` that names a package or a module."""
    from importlib.metadata import entry_points  # 40 ms, so only where a pack is named

    points = [point for point in entry_points(group=PACKS) if point.name == name]
    if not points:
        raise PackError(f"no installed pack of rules is called {name}")
    try:
        package = points[0].load()
        names = [package.__name__]
        if hasattr(package, "__path__"):
            names = [module.name for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
        modules = [importlib.import_module(module) for module in names]
    except Exception as error:
        raise PackError(f"the pack of rules {name} cannot be loaded: {type(error).__name__}: {error}") from error
    return [
        _loaded(module.__name__, name)
        for module in modules
        if any(isinstance(value, Rule) and value.module == module.__name__ for value in vars(module).values())
    ]
