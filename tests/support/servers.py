"""The ends that the keeper of a guest has of a server that holds when it is loaded."""

import os

WALLS = (
    "bwrap",
    "--unshare-net",
    "--unshare-pid",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--die-with-parent",
)
"""Every server has the port 4743 of a loopback of its own, as in a guest."""
READY, GO = 200, 201
"""Descriptors of ``invoke.c``: where it says that the server is loaded, and where it hears that it may go on."""


class Held:
    """The other ends of the two."""

    passed = (READY, GO)

    def __init__(self) -> None:
        (self.heard, ready), (go, self.said) = os.pipe(), os.pipe()
        for fd, number in ((ready, READY), (go, GO)):
            os.dup2(fd, number)
            os.close(fd)

    def until_loaded(self) -> None:
        """Wait until a server that has started with `passed` says so; it has these alone now."""
        for fd in self.passed:
            os.close(fd)
        assert os.read(self.heard, 1) == b"r"

    def let_go(self) -> None:
        """Let it be invoked."""
        os.write(self.said, b"1")

    def close(self) -> None:
        """When the test ends."""
        os.close(self.heard)
        os.close(self.said)
