"""The list of files that a guest writes to a raw disk: the guest is hostile."""

import struct
from pathlib import Path

import pytest

from evaluate.core.errors import SandboxFault
from evaluate.untrusted.answers_disk import MOST_FILES, unpack_answers

END = struct.pack("<HQ", 0, 0)


def listed(*files: tuple[bytes, bytes], end: bytes = END) -> bytes:
    return b"".join(struct.pack("<HQ", len(name), len(data)) + name + data for name, data in files) + end


def unpacked(tmp_path: Path, disk: bytes) -> dict[str, bytes]:
    (tmp_path / "disk").write_bytes(disk)
    target = tmp_path / "answers"
    names = unpack_answers(tmp_path / "disk", target, 1000)
    assert sorted(names) == sorted(str(p.relative_to(target)) for p in target.rglob("*") if p.is_file())
    return {name: (target / name).read_bytes() for name in names}


def test_files_are_written_where_their_names_say_if_these_are_plain_relative_paths(tmp_path: Path) -> None:
    deepest = "d/" * 63 + "a"
    bad = ((name, b"bad") for name in (b"../up", b"new\nline", b"\xff"))
    disk = listed(*bad, (b"a.json", b"{}"), (b"deep/er/b", b""), (deepest.encode(), b"1"))
    found = unpacked(tmp_path, disk + b"what an earlier command left")
    assert found == {"a.json": b"{}", "deep/er/b": b"", deepest: b"1"}
    assert sorted(p.name for p in tmp_path.iterdir()) == ["answers", "disk"]


@pytest.mark.parametrize(
    ("disk", "problem"),
    [
        (b"", "end too early"),
        (listed((b"a", b"b"), end=b""), "end too early"),
        (struct.pack("<HQ", 1, 900) + b"a", "end too early"),
        (listed((b"a", b"1"), (b"a/b", b"2")), "there twice, or in a file"),
        (struct.pack("<HQ", 2000, 0), "longer than"),
        (struct.pack("<HQ", 1, 1 << 60) + b"a", "longer than"),
    ],
)
def test_list_that_no_agent_writes_is_a_fault(disk: bytes, problem: str, tmp_path: Path) -> None:
    with pytest.raises(SandboxFault, match=problem):
        unpacked(tmp_path, disk)


def test_endless_list_of_empty_files_ends(tmp_path: Path) -> None:
    disk = listed(*((b"%d/.." % i, b"") for i in range(MOST_FILES + 5)))
    with pytest.raises(SandboxFault, match="100000 files"):
        unpacked(tmp_path, disk)
