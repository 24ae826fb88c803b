"""Hints for a team at what its failed program may lack, from what it printed; no verdict depends on them."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from evaluate.untrusted.dockerfile import FETCHERS
from metrics.readers.foreign import decoded

_WORD = r"([A-Za-z0-9_][A-Za-z0-9_.+-]{0,60})"
_PATTERNS = (
    ("module", rf"No module named '?{_WORD}"),
    ("library", rf"error while loading shared libraries: {_WORD}:"),
    ("header", r"fatal error: ([A-Za-z0-9_][A-Za-z0-9_./+-]{0,60}): No such file"),
    ("R package", rf"there is no package called [‘'\"]{_WORD}"),
    ("Octave package", rf"package {_WORD} (?:is not installed|must be installed)"),
    ("program", rf"(?:^|[:\s'‘]){_WORD}['’]?: (?:command )?not found"),
    ("program", rf"env: [‘']{_WORD}['’]: No such file"),
)
"""Kind of thing, and how programs say that it is missing."""
_MODULES = {
    "attr": "attr",
    "bs4": "bs4",
    "cv2": "opencv",
    "dateutil": "dateutil",
    "PIL": "pil",
    "skimage": "skimage",
    "sklearn": "sklearn",
    "yaml": "yaml",
}
_OF_DEBIAN = (
    *("h5py", "joblib", "lmfit", "matplotlib", "mne", "networkx", "nibabel", "numba", "numexpr", "numpy", "pandas"),
    *("patsy", "pydicom", "pywt", "requests", "scipy", "seaborn", "statsmodels", "sympy", "tables", "tqdm", "xarray"),
)
"""Python modules whose package is ``python3-`` and their name."""
_REQUIREMENTS = {"cv2": "opencv-python-headless", "PIL": "pillow", "skimage": "scikit-image", "sklearn": "scikit-learn"}
_REQUIREMENTS |= {"yaml": "pyyaml", "bs4": "beautifulsoup4", "dateutil": "python-dateutil", "pywt": "PyWavelets"}
_PROGRAMS = {
    **dict.fromkeys(("octave", "octave-cli"), "octave"),
    **dict.fromkeys(("R", "Rscript"), "r-base-core"),
    **{"java": "default-jre-headless", "javac": "default-jdk-headless", "jar": "default-jdk-headless"},
    **{name: name for name in ("cmake", "gfortran", "perl", "ffmpeg", "sox", "bc", "jq", "gawk", "julia", "ghc")},
    **{"clang": "clang", "go": "golang-go", "rustc": "rustc", "cargo": "cargo", "fpc": "fp-compiler", "node": "nodejs"},
    **{"parallel": "parallel", "rdsamp": "wfdb", "gqrs": "wfdb", "wqrs": "wfdb", "ann2rr": "wfdb", "7z": "p7zip-full"},
}
_HEADERS = {
    "fftw3.h": "libfftw3-dev",
    "gsl": "libgsl-dev",
    "hdf5.h": "libhdf5-dev",
    "matio.h": "libmatio-dev",
    "Eigen": "libeigen3-dev",
    "eigen3": "libeigen3-dev",
    "boost": "libboost-dev",
    "zlib.h": "zlib1g-dev",
    "png.h": "libpng-dev",
    "wfdb": "libwfdb-dev",
}
_NETWORK = re.compile(
    r"name resolution|could not resolve host|unable to resolve host|name or service not known|network is unreachable"
    r"|getaddrinfo|failed to establish a new connection|urlopen error|unknown host|could not connect to server",
    re.IGNORECASE,
)
"""Messages of programs that reach no network."""
_FETCH = re.compile(
    r"(?:^|[;&|(`!]|\b(?:then|do|else|if|while|until|exec|time))\s*(?:[\w./]*/)?"
    rf"({'|'.join(FETCHERS)}|git (?:clone|pull|fetch|submodule))(?=\s)"
    r"|(urllib\.request|urlretrieve|requests\.get|hf_hub_download|snapshot_download)"
)
_ON_THIS_MACHINE = re.compile(r"^\s*#|file:|localhost|127\.0\.0\.1|\b(?:rsync|scp)\b(?!.*:)|\bcommand -v\b|\bwhich\b")
"""Lines with such words that reach no network."""
_MOST_NAMES = 10
_MOST_LINE = 1000
"""Longest line searched: a team writes it, and the time of both patterns grows with the square of its length."""
_PIP = re.compile(r"externally-managed-environment|(?:^|[:\s'‘])pip3?['’]?: (?:command )?not found", re.MULTILINE)
_PYTHON = re.compile(
    r"(?:^|[:\s'‘])(?:[\w/]*/)?python2?(?:\.7)?['’]?: (?:(?:command )?not found|No such file)", re.MULTILINE
)
"""Messages of a shell that Python has no such name here."""
_LINE_ENDS = re.compile(r"([\w./+-]+)(?:\\r|\^M|\r)['’]?: (?:No such file|bad interpreter)")
_FIRST_LINE = re.compile(r"([\w./+-]+): cannot execute: required file not found")
"""Message about a script whose first line names no program."""
_OLDER_MODEL = re.compile(
    r"Trying to unpickle estimator (\w{1,60}) from version ([\w.]{1,20}) when using version ([\w.]{1,20}?)\.?(?:\s|$)"
)
"""Message of scikit-learn that a model comes from another version."""
_FRAME = re.compile(
    r'^ *File "[^"\n]{0,300}/(?:site-packages|dist-packages|modules|[0-9a-f]{32})/(\w{1,60})[/.]', re.MULTILINE
)
_LOADING = re.compile(r'^ *File "[^"\n]{0,300}", line \d+, in <module>', re.MULTILINE)
_CHANGED = re.compile(r"^(?:TypeError|AttributeError|ImportError): ", re.MULTILINE)
"""Messages of a program that was written for another version of a package."""
_UNDEFINED = re.compile(r"name '(\w{1,60})'(?: is not defined| from 'helper_code')")
"""Message of Python that a program of a team uses what a file of the organiser does not have."""
_FUNCTION = re.compile(r"ImportError: cannot import name '(\w{1,60})' from '(\w{1,60})' \(/home/")
"""Message of Python that a program of the organiser asks for a function that the team's file does not have."""
_ELSEWHERE = re.compile(
    r"(?:No such file|[Nn]ot found|[Uu]nable to (?:find|open)|(?:[Cc]annot|could not) open|(?:doesn't|does not) exist)"
    r"[^\n]{0,100}?['\" ]((?:/Users/|/home/(?!challenge/)|/content/|/kaggle/|/mnt/c/|[A-Z]:[\\/])[^'\"\n]{1,200})"
)
"""Messages of programs that there is no file at a path that only their author's computer has."""
_NO_SLASH = re.compile(r"(?:Permission denied|Read-only file system|No such file)[^\n]{0,40}['\"]/output[^/'\"\n]")
_IMPORT = re.compile(r"^(?:from ([A-Za-z_]\w{0,60})[\w.]{0,200} import|import ([^#;\n]{1,300}))", re.MULTILINE)
_CONDA = re.compile(r"^ *- ([\w.-]{1,60})={1,2}(\d[\w.]{0,30})", re.MULTILINE)
_SONAME = re.compile(r"(lib.+?)(-[0-9.]+)?\.so\.([0-9]+)")


