"""The guest agent against programs that do their worst, in a real guest; one boot for most of the tests."""

import hashlib
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from tarfile import CHRTYPE, DIRTYPE

import pytest

from evaluate.core.errors import SandboxFault
from evaluate.core.model import MIB
from evaluate.images.image import Image
from evaluate.protocol import messages
from evaluate.protocol.guest import HOME
from evaluate.sandbox import disks
from tests.support.bare_guest import BareGuest, bare_guest
from tests.support.oci_images import layer, special, squashed

pytestmark = pytest.mark.vm

# small, so that filling them takes little time
DISKS = {"root": 64 * MIB, "home": 48 * MIB, "tmp": 32 * MIB}
ENTRY = bytes(range(256)) * 5
OK = ["/bin/true"]
OPEN = special("srv/open", DIRTYPE, mode=0o1777)


@pytest.fixture(scope="module")
def guest(image: Image, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BareGuest]:
    """A guest with an entry of 1280 bytes and a medium with three records."""
    folder = tmp_path_factory.mktemp("agent")
    records = {f"records/{name}.txt": folder / name for name in ("A01", "A02", "A03")}
    for path in records.values():
        path.write_text(f"signal of {path.name}\n")
    entry = folder / "entry"
    entry.write_bytes(ENTRY)
    medium = disks.medium(folder / "records.iso", records)
    upper = layer(("opt/both", b"upper"), extra=(special("opt/gone", CHRTYPE), OPEN))
    lower = layer(*((f"opt/{name}", b"lower") for name in ("both", "lower", "gone")))
    layers = [squashed(folder / "upper.squashfs", upper), squashed(folder / "lower.squashfs", lower)]
    with bare_guest(image, folder / "guest", disk_bytes=DISKS, entry=entry, records=medium, layers=layers) as guest:
        guest.hello(layers=2, entry=True, records=True)
        yield guest


_ORDERS = "/usr/share /opt /srv /usr/lib /etc/ssl", "/etc/ssl /usr/lib /srv /opt /usr/share"


def test_folder_of_the_root_that_anybody_may_write_to_is_as_new_for_each_record(guest: BareGuest) -> None:
    # the first test, so that the first commands of a machine are among those compared
    # the kernel notes when / was given its date
    look = "stat -c '%n %d %i %s %X %Y %W %h' /; stat -c '%n %d %i %s %X %Y %Z %W %h' /srv /srv/open; ls -A / /srv/open"
    before = guest.sh(look)
    for write in ("echo letter >/srv/open/letter", "mkdir -p /srv/open/a/b", "ln -s letter /srv/open/link"):
        assert guest.sh(f"{write} && ls /srv/open | wc -l").stdout == "1\n"
        assert guest.sh(look).stdout == before.stdout
    numbers = [guest.sh(f"echo x >/srv/open/x; stat -c '%i %n' {order} | sort").stdout for order in _ORDERS]
    assert numbers[0] == numbers[1]
    full = guest.sh("head -c 100M /dev/zero >/srv/open/letter")
    assert (full.exit_code, full.facts.disk_full) == (1, ("root",))
    assert guest.sh(look).stdout == before.stdout
    assert guest.sh("echo kept >/srv/open/letter", keep=True).exit_code == 0
    assert guest.sh("cat /srv/open/letter; rm /srv/open/letter; ls /srv/open").stdout == "kept\n"
    assert guest.sh("cat /srv/open/letter").stdout == "kept\n"
    assert guest.sh("rm /srv/open/letter", keep=True).exit_code == 0
    assert guest.sh("ls -A /srv/open").stdout == ""


def test_world_of_a_command_is_the_layers_on_the_base_with_a_loopback_and_nothing_outside(guest: BareGuest) -> None:
    ended = guest.sh("cat /opt/both /opt/lower; ls /opt; test -x /usr/bin/python3")
    assert (ended.exit_code, ended.stdout) == (0, "upperlowerboth\nlower\n")
    talk = (
        "import socket; s = socket.create_server(('127.0.0.1', 0)); c = socket.create_connection(s.getsockname());"
        "a, _ = s.accept(); c.sendall(b'hello'); print(a.recv(9).decode())"
    )
    assert guest.run(["/usr/bin/python3", "-c", talk]).stdout == "hello\n"
    processes, cgroup, *network = guest.sh("ps -e -o pid= | wc -l; cat /proc/self/cgroup /proc/net/dev").stdout.split(
        "\n"
    )
    assert (int(processes) <= 5, cgroup, "eth" in "".join(network)) == (True, "0::/", False)


