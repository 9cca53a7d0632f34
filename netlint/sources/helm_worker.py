"""Renders one chart with the package helm-python-sdk, in a process of its own that can be ended.

Standard input: {"chart": folder, "values": merged values, "name": release}. Standard output: {template: text}.
"""

import json
import sys


def main() -> int:
    import helm_python  # type: ignore[import-not-found,import-untyped,unused-ignore]

    request = json.load(sys.stdin)
    try:
        with helm_python.Chart.load(request["chart"]) as chart:
            manifests = chart.render(request["values"], name=request["name"], namespace="default")
    except helm_python.HelmError as error:
        print(error, file=sys.stderr)
        return 1
    json.dump(manifests, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
