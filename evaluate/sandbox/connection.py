"""Questions to libvirt: the only module that imports it.

Every question has a deadline (`evaluate.sandbox.connection`), and every refusal is a `SandboxFault` that names
the remedy.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, TypeVar

import psutil

from evaluate.core.errors import SandboxFault
from evaluate.core.packages import pip_install
from evaluate.core.waiting import readable
from evaluate.sandbox.domain import PREFIX, owner_lock
from evaluate.sandbox.run_folders import RunFolders, is_free

# A deadline for calls of libvirt, which has none of its own: a daemon that hangs never answers.
#
# A process that ends waits for the calls that are under way, within bounds: libvirt gives each error to a handler in
# Python, and a thread that does so when the interpreter has ended ends the process by a segmentation fault.


ANSWER_SECONDS = 120.0
"""Longest time that libvirt may take: to start QEMU on a machine with a high load takes tens of seconds."""
_CALLS_END_SECONDS = 10.0
"""Longest time that the end of the process waits for calls."""
_T = TypeVar("_T")
_threads: set[threading.Thread] = set()


def answered(doing: str, call: Callable[[], _T], undo: Callable[[_T], object] | None = None) -> _T:
    """Return what a call returns, or raise the error that it raises.

    Raises SandboxFault if it takes too long. Its thread remains until there is an answer, or the process ends.

    * ``doing``: what is done, for the message: ``starting domain x``.
    * ``undo``: called with what a call returns that came too late.
    """
    answer: Future[_T] = Future()

    def run() -> None:
        try:
            value = call()
        except BaseException as e:  # it is raised where the answer is waited for
            if answer.set_running_or_notify_cancel():
                answer.set_exception(e)
            return
        if answer.set_running_or_notify_cancel():
            answer.set_result(value)
        elif undo is not None:
            with suppress(Exception):  # nobody waits for it any more, and libvirt itself undoes it with this process
                undo(value)

    in_background("libvirt", run)
    try:
        return answer.result(ANSWER_SECONDS)
    except NotYet:
        if not answer.cancel():  # it has come just now
            return answer.result()
    raise SandboxFault(
        f"libvirt did not answer for {ANSWER_SECONDS:.0f} s ({doing}); look at its log, and restart libvirtd"
    )


def in_background(name: str, call: Callable[[], object]) -> None:
    """Make calls in a thread that ends with the process, which waits a while for it."""

    def run() -> None:
        try:
            call()
        finally:
            _threads.discard(thread)

    thread = threading.Thread(target=run, name=name, daemon=True)
    _threads.add(thread)
    thread.start()


@atexit.register
def _wait_for_calls() -> None:
    deadline = time.monotonic() + _CALLS_END_SECONDS
    for thread in list(_threads):
        thread.join(max(0.0, deadline - time.monotonic()))


try:
    import libvirt
    import libvirt_qemu
except ImportError:
    libvirt = libvirt_qemu = None

SYSTEM, SESSION = "qemu:///system", "qemu:///session"
_END_SECONDS = 5.0


def default_uri() -> str:
    """The system's libvirt for root, otherwise the user's own."""
    return SYSTEM if os.geteuid() == 0 else SESSION


def connect(uri: str) -> Any:
    """A libvirt connection.

    Raises SandboxFault if libvirt-python or the daemon is missing; the message names the remedy.
    """
    if libvirt is None:
        raise SandboxFault(f"libvirt-python is not installed: {pip_install('vm')}; evaluate doctor --fix does so")
    libvirt.registerErrorHandler(lambda _context, _error: None, None)  # errors are raised, not also printed
    try:
        return answered(f"connecting to {uri}", lambda: libvirt.open(uri), lambda late: late.close())
    except libvirt.libvirtError as e:
        raise SandboxFault(f"no connection to libvirt at {uri}: {e}; `evaluate doctor --fix` starts it") from e


def library_version() -> int:
    """The version of the libvirt library, such as 9000000 for 9.0.0."""
    return int(libvirt.getVersion())


def daemon_version(connection: Any) -> int:
    """The version of libvirt's daemon, in the same form."""
    return int(_done("libvirt cannot say its version", "asking for its version", connection.getLibVersion))


def capabilities(connection: Any) -> str:
    """Description of this host by libvirt, as XML."""
    return str(_done("libvirt cannot describe this host", "describing this host", connection.getCapabilities))


