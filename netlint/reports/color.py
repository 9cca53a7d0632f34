"""Colours of a terminal, or none."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paint:
    """Paints text where `enabled`, else leaves it as it is. The text must be harmless already."""

    enabled: bool

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.enabled and text else text

    def bold(self, text: str) -> str:
        return self._paint("1", text)

    def dim(self, text: str) -> str:
        return self._paint("2", text)

    def red(self, text: str) -> str:
        return self._paint("1;31", text)

    def green(self, text: str) -> str:
        return self._paint("32", text)

    def yellow(self, text: str) -> str:
        return self._paint("1;33", text)

    def blue(self, text: str) -> str:
        return self._paint("1;36", text)