# How a command ends


def test_exit_codes_and_signals_arrive_and_what_cannot_start_is_the_entrys_failure(guest: BareGuest) -> None:
    ended = guest.sh("kill -SEGV $$")
    assert (ended.exit_code, ended.facts.signal) == (None, 11)
    missing = guest.run(["/nowhere/next"])
    assert missing.exit_code == 127
    assert "/nowhere/next: No such file or directory" in missing.stderr
    assert guest.run(["/etc/passwd"]).exit_code == 126
    gone = guest.run(OK, cwd=f"{HOME}/gone")
    assert gone.exit_code == 127
    assert "gone" in gone.stderr


def test_command_that_removes_its_own_folder_ends_as_it_says(guest: BareGuest) -> None:
    ended = guest.sh(f"rm -rf {HOME}/x; mkdir {HOME}/x && cd {HOME}/x && rmdir {HOME}/x; exit 3", collect=["x/answer"])
    assert ended.exit_code == 3
    assert ended.problems == {"x/answer": "missing"}


def test_environment_is_the_documented_one(guest: BareGuest) -> None:
    lines = set(guest.run(["/usr/bin/env"], env={"RECORD": "A01"}).stdout.splitlines())
    assert {"HOME=/home/challenge", "USER=challenge", "LANG=C.UTF-8", "TERM=dumb", "RECORD=A01"} <= lines
    assert not any(line.startswith("TMPDIR=") for line in lines)


def test_standard_input_is_empty_or_the_entry(guest: BareGuest) -> None:
    assert guest.sh("wc -c").stdout == "0\n"
    ended = guest.sh(f"head -c {len(ENTRY)} | sha256sum; readlink /proc/self/fd/0", stdin_entry=True)
    assert ended.stdout.startswith(hashlib.sha256(ENTRY).hexdigest())
    assert guest.sh("echo changed >/proc/self/fd/0; echo changed >&0", stdin_entry=True).exit_code != 0
    assert guest.sh(f"head -c {len(ENTRY)}", stdin_entry=True).facts.output_bytes == len(ENTRY)


# Output


@pytest.mark.parametrize(
    ("script", "most", "begin", "end", "size"),
    [
        ("printf 'a\\0b'; echo >&2 oops", MIB, "a\0b", "b", 8),
        ("echo one; echo two >/dev/stdout; echo three >/dev/stderr", MIB, "one\ntwo\n", "two\n", 14),
        ("head -c 1001 /dev/zero", 1000, "\0", "\0", 1001),  # it has ended when that is noticed
        ("echo first; head -c 200000 /dev/zero; echo last", MIB, "first\n", "last\n", 200_011),
        ("yes | head -c 5M; echo end", 8 * MIB, "y\n", "end\n", 5 * MIB + 4),  # more than a pipe holds
    ],
)
def test_output_is_counted_whole_and_kept_at_both_ends(
    guest: BareGuest, script: str, most: int, begin: str, end: str, size: int
) -> None:
    ended = guest.sh(script, limits={"output_bytes": most})
    assert (ended.exit_code, ended.facts.output_bytes) == (0, size)
    assert ended.stdout.startswith(begin) and ended.stdout.endswith(end)
    assert (f"{size - (64 << 10)} bytes left out" in ended.stdout) == (size > 1 << 17)
    assert len(ended.facts.stdout) < 66_000


# Processes


def test_as_many_processes_as_allowed_are_no_offence(guest: BareGuest) -> None:
    ended = guest.sh("for i in {1..15}; do sleep 0.01 & done; wait; exit 4", limits={"processes": 16})
    assert (ended.exit_code, ended.facts.forks_refused) == (4, 0)


