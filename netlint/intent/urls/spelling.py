"""The ways in which one URL may be read: RFC 3986 calls some spellings equivalent, others are up to the program."""

import re
from urllib.parse import unquote, urlsplit, urlunsplit

from netlint.policy.queries.expressions import ByUrl

_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")


def readings(url: ByUrl) -> tuple[ByUrl, ...]:
    """The URL as it reads normalised (section 6.2.2), and as programs read it that merge slashes or decode more."""
    plain = _without_dots(_decoded(url.path))
    paths = dict.fromkeys((plain, _merged(plain), _merged(_without_dots(unquote(plain)))))
    parts = urlsplit(url.url)
    return tuple(ByUrl(urlunsplit(parts._replace(path=path))) for path in paths)


def _decoded(path: str) -> str:
    """Escapes of unreserved characters are those characters; the others are written in capitals."""

    def one(found: re.Match[str]) -> str:
        character = chr(int(found[1], 16))
        return character if _UNRESERVED.fullmatch(character) else found[0].upper()

    return _ESCAPE.sub(one, path)


def _without_dots(path: str) -> str:
    """`/a/./b/../c` is `/a/c` (section 5.2.4): who asks resolves it before it asks."""
    found: list[str] = []
    segments = path.split("/")[1:]
    for place, segment in enumerate(segments):
        if segment == "..":
            found = found[:-1]
        elif segment != ".":
            found.append(segment)
        if segment in (".", "..") and place == len(segments) - 1:
            found.append("")
    return "/" + "/".join(found)


def _merged(path: str) -> str:
    return re.sub(r"/{2,}", "/", path)