@dataclass(frozen=True, kw_only=True)
class Lack:
    """One thing that was not there."""

    kind: str
    """``module``, ``library``, ``header``, ``program``, ``R package``, ``Octave package``."""
    name: str

    @property
    def debian(self) -> str:
        """The Debian package that has it; empty where that is not known."""
        match self.kind:
            case "module":
                known = self.name in _OF_DEBIAN
                return f"python3-{_MODULES.get(self.name, self.name)}" if known or self.name in _MODULES else ""
            case "library":
                return _of_library(self.name)
            case "header":
                return _HEADERS.get(self.name.partition("/")[0], "")
            case "R package":
                return f"r-cran-{self.name.lower()}"
            case "Octave package":
                return f"octave-{self.name}"
            case _:
                return _PROGRAMS.get(self.name, "")

    @property
    def requirement(self) -> str:
        """The package of the Python package index that has a module; empty for other things."""
        return _REQUIREMENTS.get(self.name, self.name) if self.kind == "module" else ""


def _of_library(soname: str) -> str:
    """Debian names the package of ``libgomp.so.1`` ``libgomp1``, and that of ``libfoo2.so.3`` ``libfoo2-3``."""
    found = _SONAME.match(soname)
    if found is None:
        return ""
    name, release, version = found[1], found[2] or "", found[3]
    between = "-" if (name + release)[-1].isdigit() else ""
    return f"{name}{release}{between}{version}".replace("_", "-").lower()