@contextmanager
def running(connection: Any, name: str, xml: str, *, paused: bool) -> Iterator[tuple[Any, int]]:
    """A new domain and the process of its QEMU, until the context or this process ends, however it ends.

    Raises SandboxFault if libvirt cannot start it.
    """
    # a guest that is restored differs from the one that was saved by numbers and names of files only
    checked = libvirt.VIR_DOMAIN_START_PAUSED if paused else libvirt.VIR_DOMAIN_START_VALIDATE
    flags = libvirt.VIR_DOMAIN_START_AUTODESTROY | checked
    start = partial(connection.createXML, xml, flags)
    handle, process = _done(f"libvirt cannot start domain {name}", f"starting domain {name}", start, destroy), None
    try:
        number = qemu_pid(name)
        process = os.pidfd_open(number)
        yield handle, number
    finally:
        if process is not None and kill(process):
            # If libvirt looks after its QEMU before anybody has taken note of its end, it looks again after 0.2 s.
            in_background("forgetting a domain", partial(_forget, handle))
        else:
            destroy(handle)


def described(handle: Any) -> str:
    """The domain as libvirt runs it."""
    return str(_done(f"libvirt cannot describe domain {handle.name()}", "describing a domain", handle.XMLDesc))


def suspend(handle: Any) -> None:
    """Pause a guest."""
    _done(f"domain {handle.name()} cannot be suspended", "suspending a domain", handle.suspend)


def resume(handle: Any) -> None:
    """Resume a paused guest."""
    _done(f"domain {handle.name()} cannot be resumed", "resuming a domain", handle.resume)


def _done(problem: str, doing: str, call: Callable[[], Any], undo: Callable[[Any], object] | None = None) -> Any:
    try:
        return answered(doing, call, undo)
    except libvirt.libvirtError as e:
        raise SandboxFault(f"{problem}: {e}") from e


def monitor(handle: Any, command: str, *, files: Sequence[int] = (), **arguments: Any) -> Any:
    """One command of QEMU's monitor, with descriptors that it gets a copy of; returns its reply."""
    try:
        order = json.dumps({"execute": command, "arguments": arguments})
        call = partial(libvirt_qemu.qemuMonitorCommandWithFiles, handle, order, list(files), 0)
        text, _ = answered(f"QEMU's {command}", call)
    except libvirt.libvirtError as e:
        raise SandboxFault(f"QEMU's monitor does not take {command}: {e}") from e
    try:
        reply = json.loads(text)
        if "error" not in reply:
            return reply["return"]
        reason = reply["error"].get("desc")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as e:
        raise SandboxFault(f"QEMU's monitor gave no reply to {command} that can be read: {type(e).__name__}") from e
    raise SandboxFault(f"QEMU refuses {command}: {reason}")


def kill(process: int) -> bool:
    """End a QEMU at once, before its domain is destroyed: libvirt would ask it to, and look again after 0.2 s.

    Unwritten data are lost, and nobody needs them: the guest's disks are removed too.

    Returns whether it has ended: it may be another user's.
    """
    try:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(process, signal.SIGKILL)
        return bool(readable([process], _END_SECONDS))
    except PermissionError:
        return False
    finally:
        os.close(process)


def _forget(handle: Any) -> None:
    """Destroy a domain whose QEMU has ended; nobody needs to know if libvirt has forgotten it already."""
    with suppress(SandboxFault):
        destroy(handle)


def destroy(handle: Any) -> None:
    """End a domain at once; one that has ended is well."""
    try:
        answered("destroying a domain", handle.destroy)
    except libvirt.libvirtError as e:
        if e.get_error_code() not in (libvirt.VIR_ERR_NO_DOMAIN, libvirt.VIR_ERR_OPERATION_INVALID):
            raise SandboxFault(f"domain {handle.name()} cannot be destroyed: {e}") from e


def is_active(handle: Any) -> bool:
    """True if a domain still runs."""
    try:
        return bool(answered("asking whether a domain runs", handle.isActive))
    except libvirt.libvirtError as e:
        if e.get_error_code() == libvirt.VIR_ERR_NO_DOMAIN:
            return False
        raise SandboxFault(f"libvirt cannot tell whether a domain is running: {e}") from e


def qemu_pid(name: str) -> int:
    """The process of a domain; SandboxFault if there is none."""
    for process in psutil.process_iter(["cmdline"]):
        if any(word.startswith(f"guest={name},") for word in process.info["cmdline"] or ()):
            return int(process.pid)
    raise SandboxFault(f"no QEMU process of domain {name} is running")


def sweep(connection: Any, runs: RunFolders) -> list[str]:
    """Destroy the domains and remove the folders of supervisors that have ended."""
    gone = []
    for handle in _done("libvirt cannot list its domains", "listing domains", connection.listAllDomains):
        if not handle.name().startswith(PREFIX):
            continue
        try:
            lock = owner_lock(answered("describing a domain", handle.XMLDesc))
        except libvirt.libvirtError:
            continue  # it ended in the meantime
        if lock is not None and is_free(lock):
            gone.append(handle.name())
            destroy(handle)
    return gone + runs.sweep()