def test_memory_of_a_tmpfs_counts(guest: BareGuest) -> None:
    assert guest.sh("head -c 200M /dev/zero >/dev/shm/x", limits={"memory_bytes": 48 * MIB}).facts.oom


@pytest.mark.parametrize("begun", [0, 7])
def test_kill_that_crosses_the_end_as_a_whole_or_in_part_is_no_offence(guest: BareGuest, begun: int) -> None:
    guest.order(OK)
    guest.channel.expect(messages.Started, 60)
    guest.channel.send(messages.Go())
    kill = guest.channel.pack(messages.Kill())
    guest.channel._socket.sendall(kill[:begun])
    guest.channel.expect(messages.Exited, 60)
    counted = kill[begun:] + guest.channel.pack(messages.Counted())
    for part in (counted[:-9], counted[-9:]):
        guest.channel._socket.sendall(part)
        time.sleep(0.1)
    assert guest.channel.expect(messages.Ended, 60).exit_code == 0


# Disks


_MANY = "python3 -c 'import os, itertools; [os.mknod(f\"/tmp/{i}\") for i in itertools.count()]'"


@pytest.mark.parametrize(
    ("folder", "fill"),
    [*((folder, f"cat /dev/zero >{folder}/big") for folder in ("/tmp", "/var/tmp", HOME)), ("/tmp", _MANY)],
)
def test_disk_without_space_or_inodes_is_reported_and_empty_again_for_the_next(
    guest: BareGuest, folder: str, fill: str
) -> None:
    ended = guest.sh(fill)
    assert ended.exit_code == 1
    assert "No space left" in ended.stderr
    assert len(ended.facts.disk_full) == 1
    after = guest.sh(f"test ! -e {folder}/big && head -c 1M /dev/zero >{folder}/small")
    assert (after.exit_code, after.facts.disk_full) == (0, ())


_FILLED = "nothing can be written: /home filled up\n"


@pytest.mark.parametrize(
    ("harm", "disk_full", "says"),
    [
        ("cat /dev/zero >big; true", ("home",), _FILLED),
        ("mkdir big; cd big; for ((i = 0; ; i++)); do : >$i || break; done", ("home",), _FILLED),
        (f"chmod 000 {HOME}", (), "[^\n]*Permission denied\n"),
    ],
    ids=["space", "inodes", "rights"],
)
def test_home_that_setup_has_made_unusable_is_the_entrys_failure(
    guest: BareGuest, harm: str, disk_full: tuple[str, ...], says: str
) -> None:
    assert guest.sh(harm, keep=True).facts.disk_full == disk_full
    try:
        ended = guest.run(OK, inputs={f"{HOME}/A01.txt": "records/A01.txt"}, collect=[f"{HOME}/answers.txt"])
        assert (ended.exit_code, ended.facts.disk_full, ended.files) == (126, disk_full, {})
        assert re.fullmatch(says, ended.stderr), ended.stderr
        assert guest.run(OK).exit_code == 126
    finally:
        assert guest.sh(f"chmod 755 {HOME}; rm -rf {HOME}/big", cwd="/", keep=True).facts.disk_full == ()
    assert guest.run(OK).exit_code == 0


def test_deep_folders_and_odd_names_are_removed(guest: BareGuest) -> None:
    deep = "import os\nos.chdir('{}')\nfor i in range(3000): os.mkdir('d'); os.chdir('d')\nopen('end', 'w')"
    odd = r"cd {}; touch $'new\nline' $'\xff\xfe' -- -rf '*'; mkdir locked; touch locked/x; chmod 000 locked"
    for folder in ("/tmp", HOME):
        before = guest.sh(f"ls -A {folder}").stdout
        assert guest.run(["/usr/bin/python3", "-c", deep.format(folder)]).exit_code == 0
        assert guest.sh(odd.format(folder)).exit_code == 0
        assert guest.sh(f"ls -A {folder}").stdout == before


# What one record leaves for the next


