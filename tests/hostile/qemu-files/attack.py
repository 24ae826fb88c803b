import os
import sys
from contextlib import suppress

folder = sys.argv[1]
state = os.path.dirname(os.path.dirname(folder))
own = set(sys.argv[1:])
places = ["/etc/passwd", "/etc/hostname", "/root", "/home", "/tmp", "/var/tmp", "/run", "/var/log", "/var/lib/libvirt"]
places += [
    "/proc/1/cmdline",
    "/proc/1/environ",
    "/sys/kernel/security",
    "/dev/mem",
    "/dev/fuse",
    "/dev/vda",
]
places += [state, os.path.dirname(folder), *(f"{state}/{name}" for name in ("queue.sqlite", "keys", "work", "entries"))]
tried = 0
for path in places:
    tried += 1
    with suppress(OSError):
        if os.path.isdir(path):
            os.listdir(path)
        else:
            open(path, "rb").read(1)
        print("GOT to read", path)
for path in (folder, "/tmp", "/var/tmp", "/dev/shm", "/run", os.getcwd()):
    tried += 1
    with suppress(OSError):  # a file without a name, which is gone when it is closed
        os.close(os.open(path, os.O_TMPFILE | os.O_RDWR))
        print("GOT the right to write to", path)
print(tried, "files tried")
