"""Which value a plain scalar is: the dialect of kubectl, neither YAML 1.1 nor 1.2.

Source: sigs.k8s.io/yaml turns YAML into JSON with its copy of go-yaml v2 (resolve.go, decode.go), and Kubernetes
reads numbers of that JSON as int64 where they are whole and fit. Checked against kubectl 1.32.
"""

import base64
import binascii
import re
import struct
from typing import Any, Final, TypeAlias

Scalar: TypeAlias = str | int | float | bool | None

_WORDS: Final[dict[str, Scalar]] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
}
_NOT_JSON: Final = frozenset(sign + word for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF")) | frozenset(
    (".nan", ".NaN", ".NAN")
)
_NUMBER_START: Final = frozenset("+-.0123456789")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_BASED: Final = re.compile(r"([-+]?)0(?:([xX])([0-9a-fA-F]+)|([bB])([01]+)|[oO]?([0-7]+))")
_DECIMAL: Final = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_INT64: Final = 1 << 63
_LONG: Final = 300
"""So many digits are read as a float: int() refuses more than 4,300, and a float ends before 1e309."""

STR_TAG: Final = "tag:yaml.org,2002:str"
BINARY_TAG: Final = "tag:yaml.org,2002:binary"
MERGE_TAG: Final = "tag:yaml.org,2002:merge"
_TYPED_TAGS: Final[dict[str, tuple[type, ...]]] = {
    "tag:yaml.org,2002:int": (int,),
    "tag:yaml.org,2002:float": (int, float),
    "tag:yaml.org,2002:bool": (bool,),
    "tag:yaml.org,2002:null": (type(None),),
}


class DialectError(ValueError):
    """A scalar that kubectl refuses; the text says why."""


def number(value: int | float) -> int | float:
    """The number as Kubernetes holds it: whole numbers that fit int64 are integers, all others are floats."""
    if isinstance(value, int):
        return value if -_INT64 <= value < _INT64 else float(value)
    if value == int(value) and -_INT64 <= value < _INT64:
        return int(value)
    return value


def resolve(text: str) -> Scalar:
    """The value of a plain scalar. Raises DialectError for infinities and not-a-number, which JSON cannot hold."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMBER_START:
        return text
    if text in _NOT_JSON:
        raise DialectError(f"{text} is not a number that JSON or the Kubernetes API can hold")
    plain = text.replace("_", "") if "_" in text else text
    if _DECIMAL.fullmatch(plain) and len(plain) < _LONG:
        return number(int(plain))
    based = _BASED.fullmatch(plain)
    if based:
        sign, _, hexadecimal, _, binary, octal = based.groups()
        digits, base = (hexadecimal, 16) if hexadecimal else (binary, 2) if binary else (octal, 8)
        value = int(digits, base)
        if value < 2 * _INT64:
            return number(-value if sign == "-" else value)
        if not octal:
            return text
    if _FLOAT.fullmatch(plain):
        value_ = float(plain)
        if value_ in (float("inf"), float("-inf")):
            return text
        return number(value_)
    return text


def resolve_tagged(tag: str, text: str) -> Scalar:
    """The value of a scalar that carries a tag. Raises DialectError where the text does not fit the tag."""
    if tag == BINARY_TAG:
        try:
            return base64.b64decode(re.sub(r"\s", "", text), validate=True).decode("utf-8", "replace")
        except (binascii.Error, ValueError):
            raise DialectError("!!binary stands before text that is not base64") from None
    expected = _TYPED_TAGS.get(tag)
    if expected is None:
        return text
    value = resolve(text)
    if not isinstance(value, expected) or (isinstance(value, bool) and bool not in expected):
        raise DialectError(f"the tag !!{tag.rpartition(':')[2]} does not fit this value")
    return value


def key_text(value: Any) -> str:
    """A mapping key as JSON has it: always text. Raises DialectError for null and for collections."""
    if isinstance(value, str):
        return value
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _short_float(value)
    if value is None:
        raise DialectError("a mapping key is null; write it in quotes if the word itself is meant")
    raise DialectError("a mapping or list stands where a key belongs; quote the text if braces or brackets are meant")


def _short_float(value: float) -> str:
    """Go writes float keys with 32 bits of precision and the fewest digits that tell them apart."""
    try:
        single = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return "+Inf" if value > 0 else "-Inf"
    for digits in range(1, 10):
        text = f"{value:.{digits}g}"
        if struct.unpack("f", struct.pack("f", float(text)))[0] == single:
            break
    exponent = int(f"{float(text):e}".partition("e")[2])
    if -4 <= exponent < 6:
        return f"{float(text):.{max(0, digits - 1 - exponent)}f}"
    return f"{float(text):.{digits - 1}e}"