def test_devices_are_as_new_for_each_record(guest: BareGuest) -> None:
    # Not the dates of /dev/shm: each command's is a new one, as old as the command.
    look = (
        "stat -c '%n %d %i %s %X %Y %W %h %t %T %a %U' /dev /run /dev/{null,zero,full,random,urandom,tty,ptmx}; "
        "stat -c '%n %d %i %s %h %a %U' /dev/shm"
    )
    before = guest.sh(look)
    assert before.stdout.count("\n") == 10
    letter = "touch /dev/null /dev/tty; script -qc 'echo x >/dev/tty' /dev/null; head -c 9 /dev/zero >/dev/shm/x"
    for keep in (False, True):
        assert guest.sh(letter, keep=keep).exit_code == 0
        assert guest.sh(look).stdout == before.stdout
    for refused in (
        "touch /dev/x",
        "touch /run/x",
        "rm /dev/null",
        "touch -d 2020-01-01 /dev/null",
        "chmod 600 /dev/null",
    ):
        assert guest.sh(refused, keep=True).exit_code == 1


_LOOK_AT_FOLDERS = """
import fcntl, os, struct
for path in (os.environ["HOME"], "/tmp", "/var/tmp"):
    seen = os.stat(path)
    fd = os.open(path, os.O_RDONLY)
    flags = fcntl.ioctl(fd, 0x80086601, bytes(8))  # FS_IOC_GETFLAGS
    print(path, seen, seen.st_blocks, flags, sorted(os.listdir(path)), os.listxattr(path), os.statvfs(path), flush=True)
os.system("stat -c '%n %W %y %z' $HOME /tmp /var/tmp; cat /proc/self/mounts")
for path in ("x", "/tmp/x", "y", "/var/tmp/x"):
    os.mkdir(path) if path == "y" else open(path, "w").write("x")
    print(path, os.stat(path).st_ino)
"""


_LETTERS = (
    "echo x >new; mkdir -p a/b; echo x >a/b/c; ln -s new link; ln new hard; mkfifo fifo; echo x >/tmp/new",
    "echo x >>own; echo x >/srv/open/x; rm -r folder; mkdir folder",
    "rm own; mv folder moved",
    "mv own other; echo x >folder/new",
    "ln own hard; touch -d 2020-01-01 folder",
    "touch own; chmod 700 $HOME; chmod 755 $HOME",
    "chmod 700 $HOME; touch -d 2020-01-01 $HOME; touch /tmp /var/tmp",
    "python3 -c \"import os; os.setxattr(os.environ['HOME'], 'user.letter', b'x')\"",
    "python3 -c \"import fcntl, os; fcntl.ioctl(os.open('.', 0), 0x40086602, (0x80040).to_bytes(8, 'little'))\"",
    "for at in $HOME /tmp /var/tmp; do touch $at/{1..60}-$(printf %0200d); rm $at/*-000*; done",
    "touch {1..200}; for ((i = 0; i < 40; i++)); do mkdir d; cd d; done; echo x >end",
)


def test_folders_of_a_record_do_not_tell_what_the_one_before_has_done(guest: BareGuest) -> None:
    look = ["/usr/bin/python3", "-c", _LOOK_AT_FOLDERS]
    assert guest.sh("echo x >own; echo x >hidden; mkdir folder; echo x >folder/own", keep=True).exit_code == 0
    try:
        first = guest.run(look, remove=[f"{HOME}/hidden"])
        assert first.exit_code == 0
        assert "'folder', 'own'" in first.stdout and "hidden" not in first.stdout
        for letter in (_LETTERS[0], *_LETTERS):  # one of them twice
            assert guest.sh(letter, remove=[f"{HOME}/hidden"]).exit_code == 0, letter
            assert guest.run(look, remove=[f"{HOME}/hidden"]).stdout == first.stdout, letter
    finally:
        assert guest.sh("rm -r own hidden folder", keep=True).exit_code == 0


def test_command_cannot_tell_which_one_it_is_by_mounts_or_the_machines_counters(guest: BareGuest) -> None:
    look = "cd /proc; cat self/mounts self/cgroup stat vmstat loadavg diskstats; ls pressure; "
    look += "stat -c '%n %d' / /home /dev/pts /dev/shm /proc"
    first = guest.sh(look).stdout
    assert "upperdir" in first and "processes" in first
    for name in ("interrupts", "softirqs", "zoneinfo", "buddyinfo"):
        assert "Permission denied" in guest.sh(f"cat /proc/{name}").stderr
    assert guest.sh("for i in {1..20}; do /bin/true; done", keep=True).exit_code == 0
    # the kernel gives back the numbers of file systems some time after the end of a record
    assert {guest.sh(look).stdout for _ in range(20)} == {first}


