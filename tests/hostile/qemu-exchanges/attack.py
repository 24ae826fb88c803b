import os
import sys

tried = 0
for path in sys.argv[1:]:
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    tried += 1
    # asked for with names that do not exist: a folder that may be written to says so, and one that may not, too
    try:
        os.rename(f"{folder}/there is no such name", f"{folder}/nor such a one")
    except PermissionError:
        pass
    except OSError as e:
        if os.access(folder, os.W_OK):
            print("GOT", folder, e)
    if os.access(folder, os.W_OK):
        print("GOT the right to write to", folder)
print(tried, "names tried")
