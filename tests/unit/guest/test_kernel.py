import io
import os
from types import SimpleNamespace

import pytest

from tests.support.guest_modules import guest_module

kernel = guest_module("kernel")


def test_failing_call_is_an_os_error_that_names_it() -> None:
    with pytest.raises(FileNotFoundError, match="umount2: No such file or directory"):
        kernel.call("umount2", "/no/such/place", 0)
    with pytest.raises(OSError, match="mount nothing a at /no/such/place"):
        kernel.mount("a", "/no/such/place", "nothing")
    assert os.getpid() == kernel.call("getpid")


def test_function_at_an_address_returns_and_two_are_not_put_at_one() -> None:
    kernel.function_at(1 << 41)()
    with pytest.raises(OSError, match="mmap: File exists"):
        kernel.function_at(1 << 41)


def test_key_of_the_random_numbers_is_where_the_kernel_lists_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a machine showed it, in which the kernel was loaded at 1 GiB."""
    shown = {
        "/proc/kallsyms": b"ffffffffb7600000 T _stext\nffffffffb7600000 T _text\n000000000002f3c0 A crngs\n"
        b"ffffffffb9c02840 b base_crng\nffffffffb9c02880 b base_crng_other\n",
        "/proc/iomem": b"00100000-0fffffff : System RAM\n  3fa00000-409fffff : Kernel code\n",
    }

    def opened(path: str, mode: str = "r") -> io.BytesIO | io.TextIOWrapper:
        binary = io.BytesIO(shown[path])
        return binary if "b" in mode else io.TextIOWrapper(binary)

    monkeypatch.setattr(kernel, "open", opened, raising=False)
    monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(release="6.1.0-56-cloud-amd64"))
    assert kernel.random_key_at() == 0x3FA00000 + 0x2602840
    monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(release="6.12.3"))
    assert kernel.random_key_at() == 0
