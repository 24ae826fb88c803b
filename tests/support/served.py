"""A site that is really served: by uvicorn on a loopback port, in a thread of the test."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from evaluate.serve.app import make_app
from tests.support.sites import Site_


@contextmanager
def listening() -> Iterator[tuple[str, socket.socket]]:
    """A free port on loopback: its address, and a socket that listens there."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(100)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", listener


@contextmanager
def running(app: Any, at: socket.socket) -> Iterator[None]:
    """Run an ASGI application meanwhile."""
    config = uvicorn.Config(app, http="h11", ws="none", log_config=None, access_log=False, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [at]}, name="site")
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def served(site: Site_, app: Any = None) -> Iterator[str]:
    """Serve meanwhile; gives the address, by which the site then knows itself.

    ``app``: an application that lies between, instead of the site's own.
    """
    with listening() as (site.site.address, at), running(app or make_app(site.site), at):
        yield site.site.address
