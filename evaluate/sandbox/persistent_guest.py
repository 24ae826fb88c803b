"""One guest that stays between tries of an entry at home, and what it has measured of the entry so far.

A server boots a guest for every stage, from disks that were frozen.  Here the guest that has set the entry up answers
the records too, and the next version of the entry is unpacked into it when the home folder has been emptied: no boot,
no freezing, and the compiler is in memory already.  A command whose program and files have not changed is not run
again; and where only files have changed that setup has not opened (`split_listing`), these alone are
replaced, and what setup made is kept.

The rights of the entry are the same as on a server.  What one version could leave for the next is the home folder,
which is emptied, and what the kernel has in memory; so counts may differ a little from those of a server.
"""

from __future__ import annotations

import codecs
import hashlib
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from evaluate.confine.ownership import remove_tree
from evaluate.core.errors import SandboxFault
from evaluate.core.files import sha256_file, sha256_kept
from evaluate.core.model import MIB, CounterInfo, Limits, Run, Verdict
from evaluate.sandbox.base import HOME, Command, Hypervisor, Machine, Prepared, Sandbox, Wrapped
from evaluate.untrusted.packing import pack
from evaluate.untrusted.selection import Selection

# Files below the home folder that a command opens, noted by inotify beside it.
#
# For tries at home, where setup need not run again if none of the files that it opened has changed.  A file counts as
# opened, too, when its rights or its name have changed.


_LISTING = "/tmp/evaluate-opened-files"  # in the guest
_MARK = b"opened"
# perl is in every Debian, and starts under emulation in a tenth of the time that Python takes
_PROGRAM = r"""
my ($home, $listing, @command) = @ARGV;
my ($init, $add, $mask) = (294, 254, 0x80000c24);  # x86-64; IN_ONESHOT IN_OPEN IN_ATTRIB IN_DELETE_SELF IN_MOVE_SELF
my $fd = syscall $init, 02004000;  # IN_NONBLOCK IN_CLOEXEC
my ($complete, %names, %opened) = ($fd >= 0);
my @folders = ('');
while ($complete and @folders) {
    my $below = shift @folders;
    opendir my $folder, "$home/$below" or $complete = 0, last;
    for my $name (grep { $_ ne '.' and $_ ne '..' } readdir $folder) {
        my $path = "$home/$below$name";
        next if -l $path;
        if (-d _) { push @folders, "$below$name/"; next }
        my $watch = syscall $add, $fd, $path, $mask;
        $complete = 0 if $watch < 0;
        push @{$names{$watch}}, "$below$name";
    }
}
my $child = fork;
unless ($child) { exec { $command[0] } @command or exit 127 }
waitpid $child, 0;
my $status = $?;
if ($complete and open my $events, '<&=', $fd) {
    while (sysread $events, my $data, 1 << 16) {
        while (length $data) {
            my ($watch, $what, undef, $length) = unpack 'iIII', $data;
            $data = substr $data, 16 + $length;
            $complete = 0 if $watch < 0;  # too many at once
            $opened{$_} = 1 for @{$names{$watch} || []};
        }
    }
}
if ($complete and open my $out, '>', $listing) { print $out join "\0", 'opened', sort keys %opened }
kill $status & 127, $$ if $status & 127;
exit $status >> 8;
"""
_RUN = '[ ! -x /usr/bin/perl ] || exec /usr/bin/perl -e "$@"; shift 3; exec "$@"'


def with_listing(command: Command, limits: Limits) -> tuple[Command, Limits]:
    """The command with a process beside it that lists the files it opens."""
    argv = ("/bin/sh", "-c", _RUN, "sh", _PROGRAM, HOME, _LISTING, *command.argv)
    more = replace(limits, processes=limits.processes + 1, answer_bytes=max(limits.answer_bytes, MIB))
    return replace(command, argv=argv, collect=(*command.collect, _LISTING)), more


def split_listing(run: Run) -> tuple[frozenset[str] | None, Run]:
    """The names below the home folder that such a command opened, and the run without the list; None: not known."""
    files = dict(run.files)
    mark, *names = files.pop(_LISTING, b"").split(b"\0")
    run = replace(run, files=files)
    return (frozenset(name.decode(errors="replace") for name in names) if mark == _MARK else None), run


_EMPTY = f"/usr/bin/find {HOME} -mindepth 1 -delete"
_UNPACK = "/usr/bin/head -c {size} | /usr/bin/tar -xzf - --no-same-owner"
_LIMITS = Limits(instructions=10**12, wall_seconds=300, memory_bytes=512 * MIB)


class PersistentSandbox(Sandbox, Protocol):
    """A guest whose media can be changed while it is idle."""

    @property
    def is_usable(self) -> bool:
        """True if another command can be run."""

    def fill_entry(self, archive: Path) -> None:
        """Write an archive to the disk of the entry."""

    def lend(self, medium: Path | None) -> None:
        """Replace the last medium; a command that has one finds it there."""


