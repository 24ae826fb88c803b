"""The guide for organisers under a real systemd: units start, an entry is evaluated, nothing is lost by a power cut."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from evaluate.core.waiting import Deadline
from evaluate.host.state import default_state
from evaluate.images.apt import host_settings
from evaluate.images.recipe import load_recipe
from tests.conftest import CHECKOUT

PROGRAMS = ("systemd-nspawn", "mmdebstrap", "nsenter")
MISSING = [program for program in PROGRAMS if shutil.which(program) is None]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can start a container with a systemd"),
    pytest.mark.skipif(bool(MISSING), reason=f"not found: {MISSING} (Debian packages systemd-container, mmdebstrap)"),
    pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the server's Python is Debian 12's"),
]
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
_UP = ("running", "degraded")
SUBMIT = "evaluate submit /srv/sample --challenge kits19 --team alpha 2>/dev/null"


def root_of_a_server(folder: Path) -> Path:
    """Unpack a bare Debian that has systemd; its tar is made once: a minute or two."""
    cache, recipe = default_state() / "cache", load_recipe("bookworm")
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
    folder.mkdir()
    subprocess.run(["tar", "-xf", target, "-C", folder, "--exclude=./dev/*"], check=True)
    return folder


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


def settings_of_this_machine(root: Path) -> tuple[list[Path], dict[str, str]]:
    """Folders to bind and variables with which apt and pip in the server reach the mirrors as this machine does."""
    shutil.copytree("/etc/apt", root / "etc/apt", dirs_exist_ok=True, symlinks=True)
    binds = [Path(name) for name in (*_SETTINGS, *os.environ.get(BINDS, "").split(":")) if name and Path(name).exists()]
    variables = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    bundle = Path(os.environ.get("SSL_CERT_FILE", "/etc/ssl/certs/ca-certificates.crt"))
    shutil.copyfile(bundle, root / "srv" / "mirrors.crt")  # the package ca-certificates writes its own bundle again
    for name in ("SSL_CERT_FILE", "PIP_CERT", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        variables[name] = "/srv/mirrors.crt"
    if Path("/etc/resolv.conf").exists():
        shutil.copyfile("/etc/resolv.conf", root / "etc/resolv.conf")
    return binds, variables


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Debian that has nothing of evaluate."""
    return root_of_a_server(tmp_path_factory.mktemp("systemd") / "root")


@pytest.fixture(scope="module")
def server(root: Path) -> Iterator[Server]:
    with installed(root) as started:
        yield started


@pytest.fixture(scope="module")
def service(server: Server) -> Server:
    """A server whose daemon runs, and is started again at a boot, whichever test of this file comes first."""
    server.run("systemctl enable --now evaluate", check=True)
    server.waits("journalctl --unit evaluate --output cat", "daemon started")
    return server


@contextmanager
def installed(root: Path) -> Iterator[Server]:
    """A server with this checkout installed, but for Debian's packages of machines."""
    environment = {**os.environ, "DESTDIR": str(root), "PYTHON": sys.executable}
    argv = ["sh", CHECKOUT / "install.sh", "--with-site"]
    subprocess.run(argv, env=environment, check=True, capture_output=True)
    (root / "opt/evaluate").symlink_to(sys.prefix)
    # the program is that of the tests, perhaps below /tmp, of which each service has its own, or in a closed home
    show = root / "etc/systemd/system/service.d/program.conf"
    show.parent.mkdir()
    show.write_text(f'[Service]\nBindReadOnlyPaths="{CHECKOUT}" "{sys.prefix}"\n')
    shutil.copytree(CHECKOUT / "challenges/kits19/sample_entry", root / "srv/sample")
    with Server(root, (CHECKOUT, Path(sys.prefix))) as server_:
        for folder in {*CHECKOUT.parents, *Path(sys.prefix).parents} - {CHECKOUT}:
            server_.run(f"chmod o+x {shlex.quote(str(folder))} || true")
        server_.run("systemd-sysusers && systemd-tmpfiles --create evaluate.conf", check=True)
        server_.run("for f in /etc/subuid /etc/subgid; do echo evaluate:2000000:65536 >>$f; done", check=True)
        yield server_


def test_service_starts_and_evaluates_what_root_submits(server: Server) -> None:
    server.run("systemctl enable --now evaluate", check=True)
    entry = server.run(SUBMIT, check=True).strip()
    server.waits(f"evaluate status {entry} --json", '"state": "done"')
    assert "verdict: OK, passed" in server.run(f"evaluate report {entry}", check=True)
    assert server.run("systemctl show evaluate --property NRestarts").strip() == "NRestarts=0"
    owners = server.run("find /var/lib/evaluate -not -user evaluate").split()
    assert owners == []


def test_only_the_user_of_the_services_reaches_the_helper(service: Server) -> None:
    assert service.run("systemctl is-active evaluate-helper.socket").strip() == "active"
    assert service.run("stat --format='%F %U %a' /run/evaluate-helper.socket").strip() == "socket evaluate 600"
    lines = sorted(service.run("systemctl show evaluate --property User,DelegateControllers,OOMPolicy").splitlines())
    assert lines == ["DelegateControllers=cpu io memory pids", "OOMPolicy=continue", "User=evaluate"]


def test_everybody_finds_the_servers_state_directory(service: Server) -> None:
    for who in ("", "runuser -u evaluate -- "):
        assert "queued" in service.run(f"{who}evaluate status", check=True)
    refusal = service.run("runuser -u nobody -- evaluate status")
    assert "it belongs to the user evaluate: type 'sudo evaluate" in refusal
    assert "kits19: no problems" in service.run("evaluate challenge check kits19", check=True)
    assert "ok    walls" in service.run("evaluate doctor")


