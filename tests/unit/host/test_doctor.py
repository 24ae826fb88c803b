"""What `evaluate doctor` finds out about the processes of this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

PROBE = """
from evaluate.host import doctor
doctor.default_uri = lambda: "qemu:///session"
(check,) = doctor.orphans_check()
assert check.ok or "--init" in check.found
print(check.ok)
"""


@pytest.mark.parametrize(("reaper", "reaps"), [(("tini", "-s", "--"), True), ((), False)])
def test_process_one_that_reaps_no_orphans_is_named(reaper: tuple[str, ...], reaps: bool) -> None:
    """Process 1 of the namespace is the probe itself, which reaps nothing, unless a reaper stands in between."""
    if reaper and shutil.which(reaper[0]) is None:
        pytest.skip("no tini on this machine (Debian package tini)")
    alone = ("unshare", "--pid", "--fork", "--mount-proc", *(() if os.geteuid() == 0 else ("--map-root-user",)))
    argv = [*alone, *reaper, sys.executable, "-c", PROBE]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == str(reaps), done.stderr
