"""The findings of reading, in our words: what is wrong, why, and what to do."""

import re
from typing import Final

from netlint.findings import Finding, Location, Related, Severity

_HELP_SYNTAX: Final = "Nothing of this document was checked; documents after the next `---` were."

_BY_REASON: Final[tuple[tuple[str, str, str], ...]] = (
    (
        "could not find expected ':'",
        "this line is neither `key: value` nor part of the value above it",
        "Add the missing colon, or indent the line deeper than the key it belongs to.",
    ),
    (
        "mapping values are not allowed",
        "a `: ` stands where no further key can begin",
        "Put the whole value in quotes, or give the second key a line of its own at the right indentation.",
    ),
    (
        "did not find expected key",
        "this line fits no mapping that is open here",
        "Line its first character up with the other keys of the mapping it belongs to.",
    ),
    (
        "did not find expected '-' indicator",
        "this line stands inside a list but is no item of it",
        "Begin it with `- `, or line it up with the key that holds the list.",
    ),
    (
        "expected the node content, but found '-'",
        "a list item begins where a value was expected",
        "Put the `- ` on a line of its own, indented at least as far as the key.",
    ),
    (
        "block sequence entries are not allowed",
        "a list item begins where a value was expected",
        "Put the `- ` on a line of its own, indented at least as far as the key.",
    ),
    ("mapping keys are not allowed", "a `? ` stands where no key can begin", "Put the value in quotes."),
    (
        "did not find expected ',' or '}'",
        "a `{ }` mapping is not closed, or lacks a comma between two keys",
        "Add the comma or the closing brace.",
    ),
    (
        "did not find expected ',' or ']'",
        "a `[ ]` list is not closed, or lacks a comma between two items",
        "Add the comma or the closing bracket.",
    ),
    (
        "the document ends inside a flow collection",
        "a `[ ]` list or a `{ }` mapping is not closed",
        "Add the closing bracket or brace.",
    ),
    ("did not find expected node content", "a value was expected here", "Add the value, or put text in quotes."),
    (
        "found unknown escape character",
        "a backslash in double quotes is followed by a character that is no escape",
        "Write the backslash twice, or use single quotes.",
    ),
    (
        "found invalid Unicode character escape code",
        "this escape is no Unicode character",
        "Write the character itself.",
    ),
    (
        "did not find expected hexdecimal number",
        "an escape in double quotes lacks its hexadecimal digits",
        "Write the backslash twice, or use single quotes.",
    ),
    (
        "did not find expected alphabetic or numeric character",
        "`*` and `&` begin an alias or an anchor, and no name follows",
        "Put the text in quotes.",
    ),
    (
        "found undefined tag handle",
        "a tag uses a handle that is not declared",
        "Remove the tag, or put the text in quotes.",
    ),
    ("did not find the expected tag", "`!` begins a tag, and none follows", "Put the text in quotes."),
    (
        "did not find expected whitespace or line break",
        "a tag or a `|` or `>` is followed by other text",
        "Begin the text on the next line, or put it in quotes.",
    ),
    (
        "did not find expected comment or line break",
        "text follows `|` or `>` on the same line",
        "Begin the text on the next line, indented deeper than the key.",
    ),
    ("found a tab character", "a tab stands where only spaces may indent", "Replace the tab by spaces."),
    ("found incompatible YAML document", "a %YAML directive: kubectl refuses it", "Remove the line."),
    (
        "did not find expected <document start>",
        "text stands where a document or the end of the file was expected",
        "Separate documents by a line `---`, and remove lines that begin with `%`.",
    ),
    (
        "control characters are not allowed",
        "a control character stands in the text",
        "Remove it, or escape it in double quotes.",
    ),
    (
        "special characters are not allowed",
        "a control character stands in the text",
        "Remove it, or escape it in double quotes.",
    ),
    (
        "block collections are not allowed",
        "a `- ` or `key: ` stands where a value of one line was expected",
        "Begin it on the next line.",
    ),
    ("found duplicate %YAML", "a %YAML directive: kubectl refuses it", "Remove the line."),
)


def syntax_error(location: Location, reason: str, character: str = "", start: Location | None = None) -> Finding:
    """NET001 for what a YAML parser refused. `character` is the one at the place; `start` where the construct began."""
    message, remedy = "this is not valid YAML", "Check the indentation, colons and quotes here and on the line above."
    if reason.startswith("!"):
        message, remedy = reason[1:], ""
    elif "cannot start any token" in reason:
        if character == "\t":
            message, remedy = "a tab stands where only spaces may indent", "Replace the tab by spaces."
        else:
            message = f"a value cannot begin with `{character}`" if character.isprintable() else message
            remedy = "Put the value in quotes."
    elif "unexpected end of stream" in reason or "unexpected document indicator" in reason:
        message, remedy = "a quoted text that begins here is never closed", "Add the closing quote."
        location, start = start or location, None
    else:
        for key, said, todo in _BY_REASON:
            if key in reason:
                message, remedy = said, todo
                break
    related: tuple[Related, ...] = ()
    if start is not None and start.start_line < location.start_line and not reason.startswith("!"):
        related = (Related("it began here", location=start),)
    return unreadable(location, message, " ".join(part for part in (remedy, _HELP_SYNTAX) if part), related)


def directive(location: Location) -> Finding:
    """NET001 for a line such as `%YAML 1.2`: kubectl cuts at `---` first, and is left with a document of its own."""
    return unreadable(location, "kubectl refuses a `%` directive", "Remove the line; what follows `---` was read.")


def unreadable(
    location: Location,
    message: str,
    remedy: str,
    related: tuple[Related, ...] = (),
    severity: Severity = Severity.ERROR,
) -> Finding:
    """NET001: something was not read, and why."""
    return Finding("NET001", "unreadable-document", severity, message, help=remedy, location=location, related=related)


def duplicate_key(key: str, first: Location, later: Location) -> Finding:
    """NET002: the server takes the later of two equal keys without a word."""
    return Finding(
        "NET002",
        "duplicate-key",
        Severity.WARNING,
        f"the key {quoted(key)} stands twice in this mapping; the one on line {first.start_line} is ignored",
        help="Remove one of the two: kubectl keeps the last one and says nothing.",
        location=later,
        related=(Related("the first one, which is lost", location=first),),
    )


def unrendered(location: Location, message: str, remedy: str, severity: Severity = Severity.INFO) -> Finding:
    """NET006: template text where a manifest was expected, or a unit that could not be rendered."""
    return Finding("NET006", "unrendered-template", severity, message, help=remedy, location=location)


_CONTROL: Final = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def quoted(text: str, limit: int = 80) -> str:
    """Text of the input as part of a message: one line, no control characters, not endless."""
    text = _CONTROL.sub(" ", text)
    return f"`{text if len(text) <= limit else text[: limit - 1] + '…'}`"


def one_line(text: str, limit: int = 300) -> str:
    """The words of another program, made harmless for a terminal and short."""
    text = " ".join(_CONTROL.sub(" ", text).split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