def test_journal_has_priorities(service: Server) -> None:
    service.run("echo 'slots: many' >/var/lib/evaluate/evaluate.yaml; systemctl reload evaluate", check=True)
    service.waits("journalctl --unit evaluate --priority warning --output cat", "evaluate.yaml")
    service.run("rm /var/lib/evaluate/evaluate.yaml; systemctl reload evaluate", check=True)
    assert "daemon started" not in service.run("journalctl --unit evaluate --priority warning --output cat")


def test_site_backup_and_prune_run_with_the_rights_that_they_have(service: Server) -> None:
    service.run("systemctl start evaluate-backup evaluate-prune", check=True)
    assert "backup.json" in service.run("ls /var/backups/evaluate")
    service.run("systemctl enable --now evaluate-web evaluate-backup.timer evaluate-prune.timer", check=True)
    asks = "python3 -c 'import urllib.request as r; print(r.urlopen(\"http://127.0.0.1:8000/\").status)' 2>&1"
    service.waits(asks, "200")
    # what the site may do is enough for the walls around what reads uploads
    service.run(
        "mkdir -p /run/systemd/system/evaluate-prune.service.d; printf '[Service]\\nExecStart=\\nExecStart=-%s\\n' "
        "'/opt/evaluate/bin/python -m evaluate doctor' >/run/systemd/system/evaluate-prune.service.d/walls.conf; "
        "systemctl daemon-reload; systemctl start evaluate-prune",
        check=True,
    )
    service.waits("journalctl --unit evaluate-prune --output cat", "ok    walls", 60)
    assert "evaluate-backup.timer" in service.run("systemctl list-timers --all")


def test_power_cut_loses_nothing(service: Server) -> None:
    entries = service.run(f"{SUBMIT}; {SUBMIT}", check=True).split()
    service.power_cut()
    service.boot()
    for entry in entries:
        service.waits(f"evaluate status {entry} --json", '"state": "done"')
    service.run("evaluate verify-state", check=True)


def site_behind_nginx(server: Server) -> None:
    """Start the site with the configuration of the guide before it, and read the board by TLS."""
    text = re.search(r"```nginx\n(.*?)```", (CHECKOUT / "docs/web.md").read_text(), re.DOTALL)
    assert text
    (server.root / "etc/nginx/sites-enabled/evaluate").write_text(text[1])
    folder = "/etc/letsencrypt/live/challenge.example.org"
    server.run(
        f"mkdir -p {folder}; openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=challenge.example.org "
        f"-keyout {folder}/privkey.pem -out {folder}/fullchain.pem; systemctl enable --now evaluate-web; "
        "systemctl restart nginx",
        check=True,
    )
    asks = (
        "python3 -c 'import ssl, urllib.request as r; print(r.urlopen(r.Request("
        '"https://127.0.0.1/challenges/cinc2017/board", headers={"Host": "challenge.example.org"}), '
        "context=ssl._create_unverified_context()).read().decode())' 2>&1"
    )
    assert "alpha" in server.waits(asks, "alpha")


@pytest.mark.long
def test_guide_from_an_empty_server_to_its_removal(tmp_path: Path) -> None:
    root = root_of_a_server(tmp_path / "root")
    binds, variables = settings_of_this_machine(root)
    source = root / "srv/source"
    names = subprocess.run(["git", "ls-files", "-z"], cwd=CHECKOUT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(CHECKOUT / name, source / name)
    with Server(root, binds, own_network=False) as server:
        version = {"SETUPTOOLS_SCM_PRETEND_VERSION": "0.1", "HATCH_VCS_PRETEND_VERSION": "0.1"}
        install = "sh /srv/source/install.sh --with-site"
        server.run(install, check=True, seconds=1800, **variables, **version)
        server.run("apt-get install -y --no-install-recommends nginx-light", check=True, seconds=600, **variables)
        server.run("printf 'challenges:\\n  cinc2017: {}\\n' >/var/lib/evaluate/evaluate.yaml", check=True)
        server.run("cp -r /srv/source/challenges/cinc2017/sample_entry /srv/sample; systemctl enable --now evaluate")
        submit = "evaluate submit /srv/sample --challenge cinc2017 --team alpha 2>/dev/null"
        entry = server.run(submit, check=True).strip()
        asks = f"evaluate status {entry} --json"
        server.waits(asks, '"quiz"', 1800)
        server.run("systemctl stop evaluate", check=True)
        server.run("systemctl start evaluate", check=True)
        server.waits(asks, '"exam', 1800)
        server.power_cut()
        server.own_network = True  # its ports are its own
        server.boot()
        server.waits(asks, '"state": "done"', 1800)
        assert "verdict: OK, passed" in server.run(f"evaluate report {entry}", check=True)
        server.run("evaluate verify-state", check=True)
        site_behind_nginx(server)
        server.power_cut()
        server.own_network = False
        server.boot()
        waiting = server.run(f"{submit}; touch /srv/sample/notes; {submit}", check=True).split()[-1]
        assert server.run("evaluate --version", check=True).split()[-1] == "0.1"
        newer = dict.fromkeys(version, "0.2")
        server.run(install, check=True, seconds=1800, **variables, **newer)
        assert server.run("evaluate --version", check=True).split()[-1] == "0.2"
        server.run("systemctl restart evaluate", check=True)
        server.waits(f"evaluate status {waiting} --json", '"state": "done"', 1800)
        server.waits("evaluate host list", "0.2")
        server.run("evaluate verify-state", check=True)
        server.run("sh /srv/source/install.sh --uninstall", check=True)
        assert server.run("systemctl is-active evaluate").strip() == "inactive"
        assert server.run("command -v evaluate; ls /etc/systemd/system | grep evaluate").strip() == ""
        assert "queue.sqlite" in server.run("ls /var/lib/evaluate")
