import ctypes
import os
import sys

SIZE, PAGE = 1 << 20, 4096
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
libc.mincore.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p)
libc.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
places = ("/usr/lib/x86_64-linux-gnu", "/usr/lib/gcc/x86_64-linux-gnu/12", "/usr/bin")
found = [entry.path for place in places if os.path.isdir(place) for entry in os.scandir(place)]
files = sorted(
    path for path in found if os.path.isfile(path) and not os.path.islink(path) and os.stat(path).st_size > 2 * SIZE
)
# a page of each file is a bit, far from others so that nothing is read ahead
bits = [(number * 2654435761 >> 7) & 1 for number in range(len(files))]
resident = []
for bit, path in zip(bits, files):
    file = os.open(path, os.O_RDONLY)
    at = libc.mmap(None, 2 * SIZE, 1, 2, file, 0)
    libc.madvise(at, 2 * SIZE, 1)
    if sys.argv[1] == "leave":
        if bit:
            ctypes.string_at(at + SIZE, 1)
    else:
        state = ctypes.create_string_buffer(1)
        libc.mincore(at + SIZE, PAGE, state)
        resident.append(state.raw[0] & 1)
    os.close(file)
if resident:
    right = sum(a == b for a, b in zip(bits, resident))
    print(len(bits), "bits,", right, "right")
    if len(bits) >= 8 and right >= 0.9 * len(bits):
        print("GOT", len(bits), "bits")
print("done")
