import os
import sys
from contextlib import suppress

found = 0
for folder, names, _ in os.walk("/"):
    if folder == "/":
        names[:] = [name for name in names if name not in ("proc", "sys", "usr")]
    mark = os.path.join(folder, ".carried")
    if sys.argv[1] == "leave":
        with suppress(OSError):
            open(mark, "w").write("state")
            found += 1
    elif os.path.lexists(mark):
        print("GOT a file in", folder)
print("left" if sys.argv[1] == "leave" else "done", found)
