import json
import sys
from pathlib import Path

for record in Path(sys.argv[1], "RECORDS").read_text().split():
    Path(sys.argv[2], f"{record}.json").write_text(json.dumps({"predict_endpoints": [[0, 12000]]}))