def lacks(printed: str) -> tuple[Lack, ...]:
    """Everything that programs said was not there, in order, each once."""
    found = []
    for line in printed.splitlines():
        for kind, pattern in _PATTERNS:
            if match := re.search(pattern, line):
                name = match[1].partition(".")[0] if kind == "module" else match[1]
                found.append(Lack(kind=kind, name=name))
                break
    return tuple(dict.fromkeys(found))


def _cause(printed: str, file: str, *, of_debian: bool) -> str:
    """Cause of the failure, where nothing that is missing says so."""
    if of_debian and _PIP.search(printed):
        return (
            f"pip has no network here: list Debian's packages, such as python3-numpy, in {file}; for a file of the "
            "entry, list python3-pip and add --break-system-packages --no-index"
        )
    if models := _OLDER_MODEL.findall(printed):
        name, made, here = models[-1]  # the parts of a model are named before it
        other = "" if of_debian else f", or pin scikit-learn=={made} in {file} if it has wheels for this Python"
        return (
            f"the entry brings a model ({name}) that scikit-learn {made} made, and {here} is installed: train it again "
            f"with {here}{other}"
        )
    if found := _LINE_ENDS.search(printed):
        return (
            f"a script has Windows line ends, so its first line names no program {found[1]!r}: "
            "sed -i 's/\\r$//' FILE removes them"
        )
    if found := _FIRST_LINE.search(printed):
        return f"the first line of {found[1]} names a program that is not there, or has a Windows line end"
    if _NETWORK.search(printed):
        return (
            f"there is no network in the virtual machine: put what is downloaded into the entry, or list it in {file}"
        )
    return ""


def _path(printed: str) -> str:
    """Problem with a path that the program tried."""
    if found := _ELSEWHERE.search(printed):
        return (
            f"{found[1]} is a path of another computer: name the entry's files from the folder of the program, as "
            "Path(__file__).parent / 'NAME', and the data from its arguments"
        )
    if _NO_SLASH.search(printed):
        return "a name was appended to the folder of the answers without a / between: use os.path.join"
    return ""


def _download(scripts: Mapping[str, str], file: str) -> str:
    """Find where a script calls what needs a network, which may have failed silently (``curl -s``, ``wget -q``)."""
    for name, text in scripts.items():
        for number, line in enumerate((whole[:_MOST_LINE] for whole in text.splitlines()), 1):
            if (found := _FETCH.search(line)) and not _ON_THIS_MACHINE.search(line):
                return (
                    f"{name}, line {number}, uses {found[1] or found[2]}, and there is no network in the virtual "
                    f"machine: put what is downloaded into the entry, or list it in {file}"
                )
    return ""


