"""In a guest: calls ``evaluate()`` of a package as EvalAI's worker does."""

import importlib
import json
import os
import sys
from pathlib import Path


def main(home: Path, output: Path) -> None:
    """Call it and write what it returns."""
    asked = json.loads((home / "asked.json").read_text())
    instead = str(home / "instead")  # of pip, which some packages call
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (instead, os.environ.get("PYTHONPATH"))))
    sys.path[:0] = [str(home / "package"), instead]
    package = importlib.import_module("evaluation_script")
    submission = asked["submission"]
    metadata = {
        "id": 1,
        "status": "running",
        "participant_team": "team",
        "participant_team_name": "team",
        "challenge_phase": asked["phase"],
        "input_file": submission,
        "stdout_file": "",
        "stderr_file": "",
        "submitted_at": "2026-01-01T00:00:00Z",
        "method_name": "",
        "is_public": False,
    }
    found = package.evaluate(asked["annotations"], submission, asked["phase"], submission_metadata=metadata)
    if not isinstance(found, dict):
        sys.exit(f"evaluate() returned {type(found).__name__}, expected a dictionary with 'result'")

    def plain(value: object) -> object:
        return value.item() if hasattr(value, "item") else str(value)

    (output / "result.json").write_text(json.dumps({"result": found.get("result")}, default=plain))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
