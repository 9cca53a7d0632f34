"""Problem matchers: how GitHub's runner and VS Code read the first line of a finding.

GitHub knows the severities error, warning and notice, so that a second matcher takes netlint's `note` for a notice.
VS Code knows `note`.
"""

from netlint.reports.json_text import dumps

_POSITION = r"(.+?):(\d+):(\d+): "
_MESSAGE = r"\[([A-Z]+\d+)\]: (.+)"
# GitHub gives the matcher the line with its colours.
_COLOUR = r"(?:\x1b\[[0-9;]*m)*"


def github_matcher() -> str:
    """For `echo ::add-matcher::FILE`."""
    position = rf"^{_COLOUR}(.+?):(\d+):(\d+){_COLOUR}: {_COLOUR}"
    message = rf"\[([A-Z]+\d+)\]{_COLOUR}: (.+)$"
    fields = {"file": 1, "line": 2, "column": 3}
    return dumps(
        {
            "problemMatcher": [
                {
                    "owner": "netlint",
                    "pattern": [
                        {
                            "regexp": f"{position}(error|warning){message}",
                            **fields,
                            "severity": 4,
                            "code": 5,
                            "message": 6,
                        }
                    ],
                },
                {
                    "owner": "netlint-notice",
                    "severity": "notice",
                    "pattern": [{"regexp": f"{position}note{message}", **fields, "code": 4, "message": 5}],
                },
            ]
        }
    )


def vscode_matcher() -> str:
    """For `problemMatcher` of a task in tasks.json."""
    return dumps(
        {
            "owner": "netlint",
            "source": "netlint",
            "fileLocation": ["relative", "${workspaceFolder}"],
            "pattern": {
                "regexp": f"^{_POSITION}(error|warning|note){_MESSAGE}$",
                "file": 1,
                "line": 2,
                "column": 3,
                "severity": 4,
                "code": 5,
                "message": 6,
            },
        }
    )
