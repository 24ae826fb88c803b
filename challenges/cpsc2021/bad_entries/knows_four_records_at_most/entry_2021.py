import json
import sys
from pathlib import Path

data, result = map(Path, sys.argv[1:])
for record in (data / "RECORDS").read_text().split()[:4]:
    (result / f"{record}.json").write_text(json.dumps({"predict_endpoints": []}))