def test_file_that_a_record_has_removed_is_there_for_one_that_does_not(guest: BareGuest) -> None:
    answers = [f"{HOME}/answers.txt"]
    assert guest.sh("echo of the entry >answers.txt", keep=True).exit_code == 0
    for _ in range(2):
        assert guest.sh("ls answers.txt; echo mine >answers.txt", remove=answers, collect=answers).files == {
            answers[0]: b"mine\n"
        }
        assert guest.sh("ls; rm answers.txt", remove=answers).exit_code == 1
        assert guest.sh("cat answers.txt; echo mine >answers.txt").stdout == "of the entry\n"
    assert guest.sh("rm answers.txt; mkdir answers.txt", keep=True).exit_code == 0
    ended = guest.run(OK, remove=answers)
    assert (ended.exit_code, ended.stderr) == (126, f"cannot prepare {answers[0]}: Is a directory\n")
    assert guest.sh("rmdir answers.txt", keep=True).exit_code == 0


_MAPPED = """
import ctypes, mmap, os
file = os.open("letter", os.O_RDONLY)
size = os.fstat(file).st_size
pages = mmap.mmap(file, size, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE)
address = ctypes.addressof(ctypes.c_char.from_buffer(pages))
"""
_RESIDENT = f"""{_MAPPED}
found = (ctypes.c_ubyte * (size // 4096))()
assert ctypes.CDLL(None).mincore(ctypes.c_void_p(address), ctypes.c_size_t(size), found) == 0
print(sum(page & 1 for page in found))
"""
_DROPPING = f"""{_MAPPED}
sum(pages[::4096])
for advice in (20, 21, 4):  # MADV_COLD, MADV_PAGEOUT, MADV_DONTNEED
    ctypes.CDLL(None).madvise(ctypes.c_void_p(address), ctypes.c_size_t(size), advice)
os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
"""
_READING = "open('letter', 'rb').read()"


@pytest.mark.parametrize(
    ("besides", "resident"),
    [
        ("", 256),
        ("truncate -s 100M large", 0),  # of 1792 MiB, more than the share that is locked
        ("for ((i = 0; i < 2001; i++)); do : >many-$i; done", 0),
    ],
)
def test_record_leaves_no_letter_in_the_memory_of_files(guest: BareGuest, besides: str, resident: int) -> None:
    """Pages of the entry's own files that a record reads or drops would be bits for the next one."""
    assert guest.sh(f"head -c 1M /dev/urandom >letter; sync; {besides}", keep=True).exit_code == 0
    try:
        guest.run(OK)  # files of a command that is kept are in memory until the first record has ended
        for before in (_READING, _DROPPING, "pass", _READING):
            assert guest.run(["/usr/bin/python3", "-c", before]).exit_code == 0
            assert guest.run(["/usr/bin/python3", "-c", _RESIDENT]).stdout == f"{resident}\n"
    finally:
        assert guest.sh("rm letter large many-*; ls", keep=True).stdout == ""


def test_locked_files_of_the_entry_may_change_and_are_gone_when_they_are_removed(guest: BareGuest) -> None:
    assert guest.sh("head -c 30M /dev/urandom >model", keep=True).exit_code == 0
    seen = "stat -c %s model; wc -c <model"
    for size, change in ((30, ":"), (10, "truncate -s 10M model"), (30, "head -c 20M /dev/zero >>model")):
        assert guest.sh(change, keep=True).facts.disk_full == ()
        assert guest.sh(seen).stdout == f"{size << 20}\n" * 2
    assert guest.sh("head -c 1M /dev/zero >model; wc -c <model").stdout == f"{1 << 20}\n"
    assert guest.sh(seen).stdout == f"{30 << 20}\n" * 2
    # the disk of 48 MiB has room for another one only if nothing holds the first
    assert guest.sh("rm model; head -c 30M /dev/zero >model", keep=True).facts.disk_full == ()
    assert guest.sh("rm model", keep=True).exit_code == 0


