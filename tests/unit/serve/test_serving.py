"""The edge of the site: headers, bounds, the Origin rule, rates; the command, its unit, and the proxy of the guide."""

import random
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest

from evaluate.serve import uploads
from evaluate.serve.authorization import SECURE_COOKIE
from evaluate.serve.request_limits import MOST_BODY_BYTES, network_of
from evaluate.serve.site import Site
from evaluate.store.people.logins import begin_session
from tests.support.commands import printed
from tests.support.loopback import free_port
from tests.support.served import served
from tests.support.sites import ADDRESS, ANN, Site_
from tests.unit.serve.test_uploads import begin, bring

GUIDE = Path(__file__).parent.parent.parent.parent / "docs" / "web.md"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 404),  # no browser
        ({"Origin": ADDRESS}, 404),
        ({"Sec-Fetch-Site": "same-origin"}, 404),
        ({"Sec-Fetch-Site": "none"}, 404),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://["}, 403),
        ({"Referer": "http://["}, 404),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://evil.example"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
    ],
)
def test_what_changes_something_comes_from_the_site_itself(site: Site_, headers: dict[str, str], status: int) -> None:
    assert site.client(ANN).post("/teams/none/leave", headers=headers).status_code == status


def test_every_answer_has_the_headers_of_safety(site: Site_) -> None:
    client = site.client()
    for path in ("/", "/none", "/static/site.css", "/api/v1/challenges", "/uploads/x"):
        headers_sent = client.get(path).headers
        assert (
            "unsafe" not in headers_sent["content-security-policy"]
            and "'none'" in headers_sent["content-security-policy"]
        )
        assert (headers_sent["x-content-type-options"], headers_sent["x-frame-options"]) == ("nosniff", "DENY")
    assert client.get("/account").headers["cache-control"] == "no-store"


def test_body_that_is_too_large_is_refused_before_it_is_read(site: Site_) -> None:
    large = b"x" * (MOST_BODY_BYTES + 1)
    client = site.client(ANN)
    for content in (lambda: large, lambda: iter([large[:5], large])):
        for path, kind in (("/teams/new", "application/x-www-form-urlencoded"), ("/api/v1/teams", "application/json")):
            assert client.post(path, content=content(), headers={"Content-Type": kind}).status_code == 413
    assert client.post("/teams/new", headers={"Content-Length": "-1"}).status_code == 400


def test_too_many_changes_of_one_person_are_refused_and_others_go_on(site: Site_) -> None:
    site.site.rates.changes = "3/minute"
    answers = [site.client(ANN).post("/teams/none/leave") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [404, 404, 404, 429]
    assert "at most 3 per 1 minute" in answers[-1].text and answers[-1].headers["retry-after"] == "60"
    assert site.client("bob@example.org").post("/teams/none/leave").status_code == 404


def test_error_of_ours_tells_a_team_nothing(site: Site_, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(Site, "line")  # an AttributeError
    answer = site.client(raise_server_exceptions=False).get("/healthz")
    assert (answer.status_code, "attribute" in answer.text) == (500, False)


def test_configuration_is_read_again_when_it_changes_and_kept_while_it_is_wrong(site: Site_) -> None:
    assert site.client().get("/challenges/cinc2017").status_code == 404
    site.configure(challenges={"cinc2017": {}})
    assert site.client().get("/challenges/cinc2017").status_code == 200
    (site.state / "evaluate.yaml").write_text("nonsense: 1")
    assert site.client().get("/challenges/cinc2017").status_code == 200


def test_command_prints_a_login_link(tmp_path: Path) -> None:
    output = printed(tmp_path, "serve", "--port", "8123", "--login", "You@example.org")
    assert re.fullmatch(r"http://127\.0\.0\.1:8123/login/link\?token=[\w-]{40,}&next=/\n", output), output


@contextmanager
def nginx(folder: Path, site: str) -> Iterator[int]:
    """Debian's nginx before a site, with the configuration of the guide but for TLS; gives its port."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/bin")
    if program is None:
        pytest.skip("no nginx on this machine (Debian package nginx-light)")
    port = free_port()
    (text,) = re.findall(r"```nginx\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    text = re.sub(r"ssl_certificate.*", "", text)
    text = text.replace("443 ssl", f"127.0.0.1:{port}").replace("http://127.0.0.1:8000", site)
    file = folder / "nginx.conf"
    head = f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/log;"
    paths = "".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    file.write_text(f"{head} events {{}} http {{ access_log off; {paths} {text} }}")
    process = subprocess.Popen([program, "-c", str(file)], stderr=subprocess.PIPE, text=True)
    try:
        while process.poll() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 5):
                break
        assert process.poll() is None, process.stderr and process.stderr.read()
        yield port
    finally:
        process.terminate()
        process.communicate()


def test_page_and_upload_pass_nginx_with_the_configuration_of_the_guide(site: Site_, tmp_path: Path) -> None:
    data = random.Random(1).randbytes(20 << 20)
    with served(site) as address, nginx(tmp_path, address) as port:
        site.site.address = "https://challenge.example.org"
        cookie = f"{SECURE_COOKIE}={begin_session(site.store.database, ANN)}"
        headers = {"Cookie": cookie, "Host": "challenge.example.org", "Origin": site.site.address}
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=300) as browser:
            assert browser.get("/challenges/kits19/board").status_code == 200
            brought = bring(browser, begin(browser, len(data)).headers["location"], 0, data[:-1])
        assert (brought.status_code, brought.headers["upload-offset"]) == (204, str(len(data) - 1))
        (kept,) = (site.state / uploads.FOLDER).glob("*/data")
        assert kept.read_bytes() == data[:-1]


def test_head_of_a_request_that_does_not_end_is_refused(site: Site_) -> None:
    with served(site) as address, closing(HTTPConnection(urlsplit(address).netloc, timeout=300)) as client:
        client.request("GET", "/healthz")
        answer = client.getresponse()
        assert (answer.status, answer.read() != b"") == (200, True)
        stranger: socket.socket = client.sock
        reply = b""
        with suppress(ConnectionError):
            stranger.sendall(b"GET / HTTP/1.1\r\nX: ")
            for _ in range(100):
                stranger.sendall(b"x" * 10_000)
            reply = stranger.recv(1 << 16)
        assert reply == b"" or reply.startswith(b"HTTP/1.1 400")


def test_network_of_ipv6_counts_as_one() -> None:
    networks = {"2001:db8::1": "2001:db8::/64", "2001:db8::ffff:0:1": "2001:db8::/64"}
    networks |= {"2001:db8:0:1::1": "2001:db8:0:1::/64", "::ffff:192.0.2.1": "192.0.2.1"}
    networks |= {address: address for address in ("::1", "192.0.2.1", "", "unknown")}
    assert {address: network_of(address) for address in networks} == networks
