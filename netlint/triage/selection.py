"""Which rules run and how severe their findings are: the command line over the configuration over the rule's own word.

A rule is meant by its code, a prefix of its code, or its name; where two words disagree, the more exact one counts.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from netlint.cluster.config import Config, ConfigError, RuleSettings
from netlint.findings import Finding, Place, Severity
from netlint.rules.catalogue import Header
from netlint.triage.globs import matches

EXACT = 100
_CODE = re.compile(r"NET\d{1,3}", re.IGNORECASE)


class UnknownRuleError(Exception):
    """A word that names no rule."""

    def __init__(self, word: str, rules: Sequence[Header]) -> None:
        super().__init__(_no_rule(word, rules))
        self.word = word


def _no_rule(word: str, rules: Sequence[Header]) -> str:
    if re.fullmatch(r"net\d*", word, re.IGNORECASE):
        begun = [rule.code for rule in rules if rule.code.lower().startswith(word.lower())]
        return f"no rule is called {word!r}" + (f"; it begins {', '.join(begun)}" if begun else "")
    names = [name for rule in rules for name in (rule.code, rule.name)]
    import difflib  # for mistakes only

    near = difflib.get_close_matches(word.lower(), [name.lower() for name in names], 1)
    hint = f" (did you mean {next(name for name in names if name.lower() == near[0])}?)" if near else ""
    return f"no rule is called {word!r}{hint}"


def exactness(word: str, rule: Header) -> int:
    """0 where the word does not mean the rule, EXACT for its code or name, else the length of the prefix."""
    lower = word.lower()
    if lower in (rule.code.lower(), rule.name):
        return EXACT
    return len(word) if re.fullmatch(r"net\d*", lower) and rule.code.lower().startswith(lower) else 0


def _best(words: Iterable[str], rule: Header) -> int:
    return max((exactness(word, rule) for word in words), default=0)


def absent(config: Config, rules: Sequence[Header]) -> Iterator[tuple[Place, str]]:
    """The words of the configuration's settings that mean none of these rules, and their places."""
    blocks = (config.cluster, *(config.clusters or ()))
    for at, settings in ((config.at, config.rules), *((block.at, block.rules) for block in blocks if block)):
        for word in settings:
            if not any(exactness(word, rule) for rule in rules):
                yield at("rules", word), word


class Selection:
    """The rules of one run. Raises UnknownRuleError where a word of the command line names no rule, and ConfigError
    where one of the configuration does; a code is left alone there, for another version may have its rule."""

    def __init__(
        self,
        rules: Sequence[Header],
        config: Config,
        *,
        select: Sequence[str] = (),
        ignore: Sequence[str] = (),
        pedantic: bool = False,
    ) -> None:
        for word in (*select, *ignore):
            if not any(exactness(word, rule) for rule in rules):
                raise UnknownRuleError(word, rules)
        for place, word in absent(config, rules):
            if not _CODE.fullmatch(word):
                where = replace(place, anchor="key").locate()
                said = _no_rule(word, rules)
                raise ConfigError(f"{where.file}:{where.start_line}:{where.start_column}: {said}")
        self.rules = tuple(rules)
        self._config = config
        self._select = tuple(select)
        self._ignore = tuple(ignore)
        self._pedantic = pedantic
        self._by_code = {rule.code: rule for rule in rules}

    def runs(self, rule: Header, cluster_rules: Mapping[str, RuleSettings]) -> bool:
        """Whether the rule can have a finding to report in a cluster with these settings of its own."""
        return self._enabled(rule, None, cluster_rules)

    def apply(self, finding: Finding, cluster_rules: Mapping[str, RuleSettings]) -> Finding | None:
        """The located finding with the severity that the configuration gives it; None where it is not wanted."""
        rule = self._by_code.get(finding.code)
        if rule is None:
            return finding
        file = finding.location.file if finding.location else ""
        if not self._enabled(rule, self._config.from_root(file), cluster_rules):
            return None
        for settings in self._settings(rule, self._config.from_root(file), cluster_rules):
            if settings.severity is not None:
                finding = replace(finding, severity=Severity(settings.severity))
        return finding

    def _enabled(self, rule: Header, file: str | None, cluster_rules: Mapping[str, RuleSettings]) -> bool:
        selected, ignored = _best(self._select, rule), _best(self._ignore, rule)
        if ignored and ignored >= selected:
            return False
        if selected == EXACT:
            return True
        if self._select and not selected:
            return False
        enabled = rule.group == "default" or self._pedantic
        for settings in self._settings(rule, file, cluster_rules):
            if settings.enabled is False and settings.paths and file is None:
                continue  # off somewhere only, so it runs, and findings are told apart by file
            if settings.enabled is not None:
                enabled = settings.enabled
        return enabled

    def _settings(
        self, rule: Header, file: str | None, cluster_rules: Mapping[str, RuleSettings]
    ) -> Iterator[RuleSettings]:
        """The settings that hold for a rule in a file, those that count more later; in any file where it is None."""
        for block in (self._config.rules, cluster_rules):
            words = sorted((exactness(word, rule), word) for word in block)
            for exact, word in words:
                settings = block[word]
                here = file is None or not settings.paths or any(matches(file, glob) for glob in settings.paths)
                if exact and here:
                    yield settings
