import os
import socket
import sys
import time
from contextlib import suppress

if sys.argv[1] == "leave":
    with suppress(OSError):
        socket.sethostname("carried")
    if os.fork() == 0:
        os.setsid()
        held = [socket.socket(socket.AF_UNIX), socket.socket()]
        held[0].bind("\0carried")
        held[1].bind(("127.0.0.1", 4711))
        for one in held:
            one.listen()
        time.sleep(1000)
    time.sleep(0.5)
else:
    for family, address in ((socket.AF_UNIX, "\0carried"), (socket.AF_INET, ("127.0.0.1", 4711))):
        with suppress(OSError):
            socket.socket(family).connect(address)
            print("GOT", address)
    if socket.gethostname() == "carried":
        print("GOT the name of the machine")
    print("done")
