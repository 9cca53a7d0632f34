"""Suppressions: comments in the source and annotations of objects, and those among them that suppress nothing."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from netlint.findings import Finding, Location, Place
from netlint.resources import Manifest
from netlint.rules.catalogue import Header
from netlint.sources import SourceFile
from netlint.triage.selection import exactness

ANNOTATION = "netlint/ignore"
_FORM = 'write `# netlint: ignore[NET301] reason`, or "NET301: reason" in an annotation'
_ENTRY = re.compile(r"\s*([A-Za-z0-9_-]+(?:[\s,]+[A-Za-z0-9_-]+)*)\s*(?::(.*))?")


@dataclass(slots=True, eq=False)
class Suppression:
    """One ignore: the words it names, where it stands, and which words have hit something."""

    words: tuple[str, ...]
    reason: str
    place: Place | None
    location: Location
    hits: set[str] = field(default_factory=set)
    judged: bool = True
    """Whether it can be told that it silences nothing."""

    def hit(self, rule: Header) -> bool:
        """Whether a word of it means the rule; the words that do are marked as used."""
        words = [word for word in self.words if exactness(word, rule)]
        self.hits.update(words)
        return bool(words)


class Suppressions:
    """All suppressions of one input."""

    def __init__(self, files: Mapping[str, SourceFile], manifests: Iterable[Manifest]) -> None:
        self._lines: dict[tuple[str, int], list[Suppression]] = {}
        self._objects: dict[int, list[Suppression]] = {}
        rendered = set()
        for manifest in manifests:
            if manifest.document.rendered:
                rendered.add(manifest.document.file)
                rendered.update(manifest.document.unit.owned)
            for suppression in _annotation(manifest):
                self._objects.setdefault(id(manifest), []).append(suppression)
        # What a file renders to differs from cluster to cluster, and not every finding leads back to its line.
        self._comments = [one for name, file in files.items() for one in self._read(file, judged=name not in rendered)]

    def __bool__(self) -> bool:
        return bool(self._comments or self._objects)

    def _read(self, file: SourceFile, *, judged: bool) -> Iterator[Suppression]:
        for comment in file.suppression_comments():
            line, column = comment.line, comment.column
            text = file.lines[line - 1]
            location = Location(file.file, line, column, line, len(text) + 1)
            suppression = Suppression(comment.codes, comment.reason, None, location, judged=judged)
            alone = not text[: column - 1].strip()
            for reached in (line, line + 1) if alone else (line,):
                self._lines.setdefault((file.file, reached), []).append(suppression)
            yield suppression

    def find(self, finding: Finding, rule: Header) -> Suppression | None:
        """The first suppression of a located finding. Every one that fits counts as used."""
        found: list[Suppression] = []
        if finding.location is not None:
            found += self._lines.get((finding.location.file, finding.location.start_line), [])
        manifest = getattr(finding.place.source, "manifest", finding.place.source) if finding.place else None
        if isinstance(manifest, Manifest):
            found += self._objects.get(id(manifest), [])
            if self._comments:
                kind = manifest.locate(("kind",), "key")
                found += self._lines.get((kind.file, kind.start_line), [])
        hits = [suppression for suppression in found if suppression.hit(rule)]
        return hits[0] if hits else None

    def unused(self, rules: Sequence[Header], ran: set[str]) -> Iterator[tuple[Suppression, str, str]]:
        """Each word that hit nothing (empty where no word is a rule's), and why that is certain: all rules it means
        have run, or there are none."""
        for suppression in (*self._comments, *(one for many in self._objects.values() for one in many)):
            if not suppression.judged:
                continue
            words = suppression.words
            if not words:
                yield suppression, "", f"names no rule, and so silences nothing; {_FORM}"
            elif len(words) > 1 and not any(exactness(word, rule) for word in words for rule in rules):
                yield suppression, "", f"ignores {words[0]} and others, but no rule is called that; {_FORM}"
                continue
            for word in words:
                if word in suppression.hits:
                    continue
                meant = [rule for rule in rules if exactness(word, rule)]
                if not meant:
                    yield suppression, word, f"ignores {word}, but no rule is called that"
                elif all(rule.code in ran for rule in meant):
                    yield suppression, word, f"ignores {word}, but nothing of that kind is reported here"


def _annotation(manifest: Manifest) -> Iterator[Suppression]:
    metadata = manifest.raw.get("metadata")
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    text = annotations.get(ANNOTATION) if isinstance(annotations, dict) else None
    if not isinstance(text, str):
        return
    place = Place(manifest, ("metadata", "annotations", ANNOTATION))
    for entry in re.split(r"[;\n]", text):
        match = _ENTRY.fullmatch(entry)
        if match:
            words = tuple(re.split(r"[\s,]+", match[1]))
            yield Suppression(words, (match[2] or "").strip(), place, place.locate())
        elif entry.strip() or not text.strip():
            yield Suppression((), "", place, place.locate())
