"""A server with a real systemd, as process 1 of a container: it can be shut down, and lose its power."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

from evaluate.core.waiting import Deadline
from evaluate.images.apt import host_settings
from evaluate.images.recipe import load_recipe

PROGRAMS = ("systemd-nspawn", "mmdebstrap", "nsenter")
PACKAGES = (
    *("systemd", "systemd-sysv", "dbus", "libpam-systemd", "udev", "ca-certificates", "python3"),
    *("bubblewrap", "libseccomp2", "uidmap", "util-linux"),
)
_SECONDS = 300.0
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_CALLS = "bpf keyctl add_key perf_event_open"
_SETTINGS = ("/etc/pip.conf", "/etc/xdg/pip")
BINDS = "EVALUATE_TEST_BINDS"
"""Further folders of this machine, separated by colons, that its settings of apt and pip name."""


def root_of_a_server(cache: Path) -> Path:
    """A tar with a bare Debian that has systemd, made once: a minute or two."""
    recipe = load_recipe("bookworm")
    digest = hashlib.sha256(repr((PACKAGES, recipe.digest)).encode()).hexdigest()[:12]
    target = cache / f"systemd-{digest}.tar"
    if not target.exists():
        cache.mkdir(parents=True, exist_ok=True)
        settings, part = cache / f"apt-{os.getpid()}.conf", target.with_suffix(f".{os.getpid()}.part")
        settings.write_text("".join(f"{line}\n" for line in host_settings()))
        options = ("--variant=minbase", "--format=tar", f"--include={','.join(PACKAGES)}", f"--aptopt={settings}")
        argv = ["mmdebstrap", "--quiet", *options, recipe.release, str(part), *recipe.signed_sources()]
        subprocess.run(argv, check=True, capture_output=True)
        part.replace(target)
    return target


class Server:
    """The server in a folder; it runs until the context ends."""

    def __init__(self, root: Path, binds: Sequence[Path] = (), *, own_network: bool = True) -> None:
        self.root = root
        self._binds = tuple(binds)
        self.own_network = own_network
        """True if it reaches nobody, from the next boot on."""
        self._container: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Server:
        self.boot()
        return self

    def __exit__(self, *_: object) -> None:
        self.power_cut()

    def boot(self) -> None:
        """Start it, and wait until systemd has."""
        network = ["--private-network"] if self.own_network else []
        binds = [f"--bind-ro={path}" for path in self._binds]
        places = ["--resolv-conf=off", "--timezone=off", "--register=no", "--keep-unit", "--console=pipe"]
        argv = ["systemd-nspawn", "--quiet", "-D", str(self.root), "--boot", *places, *network, *binds]
        argv += ["--capability=all", f"--system-call-filter={_CALLS}"]
        self._container = subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = Deadline(_SECONDS)
        while self._has_not_begun() or self.run("systemctl is-system-running --wait").strip() not in _UP:
            if deadline.passed or self._container.poll() is not None:
                raise TimeoutError(f"the server in {self.root} did not start")
            time.sleep(0.1)

    def power_cut(self) -> None:
        """Kill all that runs in it, at once."""
        assert self._container is not None
        for process in psutil.Process(self._container.pid).children() if self._container.poll() is None else ():
            process.send_signal(signal.SIGKILL)
        self._container.wait(_SECONDS)

    def run(self, script: str, *, check: bool = False, seconds: float = _SECONDS, **variables: str) -> str:
        """Run a script in a shell of root; returns its output, errors included."""
        settings = [f"{name}={value}" for name, value in variables.items()]
        argv = [
            "nsenter",
            "--target",
            str(self.process),
            "--all",
            "env",
            "-i",
            f"PATH={_PATH}",
            "HOME=/root",
            *settings,
        ]
        done = subprocess.run(
            [*argv, "/bin/bash", "-c", f"cd; {script}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=seconds,
        )
        assert done.returncode == 0 or not check, f"{script}:\n{done.stdout}"
        return done.stdout

    @property
    def process(self) -> int:
        """The id of its systemd, as this machine sees it."""
        return int(psutil.Process(self._container.pid if self._container else 0).children()[0].pid)

    def waits(self, script: str, wanted: str, seconds: float = _SECONDS) -> str:
        """Repeat a script until it prints something."""
        deadline = Deadline(seconds)
        while wanted not in (output := self.run(script)):
            assert not deadline.passed, f"{script}: expected {wanted!r}, found {output}"
            time.sleep(0.2)
        return output

    def _has_not_begun(self) -> bool:
        assert self._container is not None
        return not psutil.Process(self._container.pid).children()


_UP = ("running", "degraded")


def unpacked(tar: Path, folder: Path) -> Path:
    """The root of a server of its own."""
    folder.mkdir(parents=True)
    subprocess.run(["tar", "-xf", tar, "-C", folder, "--exclude=./dev/*"], check=True)
    return folder


def settings_of_this_machine(root: Path) -> tuple[list[Path], dict[str, str]]:
    """Folders to bind and variables with which apt and pip in the server reach the mirrors as this machine does."""
    shutil.copytree("/etc/apt", root / "etc/apt", dirs_exist_ok=True, symlinks=True)
    binds = [Path(name) for name in (*_SETTINGS, *os.environ.get(BINDS, "").split(":")) if name and Path(name).exists()]
    variables = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    bundle = Path(os.environ.get("SSL_CERT_FILE", "/etc/ssl/certs/ca-certificates.crt"))
    shutil.copyfile(bundle, root / "srv" / "mirrors.crt")  # the package ca-certificates writes its own bundle anew
    for name in ("SSL_CERT_FILE", "PIP_CERT", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        variables[name] = "/srv/mirrors.crt"
    if Path("/etc/resolv.conf").exists():
        shutil.copyfile("/etc/resolv.conf", root / "etc/resolv.conf")
    return binds, variables