def test_kept_command_changes_what_later_commands_see_but_no_temporary_folder(guest: BareGuest) -> None:
    rename = ["/usr/bin/python3", "-c", "import os; os.rename('sub', 'new'); print(os.listdir('new'))"]
    make = "echo model >trained; mkdir sub; chmod 700 sub; touch sub/x /tmp/left /var/tmp/left /dev/shm/left"
    assert guest.sh(make, keep=True).exit_code == 0
    assert guest.sh("cat trained; rm trained; rm -r sub").stdout == "model\n"
    assert guest.sh("cat trained; stat -c %a sub").stdout == "model\n700\n"
    assert "left" not in guest.sh("ls /tmp /var/tmp /dev/shm").stdout
    for keep in (False, True):
        assert guest.run(rename, keep=keep).stdout == "['x']\n"
    assert guest.sh("rm -r trained new", keep=True).exit_code == 0
    assert guest.sh("ls trained sub new").exit_code == 2


# Inputs and answers


def test_input_replaces_a_link_and_does_not_follow_it(guest: BareGuest) -> None:
    """That no other record is there, ``tests/hostile/ahead-records`` tries."""
    guest.sh("echo mine >model; ln -s model A01.txt; ln -s /etc/passwd answers.txt; touch old", keep=True)
    ended = guest.sh(
        "cat A01.txt model; stat -c %U A01.txt; ls answers.txt old",
        inputs={f"{HOME}/A01.txt": "records/A01.txt"},
        remove=[f"{HOME}/answers.txt", f"{HOME}/old", f"{HOME}/never_there"],
    )
    assert ended.stdout == "signal of A01\nmine\nchallenge\n"
    guest.sh("rm model A01.txt answers.txt old", keep=True)


def test_answers_are_regular_files_within_their_bound(guest: BareGuest) -> None:
    """Links, pipes, devices and folders are in ``tests/hostile/answer-*``."""
    script = r"""
        printf 'A01,N\r\n' >good; : >empty; head -c 4096 /dev/zero >largest; head -c 4097 /dev/zero >too_large
        ln -s /etc etc; ln -s good link; python3 -c "import socket; socket.socket(1).bind('socket')"
        echo odd >$'new\nline'
    """
    names = ("good", "empty", "largest", "new\nline", "too_large", "link", "socket", "absent", "good/x", "etc/passwd")
    ended = guest.sh(script, collect=[f"{HOME}/{name}" for name in names])
    answers = {path.removeprefix(f"{HOME}/"): data for path, data in ended.files.items()}
    assert answers.pop("etc/passwd").startswith(b"root:x:0:0:")  # of the world it could read itself
    assert answers == {"good": b"A01,N\r\n", "empty": b"", "largest": bytes(4096), "new\nline": b"odd\n"}
    assert {path.removeprefix(f"{HOME}/"): problem for path, problem in ended.problems.items()} == {
        "too_large": "larger than 4096 bytes",
        **dict.fromkeys(("link", "socket"), "not a regular file"),
        **dict.fromkeys(("absent", "good/x"), "missing"),
    }


# The wall around it


def test_command_is_the_entrys_user_and_in_no_other_group(guest: BareGuest) -> None:
    """What this user may not do, ``tests/hostile/kernel-*`` try."""
    assert guest.sh("id -u; id -g; find /usr/bin/su -perm -4000").stdout == "1000\n1000\n/usr/bin/su\n"
    assert "Groups:\t " in guest.sh("cat /proc/self/status").stdout


@pytest.mark.parametrize(
    "script",
    [
        "echo 1 >/proc/sys/kernel/randomize_va_space",
        "echo -1000 >/proc/self/oom_score_adj",
        "ls /proc/1/root/",
        "ls /sys/class",
        "ls /run/evaluate",  # where the probe is
        "touch /etc/x",
        "renice -n -5 $$",
        "ulimit -c unlimited",
        "cat /proc/slabinfo",
    ],
)
def test_forbidden_thing_is_refused(guest: BareGuest, script: str) -> None:
    """What no case of ``tests/hostile/kernel-*`` tries."""
    ended = guest.sh(script)
    assert ended.exit_code not in (0, None)
    assert ended.stdout == ""


