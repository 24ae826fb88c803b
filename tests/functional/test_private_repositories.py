"""Private repositories of teams: a real git server over HTTPS, the organisers' account, and those who have none."""

import base64
import re
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.types import HelperAccount
from evaluate.core.errors import ChallengeError, EntryError, EvaluateError, Fault, UsageError
from evaluate.operate.backup_folder import backup
from evaluate.store.files import archives
from evaluate.store.files.depot import open_depot
from evaluate.store.files.stage_folders import archive_of
from evaluate.untrusted.repository import fetch_repository
from tests.support.git_server import GitServer, SshServing, commit, git, serving, serving_ssh
from tests.support.queues import queue
from tests.support.sites import ADMIN, ANN, BOB, Site_
from tests.unit.serve.test_intake import due_now
from tests.unit.serve.test_uploads import taken_in

USER, TOKEN = "cpsc-helper", "ghp_0123456789abcdef"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """The clone in which a team works, of ``red/entry.git``."""
    folder = tmp_path / "work"
    shutil.copytree(load_challenge("cpsc2021").folder / "sample_entry", folder)
    git(folder, "init", "-q")
    commit(folder)
    git(tmp_path, "clone", "-q", "--bare", str(folder), "red/entry.git")
    git(folder, "remote", "add", "origin", str(tmp_path / "red" / "entry.git"))
    return folder


@pytest.fixture
def server(work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[GitServer]]:
    with serving(tmp_path, monkeypatch) as git_server:
        git_server.tokens[USER] = TOKEN
        git_server.readers["red"] = {USER}
        yield git_server


@pytest.fixture
def account(tmp_path: Path) -> HelperAccount:
    token = tmp_path / "token"
    token.write_text(TOKEN + "\n")
    token.chmod(0o600)
    return HelperAccount(user=USER, token_file=token)


def fetch(
    server: type[GitServer], account: HelperAccount | None, folder: Path, path: str = "red/entry", **more: str
) -> str:
    accounts = {server.host: account} if account else {}
    return fetch_repository(f"https://{server.host}/{path}.git", folder, accounts=accounts, loopback=True, **more)


@pytest.mark.parametrize(
    ("text", "mode", "message"),
    [
        ("wrong", 0o600, f"refuses the token of {USER}: .*revoked.*token_file"),
        ("\n", 0o600, "empty"),
        (TOKEN, 0o640, "expected mode 600, found 640"),
        (None, 0, "No such"),
    ],
)
def test_token_that_cannot_be_used_is_the_organisers_fault(
    text: str | None, mode: int, message: str, server: type[GitServer], account: HelperAccount, tmp_path: Path
) -> None:
    account.token_file.unlink()
    if text is not None:
        account.token_file.write_text(text)
        account.token_file.chmod(mode)
    with pytest.raises(ChallengeError, match=message) as caught:
        fetch(server, account, tmp_path)
    assert TOKEN not in str(caught.value)
    assert bool(server.headers_seen) is (text == "wrong"), "any other token is not sent"


def test_repository_without_access_says_whom_to_invite(
    server: type[GitServer], account: HelperAccount, tmp_path: Path
) -> None:
    with pytest.raises(EntryError, match="not found, or private; expected a public repository"):
        fetch(server, None, tmp_path)
    assert set(server.headers_seen) == {""}
    for path, readers, message in (
        ("red/other", {USER}, f"not found, or .* account {USER} has no access"),
        ("red/entry", set(), rf"not found, or .* account {USER} has no access.* invite {USER} .*Collaborators"),
    ):
        server.readers["red"] = readers
        with pytest.raises(EntryError, match=message):
            fetch(server, account, tmp_path, path)


