"""Plain English: phrases that readers stumbled over do not come back, wherever people read."""

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
READ = ("evaluate", "metrics", "challenges", "vm_images", "docs", "ci", ":/*.md", "run", "install.sh", "action.yml")
HISTORY = "CHANGELOG.md"
KINDS = (".py", ".md", ".html", ".js", ".yml", ".sh", ".c", "")
PHRASES = (
    *("look into your", "was not taken", "after a cut", "goes? on where", "all of it has arrived", "alone may"),
    *("makes no tokens", "does not take such", "no such thing", "whoever asks", "costs? your team nothing"),
    *("exists now", "other records are drawn", "wanted more than", "lived on system calls", "hold less at once"),
    *("are not (told|shown) any ?more", r"from which (hosts? )?\w+ takes?", "which is over", "counts? for nothing"),
    *("wherever it is", "something does not hold", "could not be tried", "any that is free", "machine that stays"),
    *("is an alarm", "one module more", "loses the work", "not as the references say", "of no use", "came of it"),
    *(
        "of ours",
        "(is|are|was|were) told (?!apart)",
        "counts? no more",
        "starts? nothing new",
        "there is nothing to do",
        "stands on (the )?(leader)?boards?",
        "submits? nothing more",
        "signature that does not hold",
        "gives no sign",
        "(archive|image|repository|commit|folder) holds",
        "chain does not hold",
    ),
)


def texts() -> Iterator[tuple[str, str]]:
    """File and text of all that people read: whole files, of programs in Python the strings and comments."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *READ], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if name == HISTORY or path.suffix not in KINDS or not path.is_file():
            continue
        text = path.read_text()
        if path.suffix == ".py":
            tokens = tokenize.generate_tokens(io.StringIO(text).readline)
            text = " ".join(token.string for token in tokens if token.type in (tokenize.STRING, tokenize.COMMENT))
        yield name, " ".join(re.sub(r'["#]', " ", text).split())


def test_no_phrase_that_readers_stumble_over() -> None:
    wanted = re.compile("|".join(rf"\b{phrase}\b" for phrase in PHRASES), re.IGNORECASE)
    phrases = [
        f"{name}: …{text[max(0, match.start() - 60) : match.end() + 30]}…"
        for name, text in texts()
        for match in wanted.finditer(text)
    ]
    assert phrases == []


RIDDLE = re.compile(r'"""(What|Whether|How|Where|Who|Of|Those|That) ')
"""Begin of a docstring that names its subject by a relative clause."""
OUTSIDE = ("evaluate/serve/api/", "evaluate/protocol/")
"""Texts of the API, and files whose digests are those of the guest."""


def test_docstrings_begin_with_a_noun_or_a_verb() -> None:
    files = [path for top in ("evaluate", "metrics") for path in (ROOT / top).rglob("*.py")]
    names = {str(path.relative_to(ROOT)) for path in files if RIDDLE.search(path.read_text())}
    assert [name for name in sorted(names) if not name.startswith(OUTSIDE)] == []


VAGUE = {"found", "known", "one", "own", "place", "said"}
"""Names of variables that do not say what is in them."""


def test_variables_are_named_after_what_they_hold() -> None:
    vague = []
    for path in (path for top in ("evaluate", "metrics") for path in sorted((ROOT / top).rglob("*.py"))):
        if "protocol" in path.parts:  # shipped to the guest, whose image has its digest
            continue
        tree = ast.parse(path.read_text())
        fields = {id(node.target) for node in ast.walk(tree) if isinstance(node, ast.AnnAssign)}  # keys of contracts
        for node in ast.walk(tree):
            if isinstance(node, ast.arg) and node.arg in VAGUE:
                vague.append(f"{path.relative_to(ROOT)}:{node.lineno}: {node.arg}")
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in fields:
                vague += [f"{path.relative_to(ROOT)}:{node.lineno}: {node.id}"] if node.id in VAGUE else []
    assert vague == []
