"""An error of the machine is neither the team's nor the organiser's."""

import errno
import gzip
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaluate.stages.confined import CHALLENGE_ERROR, answer
from metrics.base import AnswerError, ReferenceDataError
from metrics.readers.files import list_names, read_bounded, read_records
from metrics.readers.references import load_lesions
from metrics.readers.volumes import open_volume
from tests.support.volume_files import nifti_bytes
from tests.unit.stages.test_confined import OWN

MACHINES = [errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ESTALE, errno.ENOSPC]
FILES = [errno.EACCES, errno.ELOOP, errno.ENAMETOOLONG, errno.ENOTDIR]


def volume(path: Path) -> None:
    np = pytest.importorskip("numpy")
    path.write_bytes(gzip.compress(nifti_bytes(np.zeros((2, 2, 2), np.uint8))))
    open_volume(path, AnswerError, record="a")


READERS: dict[str, Callable[[Path], object]] = {
    "a file": lambda folder: read_bounded(folder / "file", 100, AnswerError),
    "a list": lambda folder: read_records(folder / "file"),
    "a folder": lambda folder: list_names(folder, AnswerError),
    "a volume": lambda folder: volume(folder / "a.nii.gz"),
    "a mask": lambda folder: load_lesions(folder / "Tumor_001_Mask.png", record="a", rules="official", cache=None),
}


def failing(number: int) -> Callable[..., Any]:
    def fails(*_: object, **__: object) -> Any:
        raise OSError(number, os.strerror(number))

    return fails


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("file", "Tumor_001_Mask.png"):
        (tmp_path / name).write_bytes(b"a,1\n")
    return tmp_path


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("number", MACHINES, ids=errno.errorcode.get)
def test_error_of_the_machine_is_raised_as_it_is(
    name: str, number: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for call in ("open", "scandir"):
        monkeypatch.setattr(os, call, failing(number))
    monkeypatch.setattr(Path, "open", failing(number))
    monkeypatch.setattr(Path, "write_bytes", lambda *_: None)
    monkeypatch.setattr(Path, "read_bytes", failing(number))
    with pytest.raises(OSError, match=os.strerror(number)) as caught:
        READERS[name](folder)
    assert caught.value.errno == number


@pytest.mark.parametrize("number", FILES, ids=errno.errorcode.get)
def test_error_of_a_file_is_its_owners(number: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for call in ("open", "scandir"):
        monkeypatch.setattr(os, call, failing(number))
    for name, error in (("a file", AnswerError), ("a list", ReferenceDataError), ("a folder", AnswerError)):
        with pytest.raises(error, match="cannot be"):
            READERS[name](folder)


def test_error_while_a_file_is_read_is_judged_as_well(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "read", failing(errno.EIO))
    with pytest.raises(OSError, match="Input/output error"):
        read_bounded(folder / "file", 100, AnswerError)


def test_broken_disk_under_a_metric_of_the_organiser_is_not_his(tmp_path: Path) -> None:
    disk, name = tmp_path / "disk.py", tmp_path / "name.py"
    disk.write_text(OWN.replace("BODY", f"raise OSError({errno.EIO}, 'of a disk')"))
    with pytest.raises(OSError, match="of a disk"):
        answer(str(disk), tmp_path, tmp_path, None, "corrected")
    name.write_text(OWN.replace("BODY", f"raise OSError({errno.ENOENT}, 'of a disk')"))
    assert answer(str(name), tmp_path, tmp_path, None, "corrected").kind == CHALLENGE_ERROR
