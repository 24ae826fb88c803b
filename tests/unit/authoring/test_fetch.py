"""Downloads from a real HTTP server on loopback."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from evaluate.authoring.fetch import DataSource, Download, SourcePart, downloads, fetch, read_source
from evaluate.config.challenge.load import list_challenges
from evaluate.core.errors import ChallengeError, Fault, UsageError
from evaluate.core.files import data_folder
from tests.support.commands import command
from tests.support.loopback import serving

CONTENT = {"training/A1.mat": bytes(range(256)) * 5000, "training/A1.hea": b"A1 1 300\n", "REFERENCE.csv": b"A1,N\n"}


class Handler(SimpleHTTPRequestHandler):
    """Files of a folder, interrupted on demand."""

    asked: ClassVar[list[str]] = []
    cut_after: ClassVar[dict[str, int]] = {}
    refuse: ClassVar[dict[str, list[int]]] = {}

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        name = self.path.lstrip("/")
        self.asked.append(name)
        path = Path(self.directory) / name
        if self.refuse.get(name) or not path.is_file():
            self.send_error(self.refuse[name].pop(0) if self.refuse.get(name) else 404)
            return
        data = path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[: self.cut_after.pop(name, len(data))])


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    folder = tmp_path / "published"
    for name, data in CONTENT.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    sums = "".join(f"{hashlib.sha256(data).hexdigest()} {name}\n" for name, data in CONTENT.items())
    (folder / "SHA256SUMS.txt").write_text(sums)
    Handler.asked, Handler.cut_after, Handler.refuse = [], {}, {}
    with serving(ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))) as server:
        yield f"http://127.0.0.1:{server.server_port}/"


def source(*parts: SourcePart) -> DataSource:
    return DataSource(page="http://x", licence="ODC-By 1.0", cite="Someone 2017", parts=parts)


def fetched(wanted: list[Download], target: Path) -> str:
    """The last words about the progress."""
    words: list[str] = []
    fetch(wanted, target, words.append, wait_seconds=0.01)
    return words[-1].partition(", last")[0]


def test_listed_files_come_and_are_checked(server: str, tmp_path: Path) -> None:
    wanted = list(downloads(source(SourcePart(url=server, sums="SHA256SUMS.txt", include=("training/*",)))))
    target = tmp_path / "here"
    assert fetched(wanted, target) == "2 of 2 files, 1.3 MB fetched"
    assert {str(p.relative_to(target)): p.read_bytes() for p in target.rglob("*.*")} == {
        name: data for name, data in CONTENT.items() if name.startswith("training")
    }
    assert fetched(wanted, target) == "2 of 2 files, 0.0 MB fetched"


def test_interrupted_file_is_fetched_again(server: str, tmp_path: Path) -> None:
    name = "training/A1.mat"
    Handler.cut_after[name] = 300_000
    fetched([Download(url=server + name, name="r", sha256=None)], tmp_path)
    assert (tmp_path / "r").read_bytes() == CONTENT[name] and Handler.asked == [name, name]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["published", "r"]


def test_busy_server_is_asked_again_and_a_missing_or_another_file_is_not_kept(server: str, tmp_path: Path) -> None:
    Handler.refuse["REFERENCE.csv"] = [503, 429]
    download = Download(url=server + "REFERENCE.csv", name="r", sha256=None)
    fetched([download], tmp_path)
    assert (tmp_path / "r").read_bytes() == CONTENT["REFERENCE.csv"]
    Handler.asked.clear()
    with pytest.raises(Fault, match="404"):
        fetched([Download(url=server + "nothing", name="n", sha256=None)], tmp_path)
    assert len(Handler.asked) == 1
    with pytest.raises(Fault, match="expected SHA-256 0000"):
        fetched([replace(download, name="s", sha256="0" * 64)], tmp_path)
    assert not list(tmp_path.glob("[ns]*"))


def test_numbered_files_go_where_the_source_says(server: str, tmp_path: Path) -> None:
    part = SourcePart(url=server + "training/A{n}.hea", to="case_{n:05d}/x.hea", numbers=(1, 2))
    fetched(list(downloads(source(part))), tmp_path)
    assert (tmp_path / "case_00001/x.hea").read_bytes() == CONTENT["training/A1.hea"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        *dict.fromkeys(
            ["no sum", "0" * 64 + " ../up", "0" * 64 + " /etc/passwd", "0" * 64], "line 1: expected a"
        ).items(),
        ("0" * 64 + " training/a", r"nothing matches test/\*"),
    ],
)
def test_list_that_leads_away_or_lacks_what_is_wanted_is_refused(
    line: str, message: str, server: str, tmp_path: Path
) -> None:
    (tmp_path / "published" / "SHA256SUMS.txt").write_text(line + "\n")
    part = SourcePart(url=server, sums="SHA256SUMS.txt", include=("training/*", "test/*"))
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


def test_command_shows_the_licence_and_fetches(server: str, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "challenge.yaml").write_text("title: x\n")
    (folder / "source.yaml").write_text(
        f"page: {server}\nlicence: ODC-By 1.0\ncite: Clifford 2017\n"
        f"parts: [{{url: '{server}', sums: SHA256SUMS.txt}}]\n"
    )
    code, output = command(None, "challenge", "fetch", folder, "--to", tmp_path / "to")
    assert code == 0, output
    assert "licence: ODC-By 1.0" in output
    assert "cite: Clifford 2017" in output
    assert "3 of 3 files" in output
    assert (tmp_path / "to" / "REFERENCE.csv").read_bytes() == CONTENT["REFERENCE.csv"]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ("[x]", "parts[1]: expected keys and values, found 'x'"),
        ("x", "parts: expected a list of parts, found 'x'"),
        ("[]", "parts: expected a list of parts, found []"),
        ("[{url: ftp://x/}]", "parts[1].url: expected an address https://…, found 'ftp://x/'"),
        ("[{url: https://x/}]", "parts[1]: expected url (a folder, ending in /) and sums, or url, to and numbers"),
        ("[{url: https://x/, sums: S, nubmers: [0, 1]}]", "parts[1]: unknown key 'nubmers'; did you mean 'numbers'?"),
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
