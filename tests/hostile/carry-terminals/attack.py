import os
import pty
import sys

if sys.argv[1] == "leave":
    held = [pty.openpty() for _ in range(5)]
    os.write(held[0][0], b"state")
    os._exit(0)
names = [name for name in os.listdir("/dev/pts") if name.isdigit()]
print("GOT terminals" if names else "done")
