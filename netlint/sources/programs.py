"""Running helm, kustomize and kubectl: without a shell, without the network, and not for ever."""

import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from netlint.sources.problems import one_line

_LOGGED: Final = re.compile(r"^[IWEF]\d{4} [\d:.]+ +\d+ [\w.]+:\d+\] ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Output:
    """What a program wrote. `error` is None, or why there is no output, in one harmless line."""

    text: str
    error: str | None = None


def run(command: Sequence[str], seconds: float, limit: int, stdin: bytes = b"") -> Output:
    """Run a program in an empty home folder. Its whole process group ends when the time is over."""
    with tempfile.TemporaryDirectory(prefix="netlint-") as home, tempfile.TemporaryFile() as written:
        try:
            process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=written,
                stderr=subprocess.PIPE,
                env=_environment(home),
                start_new_session=True,
            )
        except OSError as error:
            return Output("", one_line(f"{command[0]} cannot be started: {error.strerror or error}"))
        try:
            _, errors = process.communicate(stdin, timeout=seconds)
        except subprocess.TimeoutExpired:
            _end(process)
            return Output("", f"it took longer than {seconds:g} seconds")
        except BaseException:
            _end(process)
            raise
        if process.returncode != 0:
            return Output("", _first_line(errors) or f"it ended with status {process.returncode}")
        if written.seek(0, os.SEEK_END) > limit:
            return Output("", f"it wrote more than the limit of {limit} bytes")
        written.seek(0)
        return Output(written.read().decode("utf-8", "replace"))


def _end(process: "subprocess.Popen[bytes]") -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (OSError, AttributeError):  # pragma: no cover - already gone, or no process groups on this system
        process.kill()
    process.communicate()


def _environment(home: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP") if name in os.environ}
    nowhere = "http://127.0.0.1:1"
    return {
        **kept,
        "HOME": home,
        "XDG_CONFIG_HOME": home,
        "XDG_CACHE_HOME": home,
        "XDG_DATA_HOME": home,
        "KUBECONFIG": os.path.join(home, "none"),
        "GIT_ALLOW_PROTOCOL": "none",
        "HTTP_PROXY": nowhere,
        "HTTPS_PROXY": nowhere,
        "http_proxy": nowhere,
        "https_proxy": nowhere,
        "NO_PROXY": "",
        "LANG": "C.UTF-8",
    }


def _first_line(errors: bytes) -> str:
    """What is wrong in a program's own words, without the prefix of its logger, which holds the time of day."""
    text = _LOGGED.sub("", errors.decode("utf-8", "replace"))
    text = re.sub(r'^"command failed" err=<\s*', "", text, flags=re.MULTILINE)
    lines = [line for line in text.splitlines() if line.strip()]
    said = [line for line in lines if not line.lstrip().lower().startswith(("#", "warning", "level=warn"))]
    return one_line((said or lines or [""])[0], 4000)
