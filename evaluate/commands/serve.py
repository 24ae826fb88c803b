"""`evaluate serve`: the site."""

from __future__ import annotations

import resource
import socket
import sys

import click

from evaluate.commands.interrupts import INTERRUPTIONS
from evaluate.commands.state import state_of

_PROXY = "127.0.0.1,::1"
_STOP_SECONDS = 5
"""For requests that run when the site is stopped; pages ask again by themselves."""
_FILES = 16384
"""Open files: connections, and files that they read and write; a login shell gives 1024."""
_TURN_SECONDS = 0.001
"""For which a thread may compute while the one that answers waits; five times as often as usual."""


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: pick a free port.")
@click.option("--login", metavar="ADDRESS", help="Print a link that logs this email address in once, and exit.")
@click.pass_context
def serve(ctx: click.Context, host: str, port: int, login: str | None) -> None:
    """Run the web site: pages for browsers, and the API under /api/v1.

    It shows the challenges that evaluate.yaml names, accepts entries from teams and queues them; `evaluate
    daemon` evaluates them. Several may run side by side. It speaks plain HTTP: put nginx or Caddy in front of it
    for TLS, and set its public address in evaluate.yaml, as docs/web.md shows.

    \b
    First steps:
      evaluate.yaml:  web: {address: "https://challenge.example.org", admins: [you@example.org]}
      evaluate serve                             run the site, reachable from this machine only
      evaluate serve --login you@example.org     print a login link, before the site can send email
    """
    import uvicorn

    from evaluate.config.load import load_config
    from evaluate.config.schema.keys import LOOPBACK
    from evaluate.host.state import refuse_root
    from evaluate.serve.app import make_app
    from evaluate.serve.auth import login_link
    from evaluate.serve.site import open_site
    from evaluate.store.logs import log_to

    state = state_of(ctx)
    if login is None:
        refuse_root(state, public=host not in LOOPBACK or load_config(state).web.is_public)
    shown = f"[{host}]" if ":" in host else host
    site = open_site(state, f"http://{shown}:{port}")
    ctx.call_on_close(site.store.engine.dispose)
    if login is not None:
        click.echo(login_link(site, login))
        return
    log_to(form=site.config.log)
    config = uvicorn.Config(
        make_app(site),
        host=host,
        port=port,
        proxy_headers=True,
        forwarded_allow_ips=_PROXY,
        server_header=False,
        access_log=False,
        log_config=None,
        timeout_graceful_shutdown=_STOP_SECONDS,
        limit_concurrency=2000,
        http="h11",  # which bounds the head of a request
        ws="none",  # else what is installed beside decides, and such connections have no bounds
    )
    sys.setswitchinterval(_TURN_SECONDS)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, _FILES)), hard))

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:  # from now on it answers
                by = f", by http://{shown}:{port}" if site.secure else ""
                click.echo(f"the site is at {site.origin}{by}", err=True)

    server = Server(config)
    try:
        server.run()
    except INTERRUPTIONS:  # uvicorn has answered what was asked, and raises the signal once more
        if not server.started:
            raise


COMMANDS = (serve,)