def unlisted(texts: Mapping[str, bytes], listed: frozenset[str], conda: bytes) -> str:
    """The packages that programs import at their beginning and no list has, and what conda's list says of them.

    * ``texts``: the entry's Python programs, by their names.
    * ``listed``: the names that are listed.
    * ``conda``: the text of environment.yml.
    """
    own = {part for name in texts for part in name.removesuffix(".py").split("/")} | sys.stdlib_module_names
    imported = {
        word.strip().partition(" ")[0].partition(".")[0]
        for text in texts.values()
        for first, names in _IMPORT.findall(decoded(text, errors="replace"))
        for word in [first, *names.split(",")]
    }
    packages = sorted({_REQUIREMENTS.get(module, module) for module in imported - own if module.isidentifier()})
    missing = [name for name in packages if name.lower() not in listed][:_MOST_NAMES]
    pins = {name.lower(): version for name, version in _CONDA.findall(decoded(conda, errors="replace"))}
    of_conda = [f"{name}=={version}" for name in missing if (version := pins.get(name.lower()))]
    said = f"; its programs import, without a line for them: {', '.join(missing)}" if len(missing) > 1 else ""
    return said + (f"; environment.yml, which is not read, has {', '.join(of_conda)}" if of_conda else "")


def hint(
    printed: str,
    file: str,
    listed: frozenset[str],
    *,
    of_debian: bool,
    scripts: Mapping[str, str] | None = None,
    others: str = "",
) -> str:
    """One sentence on a known cause, or on the first thing whose package ``file`` does not list; else empty.

    * ``printed``: what the program printed.
    * ``file``: where the team lists what it needs.
    * ``listed`` (frozenset of str): the names in it.
    * ``of_debian``: whether these are Debian's packages or those of the Python package index.
    * ``scripts``: texts of scripts that have run, by their names.
    * ``others``: what follows a module that is not listed, of `unlisted`.
    """
    if cause := _path(printed) or _cause(printed, file, of_debian=of_debian):
        return cause
    if _PYTHON.search(printed):
        way = f"list python-is-python3 in {file}, or call python3" if of_debian else "call python3"
        return f"there is no program python, which was Python 2 and is in no image any more: {way}"
    download = _download(scripts or {}, file)
    for lack in lacks(printed):
        package = lack.debian if of_debian else lack.requirement
        if package and package.lower() not in listed:
            also = others if lack.kind == "module" else ""
            return f"{file} lists no {package}, the package of the {lack.kind} {lack.name}{also}"
        if not package:
            return download or f"the {lack.kind} {lack.name} is neither part of the entry nor installed by {file}"
    return download or ("" if of_debian else _of_another_version(printed, file, listed))


def of_replaced_file(printed: str, files: Mapping[str, bytes]) -> str:
    """One sentence on a name that a program misses and that one of these files of the team defines; else empty.

    ``files``: files of the team whose places the organiser's programs take, by their names.
    """
    for name in islice(dict.fromkeys(_UNDEFINED.findall(printed)), _MOST_NAMES):
        defined = re.compile(rf"^(?:def |class )?{name}\b *[(:=]".encode(), re.MULTILINE)
        for file, text in files.items():
            if defined.search(text):
                return (
                    f"{file} of the organiser takes the place of the entry's, and has no {name}: move it to a file of "
                    "another name"
                )
    return ""


def _of_another_version(printed: str, file: str, listed: frozenset[str]) -> str:
    """Say what was written for other versions: of the organiser's programs, or of a package that came with others."""
    if found := _FUNCTION.search(printed):
        name, module = found.groups()
        return (
            f"{module}.py has no {name}: it was written for programs that call it by other names, as an earlier phase "
            "or another year may have had"
        )
    frames = _FRAME.findall(printed)
    package = _REQUIREMENTS.get(frames[-1], frames[-1]).lower() if frames else ""
    if not package or not _CHANGED.search(printed):
        return ""
    if package in listed:
        loading = _LOADING.search(printed, printed.rfind('  File "'))
        return (
            f"{package} fails while it is imported: packages that it needs are newer, since {file} leaves their "
            "versions open; list these too, in versions of its time, as pip list names them where the entry works"
            if loading
            else ""
        )
    return (
        f"the error is in {package}, which {file} does not list, so the newest is installed: list the version of it "
        "that the entry was written with"
    )
