"""In a guest: starts a server, waits for ``/health``, asks once for ``/invoke``; ends as that says."""

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

BASE = "http://127.0.0.1:4743"
HEALTHY_SECONDS, ONE_SECONDS = 300, 10
OK, CREATED, REDIRECTS = 200, 201, range(300, 400)


class Direct(urllib.request.HTTPRedirectHandler):
    """A redirect is a failure."""

    def redirect_request(self, *_: object) -> None:
        """Nothing is asked instead."""


def _asked(path: str, method: str, seconds: "float | None") -> int:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), Direct())
    request = urllib.request.Request(BASE + path, method=method, data=b"" if method == "POST" else None)
    try:
        with opener.open(request, timeout=seconds) as reply:
            return int(reply.status)
    except urllib.error.HTTPError as e:
        return e.code
    except OSError:
        return 0


def main(argv: "list[str]") -> int:
    """The exit code."""
    server = subprocess.Popen(argv, start_new_session=True)
    try:
        end = time.monotonic() + HEALTHY_SECONDS
        while (status := _asked("/health", "GET", ONE_SECONDS)) != OK:
            if status in REDIRECTS or server.poll() is not None or time.monotonic() > end:
                print(f"the server is not healthy: /health answered {status or 'nothing'}", file=sys.stderr)
                return 1
            time.sleep(0.2)
        status = _asked("/invoke", "POST", None)
        if status != CREATED:
            print(f"/invoke answered {status or 'nothing'}, expected {CREATED}", file=sys.stderr)
            return 1
        return 0
    finally:
        if server.poll() is None:
            os.killpg(server.pid, signal.SIGTERM)
            try:
                server.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(server.pid, signal.SIGKILL)
                server.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
