"""Writes the generated parts of README.md anew: the example and the table of rules."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"


def netlint(*arguments: str, folder: Path = ROOT) -> str:
    command = [sys.executable, "-m", "netlint", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def example() -> str:
    """The first finding about a node port in the web shop, as people see it."""
    report = netlint("check", "--select", "NET301", "manifests", folder=ROOT / "fixtures/web-shop")
    return f"```console\n$ netlint check manifests\n{report.split(chr(10) * 2)[0].rstrip()}\n```"


def rules() -> str:
    return netlint("rules", "--format", "markdown").strip()


def updated(text: str) -> str:
    for name, part in (("example", example()), ("rules", rules())):
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        text = pattern.sub(lambda match, part=part: f"{match[1]}{part}\n{match[2]}", text)  # type: ignore[misc]
    return text


if __name__ == "__main__":
    README.write_text(updated(README.read_text(encoding="utf-8")), encoding="utf-8")
