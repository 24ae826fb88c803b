import os
import sys
from contextlib import suppress

places = [os.path.expanduser("~"), "/tmp", "/var/tmp", "/dev/shm", "/dev", "/run", os.getcwd(), "/dev/null", "/dev/pts"]
if sys.argv[1] == "leave":
    for place in places:
        for change in (
            lambda p=place: os.utime(p, (12345, 12345)),
            lambda p=place: os.chmod(p, 0o1770),
            lambda p=place: os.setxattr(p, "user.carried", b"state"),
        ):
            with suppress(OSError):
                change()
else:
    for place in places:
        status = os.stat(place)
        if status.st_mtime == 12345:
            print("GOT the time of", place)
        if status.st_mode & 0o7777 == 0o1770:
            print("GOT the mode of", place)
        with suppress(OSError):
            os.getxattr(place, "user.carried")
            print("GOT an attribute of", place)
    print("done")
