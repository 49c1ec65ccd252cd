"""Git hooks that keep the index warm, beside whatever hooks are there already.

A few lines go in behind the first line of a shell script, before anything that may `exec` or `exit` (husky,
pre-commit and lefthook do).  A hook in another language, or a link to a file of the repository, is moved aside and
called at the end.  The lines start a process in the background and never wait: git is not slowed down or stopped.
"""

from __future__ import annotations

import os
import re
import shlex
import stat
import subprocess
from pathlib import Path

from nav_ls.hooks.install import program, python
from nav_ls.text.git import Repository, environment

NAMES = ("pre-commit", "post-checkout", "post-merge", "post-rewrite")

_BEGIN = "# >>> nav: keeps the index warm, never stops git; `nav git-hook uninstall` takes it out"
_END = "# <<< nav"
_BLOCK = re.compile(rf"{re.escape(_BEGIN)}\n.*?{re.escape(_END)}\n", re.DOTALL)
_SHELL = re.compile(rb"#!\s*(?:\S*/env\s+(?:-S\s+)?)?(?:\S*/)?(?:sh|bash|dash|ksh|zsh|ash)(?:\s|$)")
_ASIDE = ".before-nav"
_MOVED = (".legacy", ".old")
"""Where pre-commit and lefthook put a hook that they find; the former goes on running it."""


class HookError(Exception):
    """The hooks cannot be changed; the message says why and what to do."""


def folder(repository: Repository, *, shared: bool = False) -> Path:
    """The folder that git takes hooks from.

    Raises HookError where `core.hooksPath` leads out of the repository, unless `shared` allows that: hooks there
    run in other repositories as well.
    """
    configured = _configured(repository)
    if configured is None:
        return repository.common_dir / "hooks"
    path = (repository.root / configured).resolve()
    inside = path.is_relative_to(repository.root) or path.is_relative_to(repository.common_dir)
    if not inside and not shared:
        raise HookError(f"core.hooksPath is {path}, which other repositories use too; add --shared to install there")
    return path


def install(repository: Repository, *, shared: bool = False) -> list[Path]:
    """Put nav's lines into the hooks; returns the files that were changed.  Raises HookError, OSError."""
    hooks = folder(repository, shared=shared)
    hooks.mkdir(parents=True, exist_ok=True)
    return [hooks / name for name in NAMES if _install_one(hooks / name)]


def uninstall(repository: Repository) -> list[Path]:
    """Take nav's lines out again; returns the files that were changed.  Raises OSError."""
    hooks = folder(repository, shared=True)
    changed = []
    for name in NAMES:
        for path in (hooks / name, *_moved(hooks / name)):
            if _uninstall_one(path):
                changed.append(path)
    return changed


def installed(repository: Repository) -> list[str]:
    """The hooks that have nav's lines."""
    hooks = folder(repository, shared=True)
    return [name for name in NAMES if _BEGIN.encode() in _read(hooks / name)]


def _configured(repository: Repository) -> str | None:
    """`core.hooksPath`, which may come from any of git's configuration files; asking runs no program."""
    command = ["git", f"--git-dir={repository.git_dir}", f"--work-tree={repository.root}"]
    done = subprocess.run(
        [*command, "config", "--path", "--get", "core.hooksPath"],
        cwd=repository.root,
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=20,
        check=False,
    )
    value = done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")
    return value if done.returncode == 0 and value else None


def _moved(path: Path) -> list[Path]:
    """Hooks with nav's lines that another tool has moved aside."""
    found = [path.with_name(path.name + suffix) for suffix in _MOVED]
    return [moved for moved in found if _BEGIN.encode() in _read(moved)]


def _install_one(path: Path) -> bool:
    for moved in _moved(path):
        _uninstall_one(moved)
    text = _read(path)
    block = _block(path.name).encode()
    if _BEGIN.encode() in text:
        known = _BLOCK.search(text.decode("utf-8", "surrogateescape"))
        if known is None or known.group().encode("utf-8", "surrogateescape") == block:
            return False
        _replace(path, text.replace(known.group().encode("utf-8", "surrogateescape"), block))
    elif not _exists(path):
        _replace(path, b"#!/bin/sh\n" + block, 0o755)
    elif _SHELL.match(text) and not path.is_symlink():
        first, _, rest = text.partition(b"\n")
        _replace(path, first + b"\n" + block + rest)
    else:
        _set_aside(path, block)
    return True


def _set_aside(path: Path, block: bytes) -> None:
    aside = path.with_name(path.name + _ASIDE)
    if _exists(aside):
        raise HookError(f"{aside} is in the way; remove it or rename it")
    path.rename(aside)
    runs = os.access(aside, os.X_OK)
    chain = f'exec "$(dirname -- "$0")/{aside.name}" "$@"\n'.encode() if runs else b""
    _replace(path, b"#!/bin/sh\n" + block + chain, 0o755)


def _uninstall_one(path: Path) -> bool:
    text = _read(path)
    if _BEGIN.encode() not in text:
        return False
    aside = path.with_name(path.name + _ASIDE)
    if _exists(aside):
        aside.replace(path)
        return True
    rest = _BLOCK.sub("", text.decode("utf-8", "surrogateescape"))
    if rest == "#!/bin/sh\n":
        path.unlink()
    else:
        _replace(path, rest.encode("utf-8", "surrogateescape"))
    return True


def _block(name: str) -> str:
    interpreter = shlex.quote(python())
    # In the background with its streams closed: git waits for every process that holds its pipes.
    warm = shlex.quote(program("hooks/warm.py"))
    line = f"[ -x {interpreter} ] && {interpreter} -P {warm} {name} </dev/null >/dev/null 2>&1 &"
    return f"{_BEGIN}\n{line}\n{_END}\n"


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _exists(path: Path) -> bool:
    return os.path.lexists(path)


def _replace(path: Path, data: bytes, mode: int | None = None) -> None:
    if mode is None:
        mode = stat.S_IMODE(path.stat().st_mode)
    temporary = path.with_name(f"{path.name}.nav-{os.getpid()}")
    temporary.write_bytes(data)
    temporary.chmod(mode)
    temporary.replace(path)
