"""A real Neovim, as a person uses it."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.editors.conftest import ROOT, bridge_pids, program, server_pids

pytestmark = pytest.mark.slow

SECONDS = 60.0


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
    """One running editor with the plugin; `before` are commands that a person's init.vim would have."""

    def __init__(self, environment: dict[str, str], repository: Path, *before: str) -> None:
        path = Path(environment["XDG_RUNTIME_DIR"]) / f"nvim-{os.urandom(4).hex()}"
        settings = [f"set rtp^={ROOT / 'clients' / 'nvim'}", "set noswapfile", *before]
        command = [program("nvim"), "--clean", "--headless", "--listen", str(path)]
        self._process = subprocess.Popen(
            [*command, *(part for setting in settings for part in ("--cmd", setting))],
            cwd=repository,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._rpc = Rpc(path)
        self.lua("vim.g.told = {}; vim.notify = function(text) vim.g.told = vim.list_extend(vim.g.told, {text}) end")
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
        raise AssertionError(f"{what}: not within {SECONDS} s; messages: {messages}; told: {self.told()}")

    def told(self) -> list[str]:
        """What the editor has notified its user of."""
        return list(self.lua("return vim.g.told"))

    def ask(self, name: str, **params: Any) -> Any:
        """The answer of the server, asked by the plugin's client."""
        self.lua("vim.g.answer = vim.NIL")
        self._rpc(
            "nvim_exec_lua",
            "local name, params = ...; require('nav').ask(name, params, function(found) vim.g.answer = found end)",
            [name, params],
        )
        return self.wait(f"answer of {name}", lambda: self.lua("return vim.g.answer"))

    def edit(self, name: str) -> None:
        self.command(f"edit {name}")
        self.wait(
            "attached",
            lambda: self.lua(
                "return #vim.lsp.get_clients({name='nav', bufnr=0}) > 0 and vim.lsp.get_clients({name='nav'})[1].initialized"
            ),
        )

    def quickfix(self, which: str = "getqflist()") -> list[str]:
        items = self.lua(
            "return vim.tbl_map(function(i) return vim.fs.basename(vim.api.nvim_buf_get_name(i.bufnr)) .. ':' .. i.lnum"
            f" .. ' ' .. i.text end, vim.fn.{which})"
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
    """Wait for the index, which the built-in client's own requests do not do."""
    editor.ask("callers", target="validate")


# A second server that answers what it is asked for with one place: stands in for pyright, gopls and the like.
OTHER = """
  local function answer(method)
    if method == 'initialize' then
      return { capabilities = { definitionProvider = true, referencesProvider = true } }
    end
    local there = { start = { line = 0, character = 0 }, ['end'] = { line = 0, character = 1 } }
    return { { uri = vim.uri_from_bufnr(0), range = there } }
  end
  vim.lsp.start({ name = 'other', cmd = function()
    return {
      request = function(method, _, callback) callback(nil, answer(method)) return true, 1 end,
      notify = function() return true end,
      is_closing = function() return false end,
      terminate = function() end,
    }
  end })
"""
REFERENCES = "vim.lsp.buf.references({ includeDeclaration = false })"


def test_callers_fill_the_quickfix_or_the_location_list(editor: Neovim) -> None:
    editor.edit("till.py")
    editor.cursor("def validate")
    editor.command("Nav callers")
    found = editor.wait("callers", editor.quickfix)
    assert sorted(found) == ["shop.py:10 refund  [exact]", "till.py:12 Till.pay  [exact]"]
    editor.clear()
    editor.command("Nav! callees checkout")
    found = editor.wait("callees", lambda: editor.quickfix("getloclist(0)"))
    assert sorted(found) == ["shop.py:5 Till.__init__  [exact]", "shop.py:6 Till.pay  [type]"]
    assert editor.quickfix() == []


def test_impact_lists_what_a_change_may_reach(editor: Neovim) -> None:
    editor.edit("till.py")
    editor.command("Nav impact validate")
    found = editor.wait("impact", editor.quickfix)
    assert found[:2] == ["shop.py:9 refund  [exact, step 1]", "till.py:10 Till.pay  [exact, step 1]"]
    assert "shop.py:4 checkout  [type, step 2]" in found


def test_an_answer_is_streamed_and_its_citations_open(editor: Neovim) -> None:
    editor.edit("shop.py")
    indexed(editor)
    editor.lua("""
      local piece = require('nav.answers').piece
      vim.g.pieces = 0
      require('nav.answers').piece = function(params)
        if params.value.partial then vim.g.pieces = vim.g.pieces + 1 end
        return piece(params)
      end
    """)
    editor.command("Nav ask who checks amounts?")
    editor.wait("the answer", lambda: "Model: " in "\n".join(editor.lines()))
    text = "\n".join(editor.lines())
    assert text.startswith("# who checks amounts?\n\nAmounts are checked by `validate` [till.py:16-19]")
    assert "Not all that it says is backed" in text
    assert editor.lua("return vim.g.pieces") > 1
    editor.cursor("till.py:16")
    editor.command('execute "normal \\<CR>"')
    assert (editor.call("bufname").rpartition("/")[2], editor.call("line", ".")) == ("till.py", 16)
    editor.command("wincmd p")
    editor.command("Nav ask and who calls that?")
    editor.wait("a further answer", lambda: "\n".join(editor.lines()).count("Model: ") == 2)
    assert "# and who calls that?" in editor.lines()


def test_context_of_a_definition_goes_into_a_register(editor: Neovim) -> None:
    editor.edit("till.py")
    editor.command("Nav context validate")
    editor.wait("context", lambda: "Refuse amounts" in editor.call("getreg", '"'))
    assert "def validate(amount):" in "\n".join(editor.lines())


def test_call_hierarchy_of_the_built_in_client(editor: Neovim) -> None:
    editor.edit("till.py")
    indexed(editor)
    editor.cursor("def pay")
    editor.command("normal! w")
    editor.lua("vim.lsp.buf.incoming_calls()")
    found = editor.wait("incoming calls", editor.quickfix)
    assert [line.split(" ")[0] for line in found] == ["shop.py:6"]


def test_a_saved_call_appears_and_an_unsaved_one_does_before(editor: Neovim) -> None:
    def callers() -> list[str]:
        return [row["symbol"] for row in editor.ask("callers", target="validate")["callers"]]

    editor.edit("shop.py")
    assert "audit" not in callers()
    editor.call("append", "$", ["", "", "def audit():", "    validate(1)"])
    editor.wait("the unsaved caller", lambda: "audit" in callers())
    editor.command("write")
    editor.wait("the saved caller", lambda: "audit" in callers())
    editor.command("%delete | write")
    editor.wait("it is gone", lambda: "audit" not in callers())


def test_a_copy_is_told_after_a_save(surroundings: dict[str, str], repository: Path) -> None:
    editor = Neovim(surroundings, repository, "let g:nav_conform = v:true")
    editor.edit("till.py")
    indexed(editor)
    copied = "\n".join(f"    {line} = make(one, {number}, [one, two, three])" for number, line in enumerate("abcdef"))
    (repository / "one.py").write_text(f"def first(one, two, three):\n{copied}\n    return a\n")
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", "-C", str(repository)]
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-qm", "one"], check=True)
    editor.edit("two.py")
    editor.call("setline", 1, (repository / "one.py").read_text().replace("first", "second").splitlines())
    editor.command("write")
    told = editor.wait("a diagnostic", lambda: editor.lua("return vim.diagnostic.get(0)"))
    assert told[0]["message"].startswith("second does what first does already")
    assert told[0]["severity"] == editor.lua("return vim.diagnostic.severity.INFO")
    editor.close()


def test_search_offers_hits(editor: Neovim) -> None:
    editor.edit("till.py")
    editor.lua(
        "vim.ui.select = function(items, opts, done) vim.g.shown = vim.tbl_map(opts.format_item, items); done(items[1]) end"
    )
    editor.command("Nav search refuse amounts that make no sense")
    shown = editor.wait("hits", lambda: editor.lua("return vim.g.shown"))
    assert shown[0].startswith("validate  till.py:")
    editor.wait("the hit is opened", lambda: editor.call("bufname").endswith("till.py"))
    editor.command("Nav! search refuse amounts that make no sense")
    found = editor.wait("hits in the location list", lambda: editor.quickfix("getloclist(0)"))
    assert found[0].startswith("till.py:16 validate")


def test_status_for_the_statusline_and_health(surroundings: dict[str, str], repository: Path) -> None:
    editor = Neovim(surroundings, repository, "let g:nav_picker = 'nonsense'")
    assert editor.lua("return require('nav').status()") == ""
    editor.edit("till.py")
    editor.wait("fresh", lambda: editor.lua("return require('nav').status()") == "nav")
    assert editor.call("nvim_eval_statusline", "%{v:lua.require'nav'.status()}", {})["str"] == "nav"
    editor.lua(
        f"require('nav.status').set({{root = vim.uri_from_fname('{repository}'), state = 'indexing', percent = 43}})"
    )
    assert editor.call("nvim_eval_statusline", "%{v:lua.require'nav'.status()}", {})["str"] == "nav indexing 43 %"
    editor.command("checkhealth nav")
    report = "\n".join(editor.lines())
    assert f"attached: root {repository}" in report
    assert [line for line in editor.lines() if "ERROR" in line] == [
        "- ❌ ERROR vim.g.nav_picker must be one of: , telescope, fzf-lua, snacks, mini.pick, select"
    ]
    editor.command("bwipeout")
    editor.close()


def test_the_help_has_tags(editor: Neovim, repository: Path) -> None:
    editor.command(f"helptags {ROOT / 'clients' / 'nvim' / 'doc'}")
    try:
        editor.command("help nav-options")
        assert "OPTIONS" in editor.call("getline", ".")
    finally:
        (ROOT / "clients" / "nvim" / "doc" / "tags").unlink()


@pytest.mark.parametrize(
    "mode, expected",
    [
        ("fill", ["till.py:1"]),
        ("beside", ["till.py:1", "shop.py:1", "shop.py:10", "till.py:12"]),
        ("commands", ["till.py:1"]),
    ],
)
def test_beside_another_server(surroundings: dict[str, str], repository: Path, mode: str, expected: list[str]) -> None:
    editor = Neovim(surroundings, repository, f"let g:nav_beside_others = '{mode}'")
    editor.edit("till.py")
    indexed(editor)
    editor.lua(OTHER)
    editor.cursor("def validate")
    editor.command("normal! w")
    editor.lua(REFERENCES)
    found = editor.wait("references", editor.quickfix)
    assert sorted(line.split(" ")[0] for line in found) == sorted(expected)
    # What the other one cannot do is nav's, in the first two modes; so is all of it where the other one is not.
    can = "return vim.lsp.get_clients({{name='nav'}})[1]:supports_method('{}', {})"
    assert editor.lua(can.format("textDocument/prepareCallHierarchy", "vim.fn.bufnr('till.py')")) is (
        mode != "commands"
    )
    editor.edit("shop.py")
    assert editor.lua(can.format("textDocument/references", "vim.fn.bufnr('shop.py')")) is (mode != "commands")
    editor.close()


def test_code_lenses_tell_callers_and_open_them(surroundings: dict[str, str], repository: Path) -> None:
    editor = Neovim(surroundings, repository, "let g:nav_code_lens = v:true")
    editor.edit("till.py")

    def titles() -> dict[int, str]:
        found = editor.lua(
            "return vim.tbl_map(function(l) return {l.range.start.line + 1, l.command and l.command.title or ''} end,"
            " vim.lsp.codelens.get(0))"
        )
        return dict(found)

    # Nobody asks again: the server tells when the index is there.
    editor.wait("lenses", lambda: titles().get(16) == "2 callers")
    editor.cursor("def validate")
    editor.lua("vim.lsp.codelens.run()")
    found = editor.wait("callers", editor.quickfix)
    assert sorted(line.split(" ")[0] for line in found) == ["shop.py:10", "till.py:12"]
    editor.close()


def test_completion_and_unknown_words(editor: Neovim) -> None:
    assert editor.call("getcompletion", "Nav cal", "cmdline") == ["callees", "callers"]
    editor.command("Nav nonsense")
    assert "say one of" in editor.told()[0]
    editor.edit("till.py")
    indexed(editor)
    assert editor.call("getcompletion", "Nav callers val", "cmdline") == ["validate"]


def test_two_editors_share_one_server_and_survive_its_death(surroundings: dict[str, str], repository: Path) -> None:
    first, second = Neovim(surroundings, repository), Neovim(surroundings, repository)
    for editor in (first, second):
        editor.edit("till.py")
        indexed(editor)
    (pid,) = server_pids(surroundings)
    os.kill(pid, signal.SIGKILL)
    first.wait("another server", lambda: server_pids(surroundings) not in ([], [pid]))
    for editor in (first, second):
        editor.edit("till.py")
        indexed(editor)
        assert len(editor.ask("callers", target="validate")["callers"]) == 2
        assert not editor.told()
    (successor,) = server_pids(surroundings)
    assert successor != pid
    for bridge in bridge_pids(surroundings):
        os.kill(bridge, signal.SIGKILL)
    for editor in (first, second):
        editor.wait("told", lambda editor=editor: any("is being started again" in text for text in editor.told()))
        editor.edit("till.py")
        assert len(editor.ask("callers", target="validate")["callers"]) == 2
        assert len([text for text in editor.told() if text.startswith("nav:")]) == 1
        editor.close()
