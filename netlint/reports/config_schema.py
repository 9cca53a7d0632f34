"""The JSON Schema of netlint.yaml, made from its model. `python -m netlint.reports.config_schema` writes it anew."""

import json
from pathlib import Path

from netlint.cluster.config import Config

FILE = Path(__file__).parent / "schemas" / "config.json"


def config_schema() -> str:
    """The schema as text, as it stands in the package."""
    schema = Config.model_json_schema()
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
    return json.dumps(schema, indent=2, ensure_ascii=True) + "\n"


if __name__ == "__main__":
    FILE.write_text(config_schema(), encoding="utf-8")
