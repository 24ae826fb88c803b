"""The grade of an installation, from what the doctor found."""

from __future__ import annotations

import pytest

from evaluate.host.finding import Check, graded

NAMES = ("programs", "binding", "walls", "libvirt", "users", "qemu", "mitigations", "ksm", "smt", "swap", "core")


def checks(*failed: str) -> list[Check]:
    return [
        Check(name=name, ok=name not in failed, found=f"of {name}", remedy=(("repair", name),), needed=False)
        for name in NAMES
    ]


@pytest.mark.parametrize(
    ("failed", "letter", "first"),
    [
        ((), "A", ""),
        (("smt",), "B", "smt"),
        (("swap", "ksm"), "C", "ksm"),
        (("smt", "users"), "D", "users"),
        (("qemu",), "D", "qemu"),
        (("qemu", "users"), "E", "users"),
        (("qemu", "users", "walls"), "F", "walls"),
    ],
)
def test_grade_is_that_of_the_first_wall_that_does_not_stand(failed: tuple[str, ...], letter: str, first: str) -> None:
    found = graded(checks(*failed))
    assert (found.letter, found.command) == (letter, f"repair {first}" if first else "")
    assert found.line.startswith(f"grade {letter}: {f'{first}: of {first}; raises it' if first else 'every wall'}")
    assert graded([Check(name="qemu", ok=False, found="none")]).line == "grade D: qemu: none", "without a command"
