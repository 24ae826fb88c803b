"""In a guest: validate, then score, as the workflow of Synapse does."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


def _called(program: Path, asked: Mapping[str, str], results: Path) -> None:
    interpreter = "Rscript" if program.suffix.lower() == ".r" else sys.executable
    words = [interpreter, str(program), "-p", asked["prediction"], "-g", asked["groundtruth"], "-o", str(results)]
    done = subprocess.run([*words, *(["-t", asked["task"]] if asked["task"] else [])], check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)  # what it printed last says why


def _program_of(home: Path, name: str) -> Path:
    found = sorted(path for path in (home / "program").iterdir() if path.stem == name)
    if not found:
        sys.exit(f"the program has no {name}.py")
    return found[0]


def main(home: Path, output: Path) -> None:
    """Validate; score what is VALIDATED."""
    asked = json.loads((home / "asked.json").read_text())
    results = output / "results.json"
    _called(_program_of(home, "validate"), asked, results)
    try:
        status = json.loads(results.read_text()).get("validation_status")
    except (OSError, ValueError, AttributeError) as e:
        sys.exit(f"validate wrote no results.json with validation_status: {e}")
    if status == "VALIDATED":
        _called(_program_of(home, "score"), asked, results)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
