"""The edge of the site: headers, bounds, the Origin rule, rates; the command, its unit, and the proxy of the guide."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluate.commands.main import main
from evaluate.core.document import load_document
from evaluate.core.keys import read
from evaluate.host.config import CONFIG
from evaluate.web.refused import Refused
from evaluate.web.shield import MOST_BODY_BYTES
from tests.support.sites import ADDRESS, ANN, Site_

GUIDE = Path(__file__).parent.parent.parent.parent / "docs" / "web.md"


@pytest.mark.parametrize(
    ("headers", "wanted"),
    [
        ({}, 303),  # no browser
        ({"Origin": ADDRESS}, 303),
        ({"Sec-Fetch-Site": "same-origin"}, 303),
        ({"Sec-Fetch-Site": "none"}, 303),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://evil.example"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
    ],
)
def test_what_changes_something_comes_from_the_site_itself(site: Site_, headers: dict[str, str], wanted: int) -> None:
    found = site.client(ANN).post("/teams/none/leave", headers=headers)
    assert (found.status_code == 403) == (wanted == 403)


def test_every_answer_has_the_headers_of_safety(site: Site_) -> None:
    client = site.client()
    for path in ("/", "/none", "/static/site.css", "/api/v1/challenges", "/uploads/x"):
        found = client.get(path).headers
        assert "unsafe" not in found["content-security-policy"] and "'none'" in found["content-security-policy"]
        assert (found["x-content-type-options"], found["x-frame-options"]) == ("nosniff", "DENY")
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
    ann, bob = site.client(ANN), site.client("bob@example.org")
    assert [ann.post("/logout", data={}).status_code for _ in range(1)] == [303]
    found = [site.client(ANN).post("/teams/none/leave").status_code for _ in range(3)]
    assert found == [404, 404, 429]
    assert bob.post("/teams/none/leave").status_code == 404


def test_rate_says_what_is_allowed_and_when_to_come_back(site: Site_) -> None:
    rates = site.site.rates
    rates.take("1/minute", "x")
    with pytest.raises(Refused, match="at most 1 per 1 minute") as caught:
        rates.take("1/minute", "x")
    assert caught.value.headers["Retry-After"] == "60"


def test_error_of_ours_tells_a_team_nothing_and_is_a_page_or_a_problem(
    site: Site_, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> int:
        raise RuntimeError("hush")

    monkeypatch.setattr(site.site, "line", fails)
    client = site.client(raise_server_exceptions=False)
    found = client.get("/healthz")
    assert (found.status_code, "hush" in found.text) == (500, False)


def test_configuration_is_read_again_when_it_changes_and_kept_while_it_is_wrong(site: Site_) -> None:
    assert site.client().get("/challenges/cinc2017").status_code == 404
    site.configure(challenges={"cinc2017": {}})
    assert site.client().get("/challenges/cinc2017").status_code == 200
    (site.state / "evaluate.yaml").write_text("nonsense: 1")
    assert site.client().get("/challenges/cinc2017").status_code == 200


def test_command_prints_a_login_link_and_a_unit(tmp_path: Path) -> None:
    serve = ["--state", str(tmp_path), "serve"]
    found = CliRunner().invoke(main, [*serve, "--port", "8123", "--login", "You@example.org"])
    assert re.fullmatch(r"http://127\.0\.0\.1:8123/login/link\?token=[\w-]{40,}&next=/\n", found.stdout), found.output
    unit = CliRunner().invoke(main, [*serve, "--unit"]).stdout
    assert f"ExecStart={sys.executable} -m evaluate --state {tmp_path} serve --host 127.0.0.1" in unit
    assert "CapabilityBoundingSet=\n" in unit and f"ReadWritePaths={tmp_path}\n" in unit
    assert "$" not in unit


def test_configuration_of_the_guide_is_read(tmp_path: Path) -> None:
    (text,) = re.findall(r"<<'END'\n(.*?)END\n", GUIDE.read_text(), re.DOTALL)
    (tmp_path / "evaluate.yaml").write_text(text)
    document = load_document(tmp_path / "evaluate.yaml")
    assert read(document, CONFIG) is not None and document.problems == []


def test_nginx_takes_the_configuration_of_the_guide(tmp_path: Path) -> None:
    program = shutil.which("nginx", path="/usr/sbin:/usr/bin")
    if program is None:
        pytest.skip("no nginx on this machine (Debian package nginx-light)")
    (text,) = re.findall(r"```nginx\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    plain = re.sub(r"ssl_certificate.*\n", "", text).replace("443 ssl", f"unix:{tmp_path}/socket")
    file = tmp_path / "nginx.conf"
    head = f"pid {tmp_path}/pid; error_log {tmp_path}/log;"
    paths = "".join(
        f"{name}_temp_path {tmp_path}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    file.write_text(f"{head} events {{}} http {{ access_log off; {paths} {plain} }}")
    done = subprocess.run([program, "-t", "-c", str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
