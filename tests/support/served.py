"""A site that is really served: by uvicorn on a loopback port, in a thread of the test."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from evaluate.web.app import make_app
from tests.support.sites import Site_


@contextmanager
def served(site: Site_, app: Any = None, most: int | None = None) -> Iterator[str]:
    """Serve meanwhile; gives the address, by which the site then knows itself.

    Parameters
    ----------
    app : ASGI application, optional
        Instead of the site's own: for one that lies between.
    most : int, optional
        Of connections; with more all requests are refused.
    """
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(100)
        site.site.address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        config = uvicorn.Config(
            app or make_app(site.site),
            http="h11",
            ws="none",
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=1,
            limit_concurrency=most,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, name="site")
        thread.start()
        try:
            yield site.site.address
        finally:
            server.should_exit = True
            thread.join()
