"""Files as other systems leave them."""

from pathlib import Path

import pytest

import metrics
from metrics.base import ReferenceDataError
from metrics.readers.foreign import ANNEX, DVC, LFS, decoded, dvc_files, is_data, pointer

KEY = b"MD5E-s2097152--0123456789abcdef0123456789abcdef.bin"
FOREIGN = ["._a.json", "__MACOSX/a.json", "x/.DS_Store", "Thumbs.db", "thumbs.DB", "desktop.ini"]
DATA = ["a.json", ".hidden", "_a/b", "Thumbs.db.csv", "a._b"]


def test_all_is_data_but_what_file_managers_leave() -> None:
    assert [name for name in FOREIGN + DATA if is_data(name)] == DATA


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_text_is_read_in_the_encoding_that_its_first_bytes_say(encoding: str) -> None:
    mark = "" if encoding in ("utf-8", "utf-8-sig", "utf-16") else "\N{BOM}"
    assert decoded((mark + "é,1\r\n").encode(encoding)) == "é,1\r\n"


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", LFS),
        (b"/annex/objects/" + KEY + b"\n", ANNEX),
        (b".git/annex/objects/9k/QW/" + KEY + b"/" + KEY, ANNEX),
        (b"../../.git/annex/objects/9k/QW/" + KEY + b"/" + KEY, ANNEX),
        (b"/data/set/.git/annex/objects/9k/QW/" + KEY + b"/" + KEY, ANNEX),
        (b"../.dvc/cache/files/md5/01/23456789abcdef", DVC),
        (b"ls .git/annex/objects/\n", None),
        (b"record,label\n", None),
        (b"", None),
    ],
)
def test_pointers_are_told_from_content(content: bytes, kind: object) -> None:
    assert pointer(content) == kind


def test_a_file_of_dvc_stands_for_the_paths_that_it_names() -> None:
    text = b"outs:\n- md5: 0\n  size: 9\n  path: weights.pt\n- path: 'a b'\n"
    assert dvc_files("model/weights.pt.dvc", text) == ("model/weights.pt", "model/a b")
    assert dvc_files("weights.pt.dvc", b"") == ("weights.pt",)
    assert dvc_files("weights.pt", text) == ()


DICE = '{"measure": "segmentation.dice"}'
FILES = [
    ("cpsc2021", "a.hea"),
    ("camelyon16", "Tumor_001_Mask.png"),
    ("camelyon16", "Tumor_001.xml"),
    ("adaptor2021", "aicm1/V_0/point_labels/000001.json"),
    ("kits19", "case_00000.nii.gz"),
    (DICE, "a.png"),
    (DICE, "a.nii"),
    ('{"measure": "classification.accuracy"}', "references.csv"),
    ('{"measure": "physionet.snr2024"}', "a.hea"),
]


@pytest.mark.parametrize(("metric", "name"), FILES)
@pytest.mark.parametrize("way", ["git lfs pull", "git annex get", "dvc pull"])
def test_references_that_are_elsewhere_are_named_with_the_command_that_brings_them(
    tmp_path: Path, metric: str, name: str, way: str
) -> None:
    references, answers = tmp_path / "references", tmp_path / "answers"
    answers.mkdir()
    answer = answers / name.replace("references", "answers")
    answer.parent.mkdir(parents=True, exist_ok=True)
    answer.write_text("r1,A" if answer.suffix == ".csv" else "")
    (references / name).parent.mkdir(parents=True)
    for folder in (references, answers):
        (folder / "._a.json").write_bytes(b"\0\5\x16\7")
    if way == "dvc pull":
        (references / f"{name}.dvc").write_text("outs: []")
    elif way == "git annex get":
        (references / name).symlink_to(f"../.git/annex/objects/9k/QW/{KEY.decode()}")
    else:
        (references / name).write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")
    with pytest.raises(ReferenceDataError, match=way):
        metrics.get(metric).score(references, answers)
