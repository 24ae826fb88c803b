import os
import sys

most = 64 << 30
tried = 0
for path in sys.argv[1:]:
    if not os.path.isfile(path):
        continue
    tried += 1
    try:
        file = os.open(path, os.O_WRONLY)
    except OSError:
        try:
            os.chmod(path, 0o600)
            file = os.open(path, os.O_WRONLY)
        except OSError:
            continue
    size = os.fstat(file).st_size
    try:
        os.ftruncate(file, most)  # a hole, which takes no space
    except OSError:
        continue
    os.ftruncate(file, size)
    print("GOT a file of", most, "bytes:", path)
print(tried, "files tried")
