import ctypes
import sys

libc = ctypes.CDLL(None, use_errno=True)
create = 0o1666 if sys.argv[1] == "leave" else 0o666
for name, arguments in (("shmget", (4711, 4096, create)), ("msgget", (4711, create)), ("semget", (4711, 1, create))):
    if getattr(libc, name)(*arguments) != -1 and sys.argv[1] == "look":
        print("GOT", name)
libc.mq_open = ctypes.CDLL("librt.so.1", use_errno=True).mq_open if not hasattr(libc, "mq_open") else libc.mq_open
if libc.mq_open(b"/carried", 0o102 if sys.argv[1] == "leave" else 2, 0o666, None) != -1 and sys.argv[1] == "look":
    print("GOT a message queue")
# add_key and request_key for the user's key ring
if sys.argv[1] == "leave":
    libc.syscall(248, b"user", b"carried", b"state", 5, -4)
elif libc.syscall(249, b"user", b"carried", None, 0) != -1:
    print("GOT a key")
print("done")
