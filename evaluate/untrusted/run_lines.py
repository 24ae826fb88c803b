"""What the RUN lines of a ``Dockerfile`` install and make, as far as that can be said without running them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from evaluate.core.model import RefusalKind
from evaluate.untrusted.dependencies import PACKAGE_NAME
from evaluate.untrusted.dockerfile import Heredoc, Instruction, ShellWord, tokens
from evaluate.untrusted.image_stage import (
    ADD_UNPACKED,
    ADDRESS,
    HUB,
    BuildStage,
    Context,
    LineRequest,
    makes_executable,
    of_download,
)
from evaluate.untrusted.pip_install import pip_install

_MOST_DEEP = 3
"""Shells in shells."""
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=.*", re.DOTALL)
_KEYWORDS = ("if", "for", "while", "until", "case", "{", "!", "function", "select", "[[")
_IGNORED_TARGETS = re.compile(r"/dev/(?:null|stdout|stderr)|[12]|.*/\.(?:bashrc|profile|bash_profile)")
_BEFORE = ("sudo", "exec", "time", "export", "nohup")
_WITHOUT_EFFECT = (
    *("echo", "printf", "true", ":", "set", "ldconfig", "locale-gen", "useradd", "adduser", "groupadd", "addgroup"),
    *("usermod", "groupmod", "chown", "chgrp", "ls", "pwd", "cat", "which", "env", "id", "date", "uname", "df", "exit"),
    *("whoami", "test", "[", "sync", "update-alternatives", "update-ca-certificates", "dpkg-reconfigure", "sleep"),
    *("unset", "umask", "ulimit", "virtualenv", "deactivate", "hash", "type", "command", "alias", "nvidia-smi"),
)
_GIT_DOWNLOADS = ("clone", "submodule", "pull", "fetch")
FETCHERS = ("curl", "wget", "aria2c", "axel", "rsync", "scp", "aws", "gsutil", "azcopy", "rclone", "lftp")
"""Programs that download."""
_CONDA = ("conda", "mamba", "micromamba")
_CONDA_WITH_VALUE = ("-c", "--channel", "-n", "--name", "-p", "--prefix")
_CONDA_PIN = re.compile(r"([\w.-]+)(?:==?([^=]+)(?:=.*)?)?", re.ASCII)
"""``NAME=VERSION=BUILD``"""
_CONDA_ITSELF = ("python", "pip", "pytorch-cuda", "cudatoolkit", "cudnn", "cpuonly")
"""What a machine has, or what there is no use for without graphics cards."""
_APT_HARMLESS = (
    *("update", "upgrade", "dist-upgrade", "full-upgrade", "clean", "autoclean", "autoremove", "remove", "purge"),
    *("check", "show", "list", "search", "policy", "--version"),
)
_APT_WITH_VALUE = ("-o", "-t", "-c", "--option", "--target-release", "--default-release", "--config-file")
_PIP_HARMLESS = ("cache", "list", "freeze", "check", "show", "config", "uninstall", "debug")
_INSTALLS = (
    "expected a command that only installs (apt-get install, pip install) or makes folders: nothing of the entry is "
    "run while it is installed"
)
_NO_NETWORK = "expected no download: there is no network"
_GENERIC = "do it at home and add its results to the entry, or let the program do it when it starts"
_BY_PIP = "list the packages in requirements.txt, and write: RUN pip install -r requirements.txt"
_BY_APT = "write: RUN apt-get update && apt-get install -y PACKAGE, with the names of Debian's packages"
_WAYS = {
    **dict.fromkeys(("tar", "unzip", "gunzip", "7z"), ADD_UNPACKED),
    **dict.fromkeys(("apk", "yum", "dnf", "microdnf", "zypper"), _BY_APT),
    **dict.fromkeys(("add-apt-repository", "apt-key"), "remove the line: packages are those of Debian"),
    **dict.fromkeys(("R", "Rscript"), "write: RUN apt-get install -y r-cran-NAME, with the names of Debian's packages"),
    **dict.fromkeys(("touch", "echo", "printf", "cat", "tee"), "add the file to the entry"),
    "poetry": "write the output of 'poetry export' to requirements.txt, and: RUN pip install -r requirements.txt",
    "pipenv": "write the output of 'pipenv requirements' to requirements.txt, and: RUN pip install -r requirements.txt",
    "dpkg": "write: RUN apt-get install -y PACKAGE, with the name of a package of Debian",
    "sed": "change the file in the entry itself",
    "npm": "add the installed modules to the entry",
}
"""The nearest way out by the program that is called."""


@dataclass(frozen=True, kw_only=True)
class _Command:
    """One simple command of a RUN."""

    line: int
    words: tuple[str, ...]
    lines: tuple[int, ...] = ()
    """Of each word; empty: all are on the one line."""
    plain: bool = True
    """Whether nothing but words is in it: no pipe, no output to files, no loop."""
    clear: bool = True
    """Whether all its words are known."""


class RunLines:
    """Follows the commands of RUN lines in one stage."""

    def __init__(self, stage: BuildStage, context: Context) -> None:
        self._stage, self._context = stage, context

    def run(self, one: Instruction) -> None:
        """Follow one instruction."""
        before = self._stage.cwd
        if one.words is not None:
            self._command(_Command(line=one.line, words=one.words), 0)
        elif not one.heredocs:
            self._script(one.text, one.line_at)
        elif one.text.startswith("<<"):
            for heredoc in one.heredocs:
                self._script(heredoc.text, partial(_line_in, heredoc))
        else:
            self._stage.refuse(one.line, RefusalKind.COMMAND, one.text, _INSTALLS, _GENERIC)
        self._stage.cwd = before

    def _script(self, text: str, line_at: Callable[[int], int], deep: int = 0) -> None:
        for command in _split(text, self._stage.value, self._context.escape, line_at):
            self._command(command, deep)

    def _command(self, command: _Command, deep: int) -> None:
        words = list(command.words)
        while words and (_ASSIGNMENT.fullmatch(words[0]) or words[0] in _BEFORE):
            words.pop(0)  # so that the lines are those at the end
        if not words:
            return
        program, rest = words[0].rpartition("/")[2], words[1:]
        if program in ("sh", "bash", "dash") and rest[:1] in (["-c"], ["-lc"], ["-ec"]) and deep < _MOST_DEEP:
            self._script("".join(rest[1:2]), lambda _: command.line, deep + 1)
            return
        if re.fullmatch(r"python[\d.]*", program) and rest[:2] == ["-m", "pip"]:
            program, rest = "pip", rest[2:]
        elif program == "uv" and rest[:1] == ["pip"]:
            program, rest = "pip", rest[1:]
        if not command.plain or not self._translated(command, program, rest):
            self._not_translated(command, program)

    def _translated(self, command: _Command, program: str, rest: list[str]) -> bool:
        """Follow a command; False if that is not possible."""
        if re.fullmatch(r"pip[\d.]*", program):
            return self._pip(command, rest)
        if program in ("apt-get", "apt", "aptitude"):
            return self._apt(command, rest)
        if program in ("mkdir", "chmod", "rm", "cp", "mv"):
            return not self._is_known(command) or self._files(program, rest)
        if program == "cd":
            self._stage.cwd = self._stage.place("".join(rest[:1]) or "~")
            return True
        return program in _WITHOUT_EFFECT or _has_no_effect(program, rest)

    def _not_translated(self, command: _Command, program: str) -> None:
        text = " ".join(command.words)
        programs = {word.rpartition("/")[2] for word in command.words}
        address = next((word for word in command.words if ADDRESS.match(word)), "")
        kind, expected, way = RefusalKind.COMMAND, _INSTALLS, _WAYS.get(program, _GENERIC)
        if "git" in programs and programs & set(_GIT_DOWNLOADS):
            what = f"the files of {address}" if address else "its files (submodules are not fetched)"
            kind, expected, way = RefusalKind.GIT, _NO_NETWORK, f"add {what} to the entry itself, and remove the line"
        elif "git" in programs and "lfs" in programs:
            way = "add the files themselves to the entry, not pointers of LFS, and remove the line"
            kind, expected = RefusalKind.GIT, _NO_NETWORK
        elif programs & set(FETCHERS) or address or HUB.search(text):
            kind, way = of_download(text)
            expected = _NO_NETWORK
        elif programs & set(_CONDA):
            expected, way = "expected pip or apt-get: there is no conda", _instead_of_conda(command.words)
        self._stage.refuse(command.line, kind, text, expected, way)

    def _is_known(self, command: _Command) -> bool:
        if not command.clear:
            self._stage.refuse(
                command.line,
                RefusalKind.VARIABLE,
                " ".join(command.words),
                "expected words whose values are known; it has a variable that no ARG or ENV sets",
                "write the value itself, or set it above by: ARG NAME=value",
            )
        return command.clear

    def _apt(self, command: _Command, words: list[str]) -> bool:
        left = iter(_with_lines(command, words))
        plain = [(word, line) for word, line in left if not _is_option(word, left)]
        if not plain or plain[0][0] in _APT_HARMLESS:
            return True
        if plain[0][0] not in ("install", "reinstall"):
            return False
        for word, line in plain[1:] if self._is_known(command) else ():
            name, _, version = word.partition("=")
            if PACKAGE_NAME.fullmatch(name) and not version.endswith("*"):
                self._stage.packages.append(LineRequest(line=line, text=f"{name} = {version}" if version else name))
            else:
                self._stage.refuse(
                    line,
                    RefusalKind.PACKAGE,
                    f"apt-get install {word}",
                    "expected the name of a package of Debian, or name=version",
                    f"write: apt-get install -y {re.split(r'[=:/*]', word)[0] or 'PACKAGE'}",
                )
        return True

    def _pip(self, command: _Command, words: list[str]) -> bool:
        at = next((at for at, word in enumerate(words) if not word.startswith("-")), None)
        if at is None or words[at] in _PIP_HARMLESS:
            return True
        if words[at] == "install" and self._is_known(command):
            pip_install(self._stage, self._context, _with_lines(command, words[at + 1 :]))
        return words[at] == "install"

    def _files(self, program: str, rest: list[str]) -> bool:
        stage, plain = self._stage, [word for word in rest if not word.startswith("-")]
        match program:
            case "mkdir":
                named = plain[1:] if {"-m", "--mode"} & set(rest) else plain
                stage.folders |= dict.fromkeys(stage.place(one) for word in named for one in _braces(word))
            case "chmod" if plain and makes_executable(plain[0]):
                for place in map(stage.place, plain[1:]):
                    stage.executable |= dict.fromkeys(one for one in stage.below(place) if one == place or "*" in place)
                    stage.executable |= dict.fromkeys(stage.below(place) if {"-R", "--recursive"} & set(rest) else ())
            case "rm":
                for place in map(stage.place, plain):
                    for one in stage.below(place):
                        del stage.files[one]
                    stage.folders.pop(place, None)
            case "cp" | "mv":
                return len(plain) > 1 and self._moved(program, plain)
        return True

    def _moved(self, program: str, words: list[str]) -> bool:
        *sources, target = map(self._stage.place, words)
        into = len(sources) > 1 or words[-1].endswith("/") or self._stage.is_folder(target)
        for source in sources:
            own = self._stage.below(source)
            if not own or "*" in source:
                return False
            top = f"{target}/{source.rpartition('/')[2]}" if into else target
            for place, name in own.items():
                if program == "mv":
                    del self._stage.files[place]
                self._stage.files[f"{top}{place[len(source) :]}".replace("//", "/")] = name
        return True


def _has_no_effect(program: str, rest: list[str]) -> bool:
    """Whether a command of a program that may do much does nothing that matters here."""
    match program:
        case "git":  # what follows a clone is of no matter without it
            return not {*_GIT_DOWNLOADS, "lfs"} & set(rest) or rest[:2] == ["lfs", "install"]
        case "ln":
            return bool(rest) and rest[-1].rpartition("/")[2] in ("python", "python3", "pip", "pip3")
        case "source" | ".":
            return bool(rest) and rest[0].endswith("/activate")
        case _ if re.fullmatch(r"python[\d.]*", program):
            return rest[:2] in (["-m", "venv"], ["-m", "ensurepip"]) or rest[:1] in (["-V"], ["--version"])
        case _:
            return False


def _line_in(heredoc: Heredoc, at: int) -> int:
    return heredoc.line + heredoc.text.count("\n", 0, at)


def _with_lines(command: _Command, words: Sequence[str]) -> list[tuple[str, int]]:
    """The last words of a command with their lines."""
    lines = command.lines or (command.line,) * len(command.words)
    return list(zip(words, lines[len(lines) - len(words) :], strict=True))


def _is_option(word: str, left: Iterator[object]) -> bool:
    """Whether it is an option; its value is removed too."""
    if word in _APT_WITH_VALUE:
        next(left, "")
    return word.startswith("-")


def _braces(word: str) -> list[str]:
    """``a/{b,c}`` as bash reads it, once."""
    found = re.fullmatch(r"([^{}]*)\{([^{}]*,[^{}]*)\}([^{}]*)", word)
    return [f"{found[1]}{one}{found[3]}" for one in found[2].split(",")] if found else [word]


def _split(
    text: str, value: Callable[[str], str | None], escape: str, line_at: Callable[[int], int]
) -> Sequence[_Command]:
    """The simple commands of a script that are run if all goes well; a script with loops is one that is not plain."""
    every = list(tokens(text, value, escape=escape, shell=True))
    found: list[_Command] = []
    words: list[ShellWord] = []
    plain = True
    skipped = target = False

    def end() -> None:
        nonlocal words, plain
        if words and not skipped:
            clear = all(word.clear for word in words)
            line = line_at(words[0].at)
            texts, lines = tuple(word.text for word in words), tuple(line_at(word.at) for word in words)
            found.append(_Command(line=line, words=texts, lines=lines, plain=plain, clear=clear))
        words, plain = [], True

    for token in every:
        if target:
            target = False
            if not token.operator and _IGNORED_TARGETS.fullmatch(token.text):
                continue
            plain = False
        if not token.operator:
            words.append(token)
        elif token.text in ("&&", ";", "\n", "||"):
            end()
            # what is before || does not fail
            skipped = token.text == "||" or (skipped and token.text == "&&")
        elif token.text[0] in "<>" or token.text.startswith("&>"):
            if words and words[-1].text in ("1", "2") and words[-1].at + 1 == token.at:
                words.pop()
            target = True
        else:
            plain = False
    end()
    if any(command.words[0] in _KEYWORDS for command in found):
        shown = tuple(token.text for token in every if token.text != "\n")
        return [_Command(line=line_at(every[0].at), words=shown, plain=False)]
    return found


def _instead_of_conda(words: Sequence[str]) -> str:
    """The packages that conda is asked for, by pip.

    >>> _instead_of_conda("conda install -c pytorch -y pytorch torchvision=0.17.2=py310_cpu cudatoolkit".split())
    'write: RUN pip install torch torchvision==0.17.2'
    """
    if "install" not in words or {"-f", "--file"} & set(words):
        return _BY_PIP
    left = iter(words[words.index("install") + 1 :])
    asked = []
    for word in left:
        if word in _CONDA_WITH_VALUE:
            next(left, "")
        elif not word.startswith("-"):
            pinned = _CONDA_PIN.fullmatch(word.rpartition("::")[2])
            name, version = (pinned[1], pinned[2]) if pinned else (word, None)
            name = "torch" if name == "pytorch" else name
            asked.append(f"{name}=={version}" if version else name)
    found = [word for word in asked if re.split("[=<>!~ ]", word)[0] not in _CONDA_ITSELF]
    if not found:
        return "remove the line: the machine has its Python" if asked else _BY_PIP
    return f"write: RUN pip install {' '.join(map(shlex.quote, found))}"
