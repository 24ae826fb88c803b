import ctypes
import mmap
import os

CODE = {
    "i386 getpid": bytes.fromhex("b814000000cd80c3"),
    "i386 io_uring_setup": bytes.fromhex("b8a9010000cd80c3"),
    "x32 getpid": bytes.fromhex("b8270000400f05c3"),
    "x32 io_uring_setup": bytes.fromhex("b8a90100400f05c3"),
}
for name, code in CODE.items():
    child = os.fork()
    if child == 0:
        page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        page.write(code)
        call = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
        found = ctypes.c_int(call()).value
        os._exit(0 if found >= 0 else 1)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print("GOT" if status == 0 else "refused", name)
print("done")
