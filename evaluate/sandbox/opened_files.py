"""Which files below the home folder a command has opened, noted by inotify beside it.

For tries at home, where setup need not run again if none of the files that it opened has changed.  A file counts as
opened, too, when its rights or its name have changed.
"""

from __future__ import annotations

from dataclasses import replace

from evaluate.core.model import MIB, Limits, Run
from evaluate.sandbox.base import HOME, Command

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


def watched(command: Command, limits: Limits) -> tuple[Command, Limits]:
    """The command with a process beside it that notes which files it opens."""
    argv = ("/bin/sh", "-c", _RUN, "sh", _PROGRAM, HOME, _LISTING, *command.argv)
    more = replace(limits, processes=limits.processes + 1, answer_bytes=max(limits.answer_bytes, MIB))
    return replace(command, argv=argv, collect=(*command.collect, _LISTING)), more


def opened(run: Run) -> tuple[frozenset[str] | None, Run]:
    """The names below the home folder that such a command opened, and the run without the list; None: not known."""
    files = dict(run.files)
    mark, *names = files.pop(_LISTING, b"").split(b"\0")
    run = replace(run, files=files)
    return (frozenset(name.decode(errors="replace") for name in names) if mark == _MARK else None), run
