import fcntl
import os

file = os.open("/tmp/page", os.O_RDWR | os.O_CREAT)
os.write(file, bytes(1 << 20))
fcntl.fcntl(1, fcntl.F_SETPIPE_SZ, 1 << 20)
for _ in range(100):
    if os.fork() == 0:
        while True:
            os.splice(file, 1, 1 << 20, offset_src=0)
os.wait()