class PersistentHypervisor(Hypervisor, Protocol):
    """A hypervisor with guests that stay between stages."""

    def persistent(self, machine: Machine) -> AbstractContextManager[PersistentSandbox]:
        """A guest with a disk for an entry and blank disks, which takes media."""


@dataclass(frozen=True, kw_only=True)
class Version:
    """An entry as it is now."""

    files: Mapping[str, str]
    """Files that its programs can see: name -> digest; for an archive, the archive itself under an empty name."""
    selection: Selection | None = None
    """Selection of what is packed of a folder."""
    plain: bool = False
    """True if this program packs its archive, so that unpacking has nothing to repair."""


@dataclass(frozen=True, kw_only=True)
class _Measured:
    run: Run
    gathered: Path | None
    keeps: bool
    """True if the command belongs to the preparation of the entry."""


@dataclass(kw_only=True)
class _Inside:
    """Content of the guest's home folder."""

    version: Version
    opened: frozenset[str] | None = None
    """Files that setup has opened; None: nobody knows, or it has not been unpacked."""


class KeptHypervisor(Wrapped):
    """A `Hypervisor` whose every boot is the same guest."""

    def __init__(self, hypervisor: PersistentHypervisor, scratch: Path, answers_bytes: int) -> None:
        """A guest is booted when it is needed.

        * ``scratch``: a folder for answers that commands have left.
        * ``answers_bytes``: size of the disk for them.
        """
        super().__init__(hypervisor)
        self._hypervisor = hypervisor
        self._scratch = scratch
        self._answers_bytes = answers_bytes
        self._stack = ExitStack()
        self._guest: PersistentSandbox | None = None
        self._shape: object = None
        self._used = False
        self._now = Version(files={})
        self._inside: _Inside | None = None
        self._measured: dict[str, _Measured] = {}
        self.ran = 0
        """Commands that were run since `holds` was called."""
        self.remembered = 0
        """Commands whose results were taken from an earlier try."""

    def holds(self, version: Version) -> None:
        """Declare that what follows is about this version of the entry."""
        self._now, self.ran, self.remembered = version, 0, 0

    @contextmanager
    def boot(self, machine: Machine) -> Iterator[Sandbox]:
        shape = (machine.image.digest, tuple(machine.layers), machine.sizes, machine.container)
        if self._guest is None or shape != self._shape:
            self.close()
            bare = replace(machine, prepared=None, records=None, answers_bytes=self._answers_bytes)
            self._guest = self._stack.enter_context(self._hypervisor.persistent(bare))
            self._shape = shape
        try:
            yield _Stage(self, machine)
        except SandboxFault:
            self.close()  # it cannot be used any more
            raise

    def close(self) -> None:
        """Destroy the guest."""
        self._forget()
        self._guest, self._used = None, False
        self._stack.close()

    def _forget(self, *, keeping: bool = False) -> None:
        """Forget what was measured; with ``keeping``, all but the preparation of the entry."""
        for key, measured in list(self._measured.items()):
            if not (keeping and measured.keeps):
                if measured.gathered is not None:
                    remove_tree(measured.gathered)
                del self._measured[key]
        if not keeping:
            self._inside = None

    def run(self, command: Command, limits: Limits, machine: Machine, records: str) -> Run:
        """Run a command, unless nothing that it depends on has changed since it ran.

        ``records``: a digest of the medium that it reads; empty: it reads none.
        """
        guest = self._guest
        if guest is None:
            raise SandboxFault("the guest of an earlier try is gone")
        unpacks = command.stdin_entry and machine.entry is not None
        if unpacks:
            self._bring(guest)
        # an archive of another size is unpacked by other words
        key = "unpack" if unpacks else repr((replace(command, gather=None), limits, records))
        if (measured := self._measured.get(key)) is not None:
            self.remembered += 1
            if command.gather is not None and measured.gathered is not None:
                shutil.copytree(measured.gathered, command.gather)
            return measured.run
        self.ran += 1
        medium = machine.records if records else None
        if medium is not None:
            guest.lend(medium)
        if unpacks and machine.entry is not None:
            run = self._unpack(guest, command, limits, machine.entry)
        elif command.keep:
            run = self._set_up(guest, replace(command, medium=medium), limits)
        else:
            run = guest.run(replace(command, medium=medium), limits)
        if run.verdict is not Verdict.WALL_LIMIT:  # a busy computer may be at fault
            self._remember(key, command, run)
        elif not guest.is_usable:
            self.close()
        return run

    def _bring(self, guest: PersistentSandbox) -> None:
        """Forget the results of another version of the entry; replace only the files that have changed, if possible."""
        inside, now = self._inside, self._now
        if inside is None or inside.version.files == now.files:
            return
        changed = _replaceable(inside, now)
        if changed is None or now.selection is None:
            self._forget()
            return
        patch = self._scratch / "changed.tar.gz"
        guest.fill_entry(pack(replace(now.selection, names=changed), patch))
        text = f"set -e -o pipefail; {_UNPACK.format(size=patch.stat().st_size)}"
        command = Command(argv=("/bin/bash", "-c", text), stdin_entry=True, keep=True)
        if guest.run(command, _LIMITS).verdict is not Verdict.OK:
            raise SandboxFault("files in the guest of an earlier try cannot be replaced; try again")
        self._forget(keeping=True)
        inside.version = now

    def _unpack(self, guest: PersistentSandbox, command: Command, limits: Limits, archive: Path) -> Run:
        """Give the guest another archive, and unpack it."""
        steps = [_EMPTY] if self._used else []
        self._used = True
        guest.fill_entry(archive)
        if self._now.plain:  # the program that repairs names and line ends takes seconds to start under emulation
            steps.append(_UNPACK.format(size=archive.stat().st_size))
            command = replace(command, argv=("/bin/bash", "-c", f"set -e -o pipefail; {'; '.join(steps)}"))
        elif steps and guest.run(Command(argv=("/bin/sh", "-c", _EMPTY), keep=True), _LIMITS).verdict is not Verdict.OK:
            raise SandboxFault("the home folder of the guest of an earlier try cannot be emptied; try again")
        self._inside = inside = _Inside(version=self._now)
        run = guest.run(command, limits)
        if run.verdict is Verdict.OK:
            inside.opened = frozenset()
        return run

    def _set_up(self, guest: PersistentSandbox, command: Command, limits: Limits) -> Run:
        """Run a command that prepares the entry, and note which files it opens."""
        run = guest.run(*with_listing(command, limits))
        names, run = split_listing(run)
        if self._inside is not None:
            before = self._inside.opened if run.verdict is Verdict.OK else None
            self._inside.opened = before | names if before is not None and names is not None else None
        return run

    def _remember(self, key: str, command: Command, run: Run) -> None:
        kept = None
        if command.gather is not None and command.gather.is_dir():
            kept = self._scratch / hashlib.sha256(key.encode()).hexdigest()
            shutil.copytree(command.gather, kept, dirs_exist_ok=True)
        self._measured[key] = _Measured(run=run, gathered=kept, keeps=command.keep)