_NETWORK = """
import socket
print(socket.socket(socket.AF_UNIX).getsockopt(socket.SOL_SOCKET, 71, 8).hex())  # SO_NETNS_COOKIE
for name in ("dev", "snmp", "netstat", "sockstat", "unix", "udp", "igmp", "mcfilter", "route"):
    print(open(f"/proc/net/{name}").read())
"""
_CONNECTED = """
import socket
server = socket.create_server(("127.0.0.1", 34463))
client = socket.create_connection(server.getsockname())
server.accept()[0].close()  # so that this address is not free for a minute
"""
_REFUSED = """
import socket
try:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(("192.0.2.1", 1))
except OSError:
    pass
"""
_CLOSED = """
import os, socket
socket.socket(socket.AF_UNIX).bind("\\0name")
socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE).bind((os.getpid(), 0))
"""
_HELD = """
import array, socket
own = socket.socket(socket.AF_UNIX)
own.bind("\\0name")
one, other = socket.socketpair()
held = array.array("i", [own.fileno(), one.fileno(), other.fileno()])
one.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, held)])  # nobody else will, and so they are never closed
"""


def test_network_of_each_record_is_as_new(guest: BareGuest) -> None:
    """It is that of the record before if that made no Internet socket and left no other one."""
    look = ["/usr/bin/python3", "-c", _NETWORK]
    first = guest.run(look).stdout.split("\n", 1)
    assert "OutNoRoutes" in first[1]
    for script, is_renewed in ((_CLOSED, False), (_HELD, True), (_CONNECTED, True), (_REFUSED, True), ("", False)):
        for keep in (False, True):
            assert guest.run(["/usr/bin/python3", "-c", script], keep=keep).exit_code == 0
            then = guest.run(look).stdout.split("\n", 1)
            assert (then[0] != first[0], then[1]) == (is_renewed, first[1])
            first = then


# Conversation


def test_disks_are_whole_and_what_fills_them_is_the_entrys_failure_in_the_next_guest(
    image: Image, tmp_path: Path
) -> None:
    layers = [squashed(tmp_path / "layer.squashfs", layer(extra=[OPEN]))]
    with bare_guest(image, tmp_path / "prep", disk_bytes=DISKS, layers=layers) as guest:
        guest.hello(layers=1)
        assert guest.sh("echo model >trained; sleep 600 &", keep=True).exit_code == 0
        fill = "head -c 100M /dev/zero >/srv/open/large; for ((i = 0; ; i++)); do : >/srv/open/$i || break; done"
        assert guest.sh(fill, keep=True).facts.disk_full == ("root",)
        guest.finish()
    kept = {serial: tmp_path / "prep" / f"{serial}.qcow2" for serial in ("root", "home")}
    for path in kept.values():
        path.chmod(0o444)
        raw = path.with_suffix(".raw")
        subprocess.run(["qemu-img", "convert", "-O", "raw", path, raw], check=True)
        # without a change: a wrong count is an error here
        subprocess.run(["e2fsck", "-f", "-n", raw], check=True, capture_output=True)
        features = subprocess.run(["dumpe2fs", "-h", raw], check=True, capture_output=True, text=True).stdout
        assert "needs_recovery" not in features
        assert re.search(r"^Filesystem state: +clean$", features, re.MULTILINE)
    with bare_guest(image, tmp_path / "exam", disk_bytes=DISKS, layers=layers, kept=kept) as guest:
        guest.hello(fresh=False, layers=1)
        ended = guest.run(OK)
        assert (ended.exit_code, ended.facts.disk_full) == (126, ("root",))


# the last test: it ends the guest of the others
def test_command_whose_place_cannot_be_made_is_said_even_if_nobody_reads_its_long_task(guest: BareGuest) -> None:
    guest.order(["/bin/true", "x" * (1 << 18)], mounts={"/input": "absent"})
    with pytest.raises(SandboxFault, match=r"a command cannot be started: mount at .*/input: No such file"):
        guest.channel.expect(messages.Started, 60)
    assert guest.process.wait(60) == 0
