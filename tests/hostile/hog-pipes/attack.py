import fcntl
import os
import time

fcntl.fcntl(1, 1031, 1 << 20)
data = bytes(1 << 16)
for _ in range(50):
    if os.fork() == 0:
        while True:
            os.write(1, data)
time.sleep(60)
