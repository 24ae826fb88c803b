import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
libc.mprotect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
base = libc.mmap(None, 40000 * 4096, 1, 0x22, -1, 0)
for number in range(0, 30000, 2):
    if libc.mprotect(base + number * 4096, 4096, 3) != 0:
        break
for _ in range(8):
    if os.fork() == 0:
        os.read(os.pipe()[0], 1)
print("done")
