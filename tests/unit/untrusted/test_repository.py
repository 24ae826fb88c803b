"""Addresses of repositories that are taken, before anything is fetched."""

import socket
import subprocess
from pathlib import Path

import pytest

from evaluate.core.errors import EntryError, Fault, UsageError
from evaluate.untrusted import repository
from evaluate.untrusted.repository import check_address, is_address, is_bundle, only_name


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """The names that can be looked up, and what they stand for."""
    known: dict[str, list[str]] = {"good.example": ["93.184.216.34"]}

    def getaddrinfo(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        if host not in known:
            host.encode("idna")
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in known[host]]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    return known


def test_address_of_a_public_machine_is_taken(names: dict[str, list[str]]) -> None:
    assert check_address("https://good.example/team/entry.git") == ("93.184.216.34",)
    assert check_address("https://good.example:8443/~team/my%20entry-1.0.git") == ("93.184.216.34",)


@pytest.mark.parametrize(
    "address",
    [
        "http://good.example/a.git",
        "HTTPS://good.example/a.git",
        "https://good.example/a",
        "https://good.example/.git?x=1.git",
        "https://good.example/a.git#b.git",
        "https://good.example:0/a.git",
        "https://good.example:65536/a.git",
        "https://good.example:+443/a.git",
        "https://good.example\\@evil.example/a.git",
        "https://good.exam\nple/a.git",
        "https://good.example/ a.git",
        "https://good.example/a.git\n",
        "https://-good.example/a.git",
        "https://gööd.example/a.git",
        "https://[::1/a.git",
        "https://" + "a" * 64 + ".example/a.git",
    ],
)
def test_address_of_another_form_is_not_taken(address: str, names: dict[str, list[str]]) -> None:
    with pytest.raises(UsageError, match=r"expected an address such as https://example\.org/team/entry\.git"):
        check_address(address)


@pytest.mark.parametrize("name", ["me:secret@good.example", "me:sec/ret@good.example", "me:sec\nret@good.example"])
def test_password_in_an_address_is_not_repeated(name: str, names: dict[str, list[str]]) -> None:
    with pytest.raises(UsageError) as found:
        check_address(f"https://{name}/a.git")
    assert "name or password" in str(found.value)
    assert "ret" not in str(found.value)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "100.64.0.1",
        "169.254.169.254",
        "224.0.0.1",
        "0.0.0.0",
        "::1",
        "fe80::1%1",
        "fd00::1",
        "ff0e::1",
        "::ffff:127.0.0.1",
        "::ffff:0:127.0.0.1",
        "::127.0.0.1",
        "64:ff9b:1::7f00:1",
        "64:ff9b::a00:1",
        "2002:7f00:1::",
    ],
)
def test_name_of_a_private_machine_is_not_taken(address: str, names: dict[str, list[str]]) -> None:
    names["evil.example"] = ["93.184.216.34", address]
    with pytest.raises(UsageError, match=r"evil\.example is not a public machine"):
        check_address("https://evil.example/a.git")
    assert check_address("https://evil.example/a.git", loopback=True)


def test_git_is_held_to_the_addresses_that_were_checked() -> None:
    pin = repository._pin("https://good.example:8443/a.git", ("2001:db8::1", "192.0.2.1"))
    assert pin == ["--config=http.curloptResolve=good.example:8443:[2001:db8::1],192.0.2.1"]
    assert repository._pin("https://good.example/a.git", ("192.0.2.1",))[0].endswith("good.example:443:192.0.2.1")


def test_unknown_name_is_looked_up_by_a_proxy_only(
    names: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match=r"there is no machine of the name new\.example \(Name or service not known\)"):
        check_address("https://new.example/a.git")
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    assert check_address("https://new.example/a.git") == ()


def test_name_servers_that_do_not_answer_are_no_fault_of_the_team(
    names: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", silent)
    with pytest.raises(Fault, match=r"good\.example cannot be looked up: .*Temporary failure"):
        check_address("https://good.example/a.git")


def test_disk_of_a_server_that_is_full_is_not_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    printed = "remote: fatal: write error: No space left on device\nfatal: early EOF\n"
    done = subprocess.CompletedProcess([], 128, "", printed)
    monkeypatch.setattr(repository.bounded, "run", lambda *_, **__: done)
    server = repository.RepositoryServer(url="https://good.example/a.git", login=None, environment={})
    with pytest.raises(EntryError, match="the repository cannot be read: fatal: early EOF"):
        repository._run(["fetch"], tmp_path / "bare", 1, 1.0, server)


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://Good.example/Team/Entry.git", "good.example/team/entry"),
        ("https://good.example:443/team/entry.git", "good.example/team/entry"),
        ("ssh://git@good.example/team/entry.git", "good.example/team/entry"),
        ("ssh://git@good.example:22/team/entry.git", "good.example/team/entry"),
        ("git@good.example:team/entry.git", "good.example/team/entry"),
        ("git@good.example:/team/entry.git", "good.example/team/entry"),
        ("https://good.example:8443/team/entry.git", "good.example:8443/team/entry"),
        ("ssh://git@good.example:443/team/entry.git", "good.example:443/team/entry"),
    ],
)
def test_repository_has_one_name_for_all_of_its_addresses(address: str, name: str) -> None:
    assert only_name(address) == name


def test_paths_are_no_addresses_and_bundles_are_known_by_their_first_line(tmp_path: Path) -> None:
    assert is_address("https://example.org/a.git") and is_address("git@example.org:a.git")
    assert not is_address("entry.zip") and not is_address("C:/entry.zip")
    for head, answer in (
        (b"# v2 git bundle\n", True),
        (b"# v3 git bundle\n@x", True),
        (b"# v2 git", False),
        (b"", False),
    ):
        (tmp_path / "file").write_bytes(head)
        assert is_bundle(tmp_path / "file") is answer
