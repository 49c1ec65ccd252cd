"""A real Neovim, as a person uses it."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.editors.conftest import ROOT, program

pytestmark = pytest.mark.slow

SECONDS = 30.0


class Rpc:
    """Neovim's MessagePack-RPC over its socket, one request at a time."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(SECONDS)
        deadline = time.monotonic() + SECONDS
        while True:
            try:
                self._socket.connect(str(path))
                return
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)

    def __call__(self, method: str, *arguments: Any) -> Any:
        self._socket.sendall(msgspec.msgpack.encode([0, 1, method, arguments]))
        data = b""
        while True:
            part = self._socket.recv(1 << 16)
            if not part:
                raise EOFError
            data += part
            try:
                _, _, error, result = msgspec.msgpack.decode(data)
            except msgspec.DecodeError:
                continue  # more is to come
            if error:
                raise RuntimeError(error[1])
            return result

    def close(self) -> None:
        self._socket.close()


class Neovim:
    """One running editor with the plugin."""

    def __init__(self, environment: dict[str, str], repository: Path) -> None:
        path = Path(environment["XDG_RUNTIME_DIR"]) / f"nvim-{id(self)}"
        plugin = ROOT / "clients" / "nvim"
        command = [program("nvim"), "--clean", "--headless", "--listen", str(path), "--cmd", f"set rtp^={plugin}"]
        self._process = subprocess.Popen(
            command,
            cwd=repository,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._rpc = Rpc(path)
        self.command("runtime plugin/nav.lua")

    def close(self) -> None:
        with contextlib.suppress(EOFError, OSError):  # that is how it ends
            self.command("qa!")
        self._rpc.close()
        self._process.wait(SECONDS)

    def command(self, text: str) -> None:
        self._rpc("nvim_command", text)

    def output(self, text: str) -> str:
        return str(self._rpc("nvim_exec2", text, {"output": True})["output"])

    def call(self, name: str, *arguments: Any) -> Any:
        return self._rpc("nvim_call_function", name, arguments)

    def lines(self) -> list[str]:
        return list(self.call("getline", 1, "$"))

    def lua(self, code: str) -> Any:
        return self._rpc("nvim_exec_lua", code, [])

    def wait(self, what: str, holds: Callable[[], Any]) -> Any:
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            answer = holds()
            if answer:
                return answer
            time.sleep(0.05)
        messages = self.output("messages")
        raise AssertionError(f"{what}: not within {SECONDS} s; messages: {messages}")

    def edit(self, name: str) -> None:
        self.command(f"edit {name}")
        self.wait(
            "attached",
            lambda: self.lua(
                "return #vim.lsp.get_clients({name='nav', bufnr=0}) > 0 and vim.lsp.get_clients({name='nav'})[1].initialized"
            ),
        )

    def quickfix(self) -> list[str]:
        items = self.lua(
            "return vim.tbl_map(function(i) return vim.fs.basename(vim.api.nvim_buf_get_name(i.bufnr)) .. ':' .. i.lnum .. ' ' .. i.text end, vim.fn.getqflist())"
        )
        return list(items)

    def clear(self) -> None:
        self.command("cclose")
        self.lua("vim.fn.setqflist({})")

    def cursor(self, text: str) -> None:
        assert self.call("search", text) > 0, text


@pytest.fixture
def editor(surroundings: dict[str, str], repository: Path) -> Iterator[Neovim]:
    neovim = Neovim(surroundings, repository)
    yield neovim
    neovim.close()


def indexed(editor: Neovim) -> None:
    """Ask until the first index answers."""

    def answers() -> bool:
        editor.lua(
            "vim.g.found = nil; require('nav').ask('callers', {target = 'validate'}, function(f) vim.g.found = #f.callers end)"
        )
        time.sleep(0.3)
        return bool(editor.lua("return vim.g.found"))

    editor.wait("indexed", answers)


def test_callers_fill_the_quickfix_list(editor: Neovim) -> None:
    editor.edit("till.py")
    indexed(editor)
    editor.cursor("def validate")
    editor.command("Nav callers")
    found = editor.wait("callers", editor.quickfix)
    assert sorted(found) == ["shop.py:10 refund  [exact]", "till.py:12 Till.pay  [exact]"]


def test_call_hierarchy_of_the_built_in_client(editor: Neovim) -> None:
    editor.edit("till.py")
    indexed(editor)
    editor.cursor("def pay")
    editor.command("normal! w")
    editor.lua("vim.lsp.buf.incoming_calls()")
    found = editor.wait("incoming calls", editor.quickfix)
    assert [line.split(" ")[0] for line in found] == ["shop.py:6"]


def test_a_saved_call_appears_and_an_unsaved_one_does_before(editor: Neovim) -> None:
    editor.edit("shop.py")
    indexed(editor)
    editor.call("append", "$", ["", "", "def audit():", "    validate(1)"])

    def callers() -> list[str]:
        editor.clear()
        editor.command("Nav callers validate")
        return editor.wait("callers", editor.quickfix)

    editor.wait("the unsaved caller", lambda: any(" audit " in line for line in callers()))
    editor.command("cclose")
    editor.command("write")
    assert any(" audit " in line for line in callers())


def test_search_offers_hits(editor: Neovim) -> None:
    editor.edit("till.py")
    indexed(editor)
    editor.lua(
        "vim.ui.select = function(items, opts, done) vim.g.shown = vim.tbl_map(opts.format_item, items); done(items[1]) end"
    )
    editor.command("Nav search refuse amounts that make no sense")
    shown = editor.wait("hits", lambda: editor.lua("return vim.g.shown"))
    assert shown[0].startswith("validate  till.py:")
    assert editor.call("bufname").endswith("till.py")


def test_status_for_the_statusline_and_health(editor: Neovim) -> None:
    editor.edit("till.py")
    indexed(editor)
    editor.wait("fresh", lambda: editor.lua("return require('nav').status()") == "nav")
    editor.command("checkhealth nav")
    report = "\n".join(editor.lines())
    assert "attached: root" in report
    assert "ERROR" not in report


def test_it_leaves_to_others_what_they_can_do(editor: Neovim) -> None:
    editor.edit("till.py")
    indexed(editor)
    editor.lua("""
      vim.lsp.start({ name = 'other', cmd = function(dispatchers)
        return {
          request = function(method, _, callback)
            callback(nil, method == 'initialize' and { capabilities = { definitionProvider = true } } or vim.NIL)
            return true, 1
          end,
          notify = function() return true end,
          is_closing = function() return false end,
          terminate = function() end,
        }
      end })
    """)
    capability = "return vim.lsp.get_clients({name='nav'})[1].server_capabilities"
    editor.wait("definition given up", lambda: editor.lua(f"{capability}.definitionProvider == nil"))
    assert editor.lua(f"{capability}.callHierarchyProvider")


def test_completion_and_unknown_words(editor: Neovim) -> None:
    assert editor.call("getcompletion", "Nav cal", "cmdline") == ["callees", "callers"]
    editor.lua("vim.notify = function(text) vim.g.told = text end")
    editor.command("Nav nonsense")
    assert "say one of" in editor.lua("return vim.g.told")


def test_two_editors_share_one_server(surroundings: dict[str, str], repository: Path) -> None:
    first = Neovim(surroundings, repository)
    first.edit("till.py")
    indexed(first)
    first.command("vsplit shop.py")
    listing = subprocess.run(["ps", "-wweo", "args"], capture_output=True, text=True, check=True).stdout
    mine = [
        line for line in listing.splitlines() if "nav_ls.server" in line and surroundings["XDG_RUNTIME_DIR"] in line
    ]
    first.close()
    assert len(mine) == 1