def _replaceable(inside: _Inside, now: Version) -> tuple[str, ...] | None:
    """The files that have changed, if nothing but their content has and setup has opened none of them."""
    before = inside.version
    if inside.opened is None or not (before.plain and now.plain) or before.files.keys() != now.files.keys():
        return None
    changed = tuple(sorted(name for name, digest in now.files.items() if before.files[name] != digest))
    return changed if inside.opened.isdisjoint(changed) else None


class _Stage:
    """The guest, for one stage."""

    def __init__(self, kept: KeptHypervisor, machine: Machine) -> None:
        self._kept = kept
        self._machine = machine
        self._digest = ""

    @property
    def counter(self) -> CounterInfo:
        counter = self._kept.counter
        if counter is None:
            raise SandboxFault("no guest has been calibrated")
        return counter

    def run(self, command: Command, limits: Limits) -> Run:
        records = self._machine.records if command.inputs or command.mounts else None
        if records is not None and not self._digest:
            self._digest = _digest(records)
        return self._kept.run(command, limits, self._machine, self._digest if records is not None else "")

    def freeze(self, folder: Path) -> Prepared:
        """Freeze nothing: the guest has the prepared entry."""
        return Prepared.left_in(folder)


def _digest(medium: Path) -> str:
    """Return the digest of a file, or of a folder in its place (`evaluate.sandbox.plain`)."""
    if medium.is_file():
        return sha256_file(medium)
    files = sorted(path for path in medium.rglob("*") if path.is_file())
    names = "".join(f"{path.relative_to(medium)}\0{sha256_file(path)}\n" for path in files)
    return hashlib.sha256(names.encode()).hexdigest()


def version_of(entry: Path, selection: Selection | None, inert: Callable[[str], bool]) -> Version:
    """Return the version of an entry that its programs can see.

    * ``selection``: what is packed of a folder; None: the entry is an archive.
    * ``inert``: whether a file of this name changes nothing that is run.
    """
    if selection is None:
        return Version(files={"": sha256_file(entry)})
    files = {}
    for name in selection.files:
        path = entry / name
        with suppress(FileNotFoundError, PermissionError):  # an editor replaces files; packing refuses closed ones
            if path.is_symlink():
                files[name] = f"link to {path.readlink()}"
            elif not inert(name):
                files[name] = f"{path.stat().st_mode & 0o100:o} {sha256_kept(path)}"
    return Version(files=files, selection=selection, plain=_plain(entry, selection.files))


def _plain(entry: Path, packed: Sequence[str]) -> bool:
    """True if a folder that is packed here has several files, and no script that ``guest/unpack.py`` would change."""
    files = [path for path in (entry / name for name in packed) if path.is_file() and os.access(path, os.R_OK)]
    if not any(path.parent == entry for path in files):
        return False  # one folder in it would be left out
    scripts = [path for path in files if path.suffix == ".sh" and not path.is_symlink()]
    return not any(map(_is_changed, scripts))


def _is_changed(script: Path) -> bool:
    """True if unpacking changes a script: its line ends, its encoding or its rights."""
    text = script.read_bytes()
    marked = text.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return marked or b"\r" in text or not script.stat().st_mode & 0o100
