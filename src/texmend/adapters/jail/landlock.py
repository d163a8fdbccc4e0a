"""Landlock: the kernel itself keeps a program inside the folders it was given, without any helper program.

Three raw system calls (Linux 5.13 or later; landlock(7), include/uapi/linux/landlock.h); nothing else is needed.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

CREATE, ADD, RESTRICT = 444, 445, 446
"""The numbers of the system calls, the same on every architecture that has Landlock."""
READ = (1 << 2) | (1 << 3)
EXECUTE = 1 << 0
FILE_RIGHTS = (1 << 0) | (1 << 1) | (1 << 2) | (1 << 14)
"""The rights that a rule on a single file may hold; any other is EINVAL."""
BY_VERSION = ((1, (1 << 13) - 1), (2, 1 << 13), (3, 1 << 14))
"""Rights on files by the version of the interface that brought them."""
NETWORK_VERSION = 4
NETWORK = 0b11
"""Bind and connect, TCP."""
NO_NEW_PRIVILEGES = 38


def _system_calls() -> ctypes.CDLL | None:
    if sys.platform != "linux" or platform.machine() not in ("x86_64", "aarch64", "riscv64", "ppc64le", "s390x", "loongarch64"):
        return None
    return ctypes.CDLL(None, use_errno=True)


def version() -> int:
    """The version of the kernel's Landlock interface, 0 if there is none."""
    libc = _system_calls()
    return max(0, int(libc.syscall(CREATE, None, 0, 1))) if libc else 0


def confine(readable: Iterable[Path], writable: Iterable[Path]) -> Callable[[], None]:
    """A function that confines the process that calls it, and all that it starts, to these folders and files.

    Everything else is neither read nor written, and no TCP connection is made where the kernel can forbid it.
    The function makes system calls only, so that it may run between fork and exec; it raises OSError when it fails.
    """
    libc, level = _system_calls(), version()
    if libc is None or not level:
        raise OSError("no Landlock in this kernel")
    rights = sum(bits for since, bits in BY_VERSION if level >= since)
    paths = [(p, READ | EXECUTE) for p in readable if p.exists()] + [(p, rights) for p in writable if p.exists()]
    rules = [(os.fsencode(p), allowed & (rights if p.is_dir() else rights & FILE_RIGHTS)) for p, allowed in paths]
    asked = struct.pack("QQ", rights, NETWORK) if level >= NETWORK_VERSION else struct.pack("Q", rights)

    def restrict() -> None:
        ruleset = _checked(libc.syscall(CREATE, asked, len(asked), 0))
        for path, allowed in rules:
            folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
            _checked(libc.syscall(ADD, ruleset, 1, struct.pack("=QI", allowed, folder), 0))
            os.close(folder)
        _checked(libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0))
        _checked(libc.syscall(RESTRICT, ruleset, 0))
        os.close(ruleset)

    return restrict


def _checked(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), "Landlock refused")
    return int(result)