def test_redirect_to_another_host_takes_no_token_along(
    server: type[GitServer], account: HelperAccount, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(tmp_path, monkeypatch) as other:
        server.redirect = f"https://{other.host}/red/entry.git/info/refs?service=git-upload-pack"
        with pytest.raises(EntryError, match="redirects to another address, which is not followed"):
            fetch(server, account, tmp_path)
        assert other.headers_seen == []
        server.redirect = ""
        # another host gets none either, whatever is configured
        fetch_repository(
            f"https://{other.host}/red/entry.git", tmp_path, accounts={server.host: account}, loopback=True
        )
        assert set(other.headers_seen) == {""}


def test_host_of_the_organisers_may_be_in_a_private_network_and_no_other(
    server: type[GitServer], account: HelperAccount, tmp_path: Path
) -> None:
    address = f"https://{server.host}/red/entry.git"
    assert fetch_repository(address, tmp_path, accounts={server.host: account})
    with pytest.raises(UsageError, match="is not a public machine"):
        fetch_repository(address, tmp_path, accounts={"github.com": account})


def test_no_argument_of_a_process_has_the_token_while_it_is_used(
    server: type[GitServer], account: HelperAccount, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused, seen = server.refused, list[bytes]()

    def looks(self: GitServer) -> int:
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                seen.append(path.read_bytes())
        return refused(self)

    monkeypatch.setattr(server, "refused", looks)
    fetch(server, account, tmp_path)
    header = base64.b64encode(f"{USER}:{TOKEN}".encode())
    assert f"Basic {header.decode()}" in server.headers_seen
    assert any(b"remote-https" in line for line in seen)
    assert not any(secret in line for line in seen for secret in (TOKEN.encode(), header))


def test_server_that_sends_the_token_back_is_not_quoted(
    server: type[GitServer], account: HelperAccount, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def serve(self: object) -> None:
        body = f"001e# service=git-upload-pack\n0000{len(TOKEN) + 8:04x}ERR {TOKEN}".encode()
        self.send_response(200)  # type: ignore[attr-defined]
        self.send_header("Content-Type", "application/x-git-upload-pack-advertisement")  # type: ignore[attr-defined]
        self.send_header("Content-Length", str(len(body)))  # type: ignore[attr-defined]
        self.end_headers()  # type: ignore[attr-defined]
        self.wfile.write(body)  # type: ignore[attr-defined]

    monkeypatch.setattr(server, "serve", serve)
    with pytest.raises(EvaluateError, match="remote error: …") as caught:
        fetch(server, account, tmp_path)
    assert TOKEN not in str(caught.value)


@contextmanager
def site_with(state: Path, **repositories: dict[str, str]) -> Iterator[Site_]:
    """A site whose organisers have set up these hosts of repositories."""
    with queue(state) as store:
        new_site = Site_(state, store)
        new_site.configure(challenges={"cpsc2021": {}}, repositories=repositories)
        yield new_site


@pytest.fixture
def site(server: type[GitServer], account: HelperAccount, tmp_path: Path) -> Iterator[Site_]:
    """A site with an account at the server, and its token in the state directory."""
    with site_with(tmp_path / "state", **{server.host: {"user": USER, "token_file": "token"}}) as new_site:
        shutil.move(account.token_file, new_site.state / "token")
        yield new_site


def submit(site: Site_, address: str, person: str = ANN) -> Any:
    """Submit a repository's address; returns the site's answer."""
    return site.client(person).post("/api/v1/entries", json={"challenge": "cpsc2021", "address": address})


def test_example_of_a_challenge_is_submitted_from_a_private_repository_and_no_file_has_the_token(
    site: Site_, server: type[GitServer], work: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert f"invite <strong>{USER}</strong>" in site.client(ANN).get("/challenges/cpsc2021/enter").text
    entry = submit(site, f"https://{server.host}/red/entry.git").json()
    assert site.store.entry(entry["id"]).commit == git(work, "rev-parse", "HEAD")
    depot = open_depot(site.state, site.site.config.shared)[1]
    backup(site.store, site.state, site.state, depot, tmp_path / "copy")
    files = [path for top in (site.state, tmp_path / "copy") for path in top.rglob("*") if path.is_file()]
    assert [path.name for path in files if TOKEN.encode() in path.read_bytes()] == ["token"]
    assert TOKEN not in caplog.text


def test_repository_belongs_to_the_first_team_that_can_read_it_until_the_organiser_releases_it(
    site: Site_, server: type[GitServer], caplog: pytest.LogCaptureFixture
) -> None:
    address, claimed = f"https://{server.host}/red/entry.git", f"{server.host}/red/entry"
    server.readers["red"] = set()
    unread = submit(site, address, BOB)
    assert unread.status_code == 422 and f"invite {USER}" in unread.json()["detail"]
    server.readers["red"] = {USER}
    assert submit(site, address).status_code == 201
    requests = len(server.headers_seen)
    for spelling in ("red/entry", "Red/ENTRY"):
        refused = submit(site, f"https://{server.host}/{spelling}.git", BOB)
        assert refused.status_code == 422 and "another team submitted first" in refused.json()["detail"]
    assert len(server.headers_seen) == requests, "nothing of it is read"
    assert f"team blue names the repository {claimed}, which team red has claimed" in caplog.text
    admin = site.client(ADMIN)
    page = admin.get("/organise/teams").text
    assert claimed in page and "Release" in page
    assert site.client(BOB).get("/organise/teams").status_code == 403
    release = lambda: admin.post("/organise/repositories/release", data={"repository": claimed})  # noqa: E731
    assert release().status_code == 303 and release().status_code in (400, 404)
    assert submit(site, address, BOB).status_code == 201
    assert "another team" in submit(site, address).json()["detail"]


def test_address_that_spells_a_path_in_another_way_or_is_by_ssh_to_any_host_is_refused(
    site: Site_, server: type[GitServer]
) -> None:
    spelt, ssh = "expected the path as its host shows it", "have set up no ssh at this host"
    paths = ("red//entry", "red/./entry", "red/../red/entry", "red/%65ntry", "red/entry.git", "red/entry/")
    for address, reason in (
        *((f"https://{server.host}/{path}.git", spelt) for path in paths),
        ("git@github.com:red/entry.git", ssh),
        (f"ssh://git@{server.host}/red/entry.git", ssh),
    ):
        refused = submit(site, address)
        assert (refused.status_code, reason in refused.json()["detail"]) == (422, True), address
    assert server.headers_seen == []


def test_commit_that_was_the_newest_at_the_submission_counts(
    site: Site_, server: type[GitServer], work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though its branch has moved."""

    def full(*_: object) -> None:
        raise Fault("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(archives, "keep", full)
        assert submit(site, f"https://{server.host}/red/entry.git").status_code == 503
    first = git(work, "rev-parse", "HEAD")
    (work / "later.txt").write_text("later\n")
    commit(work)
    git(work, "push", "-q", "origin", "HEAD:main")
    due_now(site)
    taken_in(site.site)
    (entry,) = site.store.entries()
    with tarfile.open(archive_of(site.state, entry.sha256)) as tar:
        assert entry.commit == first and "later.txt" not in tar.getnames()
    server.tokens.clear()  # so that everybody may read
    with pytest.raises(EntryError, match=f"commit {'0' * 40}, .* is not in it any more; submit it again"):
        fetch(server, None, tmp_path, commit="0" * 40)


@pytest.fixture
def by_ssh(work: Path, tmp_path: Path) -> Iterator[SshServing]:
    with serving_ssh(tmp_path / "ssh") as ssh_server:
        yield ssh_server


@pytest.fixture
def ssh_site(by_ssh: SshServing, tmp_path: Path) -> Iterator[Site_]:
    """A site that knows the server's key."""
    with site_with(tmp_path / "state", **{by_ssh.host: {"ssh_host_key": by_ssh.host_key}}) as new_site:
        yield new_site


def test_each_team_has_a_deploy_key_that_the_site_shows_and_only_its_repositories_are_read_with_it(
    ssh_site: Site_, by_ssh: SshServing, work: Path, tmp_path: Path
) -> None:
    address = by_ssh.address(tmp_path / "red" / "entry.git")
    pages = [ssh_site.client(person).get("/challenges/cpsc2021/enter").text for person in (ANN, BOB, ANN)]
    keys = [re.findall(r"ssh-ed25519 [A-Za-z0-9+/=]+", page) for page in pages]
    assert keys[0] == keys[2] != keys[1] and len(keys[0]) == 1
    refused = submit(ssh_site, address)
    assert refused.status_code == 422 and "your team's deploy key is not in it" in refused.json()["detail"]
    by_ssh.authorized.write_text(f"{keys[0][0]} red\n")
    assert "your team's deploy key is not in it" in submit(ssh_site, address, BOB).json()["detail"]
    entry = submit(ssh_site, address).json()
    assert ssh_site.store.entry(entry["id"]).commit == git(work, "rev-parse", "HEAD")
    assert "another team submitted first" in submit(ssh_site, address, BOB).json()["detail"]
    files = [path for path in ssh_site.state.rglob("*") if path.is_file() and b"PRIVATE KEY" in path.read_bytes()]
    assert [(path.parent.name, path.stat().st_mode & 0o777) for path in files] == [("deploy-keys", 0o600)] * 2
    backup(ssh_site.store, ssh_site.state, ssh_site.state, open_depot(ssh_site.state, "")[1], tmp_path / "copy")
    assert not any(path.is_file() and b"PRIVATE KEY" in path.read_bytes() for path in (tmp_path / "copy").rglob("*"))


def test_server_with_another_key_than_the_organiser_named_gets_nothing(
    ssh_site: Site_, by_ssh: SshServing, tmp_path: Path
) -> None:
    other = by_ssh.host_key[:-4] + "AAAA"
    ssh_site.configure(repositories={by_ssh.host: {"ssh_host_key": other}})
    waits = submit(ssh_site, by_ssh.address(tmp_path / "red" / "entry.git"))
    assert waits.status_code == 503
    assert "has another key than repositories." in ssh_site.client(ADMIN).get("/organise").text
