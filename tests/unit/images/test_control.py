"""Stanzas of Debian's control format."""

from __future__ import annotations

from evaluate.images.apt import Package, _paragraphs, parse_status

STATUS = b"""Package: libc6
Status: install ok installed
Architecture: amd64
Version: 2.36-9+deb12u10
Depends: libgcc-s1, libcrypt1 (>= 1:4.4.10-10~)
Description: GNU C Library: Shared libraries
 Contains the standard libraries: C and mathematics.
 .
 A second paragraph.
Conffiles:
 /etc/ld.so.conf.d/x86_64-linux-gnu.conf d4e7a7b88a71b5ffd9e2644e71a0cfab


Package: gone
Status: deinstall ok config-files
Architecture: all
Version: 1
"""


def test_fields_with_further_lines_and_blank_lines_between_stanzas() -> None:
    first, second = _paragraphs(STATUS.decode())
    assert first["Description"].splitlines()[0] == "GNU C Library: Shared libraries"
    assert first["Conffiles"].startswith("\n /etc/ld.so.conf.d/")
    assert (second["Package"], list(_paragraphs("\n \n"))) == ("gone", [])


def test_only_what_is_installed_counts() -> None:
    assert parse_status(STATUS) == (Package("libc6", "2.36-9+deb12u10", "amd64"),)
