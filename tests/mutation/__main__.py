"""Changes one operator, number, condition or statement at a time, and shows which changes no test sees.

``python -m tests.mutation evaluate/report/audience.py --sample 60``

The tests are imported once.  For each mutant a process is forked in which the code of one function is replaced, and the
tests of the file (`TESTS`) run until the first fails.  What is outside functions is not changed, nor are texts.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import gc
import importlib
import os
import random
import signal
import sys
import time
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

TESTS: dict[str, tuple[str, ...]] = {
    "evaluate/sandbox/guest.py": ("sandbox/test_guest.py",),
    "evaluate/report/audience.py": ("report/test_audience.py", "views/test_feedback.py"),
    "evaluate/serve/authorization.py": ("serve/test_authorization.py",),
    "evaluate/operate/audit/verify.py": ("operate/audit/test_verify.py", "store/entries/test_best_attempts.py"),
    "evaluate/receipts/verify.py": (
        *("receipts/test_verify.py", "receipts/test_receipts.py", "receipts/test_keys.py"),
        "operate/test_signing.py",
    ),
    "evaluate/store/submission.py": ("store/test_submission.py",),
    "evaluate/run/chain.py": ("run/test_chain.py",),
    "metrics/generic/detection.py": ("metrics/generic/test_detection.py",),
}
"""File -> its tests below ``tests/unit``."""
_COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_CALCULATED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.Pow: ast.Mult,
}  # fmt: skip
_OUTSIDE = ("<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>")
"""Calculations of a module at its import are no functions, although Python compiles them so."""
_SILENT = ("LOG.",)
"""Statements that only log are not changed."""


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """One change."""

    line: int
    what: str
    code: types.CodeType
    """Code of the whole function."""


def mutants(path: Path) -> list[Mutant]:
    """Every change of a file, in the order of its lines."""
    tree = ast.parse(path.read_text())
    changes = []
    for number, node in enumerate(ast.walk(tree)):
        for what in _changes(node):
            changed = copy.deepcopy(tree)
            before = ast.unparse(node)
            target = next(item for n, item in enumerate(ast.walk(changed)) if n == number)
            after = _change(target, what)
            ast.fix_missing_locations(changed)
            code = compile(changed, str(path.resolve()), "exec")
            same = {_key(item): item for item in _functions(compile(tree, str(path.resolve()), "exec"))}
            for item in _functions(code):
                if item != same[_key(item)]:
                    changes.append(Mutant(line=node.lineno, what=f"{before}  ->  {after}", code=item))  # type: ignore[attr-defined]
    return sorted(changes, key=lambda item: (item.line, item.what))


def _changes(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARED:
        yield "compare"
    elif isinstance(node, ast.BoolOp):
        yield "and-or"
    elif isinstance(node, ast.BinOp) and type(node.op) in _CALCULATED:
        yield "calculate"
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
        yield "constant"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not"
    elif isinstance(node, ast.If | ast.IfExp | ast.While) and isinstance(
        node.test, ast.Name | ast.Attribute | ast.Call
    ):
        yield "negate"
    elif isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        yield "return"
    elif isinstance(node, ast.Raise | ast.AugAssign | ast.Continue) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and not ast.unparse(node).startswith(_SILENT)
    ):
        yield "remove"


def _change(node: ast.AST, what: str) -> str:
    """Change a node where it is; returns how it then reads."""
    match node, what:
        case ast.Compare(), _:
            node.ops[0] = _COMPARED[type(node.ops[0])]()
        case ast.BoolOp(), _:
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case ast.BinOp(), _:
            node.op = _CALCULATED[type(node.op)]()
        case ast.Constant(), _:
            node.value = not node.value if isinstance(node.value, bool) else node.value + 1  # type: ignore[operator]
        case ast.UnaryOp(), _:
            node.op = ast.UAdd() if isinstance(node.operand, ast.Constant) else ast.Not()
            node.operand = ast.UnaryOp(op=ast.Not(), operand=node.operand)
        case ((ast.If() | ast.IfExp() | ast.While()), _):
            node.test = ast.UnaryOp(op=ast.Not(), operand=node.test)
        case ast.Return(), _:
            node.value = ast.Constant(value=None)
        case ast.stmt(), _:
            lines = {name: getattr(node, name) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset")}
            for name in node._fields:
                delattr(node, name)
            node.__class__ = ast.Pass  # type: ignore[assignment]
            for name, value in lines.items():
                setattr(node, name, value)
    return ast.unparse(node)


def _functions(code: types.CodeType) -> Iterator[types.CodeType]:
    """The functions and methods of a module or class; not those inside functions, which are part of them."""
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType) and constant.co_name not in _OUTSIDE:
            inside = constant.co_flags & 0x1  # a class's body has no locals of its own
            yield from [constant] if inside else _functions(constant)


def _key(code: types.CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _replace(code: types.CodeType) -> int:
    """Replace the code of a function in this process; returns how many functions had it."""
    functions = [
        function
        for function in gc.get_objects()
        if isinstance(function, types.FunctionType)
        and function.__code__.co_filename == code.co_filename
        and _key(function.__code__) == _key(code)
    ]
    for function in functions:
        function.__code__ = code
    return len(functions)


def _tried(tests: list[str], code: types.CodeType | None, seconds: float) -> str:
    """``killed``, ``survived`` or ``took too long``."""
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        with open(os.devnull, "w") as null:  # noqa: PTH123
            os.dup2(null.fileno(), 1)
            os.dup2(null.fileno(), 2)
        status = 99
        with contextlib.suppress(BaseException):
            if code is None or _replace(code):
                status = int(pytest.main([*tests, "-x", "-q", "-p", "no:cacheprovider", "-k", "not postgresql"]))
        os._exit(status)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            exit_code = os.waitstatus_to_exitcode(status)
            if exit_code == 99:
                raise RuntimeError("the function was not found in this process")
            return "survived" if exit_code == 0 else "killed"
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "took too long"


def main() -> int:
    """Try them, and say which survived."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("file", choices=TESTS)
    options.add_argument("--sample", type=int, help="so many of its mutants, by chance; by default all")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--lines", type=int, nargs=2, metavar=("FIRST", "LAST"), help="only of these lines")
    asked = options.parse_args()
    tests = [f"tests/unit/{name}" for name in TESTS[asked.file]]
    with contextlib.redirect_stdout(sys.stderr):
        if pytest.main([*tests, "--collect-only", "-q", "-q", "-p", "no:cacheprovider"]) != 0:
            return 2
    importlib.import_module(asked.file.removesuffix(".py").replace("/", "."))  # a test may do so when it runs
    every = mutants(Path(asked.file))
    if asked.lines:
        every = [mutant for mutant in every if asked.lines[0] <= mutant.line <= asked.lines[1]]
    chosen = every
    if asked.sample and asked.sample < len(every):
        chosen = sorted(random.Random(asked.seed).sample(every, asked.sample), key=lambda mutant: mutant.line)
    begun = time.monotonic()
    if _tried(tests, None, 600) != "survived":
        print("the tests fail without any change", file=sys.stderr)
        return 2
    seconds = 10 + 4 * (time.monotonic() - begun)
    survived = []
    for mutant in chosen:
        if _tried(tests, mutant.code, seconds) == "survived":
            survived.append(mutant)
            print(f"{asked.file}:{mutant.line}: {mutant.what}", flush=True)
    rate = len(survived) / max(1, len(chosen))
    print(f"{asked.file}: {len(chosen)} of {len(every)} mutants, {len(survived)} survived ({rate:.0%})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
