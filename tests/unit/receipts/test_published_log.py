"""The published log: digests of everything, in the form of C2SP tlog-tiles, and the receipts that may be shown."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.core.errors import Fault, UsageError
from evaluate.core.files import data_folder
from evaluate.receipts.envelope import read_envelope
from evaluate.receipts.issue import Registry
from evaluate.receipts.keys import KeyRing
from evaluate.receipts.log import Log
from evaluate.receipts.published_log import ExportedLog, export
from tests.support.receipts import EVALUATION, Evaluate, issue, logged
from tests.support.scorers import written
from tests.unit.receipts.test_log import by_definition


def grown(log: Log, ring: KeyRing, size: int) -> Log:
    signer = ring.signer()
    for n in range(log.size, size):
        logged(log, b"receipt %d" % n, signer)
    return log


@pytest.mark.slow
def test_tiles_are_those_of_the_standard(tmp_path: Path, ring: KeyRing) -> None:
    log, site = grown(Log(tmp_path / "log"), ring, 70), tmp_path / "site"
    export(log, ring.public(), site, {})
    assert (site / "tile" / "0" / "000.p" / "70").stat().st_size == 70 * 32
    export(grown(log, ring, 520), ring.public(), site, {})
    leaves = [b"receipt %d" % n for n in range(520)]
    hashes = [by_definition([leaf]) for leaf in leaves]
    assert (site / "tile" / "0" / "000").read_bytes() == b"".join(hashes[:256])
    assert (site / "tile" / "0" / "002.p" / "8").read_bytes() == b"".join(hashes[512:])
    wanted = by_definition(leaves[:256]) + by_definition(leaves[256:512])
    assert (site / "tile" / "1" / "000.p" / "2").read_bytes() == wanted
    # each size had a head, which somebody may have
    assert sorted(int(file.name) for file in (site / "tile" / "0" / "002.p").iterdir()) == [*range(1, 9)]
    assert (site / "tile" / "0" / "002.p" / "5").read_bytes() == b"".join(hashes[512:517])
    head = ExportedLog(site).checkpoint
    assert head is not None and (head.size, head.root) == (520, by_definition(leaves))
    assert ExportedLog(site).problems(ring.public()) == []
    assert ExportedLog(site).proof(300).holds_for(b"receipt 300")


def test_a_site_is_brought_up_to_date_in_place_and_never_forks(tmp_path: Path, ring: KeyRing) -> None:
    log, site = grown(Log(tmp_path / "log"), ring, 3), tmp_path / "site"
    export(log, ring.public(), site, {})
    early = ExportedLog(site).checkpoint
    assert early is not None
    shutil.copytree(tmp_path / "log", tmp_path / "fork")
    export(grown(log, ring, 6), ring.public(), site, {})
    assert ExportedLog(site).problems(ring.public(), early) == []
    fork = Log(tmp_path / "fork")
    for n in range(5):
        logged(fork, b"other %d" % n, ring.signer())
    with pytest.raises(Fault, match="shows a log of 6 that this one of 8 does not continue: a fork"):
        export(fork, ring.public(), site, {})
    with pytest.raises(UsageError, match="is the site of the log"):
        export(grown(Log(tmp_path / "another"), ring, 1), ring.public(), site, {})
    with pytest.raises(UsageError, match="expected an empty folder"):
        export(log, ring.public(), written(tmp_path / "full", {"thesis.tex": ""}), {})


@pytest.mark.parametrize("name", ["tile/0/000.p/5", "checkpoint"])
def test_a_changed_file_of_a_site_is_seen(tmp_path: Path, ring: KeyRing, name: str) -> None:
    export(grown(Log(tmp_path / "log"), ring, 5), ring.public(), tmp_path / "site", {})
    file = tmp_path / "site" / name
    data = bytearray(file.read_bytes())
    data[40] ^= 1
    file.write_bytes(data)
    assert ExportedLog(tmp_path / "site").problems(ring.public())
    file.unlink()
    if name != "checkpoint":
        assert "cannot be read" in ExportedLog(tmp_path / "site").problems(ring.public())[0]


def test_only_receipts_that_may_be_shown_are_published(tmp_path: Path, registry: Registry, evaluate: Evaluate) -> None:
    private = issue(registry)
    evaluate("challenge", "seal", "cinc2017")
    site = tmp_path / "site"
    assert evaluate("log", "export", site).exit_code == 0
    assert [path.name for path in (site / "receipts").iterdir()] == ["1"]
    told = json.loads(private.receipt.read_bytes())
    everything = b"".join(path.read_bytes() for path in site.rglob("*") if path.is_file())
    assert told["payload"].encode() not in everything
    assert told["signatures"][0]["sig"].encode() not in everything
    assert evaluate("log", "verify", "--folder", site).exit_code == 0
    receipt = site / "receipts" / "1" / "receipt.json"
    assert evaluate("verify", receipt, "--key", site / "public.json", state="empty").exit_code == 0
    (tmp_path / "state" / "evaluate.yaml").write_text("challenges:\n  cinc2017: {receipts: published}\n")
    assert evaluate("log", "export", site).exit_code == 0
    assert sorted(path.name for path in (site / "receipts").iterdir()) == ["0", "1"]
    assert evaluate("log", "proof", "0", "--folder", site).stdout == evaluate("log", "proof", "0").stdout
    (site / "receipts" / "0" / "receipt.json").write_bytes(receipt.read_bytes())
    assert "receipt 0 is not the one in the log" in evaluate("log", "verify", "--folder", site).stdout


def test_receipts_and_seals_have_no_path_of_the_server(tmp_path: Path, evaluate: Evaluate) -> None:
    folder = Path(shutil.copytree(data_folder("challenges") / "cinc2017", tmp_path / "hearts"))
    (folder / "ours.py").write_text("from metrics import get\n\nMETRIC = get('cinc2017')\n")
    rules = (folder / "challenge.yaml").read_text()
    (folder / "challenge.yaml").write_text(re.sub(r"(?m)^metric: .*$", "metric: ours.py", rules))
    assert load_challenge(str(folder)).metric.endswith("/ours.py")
    receipt = issue(Registry(tmp_path / "state"), replace(EVALUATION, challenge="hearts"), str(folder)).receipt
    done = evaluate("challenge", "seal", folder, "--json", code=0)
    stated, sealed = read_envelope(receipt.read_bytes(), "it").statement["predicate"], json.loads(done.stdout)
    assert stated["challenge"]["metric"]["name"] == sealed["challenge"]["metric"]["name"] == "ours.py"
    del sealed["file"]
    assert not re.findall(rf'"/[a-z]|{tmp_path}', json.dumps([stated, sealed]))


def test_the_site_of_a_log_that_was_restored_is_continued(tmp_path: Path, evaluate: Evaluate) -> None:
    registry, site = Registry(tmp_path / "state"), tmp_path / "site"
    issue(registry)
    backup = shutil.copytree(tmp_path / "state", tmp_path / "backup")
    issue(registry)
    (tmp_path / "state" / "evaluate.yaml").write_text("challenges:\n  cinc2017: {receipts: published}\n")
    assert evaluate("log", "export", site).exit_code == 0
    old = shutil.copy(site / "checkpoint", tmp_path / "old")
    Registry(backup).restored("2026-11-22")
    assert evaluate("log", "export", site, state="backup").exit_code == 0
    done = evaluate("log", "verify", "--folder", site, "--since", old, state="backup", code=0)
    assert "was restored at size 1: its numbers 1 to 1 were lost" in done.stdout
    event = read_envelope((site / "receipts" / "1" / "receipt.json").read_bytes(), "it").statement["predicate"]
    assert (event["event"], event["former"]) == ("restored", registry.log.origin)
    assert "is the site of the log" in evaluate("log", "export", site).output, "the old log does not come back"
