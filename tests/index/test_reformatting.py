"""A reformatted file costs nothing: real formatters at work, and no unit's text differs afterwards."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from nav_ls.index.units import SourceFile, units_of
from nav_ls.syntax.extract import extract
from tests import npm

ROOT = Path(__file__).resolve().parents[2]
PRETTIER = "3.10.1"
GOFMT = "0.7.3"  # go/format of Go itself, compiled to WebAssembly

PYTHON = [*sorted((ROOT / "nav_ls" / "query").rglob("*.py")), *sorted((ROOT / "tests" / "index").glob("*.py"))]
TYPESCRIPT = sorted((ROOT / "clients" / "vscode" / "src").glob("*.ts"))
JAVASCRIPT = b"""'use strict'

/**
 * Sessions by id.
 */
const sessions = new Map( ), LIMIT = 0XFF

exports.open = function(user,options){
  options = options||{}
  const id = [user.name, Date.now()].map(part=>String(part)).join(':')
  // the newest wins
  sessions.set(id,{ user:user, 'seen': new Date(), roles:[ 'reader','writer' ] })
  return id
}

class Clock {
    constructor(now) { this.now = now }
    tick() { return this.now = this.now+1 }
}

describe('sessions',function(){
CASES
})
""".replace(
    b"CASES",
    b"\n\n".join(
        b"  it('opens number %d', function () {\n    const id = exports.open({ name: 'user %d' })\n"
        b"    assert.strictEqual(sessions.get(id).user.name,'user %d')\n  })" % (n, n, n)
        for n in range(30)
    ),
)
GO = b"""package bank

import (
    "errors"
    "fmt"
)

// Account keeps money.
type Account struct {
    Name string `json:"name"`
    Balance    int64 // in cents
    history []entry
}
type entry struct { amount int64; note string }

var ErrEmpty=errors.New("empty")


// Deposit adds to the balance.
//
//   - never negative
//   - noted in the history

func (a *Account) Deposit(amount int64, note string) error {
    if amount<=0 { return fmt.Errorf("deposit of %d: %w",amount,ErrEmpty) }


    a.Balance+=amount
    a.history=append( a.history,entry{ amount:amount,note:note } )
    return nil
}

/*********
 * totals *
 *********/

func total(accounts []Account)(sum int64){
    for _,each:=range accounts {
    sum+=each.Balance
    }
    return
}
"""


def contents(path: str, language: str, text: bytes) -> set[bytes]:
    """What is embedded of a file, all of it: not even small pieces are left out."""
    return {
        made.row.content_hash for made in units_of(SourceFile(path, language, text, extract(path, text, language)), 1)
    }


def unchanged(language: str, before: dict[Path, bytes]) -> None:
    """The files have other bytes than `before`, and the same units."""
    assert any(path.read_bytes() != text for path, text in before.items())
    for path, text in before.items():
        assert contents(path.name, language, path.read_bytes()) == contents(path.name, language, text), path.name


def copied(sources: list[Path], folder: Path) -> dict[Path, bytes]:
    return {
        Path(shutil.copy(source, folder / f"{n}-{source.name}")): source.read_bytes()
        for n, source in enumerate(sources)
    }


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "format", "--isolated", "-q", "--line-length", "50", "--config", "format.indent-style='tab'"],
        ["black", "-q", "--line-length", "50", "--skip-magic-trailing-comma", "--skip-string-normalization"],
    ],
    ids=lambda command: command[0],
)
def test_python(command: list[str], tmp_path: Path) -> None:
    if shutil.which(command[0], path=str(Path(sys.executable).parent)) is None:
        pytest.skip(f"{command[0]} is not installed")
    before = copied(PYTHON, tmp_path)
    subprocess.run([sys.executable, "-m", *command, *map(str, before)], check=True)
    unchanged("python", before)


@pytest.fixture(scope="module")
def node() -> Callable[[str, str, list[str]], None]:
    """Runs a script of an npm package with arguments."""

    def run(package: str, version: str, arguments: list[str]) -> None:
        try:
            modules = npm.install(package.rpartition("/")[2], package, version)
            program = npm.node_bin() / "node"
        except npm.Unavailable as why:
            pytest.skip(str(why))
        subprocess.run([str(program), *arguments], cwd=modules.parent, check=True)

    return run


PRETTY = "--no-config --ignore-path= --log-level=error --use-tabs --print-width=50 --no-semi --single-quote --write"


@pytest.mark.slow
def test_typescript(node: Callable[[str, str, list[str]], None], tmp_path: Path) -> None:
    before = copied(TYPESCRIPT, tmp_path)
    node("prettier", PRETTIER, ["node_modules/prettier/bin/prettier.cjs", *PRETTY.split(), *map(str, before)])
    unchanged("typescript", before)


@pytest.mark.slow
def test_javascript(node: Callable[[str, str, list[str]], None], tmp_path: Path) -> None:
    path = tmp_path / "sessions.test.js"
    path.write_bytes(JAVASCRIPT)
    node("prettier", PRETTIER, ["node_modules/prettier/bin/prettier.cjs", "--no-config", "--write", str(path)])
    unchanged("javascript", {path: JAVASCRIPT})


@pytest.mark.slow
def test_go(node: Callable[[str, str, list[str]], None], tmp_path: Path) -> None:
    path = tmp_path / "bank.go"
    path.write_bytes(GO)
    script = (
        "import {format} from '@wasm-fmt/gofmt'; import {readFileSync, writeFileSync} from 'node:fs'; "
        "const path = process.argv[1]; writeFileSync(path, format(readFileSync(path, 'utf8')))"
    )
    node("@wasm-fmt/gofmt", GOFMT, ["--input-type=module", "--eval", script, str(path)])
    unchanged("go", {path: GO})
