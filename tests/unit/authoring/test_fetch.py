"""Downloads from a real HTTP server on loopback."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from evaluate.authoring.fetch import DataSource, Download, SourcePart, downloads, fetch, read_source
from evaluate.config.challenge.load import list_challenges
from evaluate.core.errors import ChallengeError, Fault, UsageError
from evaluate.core.files import data_folder
from tests.support.commands import run
from tests.support.loopback import serving

CONTENT = {"training/A1.mat": bytes(range(256)) * 5000, "training/A1.hea": b"A1 1 300\n", "REFERENCE.csv": b"A1,N\n"}


SUMS = "SHA256SUMS.txt"


class Server(ThreadingHTTPServer):
    """Files with their list, interrupted or refused on demand."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Request)
        self.url = f"http://127.0.0.1:{self.server_port}/"
        sums = "".join(f"{hashlib.sha256(data).hexdigest()} {name}\n" for name, data in CONTENT.items())
        self.files = {**CONTENT, SUMS: sums.encode()}
        self.asked: list[str] = []
        self.refuse: list[int] = []
        self.cut_after: list[int] = []


class Request(BaseHTTPRequestHandler):
    server: Server

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        name = self.path.lstrip("/")
        self.server.asked.append(name)
        if self.server.refuse or name not in self.server.files:
            self.send_error(self.server.refuse.pop(0) if self.server.refuse else 404)
            return
        data = self.server.files[name]
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[: self.server.cut_after.pop() if self.server.cut_after else None])


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(Server()) as server:
        yield server


def source(*parts: SourcePart) -> DataSource:
    return DataSource(page="http://x", licence="ODC-By 1.0", cite="Someone 2017", parts=parts)


def fetched(wanted: list[Download], target: Path) -> str:
    """The last words about the progress."""
    words: list[str] = []
    fetch(wanted, target, words.append, wait_seconds=0.01)
    return words[-1].partition(", last")[0]


def test_listed_files_come_and_are_checked(server: Server, tmp_path: Path) -> None:
    wanted = list(downloads(source(SourcePart(url=server.url, sums=SUMS, include=("training/*",)))))
    target = tmp_path / "here"
    assert fetched(wanted, target) == "2 of 2 files, 1.3 MB fetched"
    assert {str(p.relative_to(target)): p.read_bytes() for p in target.rglob("*.*")} == {
        name: data for name, data in CONTENT.items() if name.startswith("training")
    }
    assert fetched(wanted, target) == "2 of 2 files, 0.0 MB fetched"


def test_interrupted_file_is_fetched_again_and_numbered_ones_go_where_the_source_says(
    server: Server, tmp_path: Path
) -> None:
    name = "training/A1.mat"
    server.cut_after = [300_000]
    fetched([Download(url=server.url + name, name="r", sha256=None)], tmp_path)
    assert (tmp_path / "r").read_bytes() == CONTENT[name] and server.asked == [name, name]
    assert [path.name for path in tmp_path.iterdir()] == ["r"]
    part = SourcePart(url=server.url + "training/A{n}.hea", to="case_{n:05d}/x.hea", numbers=(1, 2))
    fetched(list(downloads(source(part))), tmp_path)
    assert (tmp_path / "case_00001/x.hea").read_bytes() == CONTENT["training/A1.hea"]


def test_busy_server_is_asked_again_and_a_missing_or_another_file_is_not_kept(server: Server, tmp_path: Path) -> None:
    server.refuse = [503, 429]
    download = Download(url=server.url + "REFERENCE.csv", name="r", sha256=None)
    fetched([download], tmp_path)
    assert (tmp_path / "r").read_bytes() == CONTENT["REFERENCE.csv"]
    server.asked.clear()
    with pytest.raises(Fault, match="404"):
        fetched([Download(url=server.url + "nothing", name="n", sha256=None)], tmp_path)
    assert len(server.asked) == 1
    with pytest.raises(Fault, match="expected SHA-256 0000"):
        fetched([replace(download, name="s", sha256="0" * 64)], tmp_path)
    assert not list(tmp_path.glob("[ns]*"))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        *dict.fromkeys(
            ["no sum", "0" * 64 + " ../up", "0" * 64 + " /etc/passwd", "0" * 64], "line 1: expected a"
        ).items(),
        ("0" * 64 + " training/a", r"nothing matches test/\*"),
    ],
)
def test_list_that_leads_away_or_lacks_what_is_wanted_is_refused(line: str, message: str, server: Server) -> None:
    server.files[SUMS] = f"{line}\n".encode()
    part = SourcePart(url=server.url, sums=SUMS, include=("training/*", "test/*"))
    with pytest.raises(ChallengeError, match=message):
        list(downloads(source(part)))


def test_sources_of_our_challenges_are_well_formed_and_a_challenge_without_one_says_so(tmp_path: Path) -> None:
    names = [name for name in list_challenges() if (data_folder("challenges") / name / "source.yaml").is_file()]
    assert "cinc2017" in names
    for name in names:
        read = read_source(data_folder("challenges") / name)
        assert read.licence and read.cite and read.parts
    with pytest.raises(UsageError, match=r"no public data to fetch"):
        read_source(tmp_path)


def test_command_shows_the_licence_and_fetches(server: Server, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "challenge.yaml").write_text("title: x\n")
    (folder / "source.yaml").write_text(
        f"page: {server.url}\nlicence: ODC-By 1.0\ncite: Clifford 2017\n"
        f"parts: [{{url: '{server.url}', sums: SHA256SUMS.txt}}]\n"
    )
    done = run(None, "challenge", "fetch", folder, "--to", tmp_path / "to")
    assert done.exit_code == 0, done.output
    for text in ("licence: ODC-By 1.0", "cite: Clifford 2017", "3 of 3 files"):
        assert text in done.output
    assert (tmp_path / "to" / "REFERENCE.csv").read_bytes() == CONTENT["REFERENCE.csv"]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ("[{url: ftp://x/}]", "parts[1].url: expected an address https://…, found 'ftp://x/'"),
        ("[{url: https://x/}]", "parts[1]: expected url (a folder, ending in /) and sums, or url, to and numbers"),
        (
            "[{url: 'https://x/{n}', to: '{n}', numbers: [3, 1]}]",
            "numbers: expected the first number and the one after",
        ),
    ],
)
def test_mistakes_in_a_source_are_named(tmp_path: Path, parts: str, message: str) -> None:
    (tmp_path / "source.yaml").write_text(f"page: https://x\nlicence: CC0\ncite: Someone\nparts: {parts}\n")
    with pytest.raises(ChallengeError) as error:
        read_source(tmp_path)
    assert message in str(error.value)
